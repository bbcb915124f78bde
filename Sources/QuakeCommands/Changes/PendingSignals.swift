import Glibc

/// Tells whether a signal that ends programs has arrived, so that this one can end between two steps and not within
/// one.
///
/// A signal handler can do almost nothing and needs global state. So the signals stay blocked, and the program asks for
/// them. A signal that the parent ignores (a background job of a shell) stays ignored. The price: every wait must ask.
final class PendingSignals {
    private var blocked = sigset_t()
    /// The signal that has arrived.
    private(set) var arrived: Int32?

    init(_ numbers: [Int32] = [SIGINT, SIGTERM]) {
        sigemptyset(&blocked)
        for number in numbers {
            var current = sigaction()
            guard sigaction(number, nil, &current) == 0 else { continue }
            let isIgnored = unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1
            if !isIgnored { sigaddset(&blocked, number) }
        }
        // Threads created from here on inherit the mask.
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
    }

    /// Whether one of them has arrived.
    func isPending() -> Bool {
        wait(upTo: .zero)
    }

    /// Waits for one of them, at most `duration`. True when one has arrived, now or earlier.
    func wait(upTo duration: Duration) -> Bool {
        if arrived != nil { return true }
        let (seconds, attoseconds) = duration.components
        var limit = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        let number = sigtimedwait(&blocked, nil, &limit)
        if number > 0 { arrived = number }
        return number > 0
    }

    /// Ends this process by the signal that has arrived, as if it had not been blocked.
    func endProcess() {
        guard let arrived else { return }
        pthread_sigmask(SIG_UNBLOCK, &blocked, nil)
        kill(getpid(), arrived)
    }
}
