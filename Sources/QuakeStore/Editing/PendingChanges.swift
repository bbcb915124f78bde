public import QuakeModel

/// One change that waits for a save.
public enum PendingChange: Hashable, Sendable {
    /// A quake to be added, or to give its values to the one of the cache that it is.
    case insert(Quake)
    /// New values; `before` is what they were made from.
    case update(StoredQuake, before: Quake)
    /// A quake to be deleted.
    case delete(StoredQuake)
    /// Every quake that the filter accepts at the time of the save.
    case deleteAll(QuakeFilter)
}

/// What a context has not saved yet, in the order in which it was asked for.
struct PendingChanges {
    /// A change, and the key under which a quake that it adds is known until it is saved.
    struct Entry {
        var change: PendingChange
        var temporaryKey: Int64
    }

    private(set) var entries: [Entry] = []
    /// Removed by undo; redo puts the last one back first.
    private var withdrawn: [Entry] = []
    private var nextKey = StoredQuake.firstTemporaryKey
    /// Whether temporary keys were handed out, so that they must go on leading to their quakes.
    var isShown = false
    /// The keys that quakes with temporary ones have since they were saved.
    private(set) var savedKeys: [Int64: Int64] = [:]

    var changes: [PendingChange] { entries.map(\.change) }

    var isEmpty: Bool { entries.isEmpty }

    var canReinstate: Bool { !withdrawn.isEmpty }

    /// The key in the cache of a quake that was saved since it had the temporary key `key`; otherwise `key`.
    func savedKey(_ key: Int64) -> Int64 { savedKeys[key] ?? key }

    mutating func add(_ change: PendingChange) {
        entries.append(Entry(change: change, temporaryKey: nextKey))
        nextKey += 1
        withdrawn = []
    }

    /// Forgets everything, which was saved under `keys`.
    mutating func settle(_ keys: [Int64: Int64]) {
        if isShown { savedKeys.merge(keys) { $1 } }
        isShown = false
        clear()
    }

    /// Forgets everything. Temporary keys are not used again: a quake fetched earlier must not become another one.
    mutating func clear() {
        entries = []
        withdrawn = []
    }

    /// Goes back to what was pending before.
    mutating func restore(_ old: PendingChanges) {
        (entries, withdrawn) = (old.entries, old.withdrawn)
    }

    /// Removes the last change; false when there is none.
    mutating func withdraw() -> Bool {
        guard let last = entries.popLast() else { return false }
        withdrawn.append(last)
        return true
    }

    /// Puts back what was removed last; false when there is nothing.
    mutating func reinstate() -> Bool {
        guard let last = withdrawn.popLast() else { return false }
        entries.append(last)
        return true
    }

    /// Applies every change in its order. Returns the key that each quake with a temporary key got.
    @discardableResult
    func apply(to target: some EditTarget) throws -> [Int64: Int64] {
        let ids = changes.compactMap { if case .insert(let quake) = $0 { quake.id } else { nil } }
        var rules = EditRules(listing: ids)
        var keys: [Int64: Int64] = [:]
        for entry in entries {
            switch entry.change {
            case .insert(let quake):
                (target as? PendingView)?.temporaryKey = entry.temporaryKey
                keys[entry.temporaryKey] = try rules.insert(quake, into: target)
            case .update(let new, let before):
                try rules.update(keys[new.key] ?? new.key, to: new.quake, from: before, in: target)
            case .delete(let stored): try rules.delete(keys[stored.key] ?? stored.key, stored.quake, in: target)
            case .deleteAll(let filter): _ = try target.removeAll(filter)
            }
        }
        return keys
    }
}
