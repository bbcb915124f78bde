public import Foundation
import Glibc
import Synchronization

/// How a ``MisbehavingServer`` answers.
public enum Misbehaviour: Sendable {
    /// Sends these bytes, whatever they are, and closes.
    case bytes(Data)
    /// Sends these bytes without waiting for a request, and closes.
    case bytesAtOnce(Data)
    /// Announces more than it sends, then closes.
    case truncatedBody(announced: Int, sent: Int)
    /// Sends a byte of an endless body at every interval.
    case drip(every: Duration)
    /// Sends a body of this many bytes, its length announced or not.
    case hugeBody(bytes: Int, isAnnounced: Bool)
    /// Takes the request and says nothing.
    case silence

    /// Closes in the middle of a header line.
    public static let closedWithinHead = Misbehaviour.bytes(Data("HTTP/1.1 200 OK\r\nContent-Le".utf8))
    /// Closes without an answer.
    public static let closedAtOnce = Misbehaviour.bytes(Data())
    /// Speaks another language.
    public static let garbage = Misbehaviour.bytes(Data("\u{1}\u{2} mumble\r\n\r\nmumble".utf8))
}

/// A server that keeps to nothing. It ends with the test, after 32 connections, or after a minute.
public final class MisbehavingServer: Sendable {
    /// The port it listens on.
    public let port: UInt16
    private let isStopped = Atomic(false)
    private let requests = Atomic(0)
    private let ended = Atomic(0)

    private init(port: UInt16) {
        self.port = port
    }

    /// The address of `path`, which starts with a slash.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// How many requests it has taken so far.
    public var requestCount: Int { requests.load(ordering: .relaxed) }

    /// How many connections it has closed, among them those whose client was gone.
    public var endedCount: Int { ended.load(ordering: .relaxed) }

    fileprivate static func start(_ misbehaviour: Misbehaviour) throws -> MisbehavingServer {
        let socket = try ListeningSocket()
        let server = MisbehavingServer(port: socket.port)
        Thread.detachNewThread {
            let end = ContinuousClock.now + .seconds(60)
            var connections = 0
            while server.goesOn(until: end), connections < 32 {
                guard let connection = socket.accept(within: 20) else { continue }
                connections += 1
                Thread.detachNewThread {
                    server.answer(connection, misbehaviour, until: end)
                    close(connection)
                    server.ended.add(1, ordering: .relaxed)
                }
            }
        }
        return server
    }

    fileprivate func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    private func goesOn(until end: ContinuousClock.Instant) -> Bool {
        !isStopped.load(ordering: .relaxed) && ContinuousClock.now < end
    }

    private func answer(_ connection: Int32, _ misbehaviour: Misbehaviour, until end: ContinuousClock.Instant) {
        if case .bytesAtOnce(let bytes) = misbehaviour {
            _ = send(bytes, to: connection)
            return
        }
        guard readRequest(connection) else { return }
        requests.add(1, ordering: .relaxed)
        switch misbehaviour {
        case .bytesAtOnce: break
        case .bytes(let bytes):
            _ = send(bytes, to: connection)
        case .truncatedBody(let announced, let sent):
            _ = send(head("Content-Length: \(announced)") + Data(repeating: 0x78, count: sent), to: connection)
        case .drip(let interval):
            guard send(head("Content-Length: 1000000"), to: connection) else { return }
            while goesOn(until: end), send(Data("x".utf8), to: connection) { pause(interval) }
        case .hugeBody(let bytes, let isAnnounced):
            let field = isAnnounced ? "Content-Length: \(bytes)" : "Connection: close"
            guard send(head(field), to: connection) else { return }
            let piece = Data(repeating: 0x20, count: 1 << 20)
            var rest = bytes
            while goesOn(until: end), rest > 0, send(piece.prefix(rest), to: connection) { rest -= piece.count }
        case .silence:
            while goesOn(until: end) { pause(.milliseconds(20)) }
        }
    }

    private func head(_ field: String) -> Data {
        Data("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n".utf8)
    }

    private func pause(_ interval: Duration) {
        Thread.sleep(forTimeInterval: interval / .seconds(1))
    }

    private func readRequest(_ connection: Int32) -> Bool {
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !request.ends(with: "\r\n\r\n".utf8) {
            var waiting = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 10_000) > 0 else { return false }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            request += buffer[..<count]
        }
        return true
    }

    private func send(_ data: Data, to connection: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let start = bytes.baseAddress?.advanced(by: sent)
                let count = Glibc.send(connection, start, bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with tail: some Collection<UInt8>) -> Bool {
        count >= tail.count && self[(count - tail.count)...].elementsEqual(tail)
    }
}

/// Runs `body` with a server that answers with `misbehaviour`, and which stops afterwards.
@discardableResult
public func withMisbehavingServer<Result: Sendable>(
    _ misbehaviour: Misbehaviour, _ body: (MisbehavingServer) async throws -> Result
) async throws -> Result {
    let server = try MisbehavingServer.start(misbehaviour)
    defer { server.stop() }
    return try await body(server)
}
