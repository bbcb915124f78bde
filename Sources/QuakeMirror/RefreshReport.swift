public import QuakeFeed
public import QuakeModel

/// What one refresh did.
public struct RefreshReport: Sendable {
    /// How it ended.
    public enum Outcome: String, Sendable {
        /// The snapshot was applied; perhaps it held nothing new.
        case applied
        /// The server said that nothing changed (304).
        case notModified = "not-modified"
        /// The snapshot is older than the last one applied of the same feed.
        case older
        /// The server had nothing to say (204).
        case empty
    }

    /// Why absences counted for nothing.
    public enum Suspicion: String, CaseIterable, Sendable {
        /// The document says another number of features than it holds.
        case countMismatch = "count-mismatch"
        /// More quakes vanished at once than a feed loses.
        case massDisappearance = "mass-disappearance"
        /// A feature could not be read, not even its id.
        case unreadableFeature = "unreadable-feature"
    }

    public var outcome: Outcome
    /// The feed's name, or the address of something else.
    public var feed: String
    public var source: String
    public var generated: Timestamp?
    /// Features in the document.
    public var features = 0
    /// Quakes inserted, by reason.
    public var inserted: [ChangeReason: Int] = [:]
    /// Quakes updated, by reason.
    public var updated: [ChangeReason: Int] = [:]
    /// Quakes deleted, by reason.
    public var deleted: [ChangeReason: Int] = [:]
    /// Features that carried nothing new.
    public var same = 0
    /// Features whose news is doubtful and noted: an older `updated`.
    public var doubtful = 0
    /// Features older than what a newer snapshot of another feed confirmed.
    public var outdated = 0
    /// Quakes missing from the window, noted and not believed.
    public var missing = 0
    public var suspicions: [Suspicion] = []
    public var skipped: [SkippedFeature] = []
    /// The entry in the history, if anything changed.
    public var transaction: HistoryTransaction?
    /// The place in the history after the refresh.
    public var token: HistoryToken?
    public var isRehearsal = false

    /// A report about nothing yet.
    public init(outcome: Outcome, feed: String, source: String) {
        self.outcome = outcome
        self.feed = feed
        self.source = source
    }
}
