import FoundationEssentials
import Glibc
import QuakeModel
import QuakeSystem

/// Downloads through `quakes-fetch`, a separate program that reads a request from standard input and writes the
/// response to standard output. Linking URLSession would add 4–5 ms to the start of every command, and
/// FoundationNetworking crashes on some malformed responses. The helper starts in about 12 ms.
package struct FetchProcess: HTTPTransport {
    /// Environment overrides for the helper. They turn off crash backtraces, the folders that URLSession creates in
    /// $HOME for unused cookies and caches, and libdispatch's warnings that a thread's priority cannot be raised.
    private static let environmentOverrides = [
        "SWIFT_BACKTRACE": "enable=no", "XDG_DATA_HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null",
        "LIBDISPATCH_LOG": "NO",
    ]

    /// How long the helper may keep running after the deadline, or after its response, before it is killed. Normally,
    /// the helper enforces the deadline itself.
    var gracePeriod = Duration.seconds(2)

    private let helper: String?
    private let environment: [String: String]

    /// Creates a transport that runs the program at path `helper`, by default the one that ``locate(besides:)`` finds.
    ///
    /// The helper inherits `environment`, so `http_proxy` and `no_proxy` work. A body too large for memory is stored in
    /// `$TMPDIR` or, if that is not set, in /tmp.
    package init(helper: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.helper = helper
        self.environment = environment
    }

    /// Returns the path of the helper that belongs to `executable`, by default the running program.
    ///
    /// The helper is in the same folder after a build, or in `../libexec/quakes` after an installation.
    ///
    /// - Throws: ``TransportError`` if there is no helper.
    package static func locate(besides executable: String? = nil) throws(TransportError) -> String {
        let program = executable ?? FileLocation.executable
        guard let program, let slash = program.lastIndex(of: "/") else { throw .helperMissing(searched: []) }
        let folder = program[..<slash]
        let places = ["quakes-fetch", "../libexec/quakes/quakes-fetch"].map { "\(folder)/\($0)" }
        guard let found = places.first(where: { access($0, X_OK) == 0 }) else {
            throw .helperMissing(searched: places)
        }
        return found
    }

    /// Sends `request` to a helper and waits for the complete response.
    ///
    /// - Throws: ``TransportError`` if there is no complete response.
    package func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        try get(request, monitor: TransferMonitor())
    }

    /// Sends `request` to a helper and waits for the complete response, or until `monitor` is canceled.
    ///
    /// - Throws: ``TransportError`` if there is no complete response.
    package func get(_ request: TransportRequest, monitor: TransferMonitor) throws(TransportError) -> TransportResponse
    {
        guard let lines = request.lines else { throw .unsupportedURL(request.url) }
        let end = ContinuousClock.now + request.deadline + gracePeriod
        let helper = try start()
        // A failure to send is ignored, because the helper then reports an error or exits with a status.
        _ = helper.socket.sendAll(lines)

        let directory = UnlinkedFile.folder(environment["TMPDIR"])
        var answer = HelperResponse(bodyLimit: request.bodyLimit, spoolDirectory: directory, monitor: monitor)
        let conversation = helper.socket.number
        // Shutting down the socket ends the wait for the response, and the helper ends because nobody reads its output.
        let isComplete = try monitor.stopping(with: { shutdown(conversation, Int32(SHUT_RDWR)) }) {
            () throws(TransportError) in
            try answer.collect(output: helper.socket, errors: helper.diagnostics, until: end)
        }
        guard isComplete else { throw .deadlineExceeded(seconds: request.deadlineSeconds) }
        guard helper.child.hasEnded(within: gracePeriod) else {
            throw .helperFailed(status: 0, detail: "it did not end after its response")
        }
        switch helper.wait() {
        case .exited(0): return try answer.response()
        case .exited(let status): throw answer.failure(status: Int(status))
        case .signaled(let signal) where HeldSignals.ending.contains(signal): throw .interrupted
        case .signaled(let signal): throw answer.crash(signal: signal, url: request.url)
        case nil: throw .helperFailed(status: 0, detail: "its exit status was lost")
        }
    }

    private func start() throws(TransportError) -> RunningHelper {
        let path = if let helper { helper } else { try Self.locate() }
        do throws(SystemError) {
            return try RunningHelper(path, environment: environment.merging(Self.environmentOverrides) { $1 })
        } catch {
            if error.code == ENOENT { throw .helperMissing(searched: [path]) }
            throw .helperFailed(status: 0, detail: error.reason)
        }
    }
}

/// A helper, and this process's ends of the sockets to it. Dropping this value kills the helper.
private struct RunningHelper: ~Copyable {
    let child: ChildProcess
    /// The socket to the helper's standard input, for the request, and standard output, for the response.
    let socket: Descriptor
    /// The socket to the helper's standard error.
    let diagnostics: Descriptor

    init(_ path: String, environment: [String: String]) throws(SystemError) {
        let conversation = try DescriptorPair.sockets()
        let diagnostics = try DescriptorPair.sockets()
        child = try ChildProcess(
            path, arguments: [path], environment: environment,
            streams: [
                (STDIN_FILENO, conversation.theirs.number), (STDOUT_FILENO, conversation.theirs.number),
                (STDERR_FILENO, diagnostics.theirs.number),
            ], dropSignal: SIGKILL, inheritsOthers: false)
        self.socket = conversation.closingTheirs()
        self.diagnostics = diagnostics.closingTheirs()
    }

    consuming func wait() -> ChildProcess.Ending? { child.wait() }
}

/// Collects the helper's output. Standard output contains the head (``HelperLines``) and the body; after a failure,
/// standard error contains a ``TransportError`` as one line of JSON.
private struct HelperResponse: ~Copyable {
    private static let headLimit = 1 << 20
    private static let diagnosticsLimit = 64 << 10

    private var head: TransportResponseHead?
    private let bodyLimit: Int
    private var headBytes: [UInt8] = []
    private var diagnostics: [UInt8] = []
    private var spool: BodySpool
    private let monitor: TransferMonitor

    init(bodyLimit: Int, spoolDirectory: String, monitor: TransferMonitor) {
        self.monitor = monitor
        self.bodyLimit = bodyLimit
        spool = BodySpool(directory: spoolDirectory)
    }

    /// Reads both streams to the end. Returns false if `end` is reached first.
    mutating func collect(
        output: borrowing Descriptor, errors: borrowing Descriptor, until end: ContinuousClock.Instant
    ) throws(TransportError) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        // poll(2) ignores negative descriptors, so a stream that has ended is set to -1.
        var streams = [output.number, errors.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while streams.contains(where: { $0.fd >= 0 }) {
            monitor.report(DownloadProgress(receivedBytes: spool.count, expectedBytes: head?.announcedBodyLength))
            guard !monitor.isCancelled else { throw .interrupted }
            let remaining = end - .now
            guard remaining > .zero else { return false }
            let milliseconds = min(remaining / .milliseconds(1) + 1, 250)
            guard poll(&streams, nfds_t(streams.count), Int32(milliseconds)) > 0 else { continue }
            if streams[0].revents != 0 {
                let count = output.read(into: buffer)
                if count > 0 { try receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                if count <= 0 { streams[0].fd = -1 }
            }
            if streams[1].revents != 0 {
                let count = errors.read(into: buffer)
                if count > 0 { diagnostics += buffer[..<min(count, Self.diagnosticsLimit - diagnostics.count)] }
                if count <= 0 { streams[1].fd = -1 }
            }
        }
        guard !monitor.isCancelled else { throw .interrupted }
        return true
    }

    /// Returns the complete response of a helper that succeeded.
    consuming func response() throws(TransportError) -> TransportResponse {
        guard let head else { throw .helperFailed(status: 0, detail: "no response") }
        return TransportResponse(head: head, body: try spool.finish())
    }

    /// Returns the error that the helper reported or, if there is none, an error with its exit status and diagnostics.
    func failure(status: Int) -> TransportError {
        for line in diagnostics.split(separator: UInt8(ascii: "\n")).reversed() {
            if let error = try? JSONDecoder().decode(TransportError.self, from: Data(line)) { return error }
        }
        return .helperFailed(status: status, detail: firstDiagnostic)
    }

    /// Returns the error for a helper that was terminated by `signal` while requesting `url`.
    ///
    /// FoundationNetworking traps on a connection closed within the head, and on header fields after a chunked body. So
    /// the error names the host's response as the probable cause.
    func crash(signal: Int32, url: String) -> TransportError {
        let crash = "the download helper quakes-fetch crashed with signal \(signal)"
        let cause = "probably because of the response from \(WebAddress.redacted(url))"
        let detail = "the helper wrote: \(firstDiagnostic)"
        guard signal == SIGILL || signal == SIGTRAP else {
            return TransportError(.helperCrashed, "T\(crash.dropFirst()), \(cause).", detail: detail)
        }
        guard head == nil else {
            return .unreadableHeader(host: TransportRequest.host(of: url), cause: "\(crash), \(cause)", detail: detail)
        }
        return .connectionLost(host: TransportRequest.host(of: url), cause: "\(crash), \(cause)", detail: detail)
    }

    private var firstDiagnostic: String {
        let line = diagnostics.split(separator: UInt8(ascii: "\n")).first ?? []
        return String(decoding: line.prefix(1000), as: UTF8.self)
    }

    private mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        if head != nil { return try receiveBody(bytes) }
        let known = headBytes.count
        headBytes += bytes
        // An empty line ends the head.
        let emptyLine = [HelperLines.lineFeed, HelperLines.lineFeed]
        guard let end = headBytes.firstRange(of: emptyLine)?.upperBound else {
            guard headBytes.count <= Self.headLimit else { throw .helperFailed(status: 0, detail: "header too long") }
            return
        }
        head = TransportResponseHead(lines: headBytes[..<end])
        headBytes = []
        guard head != nil else { throw .helperFailed(status: 0, detail: "unreadable response header") }
        try receiveBody(UnsafeRawBufferPointer(rebasing: bytes[(end - known)...]))
    }

    private mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        guard spool.count + bytes.count <= bodyLimit else { throw .bodyTooLarge(limit: bodyLimit) }
        try spool.append(bytes)
    }
}
