import Glibc
import Synchronization

/// Holds back signals that end programs, so that this program can first finish its step and report what it saved.
///
/// A signal handler can do almost nothing and needs global state. So the signals are blocked in this thread and in all
/// threads that it creates later, and every wait checks for them. A ``ChildProcess`` does not inherit the block. A
/// signal that this process already ignores, as under nohup, stays ignored.
package final class HeldSignals: Sendable {
    private struct State {
        var isHeld = false
        /// The signals that this thread did not block before.
        var added = sigset_t()
        /// The signal that ``wait(upTo:)`` has accepted.
        var taken: Int32?
    }

    /// The signals that ask a program to end.
    package static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private let numbers: [Int32]
    private let state = Mutex(State())

    /// Prepares for the signals in `numbers` that this process does not ignore. ``hold()`` starts holding them back.
    package init(_ numbers: [Int32] = HeldSignals.ending) {
        self.numbers = numbers.filter { number in
            var current = sigaction()
            guard sigaction(number, nil, &current) == 0 else { return false }
            return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) != 1
        }
    }

    package func hold() {
        state.withLock { state in
            guard !state.isHeld else { return }
            var signals = set
            var before = sigset_t()
            state.isHeld = pthread_sigmask(SIG_BLOCK, &signals, &before) == 0
            sigemptyset(&state.added)
            for number in numbers where sigismember(&before, number) == 0 { sigaddset(&state.added, number) }
        }
    }

    /// The signal received; nil if none.
    package var arrived: Int32? {
        if let taken = state.withLock(\.taken) { return taken }
        var pending = sigset_t()
        sigemptyset(&pending)
        guard sigpending(&pending) == 0 else { return nil }
        return numbers.first { sigismember(&pending, $0) == 1 }
    }

    /// Waits until a signal arrives, but no longer than `duration`. Returns whether one has arrived, now or earlier.
    package func wait(upTo duration: Duration) -> Bool {
        if arrived != nil { return true }
        let (seconds, attoseconds) = duration.components
        var limit = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var signals = set
        let number = sigtimedwait(&signals, nil, &limit)
        guard number > 0 else { return false }
        state.withLock { $0.taken = number }
        return true
    }

    /// Stops holding the signals back. A signal that has arrived now takes effect and ends the process, unless another
    /// object still holds the signal back; then that object receives it.
    package func release() {
        state.withLock { state in
            guard state.isHeld, pthread_sigmask(SIG_UNBLOCK, &state.added, nil) == 0 else { return }
            state.isHeld = false
            if let taken = state.taken { kill(getpid(), taken) }
        }
    }

    private var set: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        return signals
    }
}
