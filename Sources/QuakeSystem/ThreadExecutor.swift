import Synchronization

/// Runs the jobs of one actor in order on a dedicated thread, because the tasks' shared thread pool has
/// only one thread per core, and work that waits for a disk may take seconds.
package final class ThreadExecutor: SerialExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        var hasThread = false
    }

    private let queue = Mutex(Queue())

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
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
