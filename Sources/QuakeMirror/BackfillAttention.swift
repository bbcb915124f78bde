package import QuakeFeed

/// What a backfill owes to those who wait for it: how far it is, and to stop when they no longer wait.
package struct BackfillAttention: Sendable {
    /// Told how far the backfill is.
    package var report: @Sendable (BackfillProgress) -> Void
    /// Whether nobody waits any more.
    package var isCancelled: @Sendable () -> Bool
    /// The words for a failure that the cache remembers.
    package var describe: @Sendable (FeedError) -> String

    /// An attention.
    package init(
        report: @escaping @Sendable (BackfillProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool,
        describe: @escaping @Sendable (FeedError) -> String
    ) {
        self.report = report
        self.isCancelled = isCancelled
        self.describe = describe
    }

    func requireAttention() throws {
        if isCancelled() { throw CancellationError() }
    }

    /// Sleeps, and looks up ten times a second. False when nobody waits any more.
    @discardableResult
    func sleep(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isCancelled(), ContinuousClock.now < end {
            RequestPace.sleep(min(.milliseconds(100), end - .now))
        }
        return !isCancelled()
    }
}
