import Synchronization

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
