/// A place on the second clock of the history: what the snapshots published up to a moment said.
///
/// An archive that is replayed is learned within a minute and in another order than it was published. So a quake is
/// rewound to the state before its first change that was published after the moment. Rule 10 keeps the changes of one
/// quake in the order of publication, so nothing published by then is lost. A change that was never made, because a
/// newer snapshot came first, cannot be shown.
struct PublishedCut: Hashable {
    /// The last time of publication that the place contains.
    let moment: Timestamp
    let firstLater: TransactionNumber
    /// The newest transaction when the place was chosen. The place contains none that was learned later.
    let head: TransactionNumber

    /// Each transaction with the moment at which it counts as published: the `generated` of its snapshot. A local act
    /// has none and counts with the newest snapshot before it, even a purged one; null where there is none. That what
    /// was purged may be newer still makes no difference: no place before it can be chosen.
    static let transactions = """
        SELECT number, generated, coalesce(generated, newest, purged) AS published FROM (
            SELECT number, generated, max(generated) OVER (ORDER BY number) AS newest,
                (SELECT floor_published FROM store) AS purged
            FROM main.transactions)
        """

    /// The numbers of the transactions that the place does not contain.
    var laterTransactions: String {
        """
        SELECT number FROM (\(PublishedCut.transactions))
        WHERE published > \(moment.milliseconds) OR number > \(head)
        """
    }

    /// The condition for a row of `transactions` that the place contains. Only a local act needs all transactions.
    var containsTransaction: String {
        """
        (number < \(firstLater) OR number <= \(head) AND (generated <= \(moment.milliseconds)
            OR generated IS NULL AND number NOT IN (\(laterTransactions))))
        """
    }

    /// The condition for a row `c` of `changes` that the place does not contain.
    var excludes: String {
        """
        EXISTS (SELECT 1 FROM main.changes later WHERE later.quake = c.quake AND later.id <= c.id
            AND later.txn IN (\(laterTransactions)))
        """
    }
}

/// A place in the history: after one transaction, or, with a cut, at a time of publication.
struct HistoryPlace {
    var token: HistoryToken
    /// Set where the place lacks transactions that were learned before the last one it contains.
    var cut: PublishedCut?
    /// The last time of publication that the place contains, for one on the second clock.
    var published: Timestamp?
}

/// Some changes of the history: a range of ids, and of each quake only the part on one side of a cut.
struct ChangeScope {
    var ids: Range<ChangeID>
    /// Only changes that this place does not contain.
    var after: PublishedCut?
    /// Only changes that this place contains.
    var within: PublishedCut?

    /// The condition for rows `c` of `changes`. Binds the two bounds of the ids.
    var condition: String {
        "c.id >= ? AND c.id < ?" + (after.map { " AND \($0.excludes)" } ?? "")
            + (within.map { " AND NOT \($0.excludes)" } ?? "")
    }
}

extension StoreHistory {
    /// The place that contains what was published up to `moment`, of all transactions the connection sees.
    ///
    /// - Throws: ``StoreError/beforeFirstSnapshot(published:)`` where no snapshot and no solution was published by
    ///   then, ``StoreError/generationExpired(floor:)`` where history that was published later has been purged.
    func place(publishedAt moment: Timestamp) throws -> HistoryPlace {
        let database = try context.database()
        let floor = try floor()
        let purged = try database.first("SELECT floor_published FROM store") { $0.timestampOrNil(0) }.flatMap(\.self)
        if let purged, moment < purged { throw StoreError.generationExpired(floor: floor.number) }
        let ends = try database.first(
            """
            SELECT min(generated), min(iif(published > ?1, number, NULL)), max(iif(published > ?1, NULL, number)),
                max(number) FROM (\(PublishedCut.transactions))
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
        var place = HistoryPlace(token: try token(afterTransaction: last), published: moment)
        if let ends, let later = ends.later, let head = ends.head, later < last {
            place.cut = PublishedCut(moment: moment, firstLater: later, head: head)
        }
        return place
    }

    var pinnedCut: PublishedCut? { context.heldGeneration?.place.cut }

    /// The moment of the state that the context is pinned to, if that is what had been published by then.
    package var pinnedPublication: Timestamp? { context.heldGeneration?.place.published }

    /// When the first snapshot was published after what was purged; nil if there is none. States before it contain only
    /// quakes whose solutions were fetched.
    package func firstSnapshot() throws -> Timestamp? {
        try context.database().first(
            "SELECT coalesce((SELECT floor_published FROM store), (SELECT min(generated) FROM main.transactions))"
        ) { $0.timestampOrNil(0) }.flatMap(\.self)
    }

    /// When the newest snapshot was published that changed a quake by the state that reads see; nil if there is none.
    package func newestPublication() throws -> Timestamp? {
        try context.database().first(
            """
            SELECT coalesce((SELECT max(generated) FROM transactions WHERE number <= ? \(readableOnly)),
                (SELECT floor_published FROM store))
            """, context.newestReadable
        ) { $0.timestampOrNil(0) }.flatMap(\.self)
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
