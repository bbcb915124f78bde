import Foundation
public import Testing

/// Runs `work` on its own thread.
///
/// Work that waits for a server must not block one of the few threads that Swift's tasks share, including the server's.
public func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Swift.Result { try work() })
        }
    }
}

/// Runs tests that compute for seconds on their own threads. On the few threads that Swift's tasks share, they would
/// keep the servers of other tests waiting.
public struct ComputingTrait: SuiteTrait, TestTrait, TestScoping {
    /// Applies to every test of a suite, not to the suite.
    public var isRecursive: Bool { true }

    /// Runs `function` on threads other than those of Swift's tasks.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ComputingThreads.shared, operation: function)
    }
}

extension Trait where Self == ComputingTrait {
    /// For tests that compute for seconds without a pause.
    public static var computing: Self { ComputingTrait() }
}

private final class ComputingThreads: TaskExecutor {
    static let shared = ComputingThreads()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A dispatch queue would run it on the same threads as Swift's tasks.
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
