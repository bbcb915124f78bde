import Glibc

/// Starts threads for work that the caller can also do itself. Dispatch would wait forever if the system is out of
/// threads, and end the process if it is out of file descriptors.
package enum ThreadStarter {
    /// Runs `work` on a new thread. Returns false, without effect, if the system is out of threads.
    @discardableResult
    package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        if code == 0 { pthread_detach(thread) } else { box.release() }
        return code == 0
    }

    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
