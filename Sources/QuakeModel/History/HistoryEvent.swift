/// A change as seen through a filter.
public struct RelevantChange: Hashable, Codable, Sendable {
    /// What happens in the filtered view.
    public enum Crossing: String, CaseIterable, Codable, Sendable {
        case insert, update, delete
        /// An update after which the filter accepts the quake, and before which it did not.
        case enter
        /// An update after which the filter no longer accepts the quake.
        case leave
        /// The return of a quake whose deletion was undone.
        case undo
    }

    public var change: HistoryChange
    /// What happens in the filtered view.
    public var crossing: Crossing
    /// The transaction it belongs to.
    public var transaction: HistoryTransaction
    /// For an insert or an entry that is not news: why.
    public var timeliness: Timeliness?
    /// Token to resume from after this record; repeats at most one transaction.
    ///
    /// It names the place after the transaction for the last record of one, and the place before it for the others. Nil
    /// in an answer of net effects, which must be applied together: a quake that was inserted when the first half was
    /// read, and is gone when the answer is asked for again, no longer has a net effect.
    public var token: HistoryToken?

    /// A change, its effect on the filtered view, its transaction, and the token to resume from.
    public init(
        change: HistoryChange, crossing: Crossing, transaction: HistoryTransaction, timeliness: Timeliness? = nil,
        token: HistoryToken?
    ) {
        (self.change, self.crossing, self.transaction) = (change, crossing, transaction)
        (self.timeliness, self.token) = (timeliness, token)
    }
}

/// One event of the history, in the order in which a reader applies them, as in the Contacts framework.
///
/// A reader empties its copy on ``dropEverything(_:)``, applies what ``resync(_:)`` and changes bring, and keeps the
/// token of ``end(_:)``. The first synchronization and one after a lost token need no other code.
public enum HistoryEvent: Hashable, Codable, Sendable {
    /// The start cannot be followed: forget everything; every quake of the cache follows.
    ///
    /// The reader's token is no longer valid; the next one is that of ``end(_:)``.
    case dropEverything(TokenFault)
    /// A quake of the cache, after ``dropEverything(_:)``, in the order of local keys.
    case resync(ResyncedQuake)
    case change(RelevantChange)
    /// The last event of every answer.
    case end(HistoryEnd)
}

/// A quake of the cache after ``HistoryEvent/dropEverything(_:)``.
public struct ResyncedQuake: Hashable, Codable, Sendable {
    /// The quake and its local key.
    public var stored: StoredQuake
    /// Why it is not news; nil for news. Its origin time is compared with the newest snapshot.
    public var timeliness: Timeliness?

    /// A quake, and why it is not news.
    public init(stored: StoredQuake, timeliness: Timeliness? = nil) {
        (self.stored, self.timeliness) = (stored, timeliness)
    }
}

/// The end of a response.
public struct HistoryEnd: Hashable, Codable, Sendable {
    /// Where to start the next time.
    public var token: HistoryToken
    /// The newest place when the answer began.
    public var head: HistoryToken
    /// The last purged transaction.
    public var floor: TransactionNumber
    /// Whether relevant changes remain between the token and the end that was asked for, the head without one.
    public var hasMore: Bool
    /// Records delivered before this one.
    public var count: Int
    /// What was left out up to the token because of ``HistoryDescriptor/maximumOriginAge`` alone.
    public var skipped: SkippedChanges

    /// An end with its token.
    public init(
        token: HistoryToken, head: HistoryToken, floor: TransactionNumber, hasMore: Bool, count: Int,
        skipped: SkippedChanges = SkippedChanges()
    ) {
        (self.token, self.head, self.floor, self.hasMore) = (token, head, floor, hasMore)
        (self.count, self.skipped) = (count, skipped)
    }
}

/// Changes that a reader does not get because of the age of their quakes.
public struct SkippedChanges: Hashable, Codable, Sendable {
    public private(set) var count = 0
    /// The quake of the largest magnitude among them, with all its properties; the first of several.
    public private(set) var largest: Quake?

    public init() {}

    /// Counts a change after which its quake is `quake`.
    package mutating func add(_ quake: Quake) {
        count += 1
        if largest.map({ $0.magnitude ?? -.infinity < quake.magnitude ?? -.infinity }) ?? true { largest = quake }
    }

    /// Counts `others`, which come after these.
    package mutating func add(_ others: SkippedChanges) {
        guard let largest = others.largest else { return }
        add(largest)
        count += others.count - 1
    }
}
