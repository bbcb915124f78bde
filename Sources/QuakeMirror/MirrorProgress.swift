/// How far a refresh or a backfill is.
public enum MirrorProgress: Hashable, Sendable {
    /// The event service is asked how many quakes a backfill will bring.
    case counting
    /// The quakes were counted.
    case expecting(BackfillEstimate)
    /// A request is sent to this address; in a backfill, for the quakes of these origin times.
    case requesting(String, originTimes: Range<Timestamp>? = nil)
    /// So much of the answer has come.
    case received(DownloadProgress)
    /// A document with that many features is compared with the cache.
    case applying(features: Int)
    /// The document is applied, and the event service is asked about that many missing quakes.
    case asking(quakes: Int)
    /// A window of a backfill is in the cache (``RefreshReport/window``).
    case applied(RefreshReport)
    /// The window was refused or took too long, and is asked for in halves.
    case halving(Range<Timestamp>, FeedError)
    /// What the service sent is not whole, and counts as not held.
    case unclaimed(UnclaimedWindow)
    /// The event service is asked for all versions of this quake.
    case details(id: String, index: Int, of: Int)
    /// Its answer is in the cache, or was refused.
    case answered(QuakeDetail)
    /// The next request waits until this moment: the service failed, or asked for a pause.
    case pausing(until: Timestamp, FeedError)
}

/// Follows a refresh or a backfill: learns how far it is, and may cancel it.
package struct MirrorObserver: Sendable {
    /// Told how far it is.
    let report: @Sendable (MirrorProgress) -> Void
    /// Watches the downloads.
    let monitor: TransferMonitor
    private let isStopped: @Sendable () -> Bool

    /// An observer; without arguments, one that cancels only on request.
    package init(
        report: @escaping @Sendable (MirrorProgress) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        (self.report, isStopped) = (report, isCancelled)
        monitor = TransferMonitor { progress in
            report(.received(progress))
            return !isCancelled()
        }
    }

    var isCancelled: Bool { monitor.isCancelled || isStopped() }

    package func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Sleeps for `duration`, or until it is canceled, which it checks ten times a second. False when it was.
    @discardableResult
    func sleep(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isCancelled, ContinuousClock.now < end { RequestPace.sleep(min(.milliseconds(100), end - .now)) }
        return !isCancelled
    }
}
