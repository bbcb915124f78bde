import Glibc
import QuakeOutput
import Synchronization

/// Holds back INT, so that the program can finish its step and say what it kept before the signal ends it.
///
/// The signal stays pending: ``release()`` lets it end the program as if it had come then, with the status that shells
/// expect. The download helper is not held back and ends at once, and with it the wait for a slow server. A signal that
/// the parent ignores (a background job of a shell) stays ignored.
final class HeldInterrupt: Sendable {
    private let isHeld = Mutex(false)

    /// Holds the signal back from now on.
    func hold() {
        isHeld.withLock { isHeld in
            if !isHeld { isHeld = change(SIG_BLOCK) }
        }
    }

    /// Whether the signal has come and waits.
    var hasCome: Bool {
        var pending = sigset_t()
        sigemptyset(&pending)
        return sigpending(&pending) == 0 && sigismember(&pending, SIGINT) == 1
    }

    /// Lets the signal through, which ends the program if it has come.
    func release() {
        isHeld.withLock { isHeld in
            if isHeld, change(SIG_UNBLOCK) { isHeld = false }
        }
    }

    /// Threads created while the signal is held hold it too.
    private func change(_ direction: Int32) -> Bool {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        return pthread_sigmask(direction, &signals, nil) == 0
    }
}

/// What is said after Ctrl-C.
struct InterruptWords {
    /// The feed whose download was interrupted; nil if the last feed was completed.
    let feed: String?
    /// How many feeds were applied.
    let applied: Int
    /// How many were not begun.
    let left: Int

    var text: String {
        var text = feed.map { "Interrupted: nothing of \($0) was kept." } ?? "Interrupted."
        if applied > 0 || feed == nil {
            text += " \(applied.counted("feed")) \(applied == 1 ? "was" : "were") applied."
        }
        if left > 0 { text += " \(left.counted("feed")) \(left == 1 ? "was" : "were") not begun." }
        return text
    }
}
