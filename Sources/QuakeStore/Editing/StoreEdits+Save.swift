public import FoundationEssentials

extension StoreEdits {
    /// Adds a quake, or updates it if the cache already contains it.
    ///
    /// The preferred id identifies the quake; case is ignored, and a different spelling renames the quake. A deleted
    /// quake returns under its old local key. If the id is only an alias of another quake, it moves to a new quake.
    /// Every property is replaced, even by nil; to change only some, fetch the quake and use ``update(_:to:)``.
    ///
    /// - Throws: ``StoreError/unstorable(id:property:value:)`` if a value cannot be stored exactly.
    public func insert(_ quake: Quake) throws { try insert(contentsOf: [quake]) }

    /// Adds quakes, or updates those that the cache already contains. Before the save, one ``undo()`` removes them all.
    ///
    /// - Throws: ``StoreError/unstorable(id:property:value:)`` if a value cannot be stored exactly. No quake is added
    ///   then.
    public func insert(contentsOf quakes: some Sequence<Quake>) throws {
        let changes = try quakes.map { quake in
            try quake.requireStorable()
            return PendingChange.insert(quake)
        }
        if !changes.isEmpty { try register(changes) }
    }

    /// Updates a quake. The save changes only the properties that differ from `stored`. A different id renames the
    /// quake.
    ///
    /// - Throws: ``StoreError/unstorable(id:property:value:)`` if a value cannot be stored exactly, and
    ///   ``StoreError/idTaken(id:key:)`` if the new id belongs to another quake. If other changes are already pending,
    ///   ``save(_:)`` throws the latter instead.
    public func update(_ stored: StoredQuake, to quake: Quake) throws {
        guard quake != stored.quake else { return }
        let stored = StoredQuake(key: context.pending.savedKey(stored.key), quake: stored.quake)
        try quake.requireStorable()
        // Another pending change may free the id.
        if !hasChanges, !quake.id.isSameID(as: stored.quake.id), let holder = try context.quake(forID: quake.id),
            holder.key != stored.key, holder.quake.id.isSameID(as: quake.id)
        {
            throw StoreError.idTaken(id: quake.id, key: holder.key)
        }
        try register([.update(StoredQuake(key: stored.key, quake: quake), before: stored.quake)])
    }

    /// Deletes a quake, leaving a tombstone in the history. A quake that no longer exists at the save is ignored.
    ///
    /// - Throws: any error from an ``Autosave`` that is due.
    public func delete(_ stored: StoredQuake) throws {
        try register([.delete(StoredQuake(key: context.pending.savedKey(stored.key), quake: stored.quake))])
    }

    /// Deletes every quake that the filter accepts at the time of the save.
    ///
    /// - Throws: any error from an ``Autosave`` that is due.
    public func delete(where filter: QuakeFilter) throws { try register([.deleteAll(filter)]) }

    /// Deletes every quake that the predicate accepts now, including pending quakes. Before the save, a single
    /// ``undo()`` withdraws all of these deletions.
    ///
    /// - Throws: ``StoreError/missing(_:id:)`` if the predicate force-unwraps a property that a quake lacks, and any
    ///   error from an ``Autosave`` that is due.
    public func delete(where predicate: Predicate<Quake>) throws {
        let quakes = try context.fetch(QuakeDescriptor(includesPending: true), where: predicate)
        if !quakes.isEmpty { try register(quakes.map(PendingChange.delete)) }
    }

    /// All pending changes, in the order in which they were made.
    public var pendingChanges: [PendingChange] { context.pending.changes }
    /// Whether any changes are pending.
    public var hasChanges: Bool { !context.pending.isEmpty }

    /// The quakes that a save would add, with their newest values, sorted by key. The keys are temporary, except for
    /// quakes that return after a deletion.
    public var insertedQuakes: [StoredQuake] {
        get throws { try context.inRead { try PendingView.current(in: context).sorted().inserted } }
    }

    /// The quakes whose values a save would change, with their newest values, sorted by key.
    public var changedQuakes: [StoredQuake] {
        get throws { try context.inRead { try PendingView.current(in: context).sorted().changed } }
    }

    /// The quakes that a save would delete, with their current values, sorted by key.
    public var deletedQuakes: [StoredQuake] {
        get throws { try context.inRead { try PendingView.current(in: context).sorted().deleted } }
    }

    /// Discards all pending changes, and everything that could be undone or redone.
    public func rollback() {
        context.pending.clear()
        context.undoStack = UndoStack()
    }

    /// Discards pending changes to the quake with this local or temporary key, but no pending deletions by filter.
    public func rollback(_ key: QuakeKey) {
        // If the changes cannot be shown, as when an id is already taken, an insertion is identified by its own key.
        let view = hasChanges ? try? context.inRead({ try PendingView.current(in: context) }) : nil
        context.pending.drop(key, under: view?.shownKeys ?? [:])
    }

    private func register(_ changes: [PendingChange]) throws {
        context.pending.add(changes)
        context.undoStack.redoable = []
        guard !context.isInTransaction, let limit = autosave.operations, context.pending.entries.count >= limit else {
            return
        }
        try save()
    }

    // MARK: Saving

    /// Saves all pending changes as one transaction with one entry in the history.
    ///
    /// Only differences from the current values are recorded; if nothing differs, there is no entry and no
    /// notification. If the save fails, nothing is saved and all changes stay pending. In a pinned context, the save
    /// applies to the newest state and advances the pin.
    ///
    /// - Returns: the entry; nil if nothing differs. The reason recorded for each change is `edited` or, depending on
    ///   ids, `renamed`, `split` or `restored`.
    /// - Throws: ``StoreError/gone(id:key:)`` or ``StoreError/merged(id:into:)`` if an updated quake has since been
    ///   deleted or merged, and ``StoreError/contextState(_:)`` inside a transaction of this context.
    @discardableResult
    public func save(_ origin: TransactionOrigin = TransactionOrigin()) throws -> HistoryTransaction? {
        var isTold = false
        while hasChanges {
            let entries = context.pending.entries.map(\.temporaryKey)
            do {
                let saved = try context.write(origin) { writer in
                    let keys = try context.pending.apply(to: writer)
                    if writer.transactionNumber != nil, !isTold {
                        isTold = true
                        let changes = context.pending.changes
                        context.onWillSave?(changes)
                        context.broadcast.willSave.send(changes)
                        // Changes made by a listener are part of this save, so the save starts again.
                        if context.pending.entries.map(\.temporaryKey) != entries { throw ChangedBeforeSave() }
                    }
                    return keys
                }
                context.pending.settle(saved.result, of: entries.count)
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
        let old = context.pending
        do {
            try context.asOnlyTransaction(body)
            return try save()
        } catch {
            context.pending.restore(old)
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

/// The conditions under which a context saves automatically.
public struct Autosave {
    /// The number of pending changes at which to save; nil to save only on release, or never.
    public var operations: Int?
    /// Whether to save pending changes when the context is released.
    public var onRelease: Bool
    /// The handler for an error in a save on release, which no caller can catch.
    public var onFailure: (StoreError) -> Void

    /// No automatic saves: unsaved changes are discarded with the context.
    public static var off: Autosave { Autosave() }

    /// Creates conditions for a save after a number of pending changes, on release, or both.
    public init(
        afterOperations operations: Int? = nil, onRelease: Bool = false,
        onFailure: @escaping (StoreError) -> Void = { _ in }
    ) {
        (self.operations, self.onRelease, self.onFailure) = (operations, onRelease, onFailure)
    }
}
