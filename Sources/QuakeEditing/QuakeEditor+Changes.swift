public import FoundationEssentials
public import QuakeModel
import QuakeStore

extension QuakeEditor {
    /// Adds a quake, or updates it if the cache already contains it.
    ///
    /// The preferred id identifies the quake, ignoring case; a different spelling renames the quake. A deleted quake
    /// returns under its old local key. If another quake has the id, but not as its preferred id, the id moves to the
    /// new quake. Every property is replaced, even by nil, and even if another writer has changed it: no
    /// ``ConflictPolicy`` applies. To change only some properties, fetch the quake and use ``update(_:_:)``.
    ///
    /// - Throws: ``/QuakeStore/StoreError/unstorable(id:property:value:)`` if a value cannot be stored exactly.
    public func insert(_ quake: Quake) throws { try insert(contentsOf: [quake]) }

    /// Adds quakes, or updates those that the cache already contains. Until the save, one ``undo()`` withdraws them
    /// all.
    ///
    /// - Throws: ``/QuakeStore/StoreError/unstorable(id:property:value:)`` if a value cannot be stored exactly; then no
    ///   quake is added.
    public func insert(contentsOf quakes: some Sequence<Quake>) throws {
        let changes = try quakes.map { quake in
            try quake.requireStorable()
            return PendingChange.insert(quake)
        }
        if !changes.isEmpty { try register(changes) }
    }

    /// Updates a quake. The save changes only the properties that differ from `stored`, even if somebody else has
    /// changed them since, unless ``conflictPolicy`` is `.fail`. If pending updates restore the original value of a
    /// property, the save does not change the property. A different id renames the quake.
    ///
    /// - Throws: ``/QuakeStore/StoreError/unstorable(id:property:value:)`` if a value cannot be stored exactly,
    ///   ``/QuakeStore/StoreError/gone(id:key:)`` if the deletion of the quake is pending, and
    ///   ``/QuakeStore/StoreError/idTaken(id:key:)`` if the new id is the preferred id of another quake. If other
    ///   changes are already pending or the context is pinned, ``save(_:)`` throws `idTaken` instead of this method.
    public func update(_ stored: StoredQuake, to quake: Quake) throws {
        guard quake != stored.quake else { return }
        let stored = StoredQuake(key: pending.savedKey(stored.key), quake: stored.quake)
        try quake.requireStorable()
        if pending.isDeletion(of: stored.key), try self.quake(key: stored.key) == nil {
            throw StoreError.gone(id: stored.quake.id, key: stored.key)
        }
        // With other pending changes or in a pinned context, only the save can tell: another change may free the id,
        // and a save applies to the newest state.
        if !hasChanges, !context.isPinned, !quake.id.isSameID(as: stored.quake.id),
            let holder = try context.quake(id: quake.id), holder.key != stored.key,
            holder.quake.id.isSameID(as: quake.id)
        {
            throw StoreError.idTaken(id: quake.id, key: holder.key)
        }
        try register([.update(StoredQuake(key: stored.key, quake: quake), before: stored.quake)])
    }

    /// Updates a quake with the changes that `change` makes to its values: see ``update(_:to:)``.
    ///
    /// - Throws: the same errors as ``update(_:to:)``, and any error from `change`.
    public func update(_ stored: StoredQuake, _ change: (inout Quake) throws -> Void) throws {
        var quake = stored.quake
        try change(&quake)
        try update(stored, to: quake)
    }

    /// Deletes a quake, leaving a tombstone in the history. A quake that no longer exists at the time of the save is
    /// ignored.
    ///
    /// - Throws: any error from an ``Autosave`` that is due.
    public func delete(_ stored: StoredQuake) throws { try delete([stored]) }

    /// Deletes the quakes that the filter accepts now, including unsaved ones. Until the save, one ``undo()`` withdraws
    /// all of these deletions. A purge (``/QuakeStore/StoreMaintenance/purge(_:purpose:dryRun:)``) deletes quakes
    /// without reading them into memory.
    ///
    /// - Throws: any error from an ``Autosave`` that is due.
    public func delete(where filter: QuakeFilter) throws { try delete(fetch(filter)) }

    /// Deletes the quakes that the predicate accepts now, including unsaved ones. Until the save, one ``undo()``
    /// withdraws all of these deletions.
    ///
    /// - Throws: any error from an ``Autosave`` that is due.
    public func delete(where predicate: Predicate<Quake>) throws {
        try delete(fetch(QuakeDescriptor(predicate: predicate)))
    }

    private func delete(_ quakes: [StoredQuake]) throws {
        let changes = quakes.map {
            PendingChange.delete(StoredQuake(key: pending.savedKey($0.key), quake: $0.quake))
        }
        if !changes.isEmpty { try register(changes) }
    }

    private func register(_ changes: [PendingChange]) throws {
        try context.requireWritable()
        try StoreError.require("afterOperations", autosave.operations, atLeast: 1)
        pending.add(changes)
        commits.undoStack.redoable = []
        guard !context.nesting.hasWriter, let limit = autosave.operations, pending.entries.count >= limit else {
            return
        }
        try save()
    }
}
