extension StoreEdits {
    /// Adds a quake, or gives its values to the one in the cache that it is.
    ///
    /// That is the one with its id; a deleted one returns under its local key. An id that only led to another quake
    /// becomes one of its own.
    ///
    /// - Throws: ``StoreError/unstorable(id:property:value:)`` for a value that cannot be stored exactly; nothing is
    ///   pending then.
    public func insert(_ quake: Quake) throws { try insert(contentsOf: [quake]) }

    /// Adds quakes, or gives their values to the ones in the cache that they are. One ``undo()`` takes all of them
    /// back while they are pending.
    ///
    /// - Throws: ``StoreError/unstorable(id:property:value:)`` for a value that cannot be stored exactly; nothing of
    ///   them is pending then.
    public func insert(contentsOf quakes: some Sequence<Quake>) throws {
        let changes = try quakes.map { quake in
            try quake.requireStorable()
            return PendingChange.insert(quake)
        }
        if !changes.isEmpty { try register(changes) }
    }

    /// Gives a quake other values. What differs from `stored` is written; other properties keep what they have when
    /// saved. Another id renames it.
    ///
    /// - Throws: ``StoreError/unstorable(id:property:value:)``, and ``StoreError/idTaken(id:key:)`` for the id of
    ///   another quake if nothing is pending, otherwise at the save.
    public func update(_ stored: StoredQuake, to quake: Quake) throws {
        guard quake != stored.quake else { return }
        let stored = StoredQuake(key: context.pending.savedKey(stored.key), quake: stored.quake)
        try quake.requireStorable()
        // Another pending change may free it.
        if !hasChanges, !quake.id.isSameID(as: stored.quake.id), let holder = try context.quake(forID: quake.id),
            holder.key != stored.key, holder.quake.id.isSameID(as: quake.id)
        {
            throw StoreError.idTaken(id: quake.id, key: holder.key)
        }
        try register([.update(StoredQuake(key: stored.key, quake: quake), before: stored.quake)])
    }

    /// Deletes a quake, leaving its tombstone. One that is gone by the time of the save is ignored.
    ///
    /// - Throws: the error of an ``Autosave`` that is due.
    public func delete(_ stored: StoredQuake) throws {
        try register([.delete(StoredQuake(key: context.pending.savedKey(stored.key), quake: stored.quake))])
    }

    /// Deletes every quake that the filter accepts at the time of the save.
    ///
    /// - Throws: the error of an ``Autosave`` that is due.
    public func delete(where filter: QuakeFilter) throws { try register([.deleteAll(filter)]) }

    /// Everything that waits for a save, in the order in which it was asked for.
    public var pendingChanges: [PendingChange] { context.pending.changes }
    /// Whether anything waits for a save.
    public var hasChanges: Bool { !context.pending.isEmpty }

    /// The quakes that a save would add, each once with its last values, by key; until then under temporary keys, or
    /// under their own where they return after a deletion.
    public var insertedQuakes: [StoredQuake] {
        get throws { try context.inRead { try PendingView.current(in: context).sorted().inserted } }
    }

    /// The quakes whose values a save would change, each once with its last values, by key.
    public var changedQuakes: [StoredQuake] {
        get throws { try context.inRead { try PendingView.current(in: context).sorted().changed } }
    }

    /// The quakes that a save would delete, with the values they have, by key.
    public var deletedQuakes: [StoredQuake] {
        get throws { try context.inRead { try PendingView.current(in: context).sorted().deleted } }
    }

    /// Drops everything that waits for a save, and what ``undo()`` could undo and ``redo()`` redo.
    public func rollback() {
        context.pending.clear()
        context.undoStack = UndoStack()
    }

    private func register(_ changes: [PendingChange]) throws {
        context.pending.add(changes)
        context.undoStack.redoable = []
        guard !context.isInBlock, !context.isTellingWillSave, let limit = autosave.operations,
            context.pending.entries.count >= limit
        else { return }
        try save()
    }
}

// MARK: Saving

extension StoreEdits {
    /// Saves everything pending as one transaction with one entry in the history, or nothing of it.
    ///
    /// What differs from the current values is recorded; when nothing differs there is no entry, and listeners hear
    /// nothing. After a failure everything is still pending. In a pinned context the save goes to the present and
    /// advances the pin.
    ///
    /// - Returns: the entry, if one was made. Its reasons are `edited`, and `renamed`, `split` and `restored` where ids
    ///   say so.
    /// - Throws: ``StoreError/gone(id:key:)`` when a quake with new values was deleted or merged meanwhile,
    ///   ``StoreError/contextState(_:)`` inside a transaction of this context, which would then no longer be atomic.
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
                        tellWillSave()
                        // What was changed by who was told is part of this save: it begins again.
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

    private func tellWillSave() {
        let changes = context.pending.changes
        context.isTellingWillSave = true
        defer { context.isTellingWillSave = false }
        context.onWillSave?(changes)
        context.broadcast.willSave.send(changes)
    }

    /// Who heard of a save changed what is pending, or rolled it back.
    private struct ChangedBeforeSave: Error {}

    /// Runs `body`, then saves what is pending, as one transaction. When either fails, what is pending is again what it
    /// was before. Inside, autosave waits, and ``save(_:)`` and other transactions are refused.
    ///
    /// - Throws: what `body` and ``save(_:)`` throw.
    @discardableResult
    public func transaction(_ body: () throws -> Void) throws -> HistoryTransaction? {
        try context.requireNoTransaction()
        let old = context.pending
        do {
            try context.inBlock(body)
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
        } catch let error as StoreError {
            autosave.onFailure(error)
        } catch {
            autosave.onFailure(.contextState("a save on release failed: \(error)"))
        }
    }
}

/// When a context saves without being asked.
public struct Autosave {
    /// After this many pending changes; nil for never.
    public var operations: Int?
    /// When the context is released with changes pending.
    public var onRelease: Bool
    /// Receives the error of a save on release, where no caller can catch it.
    public var onFailure: (StoreError) -> Void

    /// Never: changes that nobody saved are dropped with the context.
    public static var off: Autosave { Autosave() }

    /// Saves after `operations` pending changes, on release, or both.
    public init(
        afterOperations operations: Int? = nil, onRelease: Bool = false,
        onFailure: @escaping (StoreError) -> Void = { _ in }
    ) {
        (self.operations, self.onRelease, self.onFailure) = (operations, onRelease, onFailure)
    }
}
