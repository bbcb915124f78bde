public import QuakeModel
public import QuakeStore

extension QuakeEditor {
    /// Saves all pending changes as one transaction with one entry in the history.
    ///
    /// The history records the net effect on each quake: the difference between its current values in the cache and its
    /// values after all changes. Changes that cancel out leave no trace, such as an insertion followed by a deletion.
    /// If nothing differs, there is no entry and no notification. The history lists deletions first, then updates, then
    /// insertions.
    ///
    /// If edited quakes have changed in the cache since they were fetched, ``conflictPolicy`` decides; by default, the
    /// last writer wins. If the save fails, nothing is saved and all changes stay pending. In a pinned context, the
    /// save applies to the newest state and advances the pin.
    ///
    /// - Returns: the history entry; nil if nothing differs. The reason recorded for each change is `edited` or,
    ///   depending on ids, `renamed`, `split` or `restored`.
    /// - Throws: ``/QuakeStore/StoreError/gone(id:key:)`` or ``/QuakeStore/StoreError/merged(id:into:)`` if an updated
    ///   quake has since been deleted or merged, ``/QuakeStore/StoreError/conflict(quakes:)`` with ``conflictPolicy``
    ///   `.fail`, ``/QuakeStore/StoreError/idTaken(id:key:)`` if two quakes would have the same preferred id, and
    ///   ``/QuakeStore/StoreError/contextState(_:)`` inside a transaction of the context.
    @discardableResult
    public func save(_ origin: TransactionOrigin = TransactionOrigin()) throws -> HistoryTransaction? {
        guard hasChanges else { return nil }
        return try restoringOnFailure {
            let saved = try context.write(origin) { writer in
                var effects = try effects(in: writer)
                if !effects.isEmpty, let onWillSave {
                    let version = pending.version
                    onWillSave(self)
                    if pending.version != version { effects = try self.effects(in: writer) }
                }
                return try effects.write(with: writer)
            }
            pending.clearAfterSave(saved.result)
            return saved.transaction
        }
    }

    /// Runs `body`. If `body` fails, discards the changes that it added, and restores what could be undone and redone
    /// before.
    private func restoringOnFailure<Result>(_ body: () throws -> Result) throws -> Result {
        let old = pending
        let undoStack = commits.undoStack
        do {
            return try body()
        } catch {
            pending.restore(old)
            commits.undoStack = undoStack
            throw error
        }
    }

    private func effects(in writer: QuakeWriter) throws -> PendingEffects {
        let effects = try PendingEffects(of: pending, on: writer)
        try effects.requireSavable(conflictPolicy, in: writer)
        return effects
    }

    /// Runs `body`, then saves the pending changes as one transaction. If `body` or the save fails, the changes made by
    /// `body` are discarded, earlier changes stay pending, and undo and redo work as before the call. In `body`,
    /// autosave is suspended, and saves and other transactions throw.
    ///
    /// - Throws: any error from `body` or ``save(_:)``.
    @discardableResult
    public func transaction(_ body: () throws -> Void) throws -> HistoryTransaction? {
        try restoringOnFailure {
            try context.asOnlyTransaction(body)
            return try save()
        }
    }

    /// Saves the pending changes of an editor that is being released. A temporary editor saves them, because
    /// ``onWillSave`` may keep the editor that it receives.
    func saveOnRelease() {
        guard let onFailure = autosave.onRelease, hasChanges else { return }
        let heir = QuakeEditor(context)
        heir.conflictPolicy = conflictPolicy
        heir.onWillSave = onWillSave
        heir.pending = pending
        do {
            try heir.save()
        } catch {
            onFailure(error)
        }
    }
}
