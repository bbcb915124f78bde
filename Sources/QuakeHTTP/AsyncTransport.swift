import Dispatch
import Synchronization

/// A transport made of an asynchronous function, such as a call of an HTTP client that the program has anyway.
///
/// The thread of the refresh waits for the function, at most for the request's deadline. A cancellation cancels the
/// task in which the function runs, and does not wait for it.
public struct AsyncTransport: HTTPTransport {
    private let send: @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// A transport that calls `send`, which follows redirects and decodes compressed bodies. An error other than a
    /// ``TransportError`` counts as a lost connection.
    public init(_ send: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) { self.send = send }

    /// Sends `request` and waits for the whole answer.
    ///
    /// - Throws: ``TransportError`` when there is no whole answer.
    public func get(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        try get(request, monitor: TransferMonitor())
    }

    /// Sends `request` and waits for the whole answer, or until `monitor` is canceled.
    ///
    /// - Throws: ``TransportError`` when there is no whole answer.
    public func get(_ request: HTTPRequest, monitor: TransferMonitor) throws(TransportError) -> HTTPResponse {
        let outcome = AwaitedResponse()
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
        monitor.report(DownloadProgress(received: response.body.count))
        return response
    }
}

/// An answer that one thread waits for. The first outcome counts.
private final class AwaitedResponse: Sendable {
    private let outcome = Mutex<Result<HTTPResponse, TransportError>?>(nil)
    private let isSettled = DispatchSemaphore(value: 0)

    func settle(_ result: Result<HTTPResponse, TransportError>) {
        let isFirst = outcome.withLock { outcome in
            defer { outcome = outcome ?? result }
            return outcome == nil
        }
        if isFirst { isSettled.signal() }
    }

    func wait(for request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        if isSettled.wait(timeout: .now() + request.deadlineSeconds) == .timedOut {
            settle(.failure(.deadlineExceeded(seconds: request.deadlineSeconds)))
        }
        guard let result = outcome.withLock({ $0 }) else { throw .interrupted }
        return try result.get()
    }
}
