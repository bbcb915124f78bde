import QuakeModel

/// The changes that an editor has not saved yet, in the order in which they were made.
struct PendingChanges {
    /// A change, with the temporary key that identifies an added quake until the save.
    struct Entry {
        var change: PendingChange
        var temporaryKey: QuakeKey
        /// An identifier shared by all changes made in one call.
        var callID: QuakeKey
    }

    /// Identifies the content of `entries`: equal versions have equal entries.
    struct Version: Equatable {
        private var count: Int
        /// The unique key of the last entry. Entries before the last one can only be removed, which changes `count`.
        private var last: QuakeKey?

        init(_ entries: [Entry]) { (count, last) = (entries.count, entries.last?.temporaryKey) }
    }

    private(set) var entries: [Entry] = []
    /// The keys of all quakes whose deletion was added or restored since the last save or rollback, even if the
    /// deletion was removed again.
    private var deleted: Set<QuakeKey> = []
    /// The entries removed by undo; redo restores the last one first.
    private var withdrawn: [Entry] = []
    /// Whether a read may have returned temporary keys, which must therefore stay valid after the save.
    var hasShownKeys = false
    /// The permanent keys of saved quakes, keyed by their temporary keys.
    private(set) var savedKeys: [QuakeKey: QuakeKey] = [:]

    var changes: [PendingChange] { entries.map(\.change) }
    var version: Version { Version(entries) }
    var isEmpty: Bool { entries.isEmpty }
    var canReinstate: Bool { !withdrawn.isEmpty }

    /// Returns the permanent key if `key` is the temporary key of a saved quake, otherwise `key` itself.
    func savedKey(_ key: QuakeKey) -> QuakeKey { savedKeys[key] ?? key }

    /// Whether a deletion of the quake under `key` is pending.
    func isDeletion(of key: QuakeKey) -> Bool {
        // Search the entries only if a deletion of the quake was ever added.
        deleted.contains(key)
            && entries.contains { entry in
                if case .delete(let stored) = entry.change { savedKey(stored.key) == key } else { false }
            }
    }

    /// Adds the changes made in one call.
    mutating func add(_ changes: [PendingChange]) {
        let call = QuakeKey.nextTemporary()
        entries += changes.map { Entry(change: $0, temporaryKey: .nextTemporary(), callID: call) }
        withdrawn = []
        registerDeletions(in: changes)
    }

    private mutating func registerDeletions(in changes: [PendingChange]) {
        for case .delete(let stored) in changes { deleted.insert(savedKey(stored.key)) }
    }

    /// Removes all entries after they were saved. `keys` maps temporary keys to permanent keys. Entries removed by undo
    /// can still be redone.
    mutating func clearAfterSave(_ keys: [QuakeKey: QuakeKey]) {
        if hasShownKeys { savedKeys.merge(keys) { $1 } }
        hasShownKeys = false
        entries = []
        deleted = []
    }

    /// Removes the entries for one quake. `keys` maps the temporary key of an insertion to the key of the quake that it
    /// adds or updates.
    mutating func removeEntries(of key: QuakeKey, permanentKeys keys: [QuakeKey: QuakeKey]) {
        func shown(_ key: QuakeKey) -> QuakeKey { keys[key] ?? savedKey(key) }
        let dropped = shown(key)
        entries = entries.filter { entry in
            switch entry.change {
            case .insert: shown(entry.temporaryKey) != dropped
            case .update(let stored, _), .delete(let stored): shown(stored.key) != dropped
            }
        }
        withdrawn = []
    }

    /// Removes all entries. Temporary keys are never issued again, so a key fetched earlier cannot lead to another
    /// quake.
    mutating func clear() {
        entries = []
        deleted = []
        withdrawn = []
    }

    /// Restores the entries of an earlier state.
    mutating func restore(_ old: PendingChanges) {
        entries = old.entries
        deleted = old.deleted
        withdrawn = old.withdrawn
    }

    /// Removes the changes made in the last call; returns false if there are none.
    mutating func withdraw() -> Bool { Self.moveLastCall(from: &entries, to: &withdrawn) }

    /// Restores the changes removed last; returns false if there are none.
    mutating func reinstate() -> Bool {
        guard Self.moveLastCall(from: &withdrawn, to: &entries) else { return false }
        registerDeletions(in: changes)
        return true
    }

    private static func moveLastCall(from source: inout [Entry], to target: inout [Entry]) -> Bool {
        guard let call = source.last?.callID else { return false }
        while let last = source.last, last.callID == call {
            source.removeLast()
            target.append(last)
        }
        return true
    }
}
