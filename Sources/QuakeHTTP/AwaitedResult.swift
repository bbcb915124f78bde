import Dispatch
import Synchronization

/// The result of a request, awaited by one thread. Only the first result counts.
package final class AwaitedResult<Success: Sendable>: Sendable {
    private let result = Mutex<Result<Success, TransportError>?>(nil)
    private let settledSemaphore = DispatchSemaphore(value: 0)

    package init() {}

    /// The result; nil if there is none yet.
    package var current: Result<Success, TransportError>? { result.withLock { $0 } }

    package func settle(_ new: Result<Success, TransportError>) {
        let isFirst = result.withLock { result in
            defer { result = result ?? new }
            return result == nil
        }
        if isFirst { settledSemaphore.signal() }
    }

    /// Waits for the result, but no longer than the deadline of `request`.
    package func wait(for request: TransportRequest) throws(TransportError) -> Success {
        if settledSemaphore.wait(timeout: .now() + request.deadlineSeconds) == .timedOut {
            settle(.failure(.deadlineExceeded(seconds: request.deadlineSeconds)))
        }
        guard let current else { throw .interrupted }
        return try current.get()
    }
}
