public import Foundation
import Synchronization

/// How a ``MisbehavingServer`` responds.
public enum Misbehavior: Sendable {
    /// Sends these bytes, whatever they are, and closes the connection.
    case bytes(Data)
    /// Sends these bytes without waiting for a request, and closes the connection.
    case bytesAtOnce(Data)
    /// Announces more than it sends, then closes the connection.
    case truncatedBody(announced: Int, sent: Int)
    /// Sends a byte of an endless body at every interval.
    case drip(every: Duration)
    /// Sends a body of this many bytes, whose length may be announced.
    case hugeBody(bytes: Int, isAnnounced: Bool)
    /// Sends an endless body in chunks of this many bytes.
    case endlessChunks(bytes: Int)
    /// Receives the request but sends nothing.
    case silence

    /// Sends this text, and closes the connection.
    public static func answer(_ text: String) -> Misbehavior { .bytes(Data(text.utf8)) }

    /// Closes the connection in the middle of a header line.
    public static let closedWithinHead = Misbehavior.answer("HTTP/1.1 200 OK\r\nContent-Le")
    /// Closes the connection without a response.
    public static let closedAtOnce = Misbehavior.answer("")
    /// Sends something other than HTTP.
    public static let garbage = Misbehavior.answer("\u{1}\u{2} mumble\r\n\r\nmumble")
}

/// A server that follows no rules.
public final class MisbehavingServer: Sendable {
    private let listener: LoopbackServer
    private let requests = Atomic(0)
    private let ended = Atomic(0)

    private init() throws {
        listener = try LoopbackServer()
    }

    /// Returns a server that responds with `misbehavior` and stops with the test. The suite must have the trait
    /// `.scratch`.
    public static func ofTest(_ misbehavior: Misbehavior) throws -> MisbehavingServer {
        let server = try MisbehavingServer()
        try server.listener.start { server.answer($0, misbehavior) }
        return server
    }

    /// The port on which it listens.
    public var port: UInt16 { listener.port }

    /// The address of `path`, which starts with a slash.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The number of requests received so far.
    public var requestCount: Int { requests.load(ordering: .relaxed) }

    /// The number of connections closed, including those whose client was gone.
    public var endedCount: Int { ended.load(ordering: .relaxed) }

    private func answer(_ connection: LoopbackConnection, _ misbehavior: Misbehavior) {
        defer { ended.add(1, ordering: .relaxed) }
        if case .bytesAtOnce(let bytes) = misbehavior {
            connection.send(bytes)
            return
        }
        guard connection.request() != nil else { return }
        requests.add(1, ordering: .relaxed)
        switch misbehavior {
        case .bytesAtOnce: break
        case .bytes(let bytes):
            connection.send(bytes)
        case .truncatedBody(let announced, let sent):
            connection.send(head("Content-Length: \(announced)") + Data(repeating: 0x78, count: sent))
        case .drip(let interval):
            guard connection.send(head("Content-Length: 1000000")) else { return }
            while connection.send(Data("x".utf8)), !connection.hasEnded(within: interval) {}
        case .hugeBody(let bytes, let isAnnounced):
            let field = isAnnounced ? "Content-Length: \(bytes)" : "Connection: close"
            guard connection.send(head(field)) else { return }
            let piece = Data(repeating: 0x20, count: 1 << 20)
            var rest = bytes
            while rest > 0, connection.send(piece.prefix(rest)) { rest -= piece.count }
        case .endlessChunks(let bytes):
            let chunk = String(bytes, radix: 16) + "\r\n" + String(repeating: " ", count: bytes) + "\r\n"
            let piece = Data(String(repeating: chunk, count: 1 + 60_000 / bytes).utf8)
            guard connection.send(head("Transfer-Encoding: chunked")) else { return }
            while connection.send(piece) {}
        case .silence:
            _ = connection.hasEnded(within: .seconds(60))
        }
    }

    private func head(_ field: String) -> Data { Data("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n".utf8) }
}
