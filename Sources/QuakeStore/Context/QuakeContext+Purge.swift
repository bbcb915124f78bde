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
        /// Transactions removed.
        public var transactions: Int
        /// Changes removed with them.
        public var changes: Int
        /// The floor afterwards.
        public var floor: Int64
    }

    /// Removes the history before a place, as ``deleteHistory(through:force:dryRun:)`` does.
    ///
    /// A token for the head stays valid.
    /// - Throws: ``StoreError/token(_:)`` for a token that cannot be followed.
    public func deleteHistory(
        before place: HistoryDescriptor.Start, force: Bool = false, dryRun: Bool = false
    ) throws -> HistoryPurge {
        let number: Int64
        switch place {
        case .beginning: number = 0
        case .transaction(let named): number = named
        case .moment(let moment): number = try lastTransaction(at: moment) ?? floor().number
        case .published(let moment): number = try lastTransaction(publishedAt: moment)
        case .token(let token):
            if let fault = try fault(of: token) { throw StoreError.token(fault) }
            number = token.number
        }
        return try deleteHistory(through: number, force: force, dryRun: dryRun)
    }

    /// The last transaction before the first one that was published after `moment`.
    private func lastTransaction(publishedAt moment: Timestamp) throws -> Int64 {
        do {
            let place = try place(publishedAt: moment)
            return place.cut.map { $0.firstLater - 1 } ?? place.token.number
        } catch StoreError.beforeFirstSnapshot {
            return try floor().number
        }
    }

    /// Removes the history up to and including transaction `number`, and sets the floor there.
    ///
    /// - Parameter force: also what a live consumer has not read.
    /// - Throws: ``StoreError/unreadConsumer(name:number:)`` when such a consumer is in the way,
    ///   ``StoreError/contextState(_:)`` inside a transaction of this context, whose own entry could be removed.
    public func deleteHistory(
        through number: Int64, force: Bool = false, dryRun: Bool = false
    ) throws -> HistoryPurge {
        try asOnlyWriter {
            try inTransaction(.writing, keep: { _ in !dryRun }) {
                let floor = try floor()
                guard number > floor.number else {
                    return HistoryPurge(transactions: 0, changes: 0, floor: floor.number)
                }
                guard let last = try transaction(number) else { throw StoreError.noTransaction(number) }
                if !force { try requireRead(from: floor.number, to: number) }
                return try removeHistory(through: last)
            }
        }
    }

    /// Throws for a live consumer that stands in the range. One behind the floor has nothing left to lose.
    private func requireRead(from floor: Int64, to number: Int64) throws {
        let now = cache.configuration.now()
        let unread = floor..<number
        if let reader = try consumers().first(where: { unread.contains($0.number) && $0.isLive(at: now) }) {
            throw StoreError.unreadConsumer(name: reader.name, number: reader.number)
        }
    }

    private func removeHistory(through last: HistoryTransaction) throws -> HistoryPurge {
        let end = try changeIDs(after: last.number - 1, through: last.number).upperBound
        let database = try database()
        let published = try database.integer(
            """
            SELECT max(published) FROM (SELECT max(generated) AS published FROM transactions WHERE number <= ?
                UNION ALL SELECT floor_published FROM store)
            """, last.number)
        try database.run("DELETE FROM changes WHERE id < ?", end)
        let changes = database.changedRows
        try database.run("DELETE FROM transactions WHERE number <= ?", last.number)
        let transactions = database.changedRows
        try database.run(
            """
            UPDATE store SET floor = ?, floor_fingerprint = ?, floor_time = ?, floor_moved = ?, floor_author = ?,
                floor_published = ?
            """, last.number, Int64(last.fingerprint), last.time.milliseconds, cache.configuration.now().milliseconds,
            author, published)
        return HistoryPurge(transactions: transactions, changes: changes, floor: last.number)
    }

    /// Gives the space of what was purged back to the file system. Needs as much space again while it works.
    ///
    /// A pin is advanced, because the log cannot shrink while the generation is held.
    public func compact() throws {
        try advance()
        try connection.execute("VACUUM")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
