import Foundation
import Synchronization

/// A real HTTP server on the loopback interface, with responses set by the test.
public final class FeedServer: Sendable {
    private struct State {
        var answers: [String: [ServedAnswer]] = [:]
        var answerToAll: ServedAnswer?
        var requests: [ReceivedRequest] = []
    }

    private let listener: LoopbackServer
    private let state = Mutex(State())

    private init() throws {
        listener = try LoopbackServer()
    }

    /// Returns a new server, which stops with the test. The suite must have the trait `.scratch`.
    public static func ofTest() throws -> FeedServer {
        let server = try FeedServer()
        try server.listener.start { connection in
            guard let received = connection.request().flatMap(ReceivedRequest.init) else { return }
            connection.send(server.answer(to: received))
        }
        return server
    }

    /// The port on which it listens.
    public var port: UInt16 { listener.port }

    /// The server's address, without a final slash.
    public var base: String { "http://127.0.0.1:\(port)" }

    /// The address of `path`, which starts with a slash.
    public func url(_ path: String) -> String { base + path }

    /// Responds to GETs of `path` with `answers`, one after another, repeating the last one.
    public func serve(_ answers: ServedAnswer..., at path: String) { state.withLock { $0.answers[path] = answers } }

    /// Sends the same response to every request, whatever its path, like a proxy; with nil, no longer.
    public func serveEverything(_ answer: ServedAnswer?) { state.withLock { $0.answerToAll = answer } }

    /// The requests received so far.
    public var requests: [ReceivedRequest] { state.withLock { $0.requests } }

    private func answer(to request: ReceivedRequest) -> ServedAnswer {
        state.withLock { state in
            state.requests.append(request)
            if let answer = state.answerToAll { return answer }
            guard var answers = state.answers[request.path], let answer = answers.first else {
                return ServedAnswer(status: 404)
            }
            if answers.count > 1 { answers.removeFirst() }
            state.answers[request.path] = answers
            return answer.conditional(on: request)
        }
    }
}
