extension StoreHistory {
    /// Returns the transactions after `number`, oldest first. If given, `last` is the last transaction to include and
    /// `limit` is the maximum number to return.
    public func transactions(
        after number: TransactionNumber, through last: TransactionNumber? = nil, limit: Int? = nil
    ) throws -> [HistoryTransaction] {
        try StoreError.require("limit", limit, atLeast: 0)
        return try session.database().all(
            TransactionRows.select
                + " WHERE number > ? AND number <= ? \(readableTransactionsSQL) ORDER BY number LIMIT ?",
            number, min(last ?? .maximum, session.newestReadable), limit ?? -1, read: TransactionRows.transaction)
    }

    var readableTransactionsSQL: String { pinnedPublishedState.map { "AND " + $0.containsTransaction } ?? "" }

    /// Returns the newest transaction or, in a pinned context, the last transaction of the pinned generation; nil if
    /// that transaction was trimmed or there is none.
    public func lastTransaction() throws -> HistoryTransaction? {
        try session.snapshot { try transaction(currentToken().number) }
    }

    /// Returns the transaction with this number; nil if there is none or it was trimmed.
    public func transaction(_ number: TransactionNumber) throws -> HistoryTransaction? {
        try transactions(after: number.previous, through: number, limit: 1).first
    }

    func changeIDs(ofTransaction number: TransactionNumber) throws -> Range<ChangeID> {
        try changeIDs(after: number.previous, through: number)
    }

    /// Returns a range with the ids of all changes made after transaction `number`, up to and including transaction
    /// `last`. If a restore skipped numbers, some ids in the range are unused.
    func changeIDs(after number: TransactionNumber, through last: TransactionNumber) throws -> Range<ChangeID> {
        let database = try session.database()
        let lastChange = "SELECT last_change FROM transactions WHERE number <= ? ORDER BY number DESC LIMIT 1"
        let before = try database.first(lastChange, number) { $0.change(0) }
        let end = try database.first(lastChange, last) { $0.change(0) }
        // If no transaction up to `number` is retained, begin with the oldest retained change.
        let lower =
            try before?.next ?? database.integer("SELECT min(id) FROM changes").map(ChangeID.init(_:)) ?? ChangeID(1)
        return lower..<max(lower, end?.next ?? lower)
    }

    /// Returns the last `count` transactions after `number` that reads see, newest first.
    package func newestTransactions(
        _ count: Int, after number: TransactionNumber = .zero
    ) throws -> [HistoryTransaction] {
        try session.database().all(
            TransactionRows.select
                + " WHERE number > ? AND number <= ? \(readableTransactionsSQL) ORDER BY number DESC LIMIT ?",
            number, session.newestReadable, count, read: TransactionRows.transaction)
    }

    /// Returns the publication time of the snapshot that first reported the quake with `key`, regardless of any pin;
    /// nil if the quake did not come from a snapshot, or if any history was trimmed.
    package func firstPublication(ofKey key: QuakeKey) throws -> Timestamp? {
        guard try floor().number == .zero else { return nil }
        return try session.database().timestamp(
            """
            SELECT t.generated FROM main.changes c JOIN main.transactions t ON t.number = c.txn WHERE c.quake = ?
            ORDER BY c.id LIMIT 1
            """, key)
    }

    /// Returns the number of changes that transaction `number` made for each reason.
    package func reasonCounts(ofTransaction number: TransactionNumber) throws -> [ChangeReason: Int] {
        let ids = try changeIDs(ofTransaction: number)
        var counts: [ChangeReason: Int] = [:]
        try session.database().forEach(
            "SELECT reason, count(*) FROM changes WHERE id >= ? AND id < ? GROUP BY reason", ids.lowerBound,
            ids.upperBound
        ) { row in if let reason = ChangeReason(rawValue: row.text(0)) { counts[reason] = Int(row.integer(1)) } }
        return counts
    }

    /// Returns the changes of one transaction in the order in which they were written. An editor's save or an undo
    /// writes deletions first, then updates, then insertions.
    ///
    /// - Throws: ``StoreError/noTransaction(_:)`` for a transaction outside the retained history.
    public func changes(ofTransaction number: TransactionNumber) throws -> [HistoryChange] {
        try session.snapshot {
            guard try transaction(number) != nil else { throw StoreError.noTransaction(number) }
            var changes: [HistoryChange] = []
            try forEachChange(ofTransaction: number) { changes.append($0) }
            return changes
        }
    }

    /// Calls `body` with the changes of one transaction, in order.
    package func forEachChange(ofTransaction number: TransactionNumber, _ body: (HistoryChange) throws -> Void) throws {
        guard number <= session.newestReadable else { return }
        let cursor = try ChangeCursor(session.database(), in: readableChanges(in: changeIDs(ofTransaction: number)))
        while let change = try cursor.next() { try body(change) }
    }

    /// Returns how many transactions and changes follow transaction `number`.
    package func counts(after number: TransactionNumber) throws -> (transactions: Int, changes: Int) {
        try session.database().first(
            """
            SELECT count(*), sum(inserted + updated + deleted) FROM transactions
            WHERE number > ? AND number <= ? \(readableTransactionsSQL)
            """, number, session.newestReadable
        ) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
    }

    /// Returns all retained changes to one quake, oldest first.
    public func changes(ofKey key: QuakeKey) throws -> [HistoryChange] {
        var changes: [HistoryChange] = []
        try forEachChange(ofKeys: [key]) { changes.append($0) }
        return changes
    }

    /// Calls `body` with all retained changes to these quakes, one quake after another, each quake's oldest change
    /// first.
    package func forEachChange(ofKeys keys: some Sequence<QuakeKey>, _ body: (HistoryChange) throws -> Void) throws {
        let scope = readableChanges(in: try changeIDs(after: .zero, through: session.newestReadable))
        let cursor = try ChangeCursor(session.database(), in: scope, ofQuake: QuakeKey(0))
        for key in keys {
            try cursor.restart(forQuake: key)
            while let change = try cursor.next() { try body(change) }
        }
    }

    /// Summarizes the retained updates and deletions of quakes that `filter` accepts before or after the change. Undos,
    /// and changes that were undone, do not count.
    package func revisions(of filter: QuakeFilter = QuakeFilter()) throws -> RevisionSummary {
        try session.snapshot {
            var summary = RevisionSummary()
            let conditions = filter.conditions
            let kept = try changeIDs(after: floor().number, through: currentToken().number)
            let undone = try session.database()
                .all("SELECT DISTINCT undoes FROM transactions WHERE undoes IS NOT NULL") { $0.transaction(0) }
                .filter { try undoInEffect(of: $0) != nil }
            let cursor = try ChangeCursor(
                session.database(), in: readableChanges(in: kept),
                where: "c.kind IN (\(ChangeKind.update.code), \(ChangeKind.delete.code)) AND c.reason <> 'undone'")
            while let change = try cursor.next() {
                if undone.contains(change.transaction) { continue }
                if change.before.map(conditions.hold) == true || change.after.map(conditions.hold) == true {
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
            inserted, updated, deleted, (SELECT id FROM store), undoes
        FROM transactions
        """

    static func transaction(_ row: Statement) -> HistoryTransaction {
        let provenance = HistoryTransaction.Provenance(
            url: row.textOrNil(8), generated: row.timestampOrNil(9),
            etag: row.textOrNil(10), featureCount: row.integerOrNil(11).map(Int.init))
        var transaction = HistoryTransaction(
            storeID: row.text(15), number: row.transaction(0), time: row.timestamp(1),
            fingerprint: UInt32(truncatingIfNeeded: row.integer(2)), author: row.text(3), purpose: row.textOrNil(4),
            processID: row.integer(5), host: row.text(6), program: row.text(7),
            provenance: provenance == HistoryTransaction.Provenance() ? nil : provenance,
            undoes: row.transactionOrNil(16))
        transaction.counts = HistoryTransaction.Counts(
            inserted: Int(row.integer(12)), updated: Int(row.integer(13)), deleted: Int(row.integer(14)))
        return transaction
    }
}
