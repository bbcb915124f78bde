import Synchronization

/// A download helper that was started, and our ends of what connects us with it. Killed when dropped unused.
struct RunningHelper: ~Copyable {
    let child: ChildProcess
    /// The request goes in here, the answer comes out.
    let answers: Descriptor
    /// What it says when it fails.
    let diagnostics: Descriptor

    /// The process alone, to be waited for; what connected us is closed.
    consuming func takeChild() -> ChildProcess { child }
}

/// Holds a helper that was started ahead of its request.
final class StandbyHelper: Sendable {
    private let helper = Mutex<RunningHelper?>(nil)

    func keep(_ started: consuming RunningHelper) {
        var started: RunningHelper? = consume started
        helper.withLock { helper in
            helper = started.take()
        }
    }

    func take() -> RunningHelper? {
        helper.withLock { helper in
            helper.take()
        }
    }
}
