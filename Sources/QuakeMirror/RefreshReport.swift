public import QuakeFeed
public import QuakeModel
import QuakeStore

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

    /// How the refresh ended.
    public var outcome: Outcome
    /// The feed's name, or the address of something else.
    public var feed: String
    /// The address or path it was read from.
    public var source: String
    /// The moment the document gives as its own.
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
    /// Absences the feeds confirmed, about which the event service was asked.
    public var asked = 0
    /// Why it could not be asked about all of them. What it was not asked about stays in doubt.
    public var serviceFault: FeedError?
    /// Local keys of the quakes whose absence waits for the word of the event service.
    var awaiting: [Int64] = []
    /// Why absences counted for nothing; empty when they counted.
    public var suspicions: [Suspicion] = []
    /// Features that could not be read, in the order of the document.
    public var skipped: [SkippedFeature] = []
    /// The entry in the history, if anything changed.
    public var transaction: HistoryTransaction?
    /// The place in the history after the refresh.
    public var token: HistoryToken?
    /// Whether nothing of this was kept.
    public var dryRun = false

    /// A report about nothing yet.
    public init(outcome: Outcome, feed: String, source: String) {
        self.outcome = outcome
        self.feed = feed
        self.source = source
    }
}

extension RefreshReport {
    /// Counts what `operations` did.
    mutating func count(_ operations: [Operation]) {
        for operation in operations {
            switch operation {
            case .insert(_, let reason, _, _): inserted[reason, default: 0] += 1
            case .update(_, _, let reason, _): updated[reason, default: 0] += 1
            case .delete(_, let reason, _): deleted[reason, default: 0] += 1
            case .confirm: same += 1
            case .note(let doubt): if doubt.kind == .backward { doubtful += 1 }
            case .drop: break
            }
        }
    }
}
