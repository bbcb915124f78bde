import Synchronization

/// Connects a download with its observer, which follows its progress and may cancel it.
public final class TransferMonitor: Sendable {
    private struct State {
        var isCancelled = false
        var stop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let onProgress: (@Sendable (DownloadProgress) -> Bool)?

    /// A monitor.
    ///
    /// - Parameter onProgress: told how far the present answer is, from any thread: when bytes have come, and by
    ///   ``FetchProcess`` also every quarter of a second. Returning false cancels.
    public init(onProgress: (@Sendable (DownloadProgress) -> Bool)? = nil) { self.onProgress = onProgress }

    var isWatched: Bool { onProgress != nil }
    /// Whether the download was canceled.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Stops the download that is running, and every later one.
    public func cancel() {
        state.withLock { state in
            guard !state.isCancelled else { return }
            state.isCancelled = true
            state.stop?()
        }
    }

    /// Runs `body`. Until it returns, a cancellation calls `stop`, at most once and from any thread; immediately if
    /// already canceled. `stop` must not wait for `body`, nor call the monitor.
    ///
    /// - Throws: what `body` throws.
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

    /// Tells how far the answer is.
    public func report(_ progress: DownloadProgress) {
        if onProgress?(progress) == false { cancel() }
    }
}

/// How far a download is.
public struct DownloadProgress: Hashable, Sendable, Codable {
    /// Bytes of the body that have come, decoded.
    public var received: Int
    /// The bytes of the whole body; nil if the server has not said, or compresses it.
    public var expected: Int?

    /// Progress so far.
    public init(received: Int, expected: Int? = nil) { (self.received, self.expected) = (received, expected) }
}
