public import QuakeModel
public import QuakeStore

extension QuakeEditor {
    /// Saves all pending changes as one transaction with one entry in the history.
    ///
    /// Only differences from the current values are recorded; if nothing differs, there is no entry and no
    /// notification. If the save fails, nothing is saved and all changes stay pending. In a pinned context, the save
    /// applies to the newest state and advances the pin.
    ///
    /// - Returns: the entry; nil if nothing differs. The reason recorded for each change is `edited` or, depending on
    ///   ids, `renamed`, `split` or `restored`.
    /// - Throws: ``/QuakeStore/StoreError/gone(id:key:)`` or ``/QuakeStore/StoreError/merged(id:into:)`` if an updated
    ///   quake has since been deleted or merged, and ``/QuakeStore/StoreError/contextState(_:)`` inside a transaction
    ///   of the context.
    @discardableResult
    public func save(_ origin: TransactionOrigin = TransactionOrigin()) throws -> HistoryTransaction? {
        var isTold = false
        while hasChanges {
            let entries = pending.entries.map(\.temporaryKey)
            do {
                let saved = try context.write(origin) { writer in
                    let keys = try pending.apply(to: writer)
                    if writer.transactionNumber != nil, !isTold {
                        isTold = true
                        let changes = pending.changes
                        onWillSave?(changes)
                        commits.willSave.send(changes)
                        // Changes made by a listener are part of this save, so the save starts again.
                        if pending.entries.map(\.temporaryKey) != entries { throw ChangedBeforeSave() }
                    }
                    return keys
                }
                pending.settle(saved.result, of: entries.count)
                return saved.transaction
            } catch is ChangedBeforeSave {}
        }
        return nil
    }

    /// Thrown if a listener changed or rolled back the pending changes during a save.
    private struct ChangedBeforeSave: Error {}

    /// Runs `body`, then saves the pending changes as one transaction. If `body` or the save fails, the changes made by
    /// `body` are discarded, and earlier changes stay pending. In `body`, autosave is suspended, and saves and other
    /// transactions throw.
    ///
    /// - Throws: any error from `body` or ``save(_:)``.
    @discardableResult
    public func transaction(_ body: () throws -> Void) throws -> HistoryTransaction? {
        let old = pending
        do {
            try context.asOnlyTransaction(body)
            return try save()
        } catch {
            pending.restore(old)
            throw error
        }
    }

    func saveOnRelease() {
        guard autosave.onRelease, hasChanges else { return }
        do {
            try save()
        } catch {
            autosave.onFailure(error as? StoreError ?? .contextState("a save on release failed: \(error)"))
        }
    }
}
