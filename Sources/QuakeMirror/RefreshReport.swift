public import QuakeFeed
public import QuakeModel
import QuakeStore

/// What one refresh did.
public struct RefreshReport: Sendable, Codable {
    /// How a refresh ended.
    public enum Outcome: String, Sendable, Codable {
        /// The snapshot was applied, even if it held nothing new.
        case applied
        /// The server said that nothing changed (304).
        case notModified = "not-modified"
        /// The snapshot is older than the last one applied of the same feed.
        case older
        /// The server has no document (204).
        case empty
    }

    /// Why absences counted for nothing.
    public enum Suspicion: String, CaseIterable, Sendable, Codable {
        /// The document says another number of features than it holds.
        case countMismatch = "count-mismatch"
        /// More quakes vanished at once than a feed loses.
        case massDisappearance = "mass-disappearance"
        /// A feature could not be read, not even its id.
        case unreadableFeature = "unreadable-feature"
    }

    /// How the refresh ended.
    public let outcome: Outcome
    /// The feed's name, or the address of something else.
    public let feed: String
    /// The address or path it was read from.
    public let source: String
    /// When the document says that it was made.
    public private(set) var generated: Timestamp?
    /// Features in the document.
    public private(set) var features = 0
    /// Quakes inserted, by reason.
    public private(set) var inserted: [ChangeReason: Int] = [:]
    /// Quakes updated, by reason.
    public private(set) var updated: [ChangeReason: Int] = [:]
    /// Quakes deleted, by reason.
    public private(set) var deleted: [ChangeReason: Int] = [:]
    /// Features that carried nothing new.
    public private(set) var same = 0
    /// Features with doubtful news, which is noted: an older `updated`, or another place name for an unmoved
    /// hypocenter.
    public private(set) var doubtful = 0
    /// Features older than what a newer snapshot of another feed confirmed.
    public private(set) var outdated = 0
    /// Quakes missing from the window whose absence is noted and not believed.
    public private(set) var missing = 0
    /// Confirmed absences about which the event service was asked.
    public private(set) var asked = 0
    /// Why it could not be asked about all of them. The rest stays in doubt.
    public private(set) var serviceFault: FeedError?
    /// Why absences counted for nothing; empty when they counted.
    public private(set) var suspicions: [Suspicion] = []
    /// Whether a quake that is missing from the document may count as deleted. Only the newest document of an `all_…`
    /// feed can show that. **A feed with a lower bound of magnitude, such as `4.5_day`, never takes a quake away**, nor
    /// does a query: who wants the large quakes alone mirrors `FeedSource.allWeek` and asks the cache with
    /// a filter.
    public private(set) var countsAbsences = false
    /// Features that could not be read, in the order of the document.
    public private(set) var skipped: [SkippedFeature] = []
    /// The entry in the history, if anything changed.
    public private(set) var transaction: HistoryTransaction?
    /// What the daily update of the claims of backfills did, if one was due after a refresh of the feed that is due.
    public internal(set) var update: BackfillReport?
    /// The point in the history after the refresh.
    public let token: HistoryToken?
    /// Whether nothing was kept.
    public let dryRun: Bool

    /// Creates a report about a refresh that applied nothing.
    init(outcome: Outcome, feed: String, source: String, dryRun: Bool, token: HistoryToken) {
        self.outcome = outcome
        self.feed = feed
        self.source = source
        self.dryRun = dryRun
        self.token = token
    }

    /// Creates the report about a snapshot and what the event service said to it.
    init(
        _ applied: AppliedSnapshot, _ inquiry: InquiryResult?, of snapshot: FeedSnapshot, source: String, dryRun: Bool,
        token: HistoryToken
    ) {
        self.init(
            outcome: applied.isOlder ? .older : .applied, feed: snapshot.name, source: source, dryRun: dryRun,
            token: token)
        var counts = applied.features.counts
        if let inquiry { counts.addChanges(of: inquiry.counts) }
        generated = applied.generated
        features = snapshot.features.count
        inserted = counts.inserted
        updated = counts.updated
        deleted = counts.deleted
        same = applied.features.seen + counts.confirmed
        doubtful = counts.doubtful
        outdated = applied.features.outdated
        missing = applied.missing - (inquiry?.settled ?? 0)
        asked = inquiry?.asked ?? 0
        serviceFault = inquiry?.fault
        suspicions = applied.suspicions
        countsAbsences = applied.countsAbsences
        skipped = applied.features.skipped
        transaction = applied.transaction ?? inquiry?.transaction
    }
}
