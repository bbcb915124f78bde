import Foundation
import QuakeHTTP
import Synchronization

/// A transport whose responses come from a test, and which records the requested addresses.
final class ScriptedTransport: HTTPTransport {
    /// A response: a status, header fields, a body, and its address if that is not the requested one.
    struct Response: Sendable {
        var status: Int
        var headers: [String: String] = [:]
        var body = Data()
        var origin: String?
        /// The error thrown instead of a response.
        var failure: TransportError?
    }

    let answer: @Sendable (String) -> Response
    private let asked = Mutex<[String]>([])

    init(_ answer: @escaping @Sendable (String) -> Response) { self.answer = answer }

    /// The requested addresses, in order.
    var addresses: [String] { asked.withLock { $0 } }

    func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        asked.withLock { $0.append(request.url) }
        let answer = answer(request.url)
        if let failure = answer.failure { throw failure }
        let head = TransportResponseHead(
            status: answer.status, headers: answer.headers, url: answer.origin ?? request.url)
        return TransportResponse(head: head, body: answer.body)
    }
}

/// A transport for tests that send no requests.
struct NoTransport: HTTPTransport {
    func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        throw TransportError(.unreachable, "This test asks nobody.")
    }
}
