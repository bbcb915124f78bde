import Glibc
import Synchronization

/// A download helper that was started, and our ends of what connects us with it. Killed when dropped unused.
struct RunningHelper: ~Copyable {
    let child: ChildProcess
    /// The request goes in here, the answer comes out.
    let answers: Descriptor
    /// What it says when it fails, and that it is done.
    let diagnostics: Descriptor

    /// The process alone, to be waited for; what connected us is closed.
    consuming func takeChild() -> ChildProcess { child }
}

/// Holds a helper that was started ahead of its request, and the ids of those that are done and about to end.
final class StandbyHelper: Sendable {
    private let helper = Mutex<RunningHelper?>(nil)
    private let leaving = Mutex<[pid_t]>([])

    /// Lets a helper that is done end by itself; earlier ones that have ended are reaped.
    func leave(_ child: consuming ChildProcess) {
        let id = child.leave()
        leaving.withLock { ids in
            ids.removeAll(where: ChildProcess.reapIfEnded)
            ids.append(id)
        }
    }

    /// Ends whoever still waits for a request, and reaps all.
    func dismiss() {
        _ = take()
        for id in leaving.withLock({ ids in
            defer { ids = [] }
            return ids
        }) {
            // It said that it is done: what is left of it is its end.
            _ = ChildProcess(id: id)
        }
    }

    func keep(_ started: consuming RunningHelper) {
        var started: RunningHelper? = consume started
        helper.withLock { helper in
            helper = started.take()
        }
    }

    var isOccupied: Bool {
        helper.withLock { helper in
            switch helper {
            case .some: true
            case .none: false
            }
        }
    }

    func take() -> RunningHelper? {
        helper.withLock { helper in
            helper.take()
        }
    }
}
