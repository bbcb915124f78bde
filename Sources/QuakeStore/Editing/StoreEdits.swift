/// The edits of one context: pending changes, saving, and undo.
///
/// Reads return saved values, and include pending changes only if the descriptor requests them with
/// ``/QuakeModel/QuakeDescriptor/includesPending``. The source of truth of a mirror is its server, so an edit lasts
/// only until a feed overrides it. Quakes are values: to edit one, pass a changed copy to ``update(_:to:)``.
///
/// An ``Autosave`` that is due runs within the call that adds the change. If it fails, the call throws and the change
/// stays pending.
public struct StoreEdits {
    let context: QuakeContext

    /// The conditions for saving without a call to ``save(_:)``; off by default.
    public var autosave: Autosave {
        get { context.autosave }
        nonmutating set { context.autosave = newValue }
    }

    /// The handler that ``save(_:)`` calls with all pending changes, on the same thread, just before the commit.
    /// Changes made by the handler become part of the same save. A ``rollback()`` in the handler cancels the save. The
    /// handler itself cannot save.
    public var onWillSave: (([PendingChange]) -> Void)? {
        get { context.onWillSave }
        nonmutating set { context.onWillSave = newValue }
    }
}

extension QuakeContext {
    /// The pending changes to quakes, with saving and undo.
    public var edits: StoreEdits { StoreEdits(context: self) }
}

/// The transactions of a context that can be undone and redone, newest last.
struct UndoStack {
    var undoable: [HistoryToken] = []
    var redoable: [HistoryToken] = []

    mutating func record(_ entry: HistoryTransaction) {
        undoable.append(entry.token)
        redoable = []
    }
}

extension StoreEdits {
    /// Removes the pending changes of the last call or, if nothing is pending, undoes this context's last transaction as
    /// a whole.
    ///
    /// - Returns: the new transaction; nil if pending changes were removed or there was nothing to undo.
    /// - Throws: ``StoreError/cannotUndo(transaction:quakes:)`` if the transaction's quakes have changed since then,
    ///   ``StoreError/noTransaction(_:)`` if its history was deleted, and ``StoreError/token(_:)`` if a restored backup
    ///   lacks it. After any of these errors, the next call skips this transaction; after any other error, it tries
    ///   again.
    @discardableResult
    public func undo() throws -> HistoryTransaction? {
        if context.pending.withdraw() { return nil }
        return try undoLast(of: \.undoable, into: \.redoable)
    }

    /// Redoes the changes that the last ``undo()`` reversed. A new change clears everything that could be redone; a
    /// save does not.
    ///
    /// - Throws: the same errors as ``undo()``.
    @discardableResult
    public func redo() throws -> HistoryTransaction? {
        if context.undoStack.redoable.isEmpty {
            // Pending changes are undone before saves, and therefore redone after them.
            _ = context.pending.reinstate()
            return nil
        }
        return try undoLast(of: \.redoable, into: \.undoable)
    }

    /// Whether there is anything for ``undo()`` to try to undo.
    public var canUndo: Bool { hasChanges || !context.undoStack.undoable.isEmpty }
    /// Whether there is anything for ``redo()`` to try to redo.
    public var canRedo: Bool { !context.undoStack.redoable.isEmpty || context.pending.canReinstate }

    /// Undoes the last transaction on one of the two stacks, and adds the new one to the other stack. Removes the
    /// transaction even if it can never be undone, because it would otherwise block the transactions before it.
    private func undoLast(
        of stack: WritableKeyPath<UndoStack, [HistoryToken]>, into other: WritableKeyPath<UndoStack, [HistoryToken]>
    ) throws -> HistoryTransaction? {
        var left = context.undoStack
        guard let token = left[keyPath: stack].popLast() else { return nil }
        do {
            let entry = try context.write(.undo(of: token.number)) { writer in
                // A restored backup may lack the transaction, or contain a different one with the same number.
                if let fault = try context.history.fault(of: token), fault != .expired { throw StoreError.token(fault) }
                let undo = try TransactionUndo(of: token.number, context: context, writer: writer)
                _ = try undo.run(isPartial: false)
            }.transaction
            if let entry { left[keyPath: other].append(entry.token) }
            context.undoStack = left
            return entry
        } catch let error as StoreError {
            switch error {
            case .cannotUndo, .noTransaction, .token: context.undoStack = left
            default: break
            }
            throw error
        }
    }
}
