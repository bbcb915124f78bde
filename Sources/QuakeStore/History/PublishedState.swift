/// A position in the history by time of publication: the state according to the snapshots published up to a moment.
///
/// If an archive is replayed, the cache receives its snapshots within a minute, and not in order of publication. A
/// quake is therefore rewound to its state before the first change that was published after the moment. Rule 10 keeps
/// the changes to each quake in order of publication, so nothing published before the moment is lost. If a newer
/// snapshot came first, older changes were never made and cannot be shown.
struct PublishedState: Hashable {
    /// The last time of publication that the position contains.
    let moment: Timestamp
    let firstLater: TransactionNumber
    /// The newest transaction when the position was chosen. The position contains no later transaction.
    let head: TransactionNumber

    /// A query for the transactions and the times at which they count as published. For a snapshot, this is its
    /// `generated` time. A local transaction counts as published with the newest snapshot before it, even if that
    /// snapshot was purged; the time is null if there is none.
    static let transactions = """
        SELECT number, generated, coalesce(generated, newest, purged) AS published FROM (
            SELECT number, generated, max(generated) OVER (ORDER BY number) AS newest,
                (SELECT floor_published FROM store) AS purged
            FROM main.transactions)
        """

    /// A query for the numbers of the transactions that the position does not contain.
    var laterTransactions: String {
        """
        SELECT number FROM (\(PublishedState.transactions))
        WHERE published > \(moment.milliseconds) OR number > \(head)
        """
    }

    /// The condition for rows of `transactions` that the position contains. Only local transactions need a full scan.
    var containsTransaction: String {
        """
        (number < \(firstLater) OR number <= \(head) AND (generated <= \(moment.milliseconds)
            OR generated IS NULL AND number NOT IN (\(laterTransactions))))
        """
    }

    /// The condition for a row `c` of `changes` that the position does not contain.
    var excludes: String {
        """
        EXISTS (SELECT 1 FROM main.changes later WHERE later.quake = c.quake AND later.id <= c.id
            AND later.txn IN (\(laterTransactions)))
        """
    }
}

/// A position in the history: after one transaction, or at a time of publication.
struct HistoryPosition {
    var token: HistoryToken
    /// The state to which quakes are rewound; nil if the position is simply the end of one transaction.
    var cut: PublishedState?
    /// The last time of publication that the position contains; nil for a position by transaction.
    var published: Timestamp?
}

/// A selection of changes: a range of ids, which a published state can limit to the changes before or after it.
struct ChangeScope {
    var ids: Range<ChangeID>
    /// Include only changes that this state does not contain.
    var after: PublishedState?
    /// Include only changes that this state contains.
    var within: PublishedState?

    /// The condition for rows `c` of `changes`, with the two bounds of the ids as its parameters.
    var condition: String {
        "c.id >= ? AND c.id < ?" + (after.map { " AND \($0.excludes)" } ?? "")
            + (within.map { " AND NOT \($0.excludes)" } ?? "")
    }
}

extension StoreHistory {
    /// Returns the position that contains everything published up to `moment`, from all transactions visible now.
    ///
    /// - Throws: ``StoreError/beforeFirstSnapshot(published:)`` if no snapshot or solution had been published by then,
    ///   ``StoreError/generationExpired(floor:)`` if history that was published later has been purged.
    func place(publishedAt moment: Timestamp) throws -> HistoryPosition {
        let database = try context.database()
        let floor = try floor()
        let purged = try database.timestamp("SELECT floor_published FROM store")
        if let purged, moment < purged { throw StoreError.generationExpired(floor: floor.number) }
        let ends = try database.first(
            """
            SELECT min(generated), min(iif(published > ?1, number, NULL)), max(iif(published > ?1, NULL, number)),
                max(number) FROM (\(PublishedState.transactions))
            """, moment.milliseconds
        ) {
            (
                first: $0.timestampOrNil(0), later: $0.transactionOrNil(1), last: $0.transactionOrNil(2),
                head: $0.transactionOrNil(3)
            )
        }
        let first = try purged ?? [ends?.first, context.firstSolution()].compactMap { $0 }.min()
        guard let first, first <= moment
        else { throw StoreError.beforeFirstSnapshot(published: first) }
        let last = ends?.last ?? floor.number
        var place = HistoryPosition(token: try token(afterTransaction: last), published: moment)
        if let ends, let later = ends.later, let head = ends.head, later < last {
            place.cut = PublishedState(moment: moment, firstLater: later, head: head)
        }
        return place
    }

    var pinnedCut: PublishedState? { context.heldGeneration?.place.cut }

    /// The time of publication to which the context is pinned; nil if it is not pinned by time of publication.
    package var pinnedPublication: Timestamp? { context.heldGeneration?.place.published }

    /// Returns the time of publication of the first snapshot or, after a purge, of the newest purged one; nil if there
    /// is none. States before this time contain only quakes whose solutions were fetched.
    package func firstSnapshot() throws -> Timestamp? {
        try context.database().timestamp(
            "SELECT coalesce((SELECT floor_published FROM store), (SELECT min(generated) FROM main.transactions))")
    }

    /// Returns the publication time of the newest visible snapshot that changed a quake; nil if there is none.
    package func newestPublication() throws -> Timestamp? {
        try context.database().timestamp(
            """
            SELECT coalesce((SELECT max(generated) FROM transactions WHERE number <= ? \(readableOnly)),
                (SELECT floor_published FROM store))
            """, context.newestReadable)
    }

    /// Whether a snapshot of the pinned published state may list quakes that are missing from this state, because they
    /// first came from a snapshot that was published later but applied before.
    package func lacksNewerQuakes() throws -> Bool {
        guard let pinnedPublication else { return false }
        // Snapshots that share quakes are at most as far apart as the feeds reach back.
        return try context.database().integer(
            """
            SELECT (SELECT max(number) FROM main.transactions WHERE generated > ?1 - ?2 AND generated <= ?1)
                > (SELECT min(number) FROM main.transactions WHERE generated > ?1 AND generated < ?1 + ?2)
            """, pinnedPublication.milliseconds, Int64(30 * 86_400_000)) == 1
    }

    func readable(_ range: Range<ChangeID>) -> ChangeScope { ChangeScope(ids: range, within: pinnedCut) }

    /// The condition for the rows of `transactions` that the pinned generation does not contain.
    var transactionsToRewind: String {
        pinnedCut.map { "number IN (\($0.laterTransactions))" } ?? "number > \(context.newestReadable)"
    }

    /// The changes that the pinned generation does not contain.
    func changesToRewind() throws -> ChangeScope {
        let cut = pinnedCut
        let start = try changeIDs(after: cut.map { $0.firstLater.previous } ?? context.newestReadable, through: .last)
            .lowerBound
        return ChangeScope(ids: start..<ChangeID.last, after: cut)
    }
}
