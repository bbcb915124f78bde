import QuakeModel
import QuakeStore

/// The transactions that a context committed, for undo and for listeners.
final class CommitRecord {
    /// The transactions that can be undone and redone.
    var undoStack = UndoStack()
    let didSave = Broadcast<SavedChanges>()

    /// Records a transaction just before its commit. The caller must call the returned handler once the outermost
    /// transaction has ended.
    ///
    /// Inside an outer transaction, earlier saves can already be undone, but are announced only if the outer
    /// transaction commits.
    func add(_ entry: HistoryTransaction, in history: StoreHistory) throws -> StoreSession.EndHandler {
        let saved = didSave.hasListeners ? try SavedChanges(of: entry, in: history) : nil
        let oldStack = undoStack
        undoStack.record(entry)
        return { isCommitted in
            if !isCommitted {
                self.undoStack = oldStack
            } else if let saved {
                self.didSave.send(saved)
            }
        }
    }
}
