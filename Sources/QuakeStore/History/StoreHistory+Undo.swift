extension StoreHistory {
    /// Undoes transaction `number` with a new transaction that restores the previous values. Its purpose is
    /// `undo of NUMBER`. Undoing the new transaction redoes the original.
    ///
    /// Deleted quakes return under their old local keys and ids. The next refresh may override restored values.
    ///
    /// - Parameters:
    ///   - number: the transaction to undo.
    ///   - dryRun: whether to only report what would change.
    /// - Returns: the number of quakes reverted, and the new transaction.
    /// - Throws: ``StoreError/noTransaction(_:)`` for a transaction outside the retained history, and
    ///   ``StoreError/cannotUndo(transaction:quakes:)`` if one of its quakes has changed since then.
    @discardableResult
    public func undo(
        transaction number: TransactionNumber, dryRun: Bool = false
    ) throws -> WriteOutcome<Int> {
        try context.write(.undo(of: number), dryRun: dryRun) {
            try TransactionUndo(of: number, context: context, writer: $0).run()
        }
    }

    /// Returns the last transaction in the retained history that purged quakes, even if it was undone.
    public func lastPurge() throws -> HistoryTransaction? { try purge(before: .last) }

    /// Returns the last transaction that purged quakes and is in effect: it was not undone, or its undo was undone.
    package func lastPurgeInEffect() throws -> HistoryTransaction? {
        var candidate = try lastPurge()
        while let purge = candidate, try undoInEffect(of: purge.number) != nil {
            candidate = try self.purge(before: purge.number)
        }
        return candidate
    }

    /// Returns the transaction that undid transaction `number` and is still in effect; nil if there is none.
    package func undoInEffect(of number: TransactionNumber) throws -> TransactionNumber? {
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
        var origin = Self(purpose: "undo of \(number)")
        origin.undoes = number
        return origin
    }
}
