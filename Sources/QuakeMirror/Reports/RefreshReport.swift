/// The result of applying one document to the cache: a feed, a query response, a file, or a window of a backfill.
public struct RefreshReport: Hashable, Sendable, Encodable {
    public enum Outcome: String, Sendable, Encodable {
        /// The snapshot was applied, even if it contained nothing new.
        case applied
        /// The server reported that nothing has changed (status 304).
        case notModified = "not-modified"
        /// The download is older than the last applied snapshot of the same feed, and was ignored.
        case older
        /// The event service found no quakes (status 204).
        case empty
    }

    /// A reason not to count any missing quake as deleted.
    public enum Suspicion: String, CaseIterable, Sendable, Encodable {
        /// The document states a different number of features than it contains.
        case countMismatch = "count-mismatch"
        /// More quakes disappeared at the same time than is plausible for a feed.
        case massDisappearance = "mass-disappearance"
        /// A feature and its id are unreadable, so the feature may be any quake.
        case unreadableFeature = "unreadable-feature"
        /// A weekly or monthly feed of all quakes is empty.
        case emptyFeed = "empty-feed"
    }

    public internal(set) var outcome: Outcome
    /// The name of a feed; the URL or path of any other source; `catalog` for a backfill, and `deletions` for the daily
    /// request for deleted quakes.
    public let feed: String
    /// The URL or path that was read.
    public let source: String
    /// The window of a backfill; nil for any other document.
    package internal(set) var window: BackfillWindow?
    /// The time at which the source generated the document; nil if unknown.
    public internal(set) var generated: Timestamp?
    /// How much older the document is than the newest applied snapshot of the same feed; nil if it is not older. A file
    /// is then applied as an old document: values that newer documents confirmed are kept, and no absence counts.
    package internal(set) var lag: Duration?
    /// The number of features in the document.
    public internal(set) var features = 0
    /// The number of quakes inserted, by reason.
    public private(set) var inserted: [ChangeReason: Int] = [:]
    /// The number of quakes updated, by reason.
    public private(set) var updated: [ChangeReason: Int] = [:]
    /// The number of quakes deleted, by reason.
    public private(set) var deleted: [ChangeReason: Int] = [:]
    /// The number of features without new information, or with only unconfirmed changes.
    public internal(set) var unchanged = 0
    /// The number of features with an unconfirmed change: an `updated` time that moved backward, or a different place
    /// name for an unmoved hypocenter.
    public private(set) var unconfirmed = 0
    /// The number of features ignored, usually because a newer snapshot has already decided about the quake.
    package internal(set) var outdated = 0
    /// The number of features that may be quakes in the cache under other ids, and wait for the event service's
    /// response.
    package internal(set) var waiting = 0
    /// The number of quakes that should be in the document but are not, and do not count as deleted yet.
    public internal(set) var missing = 0
    /// The number of missing quakes and ids in question (``/QuakeStore/IDInQuestion``) for which the event service sent
    /// an answer.
    package internal(set) var asked = 0
    /// The error that kept the event service from confirming every deletion; nil if there was none. Quakes without a
    /// confirmation stay in the cache.
    public internal(set) var serviceError: FeedError?
    /// The reasons no missing quake counted as deleted, such as too many missing quakes; empty if nothing was
    /// suspicious. Quakes listed in the document were still applied.
    public internal(set) var ignoredAbsenceReasons: [Suspicion] = []
    /// Whether a quake missing from the document may count as deleted. This requires the newest document of an `all_…`
    /// feed. **A feed with a minimum magnitude, such as `4.5_day`, never removes a quake**, nor does a query. If you
    /// only need large quakes, mirror `FeedSource.allWeek` and query the cache with a filter.
    public internal(set) var countsAbsences = false
    /// The unreadable features, in document order.
    public internal(set) var skipped: [SkippedFeature] = []
    /// The transaction in the history; nil if nothing changed, and in a dry run.
    public internal(set) var transaction: HistoryTransaction?
    /// The report on the daily update of backfilled parts; nil if the refresh did not perform one.
    public internal(set) var catalogUpdate: BackfillReport?
    /// The position in the history after the refresh.
    public internal(set) var token: HistoryToken?
    /// Whether this was a dry run, whose changes were discarded.
    public let isDryRun: Bool

    /// Creates a report on a document that has changed nothing yet.
    init(_ outcome: Outcome, feed: String, source: String, dryRun: Bool = false) {
        self.outcome = outcome
        self.feed = feed
        self.source = source
        self.isDryRun = dryRun
    }

    /// Counts a feature as new, changed or unchanged; without operations and with other values than in the cache, as
    /// outdated.
    mutating func count(_ decision: FeatureDecision) {
        let operations = decision.operations
        let before = inserted.total + updated.total
        count(operations)
        if operations.isEmpty, !decision.repeatsCachedValues {
            outdated += 1
        } else if inserted.total + updated.total == before {
            unchanged += 1
        }
        if operations.contains(where: { if case .recordUnconfirmed = $0 { true } else { false } }) { unconfirmed += 1 }
    }

    mutating func count(_ operations: [Operation]) {
        for operation in operations {
            switch operation {
            case .insert(_, let reason, _, _): inserted[reason, default: 0] += 1
            case .update(_, _, let reason, _): updated[reason, default: 0] += 1
            case .delete(_, let reason, _): deleted[reason, default: 0] += 1
            case .confirm, .recordUnconfirmed, .drop: break
            }
        }
    }

    /// Adds the changes and requests of a later report.
    mutating func add(_ later: RefreshReport) {
        inserted.merge(later.inserted, uniquingKeysWith: +)
        updated.merge(later.updated, uniquingKeysWith: +)
        deleted.merge(later.deleted, uniquingKeysWith: +)
        asked += later.asked
        transaction = transaction ?? later.transaction
        token = later.token ?? token
    }

    var hasUnknownFeature: Bool { skipped.contains { !$0.isRepeated && ($0.id?.isEmpty ?? true) } }
}

extension SkippedFeature {
    /// Whether the feature only repeats an id that the document already listed.
    var isRepeated: Bool { defect == .duplicate(id: id ?? "") }
}
