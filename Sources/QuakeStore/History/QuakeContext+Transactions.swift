import GRDB
public import QuakeModel

extension QuakeContext {
    /// The transactions after `number`, oldest first, up to `through` where given.
    public func transactions(after number: Int64, through last: Int64 = .max, limit: Int? = nil) throws
        -> [HistoryTransaction]
    {
        try database { db in
            let statement = try SQLStatement(
                db, TransactionRows.select + " WHERE number > ? AND number <= ? ORDER BY number LIMIT ?")
            statement.bind(1, number)
            statement.bind(2, min(last, newestReadable))
            statement.bind(3, Int64(limit ?? -1))
            defer { statement.reset() }
            var transactions: [HistoryTransaction] = []
            while try statement.step() { transactions.append(TransactionRows.transaction(statement)) }
            return transactions
        }
    }

    /// The transaction of that number, unless it was purged.
    public func transaction(_ number: Int64) throws -> HistoryTransaction? {
        try transactions(after: number - 1, through: number).first
    }

    /// The ids of the changes that came after transaction `number` and not after `last`.
    func changeIDs(after number: Int64, through last: Int64) throws -> Range<Int64> {
        try database { db in
            let before = try Int64.fetchOne(
                db, sql: "SELECT last_change FROM transactions WHERE number <= ? ORDER BY number DESC LIMIT 1",
                arguments: [number])
            let end = try Int64.fetchOne(
                db, sql: "SELECT last_change FROM transactions WHERE number <= ? ORDER BY number DESC LIMIT 1",
                arguments: [last])
            // Below the first transaction that is kept lies what was purged.
            let lower = try before.map { $0 + 1 } ?? Int64.fetchOne(db, sql: "SELECT min(id) FROM changes") ?? 1
            return lower..<max(lower, (end ?? 0) + 1)
        }
    }

    /// The newest transactions, newest first, at most `count` of them.
    public func newestTransactions(_ count: Int) throws -> [HistoryTransaction] {
        try database { db in
            let statement = try SQLStatement(db, TransactionRows.select + " ORDER BY number DESC LIMIT ?")
            statement.bind(1, Int64(count))
            defer { statement.reset() }
            var transactions: [HistoryTransaction] = []
            while try statement.step() { transactions.append(TransactionRows.transaction(statement)) }
            return transactions
        }
    }

    /// Calls `body` with the changes of one transaction, in their order.
    public func forEachChange(ofTransaction number: Int64, _ body: (HistoryChange) throws -> Void) throws {
        let range = try changeIDs(after: number - 1, through: number)
        try database { db in
            try ChangeCursor(db, path: store.path, in: range).forEach {
                try body($0)
                return true
            }
        }
    }

    /// How many changes came after transaction `number`. Ids of changes have no gaps, so that none is counted one by one.
    public func changeCount(after number: Int64) throws -> Int {
        let head = try head().number
        return try changeIDs(after: max(number, floor().number), through: head).count
    }

    /// The revision ladder of one quake: every change of it that is kept, oldest first.
    public func changes(ofKey key: Int64) throws -> [HistoryChange] {
        try database { db in
            var changes: [HistoryChange] = []
            let end = newestReadable == .max ? .max : try changeIDs(after: 0, through: newestReadable).upperBound
            try ChangeCursor(db, path: store.path, in: 0..<end, ofQuake: key).forEach {
                changes.append($0)
                return true
            }
            return changes
        }
    }
}

private enum TransactionRows {
    static let select = """
        SELECT number, time, fingerprint, author, context, pid, host, program, url, generated, etag, sha256, features,
            inserted, updated, deleted
        FROM transactions
        """

    static func transaction(_ row: SQLStatement) -> HistoryTransaction {
        let provenance = HistoryTransaction.Provenance(
            url: row.textOrNil(8), generated: row.integerOrNil(9).map(Timestamp.init(milliseconds:)),
            etag: row.textOrNil(10), sha256: row.textOrNil(11), featureCount: row.integerOrNil(12).map(Int.init))
        var transaction = HistoryTransaction(
            number: row.integer(0), time: Timestamp(milliseconds: row.integer(1)),
            fingerprint: UInt32(truncatingIfNeeded: row.integer(2)), author: row.text(3), context: row.textOrNil(4),
            processID: row.integer(5), host: row.text(6), program: row.text(7),
            provenance: provenance == HistoryTransaction.Provenance() ? nil : provenance)
        transaction.counts = HistoryTransaction.Counts(
            inserted: Int(row.integer(13)), updated: Int(row.integer(14)), deleted: Int(row.integer(15)))
        return transaction
    }
}
