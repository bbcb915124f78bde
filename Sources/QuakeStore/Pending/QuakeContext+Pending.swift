public import QuakeModel

/// What is asked for here waits for ``QuakeContext/save(_:)``. Reads answer what is saved, never what is pending.
///
/// The source of truth of a mirror is its server: what is inserted, updated or deleted by hand lasts until a feed says
/// otherwise. Quakes are values, not objects under the context's watch, so there is nothing like a change that registers
/// itself, a registered model, or an editing state: a changed quake is handed to ``QuakeContext/update(_:to:)``.
extension QuakeContext {
    /// Adds a quake, or gives its values to the one in the cache that has the same id, so that one call serves the first time and
    /// every later one. A quake that was deleted returns under its local key.
    public func insert(_ quake: Quake) throws {
        try register(.insert(quake))
    }

    /// Gives a quake other values. What differs from `stored` is written, other properties keep what they have when saved.
    public func update(_ stored: StoredQuake, to quake: Quake) throws {
        guard quake != stored.quake else { return }
        try register(.update(StoredQuake(key: stored.key, quake: quake), before: stored.quake))
    }

    /// Deletes a quake, leaving its tombstone. One that is gone when it is saved is passed over.
    public func delete(_ stored: StoredQuake) throws {
        try register(.delete(stored))
    }

    /// Deletes every quake that the filter accepts at the time of the save.
    public func delete(where filter: QuakeFilter) throws {
        try register(.deleteAll(filter))
    }

    /// Everything that waits for a save, in the order in which it was asked for.
    public var pendingChanges: [PendingChange] { pending.changes }

    /// Whether anything waits for a save.
    public var hasChanges: Bool { !pending.changes.isEmpty }

    /// The quakes to be added, or to be given new values by their id.
    public var insertedQuakes: [Quake] {
        pending.changes.compactMap { if case .insert(let quake) = $0 { quake } else { nil } }
    }

    /// The quakes to be changed, with their new values.
    public var changedQuakes: [StoredQuake] {
        pending.changes.compactMap { if case .update(let quake, _) = $0 { quake } else { nil } }
    }

    /// The quakes to be deleted one by one. Those that ``delete(where:)`` will meet are known when it is saved.
    public var deletedQuakes: [StoredQuake] {
        pending.changes.compactMap { if case .delete(let quake) = $0 { quake } else { nil } }
    }

    /// Drops everything that waits for a save.
    public func rollback() {
        pending.clear()
    }

    private func register(_ change: PendingChange) throws {
        pending.add(change)
        try saveWhenDue()
    }
}
