import Glibc

/// A thread for work that the caller does itself where there is none. Not Dispatch, which waits forever where the
/// system has no thread left, and ends the process where it has no file descriptor left.
package enum ThreadStarter {
    /// Starts `work` on a thread of its own. False if the system has none left; then nothing happens.
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
