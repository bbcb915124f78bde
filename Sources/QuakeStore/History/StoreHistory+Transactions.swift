extension StoreHistory {
    /// The transactions after `number`, oldest first, up to `through` where given.
    public func transactions(
        after number: TransactionNumber, through last: TransactionNumber? = nil, limit: Int? = nil
    ) throws -> [HistoryTransaction] {
        guard number != .last else { return [] }
        return try context.database().all(
            TransactionRows.select + " WHERE number > ? AND number <= ? \(readableOnly) ORDER BY number LIMIT ?",
            number, min(last ?? .last, context.newestReadable), limit ?? -1, read: TransactionRows.transaction)
    }

    var readableOnly: String { pinnedCut.map { "AND " + $0.containsTransaction } ?? "" }

    /// The newest transaction, in a pinned context that of its generation; nil while there is none, or if its history
    /// was purged.
    public func lastTransaction() throws -> HistoryTransaction? {
        try context.snapshot { try transaction(head().number) }
    }

    /// The transaction of that number, unless it was purged.
    public func transaction(_ number: TransactionNumber) throws -> HistoryTransaction? {
        try transactions(after: number.previous, through: number, limit: 1).first
    }

    func changeIDs(ofTransaction number: TransactionNumber) throws -> Range<ChangeID> {
        try changeIDs(after: number.previous, through: number)
    }

    /// The ids of the changes between two transactions. Where a restore left numbers out, some are nobody's.
    func changeIDs(after number: TransactionNumber, through last: TransactionNumber) throws -> Range<ChangeID> {
        let database = try context.database()
        let lastChange = "SELECT last_change FROM transactions WHERE number <= ? ORDER BY number DESC LIMIT 1"
        let before = try database.first(lastChange, number) { $0.change(0) }
        let end = try database.first(lastChange, last) { $0.change(0) }
        // What came before the first transaction that is kept was purged.
        let lower =
            try before?.next ?? database.integer("SELECT min(id) FROM changes").map(ChangeID.init(_:)) ?? ChangeID(1)
        return lower..<max(lower, end?.next ?? lower)
    }

    /// The newest transactions that reads may see, newest first, at most `count` of them.
    public func newestTransactions(_ count: Int) throws -> [HistoryTransaction] {
        try context.database().all(
            TransactionRows.select + " WHERE number <= ? \(readableOnly) ORDER BY number DESC LIMIT ?",
            context.newestReadable, count, read: TransactionRows.transaction)
    }

    /// When the first snapshot with the quake under `key` was published, whatever the context is pinned to; nil if
    /// there is none, or if it may have been purged.
    package func firstPublication(ofKey key: QuakeKey) throws -> Timestamp? {
        guard try floor().number == .zero else { return nil }
        return try context.database().first(
            """
            SELECT t.generated FROM main.changes c JOIN main.transactions t ON t.number = c.txn WHERE c.quake = ?
            ORDER BY c.id LIMIT 1
            """, key
        ) { $0.timestampOrNil(0) }.flatMap(\.self)
    }

    /// How many changes transaction `number` made for each reason.
    package func reasonCounts(ofTransaction number: TransactionNumber) throws -> [ChangeReason: Int] {
        let ids = try changeIDs(ofTransaction: number)
        let counts = try context.database().all(
            "SELECT reason, count(*) FROM changes WHERE id >= ? AND id < ? GROUP BY reason", ids.lowerBound,
            ids.upperBound
        ) { (ChangeReason(rawValue: $0.text(0)), Int($0.integer(1))) }
        return counts.reduce(into: [:]) { result, count in if let reason = count.0 { result[reason] = count.1 } }
    }

    /// Calls `body` with the changes of one transaction, in their order.
    public func forEachChange(ofTransaction number: TransactionNumber, _ body: (HistoryChange) throws -> Void) throws {
        let database = try context.database()
        guard number <= context.newestReadable else { return }
        let range = try changeIDs(ofTransaction: number)
        let cursor = try ChangeCursor(database, in: readable(range))
        while let change = try cursor.next() { try body(change) }
    }

    /// How many changes came after transaction `number`, summed over the transactions.
    public func changeCount(after number: TransactionNumber) throws -> Int {
        let count = try context.database().integer(
            """
            SELECT sum(inserted + updated + deleted) FROM transactions WHERE number > ? AND number <= ? \(readableOnly)
            """, number, context.newestReadable)
        return Int(count ?? 0)
    }

    /// How many transactions came after transaction `number`.
    public func transactionCount(after number: TransactionNumber) throws -> Int {
        let count = try context.database().integer(
            "SELECT count(*) FROM transactions WHERE number > ? AND number <= ? \(readableOnly)", number,
            context.newestReadable)
        return Int(count ?? 0)
    }

    /// Every change of one quake that is kept, oldest first.
    public func changes(ofKey key: QuakeKey) throws -> [HistoryChange] {
        var changes: [HistoryChange] = []
        try forEachChange(ofKeys: [key]) { changes.append($0) }
        return changes
    }

    /// Calls `body` with every change that is kept of each of these quakes, one quake after the other, oldest first.
    package func forEachChange(ofKeys keys: some Sequence<QuakeKey>, _ body: (HistoryChange) throws -> Void) throws {
        let database = try context.database()
        let end =
            context.newestReadable == .last
            ? .last : try changeIDs(after: .zero, through: context.newestReadable).upperBound
        let cursor = try ChangeCursor(database, in: readable(ChangeID(0)..<end), ofQuake: QuakeKey(0))
        for key in keys {
            try cursor.turn(to: key)
            while let change = try cursor.next() { try body(change) }
        }
    }

    /// Sums up what the history that is kept did to quakes that `filter` accepts before or after it, without deletions
    /// that were undone.
    public func revisions(of filter: QuakeFilter = QuakeFilter()) throws -> RevisionSummary {
        try context.snapshot {
            var summary = RevisionSummary()
            let kept = try changeIDs(after: floor().number, through: head().number)
            let isUndone = """
                EXISTS (SELECT 1 FROM changes n WHERE n.kind = \(ChangeKind.insert.code)
                    AND n.reason = '\(ChangeReason.undone.rawValue)' AND n.id < \(kept.upperBound)
                    AND n.id = (SELECT min(id) FROM changes WHERE quake = c.quake AND id > c.id))
                """
            let cursor = try ChangeCursor(
                context.database(), in: readable(kept),
                where: "(c.kind = \(ChangeKind.update.code)"
                    + " OR c.kind = \(ChangeKind.delete.code) AND NOT \(isUndone))")
            while let change = try cursor.next() {
                if change.before.map(filter.accepts) == true || change.after.map(filter.accepts) == true {
                    summary.add(change)
                }
            }
            return summary
        }
    }
}

private enum TransactionRows {
    static let select = """
        SELECT number, time, fingerprint, author, context, pid, host, program, url, generated, etag, features,
            inserted, updated, deleted, (SELECT id FROM store)
        FROM transactions
        """

    static func transaction(_ row: Statement) -> HistoryTransaction {
        let provenance = HistoryTransaction.Provenance(
            url: row.textOrNil(8), generated: row.timestampOrNil(9),
            etag: row.textOrNil(10), featureCount: row.integerOrNil(11).map(Int.init))
        var transaction = HistoryTransaction(
            storeID: row.text(15), number: row.transaction(0), time: row.timestamp(1),
            fingerprint: UInt32(truncatingIfNeeded: row.integer(2)), author: row.text(3), context: row.textOrNil(4),
            processID: row.integer(5), host: row.text(6), program: row.text(7),
            provenance: provenance == HistoryTransaction.Provenance() ? nil : provenance)
        transaction.counts = HistoryTransaction.Counts(
            inserted: Int(row.integer(12)), updated: Int(row.integer(13)), deleted: Int(row.integer(14)))
        return transaction
    }
}
