/// One change that waits for a save.
public enum PendingChange: Hashable, Sendable, Codable {
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
        var temporaryKey: QuakeKey
        /// The same for what one call asked for.
        var call: QuakeKey
    }

    private(set) var entries: [Entry] = []
    /// Removed by undo; redo puts the last one back first.
    private var withdrawn: [Entry] = []
    private var nextKey = StoredQuake.firstTemporaryKey
    /// Whether temporary keys were handed out, so they must keep leading to their quakes.
    var isShown = false
    /// The keys that quakes with temporary ones have since they were saved.
    private(set) var savedKeys: [QuakeKey: QuakeKey] = [:]

    var changes: [PendingChange] { entries.map(\.change) }
    var isEmpty: Bool { entries.isEmpty }
    var canReinstate: Bool { !withdrawn.isEmpty }

    /// The key in the cache of a quake that was saved since it had the temporary key `key`; otherwise `key`.
    func savedKey(_ key: QuakeKey) -> QuakeKey { savedKeys[key] ?? key }

    /// Adds what one call asks for.
    mutating func add(_ changes: [PendingChange]) {
        let call = nextKey
        for change in changes {
            entries.append(Entry(change: change, temporaryKey: nextKey, call: call))
            nextKey = nextKey.next
        }
        withdrawn = []
    }

    /// Forgets the first `count` entries, which were saved under `keys`. What was added meanwhile stays.
    mutating func settle(_ keys: [QuakeKey: QuakeKey], of count: Int) {
        if isShown { savedKeys.merge(keys) { $1 } }
        isShown = false
        let added = entries.dropFirst(count)
        clear()
        entries = Array(added)
    }

    /// Forgets everything. Temporary keys are not used again: a quake fetched earlier must not become another one.
    mutating func clear() {
        entries = []
        withdrawn = []
    }

    /// Goes back to what was pending before.
    mutating func restore(_ old: PendingChanges) { (entries, withdrawn) = (old.entries, old.withdrawn) }

    /// Removes what the last call asked for; false when there is nothing.
    mutating func withdraw() -> Bool { Self.moveLastCall(from: &entries, to: &withdrawn) }

    /// Puts back what was removed last; false when there is nothing.
    mutating func reinstate() -> Bool { Self.moveLastCall(from: &withdrawn, to: &entries) }

    private static func moveLastCall(from source: inout [Entry], to target: inout [Entry]) -> Bool {
        guard let call = source.last?.call else { return false }
        while let last = source.last, last.call == call {
            source.removeLast()
            target.append(last)
        }
        return true
    }

    /// Applies every change in its order. Returns the key that each quake with a temporary key got.
    @discardableResult
    func apply(to target: some EditTarget) throws -> [QuakeKey: QuakeKey] {
        var rules = EditRules()
        for entry in entries {
            switch entry.change {
            case .insert(let quake): try rules.insert(quake, temporaryKey: entry.temporaryKey, into: target)
            case .update(let new, let before): try rules.update(new.key, to: new.quake, from: before, in: target)
            case .delete(let stored): try rules.delete(stored.key, stored.quake, in: target)
            case .deleteAll(let filter): _ = try target.removeAll(filter)
            }
        }
        return rules.savedKeys
    }
}
