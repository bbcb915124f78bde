/// A change as seen through a filter.
public struct RelevantChange: Hashable, Codable, Sendable {
    /// The effect of a change on the set of quakes that the filter accepts.
    public enum Operation: String, CaseIterable, Codable, Sendable {
        /// The insertion, an update or the deletion of a quake that the filter accepts.
        case insert, update, delete
        /// An update that makes the filter accept the quake.
        case enter
        /// An update after which the filter no longer accepts the quake.
        case leave
        /// The return of a quake whose deletion was undone.
        case undo
    }

    public var change: HistoryChange
    public var operation: Operation
    public var transaction: HistoryTransaction
    /// The reason a quake that was inserted or entered the filter is not news; nil if it is, and for other changes.
    public var timeliness: Timeliness?
    /// The token from which to resume after this change. Unless the change is the last in its transaction, the
    /// transaction's changes are then delivered again.
    ///
    /// Nil for net effects, which must be applied as a whole. Otherwise, a reader could stop after an insertion and
    /// never learn that the quake has since been deleted, because both together have no net effect.
    public var token: HistoryToken?

    package init(
        change: HistoryChange, operation: Operation, transaction: HistoryTransaction, timeliness: Timeliness? = nil,
        token: HistoryToken?
    ) {
        self.change = change
        self.operation = operation
        self.transaction = transaction
        self.timeliness = timeliness
        self.token = token
    }
}

extension HistoryChange {
    /// The effect of the change on the set of all quakes.
    package var operation: RelevantChange.Operation {
        switch kind {
        case .insert: reason == .undone ? .undo : .insert
        case .update: .update
        case .delete: .delete
        }
    }
}

/// An event in a history response, modeled on Apple's Contacts framework. Readers apply events in order.
///
/// A reader empties its copy on ``dropEverything(_:)``, applies each ``resync(_:)`` and ``change(_:)``, and keeps the
/// token of ``end(_:)``. The same code handles the first synchronization and a lost token.
public enum HistoryEvent: Hashable, Codable, Sendable {
    /// The requested start is unusable, so the reader must discard its copy. All quakes that the filter accepts follow.
    ///
    /// The reader's token is no longer valid; ``end(_:)`` contains the next token.
    case dropEverything(TokenFault)
    /// A quake in the cache. These events follow ``dropEverything(_:)``, in the order of local keys.
    case resync(ResyncedQuake)
    case change(RelevantChange)
    /// The last event of every response.
    case end(HistoryEnd)
}

/// A quake in the cache, delivered after ``HistoryEvent/dropEverything(_:)``.
public struct ResyncedQuake: Hashable, Codable, Sendable {
    public var stored: StoredQuake
    /// The reason the quake is not news, based on the time of the newest snapshot; nil if it is news.
    public var timeliness: Timeliness?

    package init(stored: StoredQuake, timeliness: Timeliness? = nil) {
        self.stored = stored
        self.timeliness = timeliness
    }
}

/// The end of a history response.
public struct HistoryEnd: Hashable, Codable, Sendable {
    /// The token from which to start the next fetch.
    public var token: HistoryToken
    /// The newest position in the history when the response began.
    public var head: HistoryToken
    /// The last purged transaction; 0 if none was purged.
    public var floor: TransactionNumber
    /// Whether the response stopped at its limit, so that requested changes remain after ``token``.
    public var hasMore: Bool
    /// The number of events delivered before this event.
    public var count: Int
    /// The changes up to ``token`` that were omitted only because of ``HistoryDescriptor/maximumOriginAge``.
    package var skipped: SkippedChanges

    package init(
        token: HistoryToken, head: HistoryToken, floor: TransactionNumber, hasMore: Bool, count: Int,
        skipped: SkippedChanges = SkippedChanges()
    ) {
        self.token = token
        self.head = head
        self.floor = floor
        self.hasMore = hasMore
        self.count = count
        self.skipped = skipped
    }
}

/// The changes omitted because of the age of their quakes.
package struct SkippedChanges: Hashable, Codable, Sendable {
    package private(set) var count = 0
    /// The skipped quake with the largest magnitude, with all its properties; the first if there are several.
    package private(set) var largest: Quake?

    package init() {}

    /// Counts a change that resulted in `quake`.
    package mutating func add(_ quake: Quake) {
        count += 1
        if largest.map({ $0.magnitude ?? -.infinity < quake.magnitude ?? -.infinity }) ?? true { largest = quake }
    }

    /// Adds `others`, which come after these changes in the history.
    package mutating func add(_ others: SkippedChanges) {
        guard let largest = others.largest else { return }
        add(largest)
        count += others.count - 1
    }
}
