import QuakeModel
import QuakeStore

/// A view of the state that a context reads, with an editor's pending changes applied. Temporary tables contain the net
/// effects of the changes, so that SQL filters, sorts and counts quakes as they will be saved. The view is rebuilt
/// after further edits or commits, because the net effects may differ.
struct PendingView {
    /// The changed quakes, on top of the tables that the context reads.
    let overlay: QuakeOverlay
    let effects: PendingEffects
    let base: Base

    /// The state to which the changes are applied.
    struct Base: Equatable {
        var head: HistoryToken
        var changes: PendingChanges.Version
        /// The number of failed transactions and snapshots so far, each of which may have rolled back the view's
        /// tables.
        var failures: Int
    }

    /// - Parameter number: distinguishes this view's tables from the tables of the editor's other views.
    init(of editor: QuakeEditor, over base: Base, number: Int) throws {
        self.base = base
        let context = editor.context
        effects = try PendingEffects(of: editor.pending, on: context)
        // The name must be unique among nested reads, and among contexts that share one connection because they read
        // the same past state.
        let owner = UInt(bitPattern: ObjectIdentifier(context))
        overlay = QuakeOverlay("pending_\(owner)_\(editor.commitHandlerNumber)_\(number)")
        try context.create(overlay)
        for effect in effects.inserted + effects.updated + effects.deleted {
            try context.show(effect.current, under: effect.key, in: overlay)
        }
    }
}
