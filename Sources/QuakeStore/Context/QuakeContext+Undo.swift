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
    /// - Returns: the compensating transaction; nil when only a pending change was removed, or there was nothing to
    ///   undo.
    @discardableResult
    public func undo() throws -> HistoryTransaction? {
        if pending.withdraw() { return nil }
        guard let number = undoStack.undoable.last else { return nil }
        let entry = try compensate(number)
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
        let entry = try compensate(number)
        undoStack.redoable.removeLast()
        if let entry { undoStack.undoable.append(entry.number) }
        return entry
    }

    /// Undoes transaction `number` by a compensating one, made from the values before, with the reason `undone`.
    /// Undoing that one is redo.
    ///
    /// Quakes return under their local key and are found by the ids they were published under. Feeds are not asked:
    /// what they list at the next refresh counts.
    ///
    /// - Parameter dryRun: find out what would change, and keep nothing.
    /// - Returns: how many quakes went back, and the entry in the history.
    /// - Throws: ``StoreError/noTransaction(_:)`` for one that is not in the history that is kept,
    ///   ``StoreError/cannotUndo(transaction:quakes:)`` when one of its quakes is no longer as it left it.
    @discardableResult
    public func undo(
        transaction number: Int64, dryRun: Bool = false
    ) throws -> (count: Int, transaction: HistoryTransaction?) {
        let (count, entry) = try write(TransactionOrigin(context: "undo of \(number)"), dryRun: dryRun) {
            try Reversal(of: number, context: self, writer: $0).run()
        }
        return (count, entry)
    }

    /// The last transaction that purged quakes, in the history that is kept.
    public func lastPurge() throws -> HistoryTransaction? {
        let number = try database().integer(
            "SELECT txn FROM changes WHERE reason = ? AND txn <= ? ORDER BY id DESC LIMIT 1",
            ChangeReason.purged.rawValue, newestReadable)
        return try number.flatMap { try historyTransaction($0) }
    }

    private func compensate(_ number: Int64) throws -> HistoryTransaction? {
        let stack = undoStack
        defer { undoStack = stack }
        return try undo(transaction: number).transaction
    }
}
