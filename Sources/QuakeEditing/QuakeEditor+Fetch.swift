public import QuakeModel
import QuakeStore

/// Reads that include the pending changes. New quakes have temporary keys until they are saved: see
/// ``QuakeModel/StoredQuake/isTemporary``.
extension QuakeEditor {
    /// Returns the quakes that the filter accepts, newest first.
    public func fetch(_ filter: QuakeFilter) throws -> [StoredQuake] { try fetch(QuakeDescriptor(filter: filter)) }

    /// Returns the quakes that the descriptor requests. To fetch in batches, use the context, whose reads do not
    /// include the pending changes.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [StoredQuake] {
        var quakes: [StoredQuake] = []
        try enumerate(descriptor) { quakes.append($0) }
        return quakes
    }

    /// Calls `body` with each quake that the descriptor requests. Only one quake is in memory at a time.
    public func enumerate(
        _ descriptor: QuakeDescriptor = QuakeDescriptor(), _ body: (StoredQuake) throws -> Void
    ) throws {
        try readingOverlay { try context.visit(descriptor, over: $0, body) }
    }

    /// Returns the number of quakes that the filter accepts.
    package func fetchCount(_ filter: QuakeFilter) throws -> Int { try fetchCount(QuakeDescriptor(filter: filter)) }

    /// Returns the number of quakes that the descriptor requests.
    public func fetchCount(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> Int {
        try readingOverlay { try context.count(descriptor, over: $0) }
    }

    /// Returns the local keys of the quakes that the descriptor requests, in order.
    public func fetchIdentifiers(_ descriptor: QuakeDescriptor = QuakeDescriptor()) throws -> [QuakeKey] {
        var keys: [QuakeKey] = []
        try readingOverlay { try context.visitKeys(descriptor, over: $0) { keys.append($0) } }
        return keys
    }

    /// Returns the quake with this local or temporary key as it will be saved; nil if it was deleted or its deletion is
    /// pending. The key of a merged quake leads to the surviving quake. After a save, a temporary key still leads to
    /// the saved quake.
    public func quake(key: QuakeKey) throws -> StoredQuake? {
        let saved = pending.savedKey(key)
        guard hasChanges else { return try context.quake(key: saved) }
        return try reading { try quake(key: saved, in: $0) }
    }

    /// Returns the quake that has this id, or ever had it, as it will be saved; nil if there is none, or if it was
    /// deleted or its deletion is pending.
    public func quake(id: String) throws -> StoredQuake? {
        guard hasChanges else { return try context.quake(id: id) }
        return try reading { view in
            let key = try view.effects.newHolder(ofID: id) ?? context.key(ofID: id)
            return try key.flatMap { try quake(key: $0, in: view) }
        }
    }

    private func quake(key: QuakeKey, in view: PendingView) throws -> StoredQuake? {
        if let quake = try view.effects.quake(key: key) { return quake }
        guard let survivor = try context.quake(key: key), survivor.key != key else { return nil }
        return try view.effects.quake(key: survivor.key)
    }

    // MARK: Quakes fetched earlier

    /// Returns the quake with its current values, including pending changes; nil if it was deleted or merged, or its
    /// deletion is pending.
    package func refresh(_ quake: StoredQuake) throws -> StoredQuake? { try quakes(forKeys: [quake.key]).first }

    /// Updates quakes fetched earlier to their current values, including pending changes. Removes deleted and merged
    /// quakes, and keeps the order.
    package func refresh(_ quakes: inout [StoredQuake]) throws { quakes = try self.quakes(forKeys: quakes.map(\.key)) }

    private func quakes(forKeys keys: some Sequence<QuakeKey>) throws -> [StoredQuake] {
        guard hasChanges else {
            return try context.inReadOnlySnapshot {
                try keys.compactMap { try context.unmergedQuake(forKey: pending.savedKey($0)) }
            }
        }
        return try reading { view in try keys.compactMap { try view.effects.quake(key: pending.savedKey($0)) } }
    }

    /// Calls `body` with the overlay that shows the pending changes, or with nil if no changes are pending.
    private func readingOverlay<Result>(_ body: (QuakeOverlay?) throws -> Result) throws -> Result {
        guard hasChanges else { return try body(nil) }
        return try reading { try body($0.overlay) }
    }
}
