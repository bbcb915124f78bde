public import FoundationEssentials
import Glibc
import QuakeSystem

/// Downloads through `quakes-fetch`, a program of its own, which takes a request on its standard input and answers on
/// its standard output. Linking URLSession would cost every command 4–5 ms at its start, and FoundationNetworking
/// crashes on some broken answers. The helper starts in about 12 ms.
public struct FetchProcess: HTTPTransport {
    /// Environment overrides for the helper: no backtrace, which would follow the report of a crash; no folders in
    /// $HOME, which URLSession makes for cookies and a cache that it does not use; no lines of libdispatch in the
    /// system's log, which say at every download that a thread's priority may not be raised.
    private static let overrides = [
        "SWIFT_BACKTRACE": "enable=no", "XDG_DATA_HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null",
        "LIBDISPATCH_LOG": "NO",
    ]

    /// The helper keeps the deadline itself. It is killed if it still runs this long after that, or after its answer.
    var grace = Duration.seconds(2)

    private let helper: String?
    private let environment: [String: String]

    /// A transport through the program at path `helper`, or through the one that ``locate(besides:)`` finds.
    ///
    /// The helper gets `environment`: `http_proxy` and `no_proxy` work. A body too large for the memory is stored in
    /// `$TMPDIR`, or in /tmp.
    public init(helper: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment) {
        (self.helper, self.environment) = (helper, environment)
    }

    /// The path of the helper that belongs to `executable`, by default to the running program.
    ///
    /// It is in the same folder, as the build leaves it, or in `../libexec/quakes`, as it is installed.
    ///
    /// - Throws: ``TransportError``.
    public static func locate(besides executable: String? = nil) throws(TransportError) -> String {
        let program = executable ?? ProgramArguments.executable
        guard let program, let slash = program.lastIndex(of: "/") else { throw .helperMissing(searched: []) }
        let folder = program[..<slash]
        let places = ["quakes-fetch", "../libexec/quakes/quakes-fetch"].map { "\(folder)/\($0)" }
        guard let found = places.first(where: { access($0, X_OK) == 0 }) else {
            throw .helperMissing(searched: places)
        }
        return found
    }

    /// Sends `request` to a helper and waits for its whole answer.
    ///
    /// - Throws: ``TransportError`` when there is no whole answer.
    public func get(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        try get(request, monitor: TransferMonitor())
    }

    /// Sends `request` to a helper and waits for its whole answer, or until `monitor` is canceled.
    ///
    /// - Throws: ``TransportError`` when there is no whole answer.
    public func get(_ request: HTTPRequest, monitor: TransferMonitor) throws(TransportError) -> HTTPResponse {
        guard let lines = request.lines else { throw .unsupportedURL(request.url) }
        let end = ContinuousClock.now + request.deadline + grace
        let helper = try start()
        // A helper that does not take the request says why, or leaves a status.
        _ = helper.conversation.sendAll(lines)

        let directory = UnlinkedFile.folder(environment["TMPDIR"])
        var answer = HelperResponse(bodyLimit: request.bodyLimit, spoolDirectory: directory, monitor: monitor)
        let conversation = helper.conversation.number
        // Ends the waiting for the answer, and the helper, which notices that nobody reads any more.
        let isComplete = try monitor.stopping(with: { shutdown(conversation, Int32(SHUT_RDWR)) }) {
            () throws(TransportError) in
            try answer.collect(output: helper.conversation, errors: helper.diagnostics, until: end)
        }
        guard isComplete else { throw .deadlineExceeded(seconds: request.deadlineSeconds) }
        guard helper.child.hasEnded(within: grace) else {
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
            return try RunningHelper(path, environment: environment.merging(Self.overrides) { $1 })
        } catch {
            if error.code == ENOENT { throw .helperMissing(searched: [path]) }
            throw .helperFailed(status: 0, detail: error.reason)
        }
    }
}

/// A helper and our ends of the sockets to it. Killed when dropped.
private struct RunningHelper: ~Copyable {
    let child: ChildProcess
    /// Its standard input and output: the request goes in here, the answer comes out.
    let conversation: Descriptor
    /// Its standard error.
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
        self.conversation = conversation.closingTheirs()
        self.diagnostics = diagnostics.closingTheirs()
    }

    consuming func wait() -> ChildProcess.Ending? { child.wait() }
}

/// Collects what the helper writes: on its standard output the head (``HelperLines``), then the body; on its standard
/// error, if it fails, one line of JSON with a ``TransportError``.
private struct HelperResponse: ~Copyable {
    private static let headLimit = 1 << 20
    private static let diagnosticsLimit = 64 << 10

    private var head: HTTPResponseHead?
    private let bodyLimit: Int
    private var headBytes: [UInt8] = []
    private var diagnostics: [UInt8] = []
    private var spool: BodySpool
    private let monitor: TransferMonitor

    init(bodyLimit: Int, spoolDirectory: String, monitor: TransferMonitor) {
        (self.monitor, self.bodyLimit) = (monitor, bodyLimit)
        spool = BodySpool(directory: spoolDirectory)
    }

    /// Reads both streams to their ends. False when `end` comes first.
    mutating func collect(
        output: borrowing Descriptor, errors: borrowing Descriptor, until end: ContinuousClock.Instant
    ) throws(TransportError) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        // poll(2) ignores negative descriptors: a stream that has ended is set to -1.
        var streams = [output.number, errors.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while streams.contains(where: { $0.fd >= 0 }) {
            monitor.report(DownloadProgress(received: spool.count, expected: head?.announcedBodyLength))
            guard !monitor.isCancelled else { throw .interrupted }
            let remaining = end - .now
            guard remaining > .zero else { return false }
            let milliseconds = min(remaining / .milliseconds(1) + 1, monitor.isWatched ? 250 : 1e9)
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

    /// The whole answer of a helper that succeeded.
    consuming func response() throws(TransportError) -> HTTPResponse {
        guard let head else { throw .helperFailed(status: 0, detail: "no response") }
        return HTTPResponse(head: head, body: try spool.finish())
    }

    /// The failure that the helper reported, or its status and the first line it wrote.
    func failure(status: Int) -> TransportError {
        for line in diagnostics.split(separator: UInt8(ascii: "\n")).reversed() {
            if let error = try? JSONDecoder().decode(TransportError.self, from: Data(line)) { return error }
        }
        return .helperFailed(status: status, detail: firstDiagnostic)
    }

    /// What it means that `signal` ended the helper while it asked for `url`.
    ///
    /// FoundationNetworking traps on answers that it does not expect: a connection that is closed within the head, or
    /// a chunked body with a trailer. So the host counts as the cause of a trap.
    func crash(signal: Int32, url: String) -> TransportError {
        let what = "he download helper quakes-fetch crashed (signal \(signal))."
        let isOfTheAnswer = signal == SIGILL || signal == SIGTRAP
        return TransportError(
            isOfTheAnswer ? .connectionLost : .helperCrashed,
            isOfTheAnswer ? "The connection to \(HTTPRequest.host(of: url)) was lost: t\(what)" : "T\(what)",
            remedy: "Try again.", detail: "the helper wrote: \(firstDiagnostic)")
    }

    private var firstDiagnostic: String {
        let line = diagnostics.split(separator: UInt8(ascii: "\n")).first ?? []
        return String(decoding: line.prefix(1000), as: UTF8.self)
    }

    private mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        if head != nil { return try receiveBody(bytes) }
        let known = headBytes.count
        headBytes += bytes
        guard let end = headEnd(from: known) else {
            guard headBytes.count <= Self.headLimit else { throw .helperFailed(status: 0, detail: "endless head") }
            return
        }
        head = HTTPResponseHead(lines: headBytes[..<end])
        headBytes = []
        guard head != nil else { throw .helperFailed(status: 0, detail: "head not understood") }
        try receiveBody(UnsafeRawBufferPointer(rebasing: bytes[(end - known)...]))
    }

    /// The index after the empty line that ends the head, which is not before `start`; nil if there is none.
    private func headEnd(from start: Int) -> Int? {
        let first = max(start, 1)
        return headBytes.indices.dropFirst(first).first {
            headBytes[$0] == HelperLines.lineFeed && headBytes[$0 - 1] == HelperLines.lineFeed
        }.map { $0 + 1 }
    }

    private mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        guard spool.count + bytes.count <= bodyLimit else { throw .bodyTooLarge(limit: bodyLimit) }
        try spool.append(bytes)
    }
}
