/// Which part of the history to fetch, and which of its changes.
///
/// The token moves past changes that the filters leave out: they are not kept for later.
public struct HistoryDescriptor: Hashable, Sendable, Codable {
    public enum Start: Hashable, Sendable, Codable {
        /// The reader has nothing yet: ``HistoryEvent/dropEverything(_:)``, then every quake of the cache.
        case nothing
        /// Before the first change the cache ever saw. Where that history was purged, the same as ``nothing``.
        case beginning
        /// The oldest history that is kept. Not for a reader that keeps a copy of the quakes: what the purged history
        /// brought does not come.
        case floor
        /// After the place a token names.
        case token(HistoryToken)
        case transaction(TransactionNumber)
        /// After the last transaction made at or before a moment.
        case moment(Timestamp)
        /// After what the snapshots published up to a moment said: the changes that were published later, in the order
        /// in which the cache learned them. Before the first snapshot, everything.
        case published(Timestamp)
    }

    public var start: Start
    /// Where to end: no change that came after this place is delivered. Nil for the newest change.
    ///
    /// An answer that begins with ``HistoryEvent/dropEverything(_:)`` holds the newest quakes, whatever the end.
    public var end: HistoryToken?
    /// Only changes of quakes that this filter accepts before or after the change.
    public var filter = QuakeFilter()
    /// Only these ways of crossing the filter, when not empty: `.enter` is a quake that the filter accepts after the
    /// change and not before, `.leave` the opposite. Without conditions in ``filter`` no quake enters or leaves.
    public var crossings: Set<RelevantChange.Crossing> = []
    /// For these crossings, only changes for these reasons.
    public var crossingReasons: [RelevantChange.Crossing: Set<ChangeReason>] = [:]
    /// Only updates of at least one of these properties, when not empty. It restricts updates alone: inserts and
    /// deletions pass. Use ``crossings`` to leave those out.
    public var properties: Set<QuakeProperty> = []
    /// Only updates that raised the magnitude by at least one of these numbers, or lowered it by a negative one, when
    /// not empty; together with ``properties`` either of both. Unlike those it restricts entries and leaves too.
    public var magnitudeSteps: Set<Double> = []
    /// Only these properties of each quake are delivered, when not empty; updates of none of them are left out. The
    /// changed properties of an update are limited to these too.
    ///
    /// The delivered quakes keep their network, code and position and the two times, which every quake has; all other
    /// properties that are not named are nil or empty. The filter still looks at the whole quake.
    public var fields: Set<QuakeProperty> = []
    /// Only transactions of these authors, when not empty.
    public var authors: Set<String> = []
    /// No transactions of these authors.
    public var excludedAuthors: Set<String> = []
    /// Not the transactions that these tokens name, such as those that the reader made itself.
    public var excludedTransactions: Set<HistoryToken> = []
    /// Only the quakes under these local keys; nil for all.
    public var quakeKeys: Set<QuakeKey>?
    /// Leave out inserts, entries and resynced quakes that were older than this when the cache learned of them, or
    /// happened after the snapshot that brought them was made: neither a corrected record of 1925 nor an archive that
    /// is read today must raise an alarm. Updates, deletions and quakes that leave the filter pass.
    ///
    /// The age is that at the time of the transaction, for a net effect that of its first change, so that it does not
    /// depend on when the reader asks. A resync has no transactions: there the age counts back from now. When nil,
    /// everything is delivered.
    public var maximumOriginAge: Duration?
    /// Stop at the end of the transaction in which this many records were delivered.
    ///
    /// A transaction is never split, so that an answer can be longer: the first import of a feed is one transaction.
    /// Ignored for net effects and after ``HistoryEvent/dropEverything(_:)``, which are applied as a whole.
    public var limit: Int?
    /// The net effect per quake instead of every change.
    public var isCoalesced = false

    /// A descriptor of everything from `start` on.
    public init(start: Start = .beginning) { self.start = start }

    /// A descriptor of everything after the place that a reader has kept; nil for one that has nothing yet.
    public init(after token: HistoryToken?) { self.init(start: token.map { .token($0) } ?? .nothing) }
}

extension HistoryDescriptor {
    /// Quakes that appear longer than this after they happened are marked late. A quarter of all quakes do.
    public static let lateAfter = Duration.seconds(3600)
}

/// Why the appearance of a quake is not news: its origin time compared with the snapshot that brought it
/// (decision 0024).
public enum Timeliness: String, CaseIterable, Codable, Sendable {
    /// It happened more than ``HistoryDescriptor/lateAfter`` before.
    case late
    /// It happened after the `generated` time of the snapshot that lists it.
    case future

    /// Classifies an origin time as late or in the future; nil for a recent one.
    public init?(originTime: Timestamp, at moment: Timestamp) {
        if originTime > moment {
            self = .future
        } else if moment - originTime > HistoryDescriptor.lateAfter {
            self = .late
        } else {
            return nil
        }
    }
}

extension HistoryDescriptor {
    /// ``fields`` with the properties that they are derived from; empty for all.
    package var deliveredFields: Set<QuakeProperty> {
        var delivered = fields
        if !fields.isDisjoint(with: [.id, .url, .detail]) { delivered.formUnion([.net, .code]) }
        if fields.contains(.title) { delivered.formUnion([.mag, .place]) }
        return delivered
    }
}

/// Leaving out what a reader did not ask for: ``HistoryDescriptor/fields``.
extension Quake {
    /// Removes every property that is not among `fields` and that a quake need not have. No fields mean all.
    package mutating func keepOnly(_ fields: Set<QuakeProperty>) {
        guard !fields.isEmpty else { return }
        for property in QuakeProperty.allCases where !fields.contains(property) {
            switch property {
            case .net, .code, .time, .updated, .lon, .lat: break
            case .ids, .sources, .types: set(property, to: .text(""))
            default: set(property, to: .null)
            }
        }
        if !fields.contains(.title) { publishedTitle = nil }
        if !fields.contains(.url) { publishedURL = nil }
        if !fields.contains(.detail) { publishedDetail = nil }
    }
}

extension HistoryChange {
    /// This change with those properties alone; no fields mean all.
    package func keepingOnly(_ fields: Set<QuakeProperty>) -> HistoryChange {
        guard !fields.isEmpty else { return self }
        func projection(_ quake: Quake) -> Quake {
            var projection = quake
            projection.keepOnly(fields)
            return projection
        }
        var change = self
        change.effect =
            switch effect {
            case .insert(let quake): .insert(projection(quake))
            case .update(let before, let after, let changed):
                .update(
                    before: projection(before), after: projection(after), changed: changed.filter(fields.contains))
            case .delete(let tombstone, let survivor):
                .delete(tombstone: projection(tombstone), mergedInto: survivor)
            }
        return change
    }
}
