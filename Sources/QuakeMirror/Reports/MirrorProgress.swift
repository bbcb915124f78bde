/// The progress of a refresh or backfill.
public enum MirrorProgress: Hashable, Sendable {
    /// A refresh without a source begins to read this feed: the feed that is due or, after a failure, the next smaller
    /// feed.
    case reading(FeedName)
    /// A refresh without a source has read its feed.
    case read(RefreshReport)
    /// A refresh without a source failed to read this feed. Unless the error concerns the whole server, the next
    /// smaller feed is read next.
    case failed(FeedName, FeedError)
    /// A daily request, which a refresh without a named source sends, has been answered.
    case dailyRequest(DailyReport)
    /// A daily request, which a refresh without a named source sends, has failed. The cache records the failure, and
    /// the request is repeated an hour later at the earliest.
    case dailyRequestFailed(DailyFailure)
    /// The event service is counting the quakes for a backfill.
    case counting
    /// The event service has counted the quakes: the report has the expected numbers.
    case expecting(BackfillReport)
    /// A request is being sent to this URL. In a backfill, it is for quakes with these origin times.
    case requesting(String, originTimes: Range<Timestamp>? = nil)
    /// Part of the response has been received.
    case received(DownloadProgress)
    /// A document with this many features is being compared with the cache.
    case applying(features: Int)
    /// The document has been applied. The event service is being asked about this many quakes that the document left
    /// unresolved.
    case asking(quakes: Int)
    /// A window of a backfill has been applied.
    case applied(RefreshReport)
    /// A window of a backfill was rejected or took too long, so its halves are being requested instead.
    case halving(Range<Timestamp>, FeedError)
    /// The response for a window of a backfill is incomplete or too old.
    case incomplete(IncompleteWindow)
    /// All versions of this quake's solutions are being requested from the event service. `index` counts from 0.
    case details(id: String, index: Int, of: Int)
    /// The response for a quake's solutions has been stored or rejected.
    case answered(QuakeDetail)
    /// The next request waits until this moment, because the service failed or demanded a pause.
    case pausing(until: Timestamp, FeedError)
}
