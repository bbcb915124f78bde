/// Which part of the history to fetch, and which of its changes matter.
///
/// Nothing in the filters holds the token back: what they leave out is passed over, not kept for later.
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
    }

    /// Where to start.
    public var start: Start
    /// Look at quakes this filter accepts, before a change or after it.
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
    /// Leave out what comes into view (inserts, entries, resynced quakes) when it happened longer than this before the
    /// snapshot that brought it, or lies ahead of that: a corrected record of 1925 must ring no alarm. Without it,
    /// everything is delivered, and what is older than ``standardOriginAge`` only marked.
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
    /// What comes into view later than this after it happened is marked late, unless the descriptor says otherwise. A
    /// quarter of all quakes appear later than this.
    public static let standardOriginAge = Duration.seconds(3600)
}

/// Whether news of a quake is news: how its origin time lies to the snapshot that brought it into view.
public enum Timeliness: String, CaseIterable, Sendable {
    /// It happened longer ago than the reader takes for news.
    case late
    /// It happened after the snapshot that lists it, by the source's own clock.
    case future

    /// What `originTime` is to a reader at `moment` to whom `limit` is news; nil for news.
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

/// A change as it looks through a filter.
public struct RelevantChange: Hashable, Sendable {
    /// What the reader of a filtered view sees happen.
    public enum Crossing: String, CaseIterable, Sendable {
        case insert, update, delete
        /// An update after which the filter accepts the quake, and before which it did not.
        case enter
        /// An update after which the filter no longer accepts the quake.
        case leave
    }

    /// The change itself.
    public var change: HistoryChange
    /// What it looks like through the filter.
    public var crossing: Crossing
    /// The transaction it belongs to.
    public var transaction: HistoryTransaction
    /// For an insert or an entry that is no news: why not.
    public var timeliness: Timeliness?
    /// Where a reader starts again who has this record and all before it, and nothing after: nothing is skipped from there,
    /// at worst the records of one transaction come twice.
    ///
    /// The place after its transaction for the last record of one; before it for the others. Nil in an answer of net effects:
    /// those belong together, and are applied when the end has come or not at all. (A quake that was inserted when the
    /// first half was read and is gone when the answer is asked for again has no net effect any more.)
    public var token: HistoryToken?

    /// A change, what the filter makes of it, the transaction it belongs to, and where to go on after it.
    public init(
        change: HistoryChange, crossing: Crossing, transaction: HistoryTransaction, timeliness: Timeliness? = nil,
        token: HistoryToken?
    ) {
        self.change = change
        self.crossing = crossing
        self.transaction = transaction
        self.timeliness = timeliness
        self.token = token
    }
}

/// One event of the history, in the order in which a reader applies them: the Contacts visitor as a closed enum.
///
/// A reader that empties its copy on ``dropEverything(_:)``, puts in what ``resync(_:)`` and changes bring, and keeps the token
/// of ``end(_:)`` needs no second path for a first or a broken synchronization.
public enum HistoryEvent: Hashable, Sendable {
    /// The start cannot be followed: forget everything; every quake of the cache follows.
    ///
    /// The reader's token is void from here on; the next one is that of ``end(_:)``.
    case dropEverything(TokenFault)
    /// A quake of the cache, after ``dropEverything(_:)``, in the order of local keys.
    case resync(ResyncedQuake)
    case change(RelevantChange)
    /// The last event of every answer.
    case end(HistoryEnd)
}

/// A quake of the cache in an answer that starts anew.
public struct ResyncedQuake: Hashable, Sendable {
    /// The quake and its local key.
    public var stored: StoredQuake
    /// How its origin time lies to the newest transaction; nil for news.
    public var timeliness: Timeliness?

    /// A quake and whether it is news.
    public init(stored: StoredQuake, timeliness: Timeliness? = nil) {
        self.stored = stored
        self.timeliness = timeliness
    }
}

/// How an answer ended.
public struct HistoryEnd: Hashable, Sendable {
    /// Where to start the next time.
    public var token: HistoryToken
    /// The newest place when the answer began.
    public var head: HistoryToken
    /// The last purged transaction.
    public var floor: Int64
    /// Whether relevant changes remain between the token and the head.
    public var hasMore: Bool
    /// Records delivered before this one.
    public var count: Int

    /// An end with its token.
    public init(token: HistoryToken, head: HistoryToken, floor: Int64, hasMore: Bool, count: Int) {
        self.token = token
        self.head = head
        self.floor = floor
        self.hasMore = hasMore
        self.count = count
    }
}
