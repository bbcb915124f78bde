import Foundation
import Glibc

/// What the download helper writes, as it comes in: on its output the head (``HelperLines``), then the body; on its
/// errors, where it fails, one line of JSON with a ``TransportError``, and after a success ``FetchProcess/farewell``.
struct HelperAnswer: ~Copyable {
    private static let headLimit = 1 << 20
    private static let diagnosticsLimit = 64 << 10

    private(set) var head: HTTPResponseHead?
    private let bodyLimit: Int
    private var headBytes: [UInt8] = []
    private var diagnostics: [UInt8] = []
    private var spool: BodySpool

    init(bodyLimit: Int, spoolDirectory: String) {
        self.bodyLimit = bodyLimit
        spool = BodySpool(directory: spoolDirectory)
    }

    /// Reads both streams until both end, or until `end` has come: then the answer is false.
    mutating func collect(
        output: borrowing Descriptor, errors: borrowing Descriptor, until end: ContinuousClock.Instant
    ) throws(TransportError) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        // poll(2) passes over negative descriptors: that is how a stream that has ended is left out.
        var streams = [output.number, errors.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while streams.contains(where: { $0.fd >= 0 }) {
            let remaining = end - .now
            guard remaining > .zero else { return false }
            let milliseconds = min(remaining / .milliseconds(1) + 1, 1e9)
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
        return true
    }

    /// The whole answer of a helper that ended well.
    consuming func response() throws(TransportError) -> HTTPResponse {
        guard let head else { throw .helperFailed(status: 0, detail: "no answer") }
        return HTTPResponse(head: head, document: try spool.finish())
    }

    /// Whether the helper said that all went well: its status need not be waited for.
    var endsWithFarewell: Bool {
        diagnostics.suffix(FetchProcess.farewell.utf8.count).elementsEqual(FetchProcess.farewell.utf8)
    }

    /// The failure that the helper reported in its own words, or else its status and what it left behind.
    func failure(status: Int) -> TransportError {
        for line in diagnostics.split(separator: UInt8(ascii: "\n")).reversed() {
            if let error = try? JSONDecoder().decode(TransportError.self, from: Data(line)) { return error }
        }
        return .helperFailed(status: status, detail: firstDiagnostic)
    }

    /// What it means that the helper broke down while it was busy with `url`.
    ///
    /// FoundationNetworking ends the process, "Transfer completed, but there's no response", when a connection is closed
    /// within the head of an answer. So a break-down before the head is taken for that.
    func breakdown(signal: Int32, url: String) -> TransportError {
        guard head == nil, signal == SIGILL || signal == SIGTRAP else { return failure(status: 128 + Int(signal)) }
        return .connectionLost(host: URL(string: url)?.host() ?? url, cause: firstDiagnostic)
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

    /// Behind the empty line that ends the head, which is not before `start`.
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
