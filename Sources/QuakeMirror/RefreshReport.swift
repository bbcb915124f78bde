/// What one document did to the cache: a feed, the answer to a query, a file, or a window of a backfill.
public struct RefreshReport: Hashable, Sendable, Codable {
    public enum Outcome: String, Sendable, Codable {
        /// The snapshot was applied, even if it held nothing new.
        case applied
        /// The server said that nothing changed (304).
        case notModified = "not-modified"
        /// The download is older than the last snapshot applied of the same feed, and was ignored.
        case older
        /// The event service found no quake (204).
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
        /// A feed of all quakes of a week or a month has none.
        case emptyFeed = "empty-feed"
    }

    public internal(set) var outcome: Outcome
    /// The feed's name, the address of something else, or `catalog` for a window of a backfill.
    public let feed: String
    /// The address or path it was read from.
    public let source: String
    /// The window of a backfill; nil for everything else.
    public internal(set) var window: BackfillWindow?
    /// When the document says that it was made.
    public internal(set) var generated: Timestamp?
    /// By how much it is older than the newest snapshot applied of the same feed; nil if it is not. A file is then
    /// applied as an old document: what newer ones confirmed stays, and nothing counts as absent.
    package internal(set) var lag: Duration?
    /// Features in the document.
    public internal(set) var features = 0
    /// Quakes inserted, by reason.
    public private(set) var inserted: [ChangeReason: Int] = [:]
    /// Quakes updated, by reason.
    public private(set) var updated: [ChangeReason: Int] = [:]
    /// Quakes deleted, by reason.
    public private(set) var deleted: [ChangeReason: Int] = [:]
    /// Features that carried nothing new, or nothing that is believed yet.
    public internal(set) var same = 0
    /// Features whose change is noted and not believed yet: an older `updated`, or another place name for an unmoved
    /// hypocenter.
    public private(set) var doubtful = 0
    /// Features older than what a newer snapshot confirmed.
    public internal(set) var outdated = 0
    /// Quakes missing from the window whose absence is noted and not believed.
    public internal(set) var missing = 0
    /// Confirmed absences about which the event service was asked.
    public internal(set) var asked = 0
    /// Why it could not be asked about all of them. The rest stays in doubt.
    public internal(set) var serviceFault: FeedError?
    /// Why no quake that is missing from the document counted as deleted, for example because too many were missing at
    /// once; empty if there was no suspicion. Quakes listed in the document were still applied.
    public internal(set) var ignoredAbsenceReasons: [Suspicion] = []
    /// Whether a quake that is missing from the document may count as deleted. Only the newest document of an `all_…`
    /// feed can show that. **A feed with a lower bound of magnitude, such as `4.5_day`, never takes a quake away**, nor
    /// does a query: who wants the large quakes alone mirrors `FeedSource.allWeek` and asks the cache with
    /// a filter.
    public internal(set) var countsAbsences = false
    /// Features that could not be read, in the order of the document.
    public internal(set) var skipped: [SkippedFeature] = []
    /// The entry in the history, if anything changed.
    public internal(set) var transaction: HistoryTransaction?
    /// What the daily update of the claims of backfills did, if one was due after a refresh of the feed that is due.
    public internal(set) var update: BackfillReport?
    /// The point in the history after the refresh.
    public internal(set) var token: HistoryToken?
    /// Whether the cache was left unchanged.
    public let dryRun: Bool

    /// A report about a document that has changed nothing yet.
    init(_ outcome: Outcome, feed: String, source: String, dryRun: Bool = false) {
        (self.outcome, self.feed, self.source, self.dryRun) = (outcome, feed, source, dryRun)
    }

    /// Counts a feature by what is done about it: as new, changed, unchanged, or outdated where nothing is.
    mutating func countFeature(_ operations: [Operation]) {
        let before = inserted.total + updated.total
        count(operations)
        if operations.isEmpty {
            outdated += 1
        } else if inserted.total + updated.total == before {
            same += 1
        }
        if operations.contains(where: { if case .note = $0 { true } else { false } }) { doubtful += 1 }
    }

    /// Counts the quakes that `operations` insert, update and delete.
    mutating func count(_ operations: [Operation]) {
        for operation in operations {
            switch operation {
            case .insert(_, let reason, _, _): inserted[reason, default: 0] += 1
            case .update(_, _, let reason, _): updated[reason, default: 0] += 1
            case .delete(_, let reason, _): deleted[reason, default: 0] += 1
            case .confirm, .note, .drop: break
            }
        }
    }

    var hasUnknownFeature: Bool { skipped.contains { !$0.isRepeated && ($0.id?.isEmpty ?? true) } }
}

extension SkippedFeature {
    /// Whether it says nothing that the document did not say before.
    var isRepeated: Bool { defect == .duplicate(id: id ?? "") }
}
