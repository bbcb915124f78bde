import Synchronization

/// Connects a download with those who wait for it: it tells them how far it is, and they tell it when nobody waits any
/// more.
public final class TransferMonitor: Sendable {
    private struct State {
        var isCancelled = false
        var stop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let onReceived: @Sendable (Int) -> Void

    /// A monitor. `onReceived` is told the decoded bytes that the present answer has so far, from any thread.
    public init(onReceived: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.onReceived = onReceived
    }

    /// Whether nobody waits for the download any more.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Stops the download that is running, and every later one.
    public func cancel() {
        state.withLock { state in
            guard !state.isCancelled else { return }
            state.isCancelled = true
            state.stop?()
        }
    }

    /// Runs `body`. Until it returns, a cancellation calls `stop`, at most once and from any thread; at once if it came
    /// before. `stop` must not wait for `body`, nor call the monitor.
    public func stopping<Result, Failure>(
        with stop: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        state.withLock { state in
            state.stop = stop
            if state.isCancelled { stop() }
        }
        defer { state.withLock { $0.stop = nil } }
        return try body()
    }

    /// Tells how many bytes of the answer have come.
    public func report(received count: Int) {
        onReceived(count)
    }
}
