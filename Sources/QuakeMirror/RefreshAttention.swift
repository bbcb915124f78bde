import QuakeFeed
public import QuakeHTTP

/// How far a refresh is.
public enum RefreshProgress: Hashable, Sendable {
    /// Another refresh of the cache is running; this one waits for its end.
    case waiting
    /// A request is sent to this address.
    case requesting(String)
    /// So much of the answer has come.
    case received(DownloadProgress)
    /// A document with so many features is compared with the cache.
    case applying(features: Int)
    /// The document is applied, and the event service is asked about so many missing quakes.
    case asking(quakes: Int)
}

/// What a refresh owes to those who wait for it: how far it is, and to stop when they no longer wait.
struct RefreshAttention: Sendable {
    let monitor: TransferMonitor
    let report: @Sendable (RefreshProgress) -> Void
    /// The words for a failure that the cache remembers.
    let describe: @Sendable (FeedError) -> String

    init(
        report: @escaping @Sendable (RefreshProgress) -> Void = { _ in },
        describe: @escaping @Sendable (FeedError) -> String = { "\($0)" }
    ) {
        monitor = TransferMonitor {
            report(.received($0))
            return true
        }
        self.report = report
        self.describe = describe
    }

    var isCancelled: Bool { monitor.isCancelled }

    /// Throws `CancellationError` when nobody waits any more.
    func requireAttention() throws {
        if isCancelled { throw CancellationError() }
    }
}
