/// A transport made from an asynchronous function, such as a call to an HTTP client that the program already uses.
///
/// A refresh waits for the function, but no longer than the request's deadline. Canceling the refresh cancels the
/// function's task without waiting for it to end.
public struct AsyncTransport: HTTPTransport {
    private let send: @Sendable (TransportRequest) async throws -> TransportResponse

    /// Creates a transport that calls `send`, which must follow redirects and decode compressed bodies. Errors other
    /// than ``TransportError`` count as a lost connection.
    public init(_ send: @escaping @Sendable (TransportRequest) async throws -> TransportResponse) { self.send = send }

    public func get(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
        try get(request, monitor: TransferMonitor())
    }

    public func get(_ request: TransportRequest, monitor: TransferMonitor) throws(TransportError) -> TransportResponse {
        let outcome = AwaitedResult<TransportResponse>()
        let task = Task {
            do {
                outcome.settle(.success(try await send(request)))
            } catch let error as TransportError {
                outcome.settle(.failure(error))
            } catch {
                outcome.settle(.failure(.connectionLost(host: request.host, cause: "\(error)")))
            }
        }
        defer { task.cancel() }
        let response = try monitor.stopping(with: { outcome.settle(.failure(.interrupted)) }) {
            () throws(TransportError) in
            try outcome.wait(for: request)
        }
        guard response.body.count <= request.bodyLimit else { throw .bodyTooLarge(limit: request.bodyLimit) }
        monitor.report(DownloadProgress(receivedBytes: response.body.count))
        return response
    }
}
