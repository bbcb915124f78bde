public import QuakeModel

/// The transactions a context made and can undo, newest last.
struct UndoStack {
    var undoable: [Int64] = []
    var redoable: [Int64] = []

    mutating func record(_ entry: HistoryTransaction?) {
        guard let entry else { return }
        undoable.append(entry.number)
        redoable = []
    }
}

extension QuakeContext {
    /// Removes the last pending change, or when nothing is pending undoes the last transaction of this context.
    ///
    /// - Returns: the transaction that undid it; nil when only a pending change was removed, or there was nothing to
    ///   undo.
    @discardableResult
    public func undo() throws -> HistoryTransaction? {
        if pending.withdraw() { return nil }
        guard let number = undoStack.undoable.last else { return nil }
        let entry = try undoKeepingStack(number)
        undoStack.undoable.removeLast()
        if let entry { undoStack.redoable.append(entry.number) }
        return entry
    }

    /// Undoes the last undo. A new change leaves nothing to redo.
    @discardableResult
    public func redo() throws -> HistoryTransaction? {
        guard let number = undoStack.redoable.last else {
            // What was pending was undone before any save was.
            _ = pending.reinstate()
            return nil
        }
        let entry = try undoKeepingStack(number)
        undoStack.redoable.removeLast()
        if let entry { undoStack.undoable.append(entry.number) }
        return entry
    }

    /// Undoes transaction `number` by a new one, made from the values before, with the reason `undone`.
    /// Undoing that one is redo.
    ///
    /// Quakes return under their local key and are found by the ids they were published under. Feeds are not asked:
    /// what they list at the next refresh counts.
    ///
    /// - Parameters:
    ///   - number: which transaction.
    ///   - dryRun: find out what would change, and keep nothing.
    /// - Returns: how many quakes went back, and the entry in the history.
    /// - Throws: ``StoreError/noTransaction(_:)`` for one that is not in the history that is kept,
    ///   ``StoreError/cannotUndo(transaction:quakes:)`` when one of its quakes is no longer as it left it.
    @discardableResult
    public func undo(
        transaction number: Int64, dryRun: Bool = false
    ) throws -> (count: Int, transaction: HistoryTransaction?) {
        let (count, entry) = try write(TransactionOrigin(context: QuakeContext.undoWords(number)), dryRun: dryRun) {
            try TransactionUndo(of: number, context: self, writer: $0).run()
        }
        return (count, entry)
    }

    /// The last transaction that purged quakes, in the history that is kept, undone or not.
    public func lastPurge() throws -> HistoryTransaction? {
        try purge(before: .max)
    }

    /// The last transaction that purged quakes and is still in effect: it was not undone, or its undo was undone.
    public func lastPurgeInEffect() throws -> HistoryTransaction? {
        var candidate = try lastPurge()
        while let purge = candidate, try undoInEffect(of: purge.number) != nil {
            candidate = try self.purge(before: purge.number)
        }
        return candidate
    }

    /// The transaction that undid transaction `number` and is still in effect.
    public func undoInEffect(of number: Int64) throws -> Int64? {
        let undo = try database().integer(
            """
            SELECT number FROM transactions t WHERE number > ? AND number <= ? AND context = ?
                AND EXISTS (SELECT 1 FROM changes WHERE id = t.last_change AND reason = ?)
            ORDER BY number DESC LIMIT 1
            """, number, newestReadable, QuakeContext.undoWords(number), ChangeReason.undone.rawValue)
        return try undo.flatMap { try undoInEffect(of: $0) == nil ? $0 : nil }
    }

    private func purge(before limit: Int64) throws -> HistoryTransaction? {
        let number = try database().integer(
            "SELECT txn FROM changes WHERE reason = ? AND txn <= ? AND txn < ? ORDER BY id DESC LIMIT 1",
            ChangeReason.purged.rawValue, newestReadable, limit)
        return try number.flatMap { try historyTransaction($0) }
    }

    private static func undoWords(_ number: Int64) -> String { "undo of \(number)" }

    private func undoKeepingStack(_ number: Int64) throws -> HistoryTransaction? {
        let stack = undoStack
        defer { undoStack = stack }
        return try undo(transaction: number).transaction
    }
}
