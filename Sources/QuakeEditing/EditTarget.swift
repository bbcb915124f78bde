import QuakeModel
import QuakeStore

/// The target to which edits are applied: a transaction's writer, or an editor's view of its pending changes.
protocol EditTarget: AnyObject, IdentityView {
    /// Adds a quake and returns its key: `key` for a returning quake, otherwise a new key, which may be `temporaryKey`.
    func add(
        _ quake: Quake, reason: ChangeReason, key: QuakeKey?, temporaryKey: QuakeKey, aliases: [String],
        sourceTime: Int64
    ) throws -> QuakeKey
    /// Changes the values of a quake. Returns whether any differed.
    func change(_ stored: StoredQuake, to new: Quake, reason: ChangeReason) throws -> Bool
    func remove(_ known: KnownQuake) throws
    /// Makes `alias` lead to the quake with `key`, regardless of the quake that it led to before.
    func assign(alias: String, to key: QuakeKey) throws
    /// Removes the quakes the filter accepts, and returns their number.
    func removeAll(_ filter: QuakeFilter) throws -> Int
    /// Called if the quake to be updated no longer exists.
    func missed(_ stored: StoredQuake) throws
}

extension QuakeWriter: EditTarget {
    func add(
        _ quake: Quake, reason: ChangeReason, key: QuakeKey?, temporaryKey: QuakeKey, aliases: [String],
        sourceTime: Int64
    ) throws -> QuakeKey {
        try insert(quake, reason: reason, key: key, aliases: aliases, rowSource: RowSource(sourceTime: sourceTime))
    }

    func change(_ stored: StoredQuake, to new: Quake, reason: ChangeReason) throws -> Bool {
        try edit(stored, to: new, reason: reason)
    }

    func remove(_ known: KnownQuake) throws {
        try delete(known.stored, reason: .edited, sourceTime: known.rowSource.sourceTime)
    }

    func removeAll(_ filter: QuakeFilter) throws -> Int { try delete(where: filter, reason: .edited) }

    func missed(_ stored: StoredQuake) throws {
        if let survivor = try survivor(of: stored.key) {
            throw StoreError.merged(id: stored.quake.id, into: survivor.stored.quake.id)
        }
        throw StoreError.gone(id: stored.quake.id, key: stored.key)
    }
}
