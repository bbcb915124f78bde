/// The edits of one context: changes that wait for ``save(_:)``, the save, and what can be undone.
///
/// Reads return what is saved; what is pending only where the descriptor asks for it:
/// ``/QuakeModel/QuakeDescriptor/includesPending``. The source of truth of a mirror is its server: an edit lasts until
/// a feed says otherwise. Quakes are values that the context does not watch: hand the changed copy to
/// ``update(_:to:)``.
///
/// An ``Autosave`` that is due saves within the call. When that save fails the call throws its error, and the change is
/// pending all the same.
public struct StoreEdits {
    let context: QuakeContext

    /// When changes are saved without a call of ``save(_:)``. Off by default.
    public var autosave: Autosave {
        get { context.autosave }
        nonmutating set { context.autosave = newValue }
    }

    /// Called by ``save(_:)`` with all pending changes, on the same thread, just before it commits:
    /// when it returns, the save continues. A change that it makes is part of that save, for which it is not called
    /// again; a ``rollback()`` cancels the save. It cannot save itself.
    public var onWillSave: (([PendingChange]) -> Void)? {
        get { context.onWillSave }
        nonmutating set { context.onWillSave = newValue }
    }
}

extension QuakeContext {
    /// The changes of quakes that are not saved yet, saving them, and undo.
    public var edits: StoreEdits { StoreEdits(context: self) }
}

/// The transactions a context made and can undo, newest last.
struct UndoStack {
    var undoable: [HistoryToken] = []
    var redoable: [HistoryToken] = []

    mutating func record(_ entry: HistoryTransaction) {
        undoable.append(entry.token)
        redoable = []
    }
}

extension StoreEdits {
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
        if context.pending.withdraw() { return nil }
        let entry = try undoLast(of: \.undoable)
        if let entry { context.undoStack.redoable.append(entry.token) }
        return entry
    }

    /// Undoes the last undo. A new change leaves nothing to redo.
    ///
    /// - Throws: as ``undo()``.
    @discardableResult
    public func redo() throws -> HistoryTransaction? {
        if context.undoStack.redoable.isEmpty {
            // What was pending was undone before any save was.
            _ = context.pending.reinstate()
            return nil
        }
        let entry = try undoLast(of: \.redoable)
        if let entry { context.undoStack.undoable.append(entry.token) }
        return entry
    }

    /// Whether there is something that ``undo()`` would try to undo.
    public var canUndo: Bool { hasChanges || !context.undoStack.undoable.isEmpty }
    /// Whether there is something that ``redo()`` would try to redo.
    public var canRedo: Bool { !context.undoStack.redoable.isEmpty || context.pending.canReinstate }

    /// Undoes the last transaction of one of the two stacks and takes it from there, even one that can never be undone
    /// any more, which would stand in the way of those before it.
    private func undoLast(of stack: WritableKeyPath<UndoStack, [HistoryToken]>) throws -> HistoryTransaction? {
        var left = context.undoStack
        guard let token = left[keyPath: stack].popLast() else { return nil }
        do {
            let entry = try context.write(.undo(of: token.number)) { writer in
                // A restored backup may have given the number to nobody.
                if let fault = try context.history.fault(of: token), fault != .expired { throw StoreError.token(fault) }
                _ = try TransactionUndo(of: token.number, context: context, writer: writer).run()
            }.transaction
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
