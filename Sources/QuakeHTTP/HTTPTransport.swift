/// Sends one GET at a time; the caller waits. A mirror calls it on a thread that nothing else needs.
///
/// A transport follows redirects, but never from https to http, and decodes compressed bodies. An answer with any
/// status is returned; an error means that there was no answer.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the whole answer.
    func get(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse

    /// The same for a caller that wants to know how much has come, and may stop waiting. A transport without this
    /// method is waited for until its request ends.
    ///
    /// - Throws: ``TransportError/Kind/interrupted`` soon after `monitor` was canceled.
    func get(_ request: HTTPRequest, monitor: TransferMonitor) throws(TransportError) -> HTTPResponse
}

extension HTTPTransport {
    /// Sends `request` and waits for the whole answer, whatever `monitor` says meanwhile.
    ///
    /// - Throws: ``TransportError`` when there is no whole answer.
    public func get(_ request: HTTPRequest, monitor: TransferMonitor) throws(TransportError) -> HTTPResponse {
        let response = try get(request)
        monitor.report(DownloadProgress(received: response.body.count))
        return response
    }
}
