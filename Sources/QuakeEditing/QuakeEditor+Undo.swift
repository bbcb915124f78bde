public import QuakeModel
import QuakeStore

extension QuakeEditor {
    /// Removes the pending changes of the last call or, if nothing is pending, undoes the context's last transaction as
    /// a whole.
    ///
    /// - Returns: the new transaction; nil if pending changes were removed or there was nothing to undo.
    /// - Throws: ``/QuakeStore/StoreError/cannotUndo(transaction:quakes:)`` if the transaction's quakes have changed
    ///   since then, ``/QuakeStore/StoreError/noTransaction(_:)`` if the transaction was trimmed from the history, and
    ///   ``/QuakeStore/StoreError/token(_:)`` if a restored backup lacks the transaction. After any of these errors,
    ///   the next call skips this transaction; after any other error, the next call tries it again.
    @discardableResult
    public func undo() throws -> HistoryTransaction? {
        if pending.withdraw() { return nil }
        return try undoLast(of: \.undoable, into: \.redoable)
    }

    /// Redoes the changes that the last ``undo()`` reversed. A new change clears everything that could be redone; a
    /// save does not.
    ///
    /// - Throws: the same errors as ``undo()``.
    @discardableResult
    public func redo() throws -> HistoryTransaction? {
        if commits.undoStack.redoable.isEmpty {
            // Pending changes are undone before saved transactions, and therefore redone after them.
            _ = pending.reinstate()
            return nil
        }
        return try undoLast(of: \.redoable, into: \.undoable)
    }

    /// Whether there is anything to undo. ``undo()`` may still fail.
    public var canUndo: Bool { hasChanges || !commits.undoStack.undoable.isEmpty }
    /// Whether there is anything to redo. ``redo()`` may still fail.
    public var canRedo: Bool { !commits.undoStack.redoable.isEmpty || pending.canReinstate }

    /// Undoes the last transaction on one stack, and adds the new transaction to the other. A transaction that can
    /// never be undone is also removed, because it would block the transactions before it.
    private func undoLast(
        of stack: WritableKeyPath<UndoStack, [HistoryToken]>, into other: WritableKeyPath<UndoStack, [HistoryToken]>
    ) throws -> HistoryTransaction? {
        var left = commits.undoStack
        guard let token = left[keyPath: stack].popLast() else { return nil }
        do {
            let entry = try context.undoWhole(token)
            if let entry { left[keyPath: other].append(entry.token) }
            commits.undoStack = left
            return entry
        } catch let error as StoreError {
            switch error {
            case .cannotUndo, .noTransaction, .token: commits.undoStack = left
            default: break
            }
            throw error
        }
    }
}
