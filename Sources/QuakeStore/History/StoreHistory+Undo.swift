/// The quakes of an undone transaction.
public struct UndoneQuakes: Hashable, Sendable {
    /// The number of quakes that are again as they were before the transaction.
    public var restored: Int
    /// The number of quakes left as they are, because something else has changed them since, or a quake joined with them
    /// by a merge, a split or a moved id.
    public var leftAsTheyAre: Int

    package init(restored: Int, leftAsTheyAre: Int) {
        self.restored = restored
        self.leftAsTheyAre = leftAsTheyAre
    }
}

extension StoreHistory {
    /// Undoes transaction `number` with a new transaction that restores the previous values. Its purpose is
    /// `undo of NUMBER`. Undoing the new transaction redoes the original.
    ///
    /// Restores the quakes that nothing else has changed since, and leaves the others as they are. Quakes joined by a
    /// merge, a split or a moved id are restored together or not at all. Deleted quakes return under their old local
    /// keys and ids. The next refresh may override restored values.
    ///
    /// - Parameters:
    ///   - number: the transaction to undo.
    ///   - dryRun: whether to only report what would change.
    /// - Returns: the numbers of quakes restored and left as they are, and the new transaction.
    /// - Throws: ``StoreError/noTransaction(_:)`` for a transaction outside the retained history, and
    ///   ``StoreError/cannotUndo(transaction:quakes:)`` if nothing is left to restore because its quakes have changed
    ///   since then.
    @discardableResult
    public func undo(
        transaction number: TransactionNumber, dryRun: Bool = false
    ) throws -> WriteOutcome<UndoneQuakes> {
        try context.write(.undo(of: number), dryRun: dryRun) {
            try TransactionUndo(of: number, context: context, writer: $0).run(isPartial: true)
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
