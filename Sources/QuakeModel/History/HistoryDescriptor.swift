public import FoundationEssentials

/// A request for part of the history, with filters for the changes to deliver.
///
/// Changes that the filters exclude are never delivered later, because the token moves past them.
public struct HistoryDescriptor: Hashable, Sendable, Codable {
    /// The position after which a response begins. A position has expired if history after it was trimmed; the response
    /// is then ``HistoryEvent/dropEverything(_:)``, followed by every quake.
    public enum Start: Hashable, Sendable, Codable {
        /// The start for a reader without data. The response is ``HistoryEvent/dropEverything(_:)``, followed by every
        /// quake.
        case nothing
        /// Before the first change ever made in the cache. If history was trimmed, this position has expired.
        case beginning
        /// The start of the retained history. A reader that keeps a copy of the quakes must not start here, because the
        /// copy would lack quakes added by trimmed transactions.
        case oldest
        /// The position that a token identifies.
        case token(HistoryToken)
        /// After the transaction with the given number.
        case transaction(TransactionNumber)
        /// After the last transaction committed at or before the given time; all history if the time precedes the first
        /// transaction. A time earlier than the commit of the last trimmed transaction counts as expired.
        case committed(Timestamp)
        /// After the state that was published at the given time. The response contains all changes published later, in
        /// the order in which the cache received them; if the time precedes the first snapshot, all retained history. A
        /// time earlier than the publication of the newest trimmed snapshot counts as expired.
        case published(Timestamp)
    }

    public var start: Start
    /// The position after which no change is delivered; nil for no limit.
    ///
    /// A response that begins with ``HistoryEvent/dropEverything(_:)`` always contains the newest quakes.
    public var end: HistoryToken?
    /// The filter for quakes. A change is delivered if the filter accepts the quake as it was before or after the
    /// change.
    public var filter = QuakeFilter()
    /// The operations to deliver; empty for all. `.enter` means that the filter accepts the quake after the change but
    /// not before, and `.leave` the opposite. If ``filter`` has no conditions, no quake enters or leaves.
    public var operations: Set<RelevantChange.Operation> = []
    /// The change reasons to deliver for each operation. An operation without an entry is delivered for all reasons.
    package var operationReasons: [RelevantChange.Operation: Set<ChangeReason>] = [:]
    /// The properties of interest; empty for all. An update, even one by which a quake enters or leaves the filter, is
    /// delivered only if it changes at least one of these properties. Inserts and deletions are delivered unless
    /// ``operations`` excludes them.
    public var changedProperties: Set<QuakeProperty> = []
    /// The minimum changes in magnitude; empty for all updates. A negative number is a decrease, and a first magnitude
    /// counts as an increase. An update is delivered if the magnitude changes by at least one of these amounts or, if
    /// ``changedProperties`` is not empty, if it changes one of those properties.
    package var magnitudeSteps: Set<Double> = []
    /// The properties to deliver for each quake; empty for all. Updates that change none of these properties are
    /// omitted, and the `changed` list of other updates contains no other properties.
    ///
    /// The network, code, epicenter, origin time and update time are always delivered. All other properties outside
    /// this set are nil or empty. The filter still considers the whole quake.
    public var deliveredProperties: Set<QuakeProperty> = []
    /// Only transactions by these authors are delivered; empty for all authors.
    public var authors: Set<String> = []
    /// Transactions by these authors are not delivered.
    public var excludedAuthors: Set<String> = []
    /// The local keys of the quakes to deliver; nil for all.
    public var quakeKeys: Set<QuakeKey>?
    /// The maximum age of quakes delivered as inserted, as entering the filter, or in a resync; nil for no limit. A
    /// limit prevents an alarm for an old quake, such as a corrected record from 1925. It also omits quakes whose
    /// origin time is after their snapshot. Updates, deletions and quakes that leave the filter are not restricted.
    ///
    /// The age is measured at the time of the transaction or, for a net effect, of the first change, so it does not
    /// depend on when the reader fetches the history. In a resync, it is the current age.
    public var maximumOriginAge: Duration?
    /// The number of changes after which the response ends, once the current transaction is complete; nil for no limit.
    ///
    /// A response can be longer, because a transaction, such as the first import of a feed, is never split. The limit
    /// is ignored for net effects and after ``HistoryEvent/dropEverything(_:)``, which must be applied as a whole.
    public var limit: Int?
    /// Whether to deliver the net effect on each quake instead of every change.
    ///
    /// A net effect has the id and transaction, and thus the author, of the quake's last change. Its reason is the
    /// reason of the quake's last change with the same effect (insert, update or delete). If no change had that effect,
    /// because the quake was deleted and returned, the reason is `revised`.
    public var isCoalesced = false

    /// Creates a descriptor for all changes after `start`.
    public init(start: Start = .beginning) { self.start = start }

    /// Creates a descriptor for all changes after a reader's token; nil for a reader without data.
    public init(after token: HistoryToken?, isCoalesced: Bool = false) {
        self.init(start: token.map { .token($0) } ?? .nothing)
        self.isCoalesced = isCoalesced
    }
}

extension HistoryDescriptor {
    /// Creates a descriptor for all changes committed after `date`: see ``Start/committed(_:)``.
    public init(since date: Date) { self.init(start: .committed(Timestamp(date))) }

    /// Decodes a descriptor. A member that is missing, as in a descriptor saved by an earlier version, has its default
    /// value.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        try members.read(&start, .start)
        try members.read(&end, .end)
        try members.read(&filter, .filter)
        try members.read(&operations, .operations)
        try members.read(&operationReasons, .operationReasons)
        try members.read(&changedProperties, .changedProperties)
        try members.read(&magnitudeSteps, .magnitudeSteps)
        try members.read(&deliveredProperties, .deliveredProperties)
        try members.read(&authors, .authors)
        try members.read(&excludedAuthors, .excludedAuthors)
        try members.read(&quakeKeys, .quakeKeys)
        try members.read(&maximumOriginAge, .maximumOriginAge)
        try members.read(&limit, .limit)
        try members.read(&isCoalesced, .isCoalesced)
    }

    /// The delivered properties, and the properties from which any of them are derived; empty for all.
    package var propertiesToKeep: Set<QuakeProperty> {
        var delivered = deliveredProperties
        if !deliveredProperties.isDisjoint(with: [.id, .url, .detail]) { delivered.formUnion([.net, .code]) }
        if deliveredProperties.contains(.title) { delivered.formUnion([.mag, .place]) }
        return delivered
    }
}

extension Quake {
    /// Removes every optional property that is not in `fields`. If `fields` is empty, nothing is removed.
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
    /// Returns this change with only the properties in `fields`, or unchanged if `fields` is empty.
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
