extension StoreHistory {
    /// Undoes transaction `number` by a new one, built from the previous values, with the reason `undone`.
    /// Undoing that one redoes it.
    ///
    /// Quakes return under their local key and are found by the ids they were published under. Feeds are not asked:
    /// what they list at the next refresh counts.
    ///
    /// - Parameters:
    ///   - number: which transaction.
    ///   - dryRun: find out what would change, and keep nothing.
    /// - Returns: how many quakes were reverted, and the entry in the history.
    /// - Throws: ``StoreError/noTransaction(_:)`` for one that is not in the history that is kept,
    ///   ``StoreError/cannotUndo(transaction:quakes:)`` when one of its quakes is no longer as it left it.
    @discardableResult
    public func undo(
        transaction number: TransactionNumber, dryRun: Bool = false
    ) throws -> WriteOutcome<Int> {
        try context.write(.undo(of: number), dryRun: dryRun) {
            try TransactionUndo(of: number, context: context, writer: $0).run()
        }
    }

    /// The last transaction that purged quakes, in the history that is kept, undone or not.
    public func lastPurge() throws -> HistoryTransaction? { try purge(before: .last) }

    /// The last transaction that purged quakes and is still in effect: it was not undone, or its undo was undone.
    public func lastPurgeInEffect() throws -> HistoryTransaction? {
        var candidate = try lastPurge()
        while let purge = candidate, try undoInEffect(of: purge.number) != nil {
            candidate = try self.purge(before: purge.number)
        }
        return candidate
    }

    /// The transaction that undid transaction `number` and is still in effect.
    public func undoInEffect(of number: TransactionNumber) throws -> TransactionNumber? {
        let undo = try context.database().first(
            """
            SELECT number FROM transactions WHERE number > ?1 AND number <= ?2 AND undoes = ?1
            ORDER BY number DESC LIMIT 1
            """, number, context.newestReadable
        ) { $0.transaction(0) }
        return try undo.flatMap { try undoInEffect(of: $0) == nil ? $0 : nil }
    }

    private func purge(before limit: TransactionNumber) throws -> HistoryTransaction? {
        let number = try context.database().first(
            "SELECT txn FROM changes WHERE reason = ? AND txn <= ? AND txn < ? ORDER BY id DESC LIMIT 1",
            ChangeReason.purged.rawValue, context.newestReadable, limit
        ) { $0.transaction(0) }
        return try number.flatMap { try transaction($0) }
    }
}

extension TransactionOrigin {
    static func undo(of number: TransactionNumber) -> Self {
        var origin = Self(context: "undo of \(number)")
        origin.undoes = number
        return origin
    }
}
