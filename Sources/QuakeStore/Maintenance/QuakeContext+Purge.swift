import GRDB
public import QuakeModel

extension QuakeContext {
    /// Deletes the quakes the filter accepts, each with its tombstone, as one transaction.
    ///
    /// - Returns: how many, and the entry in the history, if any.
    @discardableResult
    public func purge(
        _ filter: QuakeFilter, words: String? = nil, dryRun: Bool = false
    ) throws -> (count: Int, transaction: HistoryTransaction?) {
        let (count, transaction) = try transaction(TransactionOrigin(context: words), dryRun: dryRun) {
            try $0.delete(where: filter, reason: .purged)
        }
        return (count, transaction)
    }

    /// What a purge of history removes.
    public struct HistoryPurge: Hashable, Sendable {
        /// How many transactions went.
        public var transactions: Int
        /// How many changes went with them.
        public var changes: Int
        /// The floor afterwards.
        public var floor: Int64
    }

    /// Removes the history before a place at once, as ``deleteHistory(through:force:dryRun:)`` does.
    ///
    /// The head is never removed from reach: a token for it stays good.
    /// - Throws: ``StoreError/token(_:)`` for a token that cannot be followed.
    public func deleteHistory(
        before place: HistoryDescriptor.Start, force: Bool = false, dryRun: Bool = false
    ) throws -> HistoryPurge {
        let number: Int64
        switch place {
        case .beginning: number = 0
        case .transaction(let named): number = named
        case .moment(let moment): number = try lastTransaction(at: moment) ?? floor().number
        case .token(let token):
            if let fault = try fault(of: token) { throw StoreError.token(fault) }
            number = token.number
        }
        return try deleteHistory(through: number, force: force, dryRun: dryRun)
    }

    /// Removes the history up to and including transaction `number` at once, and sets the floor there.
    ///
    /// - Parameter force: also what a live consumer has not read.
    /// - Throws: ``StoreError/unreadConsumer(name:number:)`` when such a consumer is in the way.
    public func deleteHistory(
        through number: Int64, force: Bool = false, dryRun: Bool = false
    ) throws -> HistoryPurge {
        try inTransaction(begin: "BEGIN IMMEDIATE", keep: { _ in !dryRun }) {
            let floor = try floor()
            guard number > floor.number else {
                return HistoryPurge(transactions: 0, changes: 0, floor: floor.number)
            }
            guard let last = try transaction(number) else { throw StoreError.noTransaction(number) }
            let now = store.configuration.now()
            // One that is behind the floor already has nothing left to lose: it starts anew whatever happens here.
            let unread = floor.number..<number
            if !force, let reader = try consumers().first(where: { unread.contains($0.number) && $0.isLive(at: now) }) {
                throw StoreError.unreadConsumer(name: reader.name, number: reader.number)
            }
            let changes = try changeIDs(after: floor.number, through: number)
            return try database { db in
                try db.execute(sql: "DELETE FROM changes WHERE id < ?", arguments: [changes.upperBound])
                let removedChanges = db.changesCount
                try db.execute(sql: "DELETE FROM transactions WHERE number <= ?", arguments: [number])
                let removedTransactions = db.changesCount
                try db.execute(
                    sql: """
                        UPDATE store SET floor = ?, floor_fingerprint = ?, floor_time = ?, floor_moved = ?,
                            floor_author = ?
                        """,
                    arguments: [
                        number, Int64(last.fingerprint), last.time.milliseconds, now.milliseconds, author,
                    ])
                return HistoryPurge(transactions: removedTransactions, changes: removedChanges, floor: number)
            }
        }
    }

    /// Gives the space of what was purged back to the file system. Needs as much space again while it works.
    public func compact() throws {
        try releasingPin {
            try database { db in
                try db.execute(sql: "VACUUM")
                _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
    }
}

extension QuakeWriter {
    /// Deletes the quakes the filter accepts, oldest key first, and returns how many.
    public func delete(where filter: QuakeFilter, reason: ChangeReason) throws -> Int {
        let filter = FilterSQL(filter)
        var count = 0
        var lastKey: Int64 = 0
        while true {
            // In batches: a statement must not be stepped while its rows are deleted, and memory stays flat.
            let batch = try connection.translatingErrors {
                let conditions = ["key > ?"] + filter.conditions
                let statement = try SQLStatement(
                    db,
                    """
                    SELECT key, \(QuakeColumns.list()) FROM quakes WHERE \(conditions.joined(separator: " AND "))
                    ORDER BY key LIMIT 500
                    """)
                statement.bind([.integer(lastKey)] + filter.values)
                defer { statement.reset() }
                var batch: [StoredQuake] = []
                while try statement.step() {
                    batch.append(StoredQuake(key: statement.integer(0), quake: statement.quake(from: 1)))
                }
                return batch
            }
            guard let last = batch.last else { return count }
            lastKey = last.key
            for quake in batch {
                let generated = try knownQuake(quake.key)?.rowSource.generated ?? 0
                try delete(quake, reason: reason, generated: generated)
            }
            count += batch.count
        }
    }
}
