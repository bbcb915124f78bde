import QuakeModel
import QuakeStore

/// The transactions that a context committed, for undo and for listeners.
final class CommitRecord {
    /// The transactions that can be undone and redone.
    var undoStack = UndoStack()
    let didSave = Broadcast<SavedChanges>()

    /// Called just before the commit of a transaction. The result is called after it.
    func add(_ entry: HistoryTransaction, in history: StoreHistory) throws -> () -> Void {
        let saved = didSave.hasListeners ? try SavedChanges(of: entry, in: history) : nil
        return {
            self.undoStack.record(entry)
            if let saved { self.didSave.send(saved) }
        }
    }
}
