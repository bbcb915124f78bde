public import QuakeModel
import QuakeStore

extension QuakeEditor {
    /// All pending changes, in the order in which they were made.
    package var pendingChanges: [PendingChange] { pending.changes }
    /// Whether any changes are pending.
    public var hasChanges: Bool { !pending.isEmpty }

    /// The quakes that a save would add, with their newest values, sorted by key. The keys are temporary, except for
    /// quakes that return after a deletion.
    public var insertedQuakes: [StoredQuake] {
        get throws { try reading { $0.effects.inserted.shown } }
    }

    /// The quakes whose values a save would change, with their newest values, sorted by key.
    public var changedQuakes: [StoredQuake] {
        get throws { try reading { $0.effects.updated.shown } }
    }

    /// The quakes that a save would delete, with their current values, sorted by key.
    public var deletedQuakes: [StoredQuake] {
        get throws { try reading { $0.effects.deleted.shown } }
    }

    /// Discards all pending changes, and everything that could be undone or redone.
    public func rollback() {
        pending.clear()
        commits.undoStack = UndoStack()
    }

    /// Discards the pending changes to the quake with this local or temporary key.
    public func rollback(_ key: QuakeKey) {
        // If the pending changes cannot be applied, as after a restored backup, only the temporary key of an insertion
        // identifies its quake.
        let keys = hasChanges ? try? reading(\.effects.shownKeys) : nil
        pending.removeEntries(of: key, permanentKeys: keys ?? [:])
    }

    /// Calls `body` with the view of the pending changes.
    func reading<Result>(_ body: (PendingView) throws -> Result) throws -> Result {
        try context.inReadOnlySnapshot { try body(currentView()) }
    }

    /// Returns the view of the current pending changes. Must be called in a read of the context. The view is rebuilt
    /// after further edits or commits.
    private func currentView() throws -> PendingView {
        let nesting = context.nesting
        let base = PendingView.Base(
            head: try context.history.currentToken(), changes: pending.version, failures: nesting.failures)
        // Keep no view made in a transaction, because no token reflects its writes, or in a pinned context, because the
        // view would prolong the pin.
        let isPresent = !context.isWriting && !context.isPinned
        if isPresent, let view, view.base == base { return view }
        pending.hasShownKeys = true
        // An enclosing read may still be using the tables of the kept view.
        guard isPresent, nesting.visits == 1 else {
            return try PendingView(of: self, over: base, number: nesting.visits)
        }
        let new = try PendingView(of: self, over: base, number: 0)
        view = new
        return new
    }
}

extension [PendingEffect] {
    /// The quakes as they are shown until the save, sorted by key.
    fileprivate var shown: [StoredQuake] { compactMap(\.shown).sorted { $0.key < $1.key } }
}
