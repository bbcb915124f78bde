import Synchronization

/// A bounded number of workers of one cache, which callers use in turn.
final class WorkerPool: Sendable {
    private struct Workers {
        var idle: [CacheWorker] = []
        var busyCount = 0
        /// The callers waiting for a worker, in order.
        var waiting: [(number: Int, continuation: CheckedContinuation<CacheWorker, any Error>)] = []
        var lastNumber = 0
    }

    private let maximumCount: Int
    private let workers = Mutex(Workers())

    init(maximumCount: Int) { self.maximumCount = max(1, maximumCount) }

    /// The number of callers waiting for a worker.
    var waitingCount: Int { workers.withLock { $0.waiting.count } }

    /// Runs `body` with the context of a worker that no other caller uses. Waits for a worker if all are busy; a task
    /// that is canceled while waiting throws `CancellationError` immediately.
    func run<Result: Sendable>(
        _ cache: QuakeCache, _ access: StoreConfiguration.Access, _ body: @Sendable (QuakeContext) throws -> Result
    ) async throws -> Result {
        let worker = try await borrow()
        defer { returnWorker(worker) }
        return try await worker.run(cache, access, body)
    }

    private func borrow() async throws -> CacheWorker {
        let number = workers.withLock { workers in
            workers.lastNumber += 1
            return workers.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Swift.Result<CacheWorker, any Error>? = workers.withLock { workers in
                    // The cancellation handler may have run before there was a continuation to remove.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard workers.busyCount < maximumCount else {
                        workers.waiting.append((number, continuation))
                        return nil
                    }
                    workers.busyCount += 1
                    return .success(workers.idle.popLast() ?? CacheWorker())
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let canceled = workers.withLock { workers in
                workers.waiting.firstIndex { $0.number == number }.map { workers.waiting.remove(at: $0) }
            }
            canceled?.continuation.resume(throwing: CancellationError())
        }
    }

    private func returnWorker(_ worker: CacheWorker) {
        let next = workers.withLock { workers in
            guard workers.waiting.isEmpty else { return Optional(workers.waiting.removeFirst()) }
            workers.busyCount -= 1
            workers.idle.append(worker)
            return nil
        }
        next?.continuation.resume(returning: worker)
    }
}
