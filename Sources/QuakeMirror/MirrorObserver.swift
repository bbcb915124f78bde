package import QuakeFeed

/// Follows a refresh or a backfill: learns how far it is, and may cancel it.
package struct MirrorObserver<Progress: Sendable>: Sendable {
    /// Told how far it is.
    let report: @Sendable (Progress) -> Void
    /// Whether it was cancelled.
    let isCancelled: @Sendable () -> Bool
    /// The words for a failure that the cache remembers.
    let describe: @Sendable (FeedError) -> String

    /// An observer; without arguments, one that never cancels.
    package init(
        report: @escaping @Sendable (Progress) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false },
        describe: @escaping @Sendable (FeedError) -> String = { "\($0)" }
    ) {
        self.report = report
        self.isCancelled = isCancelled
        self.describe = describe
    }

    /// Throws `CancellationError` when it was cancelled.
    func checkCancellation() throws {
        if isCancelled() { throw CancellationError() }
    }

    /// Sleeps for `duration`, or until it is cancelled, which it checks ten times a second. False when it was.
    @discardableResult
    func sleep(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isCancelled(), ContinuousClock.now < end {
            RequestPace.sleep(min(.milliseconds(100), end - .now))
        }
        return !isCancelled()
    }
}
