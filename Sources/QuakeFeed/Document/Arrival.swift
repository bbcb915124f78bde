import Dispatch
import Synchronization

/// How much of a document is here, for one who reads while another writes.
final class Arrival: Sendable {
    private struct State {
        var count = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    /// The first `count` bytes are here.
    func advance(to count: Int) {
        state.withLock { $0.count = count }
        news.signal()
    }

    /// No more will come.
    func end() {
        state.withLock { $0.isOver = true }
        news.signal()
    }

    /// Waits until the byte at `index` is here, or until it is clear that it never will be. Returns how many are.
    func wait(for index: Int) -> Int {
        while true {
            let now = state.withLock { $0 }
            if now.count > index || now.isOver { return now.count }
            news.wait()
        }
    }
}
