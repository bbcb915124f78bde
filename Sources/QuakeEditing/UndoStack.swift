import QuakeModel
import QuakeStore

/// The transactions of an editor's context that can be undone and redone, newest last.
struct UndoStack {
    var undoable: [HistoryToken] = []
    var redoable: [HistoryToken] = []

    mutating func record(_ entry: HistoryTransaction) {
        undoable.append(entry.token)
        redoable = []
    }
}
