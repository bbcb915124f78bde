import QuakeModel
import QuakeStore

/// A view of the state that a context reads, with an editor's pending changes applied. Temporary tables contain their
/// net effects, so that SQL filters, sorts and counts quakes as they will be saved. The view is built again after
/// further edits or commits, because the outcome may differ.
struct PendingView {
    /// The changed quakes, on top of the tables that the context reads.
    let overlay: QuakeOverlay
    let effects: PendingEffects
    let base: Base

    /// The state to which the changes are applied.
    struct Base: Equatable {
        var head: HistoryToken
        var changes: PendingChanges.Version
        /// The number of failures that may have rolled the view's tables back.
        var failures: Int
    }

    /// - Parameter number: tells this view's tables from those of the editor's other views.
    init(of editor: QuakeEditor, over base: Base, number: Int) throws {
        self.base = base
        let context = editor.context
        effects = try PendingEffects(of: editor.pending, on: context)
        // Contexts that share a generation share its connection, and reads may be nested.
        let owner = UInt(bitPattern: ObjectIdentifier(context))
        overlay = QuakeOverlay("pending_\(owner)_\(editor.slot)_\(number)")
        try context.create(overlay)
        for effect in effects.inserted + effects.updated + effects.deleted {
            try context.show(effect.now, under: effect.key, in: overlay)
        }
    }
}
