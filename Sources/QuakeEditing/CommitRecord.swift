import QuakeModel
import QuakeStore

/// The transactions that a context committed, for undo and for listeners.
final class CommitRecord {
    /// The transactions that can be undone and redone.
    var undoStack = UndoStack()
    let didSave = Broadcast<SavedChanges>()

    /// Called just before the commit of a transaction. The result is called once the outermost transaction has ended.
    ///
    /// Inside an outer transaction, the saves so far can be undone, but are announced only if it commits.
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
