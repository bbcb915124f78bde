import QuakeSystem
import Synchronization

/// Runs the jobs of one actor that waits for the disk, one after the other, on a thread of its own.
///
/// Reading and writing may take seconds, and the threads that all tasks share are as few as the cores. A thread that
/// lives as long as there are jobs takes some 20 µs to start.
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
        // Where the system has no thread left, the caller's must do.
        if needsThread, !SpareThread.start({ self.run() }) { run() }
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
