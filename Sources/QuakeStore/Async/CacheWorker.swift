import QuakeSystem
import Synchronization

/// A context on its own thread, for functions that any thread may call.
actor CacheWorker {
    private let executor = CacheExecutor()
    private var held: QuakeContext?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs `body` with the worker's context, which has no pending changes. Creates a new context after an error or if
    /// the file was replaced.
    func run<Result: Sendable>(
        _ cache: QuakeCache, _ access: StoreConfiguration.Access, _ body: @Sendable (QuakeContext) throws -> Result
    ) throws -> Result {
        try Task.checkCancellation()
        // Keep the context while the file is missing: the file may return, and a new context would create another file.
        if FileIdentity(cache.path) != nil, (try? held?.connection.requireSameFile()) == nil { held = nil }
        let context = try held ?? cache.withOwnWorkers.context(access: access)
        held = nil
        // The context may have escaped from an earlier body and been edited since then.
        context.edits.rollback()
        let result = try body(context)
        context.edits.rollback()
        context.autosave = .off
        context.onWillSave = nil
        context.broadcast.finish()
        held = context
        return result
    }
}

/// The workers of one cache: one writer and a bounded number of readers.
final class CacheWorkers: Sendable {
    private struct Readers {
        var idle: [CacheWorker] = []
        var busyCount = 0
        /// The callers waiting for a worker, in order.
        var waiting: [(number: Int, continuation: CheckedContinuation<CacheWorker, any Error>)] = []
        var lastNumber = 0
    }

    let writer = CacheWorker()
    private let maximumReaderCount: Int
    private let readers = Mutex(Readers())

    init(maximumReaderCount: Int) { self.maximumReaderCount = max(1, maximumReaderCount) }

    /// Calls `body` with exclusive use of a worker. Waits for a worker if all are busy; a task that is canceled while
    /// waiting throws `CancellationError`.
    func withReader<Result>(_ body: (CacheWorker) async throws -> Result) async throws -> Result {
        let worker = try await borrow()
        defer { giveBack(worker) }
        return try await body(worker)
    }

    private func borrow() async throws -> CacheWorker {
        let number = readers.withLock { readers in
            readers.lastNumber += 1
            return readers.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Swift.Result<CacheWorker, any Error>? = readers.withLock { readers in
                    // The cancellation handler may have run before there was a continuation to remove.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard readers.busyCount < maximumReaderCount else {
                        readers.waiting.append((number, continuation))
                        return nil
                    }
                    readers.busyCount += 1
                    return .success(readers.idle.popLast() ?? CacheWorker())
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let canceled = readers.withLock { readers in
                readers.waiting.firstIndex { $0.number == number }.map { readers.waiting.remove(at: $0) }
            }
            canceled?.continuation.resume(throwing: CancellationError())
        }
    }

    private func giveBack(_ worker: CacheWorker) {
        let next = readers.withLock { readers in
            guard readers.waiting.isEmpty else { return Optional(readers.waiting.removeFirst()) }
            readers.busyCount -= 1
            readers.idle.append(worker)
            return nil
        }
        next?.continuation.resume(returning: worker)
    }
}

/// Runs the jobs of one actor in order on a dedicated thread, because reads and writes may take seconds and the tasks'
/// shared thread pool has only one thread per core.
final class CacheExecutor: SerialExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        var hasThread = false
    }

    private let queue = Mutex(Queue())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = queue.withLock { queue in
            queue.jobs.append(job)
            defer { queue.hasThread = true }
            return !queue.hasThread
        }
        // If no thread can be started, run the jobs on the caller's thread.
        if needsThread, !ThreadStarter.start({ self.run() }) { run() }
    }

    private func run() {
        while let job = next() { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    private func next() -> UnownedJob? {
        queue.withLock { queue in
            guard !queue.jobs.isEmpty else {
                queue.hasThread = false
                return nil
            }
            return queue.jobs.removeFirst()
        }
    }
}
