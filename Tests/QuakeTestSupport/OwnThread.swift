import Foundation

/// Does `work` on a thread of its own.
///
/// What waits for a server must not wait on one of the few threads that Swift's tasks share, the server's among them.
public func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Swift.Result { try work() })
        }
    }
}
