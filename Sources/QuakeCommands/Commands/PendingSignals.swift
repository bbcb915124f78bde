import Foundation

/// INT and TERM as something to be asked for, so that work ends between two steps and not within one.
///
/// Need: a reader that is followed live is ended by a signal, and its token must be kept. Hazard: a handler may do next to
/// nothing and has no state but global. Choice: the signals are blocked for good and asked for; a signal that the
/// parent had ignored (a job in the background of a shell) stays ignored. Price: whatever waits must ask.
final class PendingSignals {
    private var blocked = sigset_t()
    private var hasCome = false

    init() {
        sigemptyset(&blocked)
        for number in [SIGINT, SIGTERM] {
            var current = sigaction()
            guard sigaction(number, nil, &current) == 0 else { continue }
            let isIgnored = unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1
            if !isIgnored { sigaddset(&blocked, number) }
        }
        // Threads made from here on inherit it.
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
    }

    /// Whether one has come.
    func isPending() -> Bool {
        wait(upTo: .zero)
    }

    /// Waits for one, not longer than `duration`. True when one has come, now or earlier.
    func wait(upTo duration: Duration) -> Bool {
        if hasCome { return true }
        let (seconds, attoseconds) = duration.components
        var limit = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        hasCome = sigtimedwait(&blocked, nil, &limit) > 0
        return hasCome
    }
}
