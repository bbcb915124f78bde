import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// A real HTTP server on the loopback interface, with answers set by the test.
public final class FeedServer: Sendable {
    private struct State {
        var answers: [String: [ServedAnswer]] = [:]
        var answerToAll: ServedAnswer?
        var requests: [ReceivedRequest] = []
    }

    /// The port it listens on.
    public let port: UInt16
    private let state = Mutex(State())

    fileprivate init(port: UInt16) {
        self.port = port
    }

    /// The address of the server, without a slash at its end.
    public var base: String { "http://127.0.0.1:\(port)" }

    /// The address of `path`, which starts with a slash.
    public func url(_ path: String) -> String { base + path }

    /// Answers GETs of `path` with `answers`, one after the other; the last one stays.
    public func serve(_ answers: ServedAnswer..., at path: String) {
        state.withLock { $0.answers[path] = answers }
    }

    /// Answers every request, whatever its path, as a proxy does.
    public func serveEverything(_ answer: ServedAnswer) {
        state.withLock { $0.answerToAll = answer }
    }

    /// What was asked so far.
    public var requests: [ReceivedRequest] { state.withLock { $0.requests } }

    fileprivate func answer(to request: ReceivedRequest) -> ServedAnswer {
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

/// Runs `body` with a server of its own, which is gone afterwards.
@discardableResult
public func withServer<Result: Sendable>(
    _ body: (FeedServer) async throws -> Result
) async throws -> Result {
    let relay = RequestRelay()
    let listener = HTTPServer(
        address: try sockaddr_in.inet(ip4: "127.0.0.1", port: 0), logger: .disabled,
        handler: ClosureHTTPHandler { request in relay.response(to: request) })
    let running = Task { try await listener.run() }
    defer { running.cancel() }
    try await listener.waitUntilListening()
    guard case .ip4(_, let port) = await listener.listeningAddress else { throw ServerFault(call: "listen", code: 0) }
    let server = FeedServer(port: port)
    relay.server.withLock { $0 = server }
    do {
        let result = try await body(server)
        await listener.stop()
        return result
    } catch {
        await listener.stop()
        throw error
    }
}

/// Hands requests to the server once it exists: its port is known only when it listens.
private final class RequestRelay: Sendable {
    let server = Mutex<FeedServer?>(nil)

    func response(to request: FlyingFox.HTTPRequest) -> FlyingFox.HTTPResponse {
        var headers: [String: String] = [:]
        for (name, value) in request.headers { headers[name.rawValue.lowercased()] = value }
        var received = ReceivedRequest(path: request.path, headers: headers)
        for item in request.query { received.query[item.name] = item.value }
        let answer = server.withLock { $0?.answer(to: received) } ?? ServedAnswer(status: 503)
        var fields = HTTPHeaders()
        for (name, value) in answer.headers { fields[HTTPHeader(name)] = value }
        return HTTPResponse(
            statusCode: HTTPStatusCode(answer.status, phrase: "Status \(answer.status)"), headers: fields,
            body: answer.body)
    }
}
