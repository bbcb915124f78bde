/// The way to a server and back: one GET at a time, the caller waits.
///
/// A transport follows redirects, but never from https to http, and decodes compressed bodies. Any status is an
/// answer; an error means that there is none.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the whole answer.
    func get(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse
}
