import QuakeModel

/// The changes that an editor has not saved yet, in the order in which they were made.
struct PendingChanges {
    /// A change, with the temporary key that identifies an added quake until the save.
    struct Entry {
        var change: PendingChange
        var temporaryKey: QuakeKey
        /// An identifier shared by all changes made in one call.
        var call: QuakeKey
    }

    /// Distinguishes the lists that `entries` has been so far.
    struct Version: Equatable {
        private var count: Int
        /// The key of the last change. It is unique; while the change is pending, the changes before it stay the same,
        /// apart from removed ones.
        private var last: QuakeKey?

        init(_ entries: [Entry]) { (count, last) = (entries.count, entries.last?.temporaryKey) }
    }

    private(set) var entries: [Entry] = []
    /// The keys of all quakes whose deletion has been pending since the last save or rollback.
    private var deleted: Set<QuakeKey> = []
    /// The entries removed by undo; redo restores the last one first.
    private var withdrawn: [Entry] = []
    /// Whether temporary keys have been handed out and must therefore remain valid.
    var isShown = false
    /// The permanent keys of saved quakes, by their temporary keys.
    private(set) var savedKeys: [QuakeKey: QuakeKey] = [:]

    var changes: [PendingChange] { entries.map(\.change) }
    var version: Version { Version(entries) }
    var isEmpty: Bool { entries.isEmpty }
    var canReinstate: Bool { !withdrawn.isEmpty }

    /// Returns the permanent key of the saved quake whose temporary key was `key`, or any other key unchanged.
    func savedKey(_ key: QuakeKey) -> QuakeKey { savedKeys[key] ?? key }

    /// Whether a deletion of the quake under `key` is pending.
    func isDeletion(of key: QuakeKey) -> Bool {
        // Most keys need no search.
        deleted.contains(key)
            && entries.contains { if case .delete(let stored) = $0.change { stored.key == key } else { false } }
    }

    /// Adds the changes made in one call.
    mutating func add(_ changes: [PendingChange]) {
        let call = QuakeKey.nextTemporary()
        entries += changes.map { Entry(change: $0, temporaryKey: .nextTemporary(), call: call) }
        withdrawn = []
        for case .delete(let stored) in changes { deleted.insert(stored.key) }
    }

    /// Removes the entries, which were saved under `keys`. Entries undone earlier can still be redone.
    mutating func settle(_ keys: [QuakeKey: QuakeKey]) {
        if isShown { savedKeys.merge(keys) { $1 } }
        isShown = false
        entries = []
        deleted = []
    }

    /// Removes the entries for one quake. `keys` maps a temporary key to the key under which its quake is shown.
    mutating func drop(_ key: QuakeKey, under keys: [QuakeKey: QuakeKey]) {
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

    /// Removes all entries. Temporary keys are not reused, because a key fetched earlier must not lead to another
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
    mutating func reinstate() -> Bool { Self.moveLastCall(from: &withdrawn, to: &entries) }

    private static func moveLastCall(from source: inout [Entry], to target: inout [Entry]) -> Bool {
        guard let call = source.last?.call else { return false }
        while let last = source.last, last.call == call {
            source.removeLast()
            target.append(last)
        }
        return true
    }
}
