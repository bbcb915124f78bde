import Foundation
import QuakeHTTP
import Synchronization

/// A transport that answers as a test says, and remembers what it was asked.
final class ScriptedTransport: HTTPTransport {
    /// An answer: a status, header fields, a body, and the address it comes from where that is not the one asked.
    struct Response: Sendable {
        var status: Int
        var headers: [String: String] = [:]
        var body = Data()
        var origin: String?
        /// There is no answer.
        var failure: TransportError?
    }

    let answer: @Sendable (String) -> Response
    private let asked = Mutex<[String]>([])

    init(_ answer: @escaping @Sendable (String) -> Response) {
        self.answer = answer
    }

    /// The addresses that were asked, in their order.
    var addresses: [String] { asked.withLock { $0 } }

    func get(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        asked.withLock { $0.append(request.url) }
        let answer = answer(request.url)
        if let failure = answer.failure { throw failure }
        let head = HTTPResponseHead(
            status: answer.status, headers: answer.headers, url: answer.origin ?? request.url)
        return HTTPResponse(head: head, body: answer.body)
    }
}

/// A transport for tests that ask nobody.
struct NoTransport: HTTPTransport {
    func get(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        throw TransportError(.unreachable, "This test asks nobody.")
    }
}
