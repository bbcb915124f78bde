public import QuakeModel

/// The transactions a context made and can undo, newest last.
struct UndoStack {
    var undoable: [HistoryToken] = []
    var redoable: [HistoryToken] = []

    mutating func record(_ entry: HistoryTransaction) {
        undoable.append(entry.token)
        redoable = []
    }
}

extension QuakeContext {
    /// Removes the last pending change, or when nothing is pending undoes the last transaction of this context.
    ///
    /// - Returns: the transaction that undid it; nil when only a pending change was removed, or there was nothing to
    ///   undo.
    /// - Throws: ``StoreError/cannotUndo(transaction:quakes:)`` when others have changed its quakes since,
    ///   ``StoreError/noTransaction(_:)`` when its history was deleted, and ``StoreError/token(_:)`` when a restored
    ///   backup took it away. The next call undoes the transaction before it. After every other error the next call
    ///   tries again.
    @discardableResult
    public func undo() throws -> HistoryTransaction? {
        if pending.withdraw() { return nil }
        let entry = try undoLast(of: \.undoable)
        if let entry { undoStack.redoable.append(entry.token) }
        return entry
    }

    /// Undoes the last undo. A new change leaves nothing to redo.
    ///
    /// - Throws: as ``undo()``.
    @discardableResult
    public func redo() throws -> HistoryTransaction? {
        if undoStack.redoable.isEmpty {
            // What was pending was undone before any save was.
            _ = pending.reinstate()
            return nil
        }
        let entry = try undoLast(of: \.redoable)
        if let entry { undoStack.undoable.append(entry.token) }
        return entry
    }

    /// Whether there is something that ``undo()`` would try to undo.
    public var canUndo: Bool { hasChanges || !undoStack.undoable.isEmpty }

    /// Whether there is something that ``redo()`` would try to redo.
    public var canRedo: Bool { !undoStack.redoable.isEmpty || pending.canReinstate }

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
    ) throws -> WriteOutcome<Int> {
        try write(TransactionOrigin(context: QuakeContext.undoWords(number)), dryRun: dryRun) {
            try TransactionUndo(of: number, context: self, writer: $0).run()
        }
    }

    /// The last transaction that purged quakes, in the history that is kept, undone or not.
    ///
    /// - Throws: ``StoreError`` when the cache cannot be read.
    public func lastPurge() throws -> HistoryTransaction? {
        try purge(before: .max)
    }

    /// The last transaction that purged quakes and is still in effect: it was not undone, or its undo was undone.
    ///
    /// - Throws: ``StoreError`` when the cache cannot be read.
    public func lastPurgeInEffect() throws -> HistoryTransaction? {
        var candidate = try lastPurge()
        while let purge = candidate, try undoInEffect(of: purge.number) != nil {
            candidate = try self.purge(before: purge.number)
        }
        return candidate
    }

    /// The transaction that undid transaction `number` and is still in effect.
    ///
    /// - Throws: ``StoreError`` when the cache cannot be read.
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

    /// Undoes the last transaction of one of the two stacks and takes it from there; also one that can never be undone
    /// any more, which would stand in the way of those before it.
    private func undoLast(of stack: WritableKeyPath<UndoStack, [HistoryToken]>) throws -> HistoryTransaction? {
        var left = undoStack
        guard let token = left[keyPath: stack].popLast() else { return nil }
        do {
            let origin = TransactionOrigin(context: QuakeContext.undoWords(token.number))
            let entry = try write(origin) { writer in
                // A restored backup may have given the number to nobody.
                if let fault = try fault(of: token), fault != .expired { throw StoreError.token(fault) }
                _ = try TransactionUndo(of: token.number, context: self, writer: writer).run()
            }.transaction
            undoStack = left
            return entry
        } catch let error as StoreError {
            switch error {
            case .cannotUndo, .noTransaction, .token: undoStack = left
            default: break
            }
            throw error
        }
    }
}
