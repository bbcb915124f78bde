/// Which part of the history to fetch, and which of its changes.
///
/// The token moves past changes that the filters leave out: they are not kept for later.
public struct HistoryDescriptor: Hashable, Sendable {
    /// Where to start.
    public enum Start: Hashable, Sendable {
        /// The oldest history that is kept.
        case beginning
        /// After the place a token names.
        case token(HistoryToken)
        /// After a transaction.
        case transaction(Int64)
        /// After the last transaction made at or before a moment.
        case moment(Timestamp)
        /// After what the snapshots published up to a moment said: the changes that were published later, in the order
        /// in which the cache learned them. Before the first snapshot, everything.
        case published(Timestamp)
    }

    /// Where to start.
    public var start: Start
    /// Only changes of quakes that this filter accepts before or after the change.
    public var filter: QuakeFilter
    /// Only these ways of crossing the filter, when not empty.
    public var crossings: Set<RelevantChange.Crossing>
    /// Only updates of at least one of these properties, when not empty; other kinds pass.
    public var properties: Set<QuakeProperty>
    /// Only transactions of these authors, when not empty.
    public var authors: Set<String>
    /// No transactions of these authors.
    public var excludedAuthors: Set<String>
    /// Only the quakes under these local keys; nil for all.
    public var quakeKeys: Set<Int64>?
    /// Leave out inserts, entries and resynced quakes that happened longer than this before the snapshot that brought
    /// them, or after it: a corrected record of 1925 must not raise an alarm. When nil, everything is delivered, and
    /// quakes older than ``standardOriginAge`` are marked.
    public var maximumOriginAge: Duration?
    /// Stop at the end of the transaction in which this many records were delivered.
    public var limit: Int?
    /// The net effect per quake instead of every change.
    public var isCoalesced: Bool

    /// A descriptor of everything from `start` on.
    public init(start: Start = .beginning) {
        self.start = start
        filter = QuakeFilter()
        crossings = []
        properties = []
        authors = []
        excludedAuthors = []
        isCoalesced = false
    }
}

extension HistoryDescriptor {
    /// Quakes that appear longer than this after they happened are marked late, unless the descriptor sets another age.
    /// A quarter of all quakes appear later than this.
    public static let standardOriginAge = Duration.seconds(3600)
}

/// Why the appearance of a quake is not news: its origin time compared with the snapshot that brought it.
public enum Timeliness: String, CaseIterable, Sendable {
    /// It happened longer ago than the limit.
    case late
    /// It happened after the `generated` time of the snapshot that lists it.
    case future

    /// Classifies an origin time as late or in the future; nil for a recent one.
    public init?(originTime: Timestamp, at moment: Timestamp, limit: Duration) {
        if originTime > moment {
            self = .future
        } else if moment - originTime > limit {
            self = .late
        } else {
            return nil
        }
    }
}
