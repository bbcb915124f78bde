import Synchronization

/// Connects a download to an observer, which follows the progress and may cancel the download.
public final class TransferMonitor: Sendable {
    private struct State {
        var isCancelled = false
        var stop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let onProgress: @Sendable (DownloadProgress) -> Bool

    /// Creates a monitor.
    ///
    /// - Parameter onProgress: receives the progress of the current response, on any thread, when bytes arrive and,
    ///   with ``FetchProcess``, every quarter of a second. Returning false cancels the download.
    package init(onProgress: @escaping @Sendable (DownloadProgress) -> Bool = { _ in true }) {
        self.onProgress = onProgress
    }

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Stops the current download and all later ones.
    package func cancel() {
        state.withLock { state in
            guard !state.isCancelled else { return }
            state.isCancelled = true
            state.stop?()
        }
    }

    /// Runs `body`. If the download is canceled before or during that call, calls `stop` once, on any thread. `stop`
    /// must not wait for `body` or call the monitor.
    ///
    /// - Throws: the error that `body` throws.
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

    /// Reports progress to the observer, which may cancel the download in response.
    public func report(_ progress: DownloadProgress) {
        if !onProgress(progress) { cancel() }
    }
}
