extension StoreHistory {
    /// Removes the history before a position.
    ///
    /// If the position is a token, that token stays valid; if it is a transaction, that transaction is kept. Nothing is
    /// removed if the position precedes the retained history. Even in a pinned context, the position is looked up in
    /// the newest state.
    ///
    /// - Throws: ``StoreError/token(_:)`` for an unusable token, and the errors of ``trim(through:force:dryRun:)``.
    @discardableResult
    public func trim(
        before place: HistoryDescriptor.Start, force: Bool = false, dryRun: Bool = false
    ) throws -> HistoryTrim {
        try trim(force: force, dryRun: dryRun) {
            switch place {
            case .nothing, .beginning, .oldest: try self.floor().number
            case .transaction(let named): named.previous
            case .token: try self.responseStart(at: place, head: currentToken()).number
            case .committed, .published: try self.lastTransaction(before: place)
            }
        }
    }

    /// Removes the history up to and including transaction `number`. Tokens for earlier positions expire.
    ///
    /// - Parameters:
    ///   - number: the last transaction to remove.
    ///   - force: whether to remove even history that an active consumer has not read.
    ///   - dryRun: whether to only report what would be removed.
    /// - Throws: ``StoreError/unreadConsumer(name:number:)`` if an active consumer has not read the history to be
    ///   removed and `force` is false, and ``StoreError/contextState(_:)`` inside a transaction of this context.
    @discardableResult
    public func trim(
        through number: TransactionNumber, force: Bool = false, dryRun: Bool = false
    ) throws -> HistoryTrim {
        try trim(force: force, dryRun: dryRun) { number }
    }

    /// Removes the history that all `consumers` have read, or nothing if there are no such consumers.
    ///
    /// A consumer whose next changes were already trimmed does not prevent removal, because it must start over anyway.
    ///
    /// - Throws: ``StoreError/unreadConsumer(name:number:)`` if another active consumer has not read that history.
    @discardableResult
    public func trim(
        readByAll consumers: HistoryConsumer.Group, dryRun: Bool = false
    ) throws -> HistoryTrim {
        try trim(force: false, dryRun: dryRun) {
            let floor = try self.floor().number
            let now = session.configuration.now()
            let read = try self.consumers().filter { consumers.contains($0, at: now) && $0.number >= floor }
            if case .named(let names) = consumers, floor == .zero, read.count < names.count { return floor }
            return read.map(\.number).min() ?? floor
        }
    }

    /// Removes the history up to and including the transaction that `choice` selects in the newest state.
    private func trim(
        force: Bool, dryRun: Bool, through choice: () throws -> TransactionNumber
    ) throws -> HistoryTrim {
        try session.asOnlyTransaction {
            try session.inTransaction(.writing, keep: { _ in !dryRun }) {
                let chosen = try choice()
                let floor = try floor()
                let number = try chosen > floor.number ? token(afterTransaction: chosen).number : floor.number
                guard number > floor.number else {
                    return HistoryTrim(transactions: 0, changes: 0, trimmedThrough: floor.number)
                }
                guard let last = try transaction(number) else { throw StoreError.noTransaction(number) }
                if !force { try requireRead(from: floor.number, to: number) }
                return try removeHistory(through: last)
            }
        }
    }

    /// Returns the number up to which every transaction was committed (or published) by the time of `start`; the end of
    /// the trimmed history if `start` is unusable.
    private func lastTransaction(before start: HistoryDescriptor.Start) throws -> TransactionNumber {
        do {
            return try responseStart(at: start, head: currentToken()).lastCommon
        } catch StoreError.token {
            return try floor().number
        }
    }

    /// Throws if an active consumer has read the history at least through `floor`, but not through `number`. Consumers
    /// that have not read through `floor` are ignored, because they must start over anyway.
    private func requireRead(from floor: TransactionNumber, to number: TransactionNumber) throws {
        let now = session.configuration.now()
        let unread = floor..<number
        if let reader = try consumers().first(where: { unread.contains($0.number) && $0.isActive(at: now) }) {
            throw StoreError.unreadConsumer(name: reader.name, number: reader.number)
        }
    }

    private func removeHistory(through last: HistoryTransaction) throws -> HistoryTrim {
        let end = try changeIDs(ofTransaction: last.number).upperBound
        let database = try session.database()
        let published = try database.integer(
            """
            SELECT max(published) FROM (SELECT max(generated) AS published FROM transactions WHERE number <= ?
                UNION ALL SELECT floor_published FROM store)
            """, last.number)
        try database.run("DELETE FROM rows_before WHERE change < ?", end)
        try database.run("DELETE FROM changes WHERE id < ?", end)
        let changes = database.changedRows
        try database.run("DELETE FROM transactions WHERE number <= ?", last.number)
        let transactions = database.changedRows
        try database.dropForgottenDetails()
        try database.run(
            CheckedTable.store.update(
                [
                    ("floor", "?1"), ("floor_fingerprint", "?2"), ("floor_time", "?3"), ("floor_moved", "?4"),
                    ("floor_author", "?5"), ("floor_published", "?6"),
                ], where: "singleton = 1"), last.number, Int64(last.fingerprint), last.time.milliseconds,
            session.configuration.now().milliseconds, session.author, published)
        return HistoryTrim(transactions: transactions, changes: changes, trimmedThrough: last.number)
    }
}
