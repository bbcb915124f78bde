extension StoreHistory {
    /// Returns the last transaction in the retained history that purged quakes, even if it was undone.
    public func lastPurge() throws -> HistoryTransaction? { try purge(before: .maximum) }

    /// Returns the last transaction that purged quakes and is in effect: it was not undone, or its undo was undone.
    package func lastPurgeInEffect() throws -> HistoryTransaction? {
        var candidate = try lastPurge()
        while let purge = candidate, try undoInEffect(of: purge.number) != nil {
            candidate = try self.purge(before: purge.number)
        }
        return candidate
    }

    /// Whether transaction `number` was undone, and its undo was not undone in turn.
    public func isUndone(_ number: TransactionNumber) throws -> Bool { try undoInEffect(of: number) != nil }

    /// Returns the transaction that undid transaction `number` and is still in effect; nil if there is none.
    package func undoInEffect(of number: TransactionNumber) throws -> TransactionNumber? {
        let undo = try session.database().first(
            """
            SELECT number FROM transactions WHERE number > ?1 AND number <= ?2 AND undoes = ?1
            ORDER BY number DESC LIMIT 1
            """, number, session.newestReadable
        ) { $0.transaction(0) }
        return try undo.flatMap { try undoInEffect(of: $0) == nil ? $0 : nil }
    }

    private func purge(before limit: TransactionNumber) throws -> HistoryTransaction? {
        let number = try session.database().first(
            "SELECT txn FROM changes WHERE reason = ? AND txn <= ? AND txn < ? ORDER BY id DESC LIMIT 1",
            ChangeReason.purged.rawValue, session.newestReadable, limit
        ) { $0.transaction(0) }
        return try number.flatMap { try transaction($0) }
    }
}
