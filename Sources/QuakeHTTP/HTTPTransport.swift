/// Sends HTTP GET requests. Each call blocks its thread until the response is complete, so a mirror makes the calls on
/// a thread of its own.
///
/// A transport follows redirects, but never from https to http, and decodes compressed bodies. It returns responses
/// with any status; an error means that there was no response.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the complete response.
    func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse

    /// Sends `request`, reporting progress to `monitor`, which may cancel the request. A transport that does not
    /// implement this method cannot cancel a request.
    ///
    /// - Throws: ``TransportError/Kind/interrupted`` soon after `monitor` is canceled.
    func get(_ request: TransportRequest, monitor: TransferMonitor) throws(TransportError) -> TransportResponse
}

extension HTTPTransport {
    /// Sends `request` and waits for the complete response, even if `monitor` is canceled meanwhile.
    ///
    /// - Throws: ``TransportError`` if there is no complete response.
    public func get(_ request: TransportRequest, monitor: TransferMonitor) throws(TransportError) -> TransportResponse {
        let response = try get(request)
        monitor.report(DownloadProgress(receivedBytes: response.body.count))
        return response
    }
}
