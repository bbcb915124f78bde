import QuakeModel
import QuakeStore

/// The net effects of pending changes on one state of the cache. A save writes them, and a read shows them.
final class PendingEffects {
    /// The state to which the changes are applied.
    let base: any IdentityView
    private var effects: [QuakeKey: PendingEffect] = [:]
    /// The keys of `effects`, in the order of the first change to each quake.
    private var order: [QuakeKey] = []
    /// The key of the quake to which the changes gave each preferred id, keyed by the id in lowercase.
    private var holders: [String: QuakeKey] = [:]
    /// The key of the quake that each insertion added or updated, keyed by the insertion's temporary key.
    private(set) var shownKeys: [QuakeKey: QuakeKey] = [:]
    /// The first quake that has a pending update but does not exist, with its values before the update.
    private(set) var missingQuake: StoredQuake?
    /// The first preferred id that two quakes would have, with the key of the quake that already has it or also gets
    /// it.
    private(set) var takenID: (id: String, holder: QuakeKey)?

    private(set) var inserted: [PendingEffect] = []
    private(set) var updated: [PendingEffect] = []
    private(set) var deleted: [PendingEffect] = []
    /// The key of the quake to which a save assigns each id, keyed by the id in lowercase.
    private var assigned: [String: QuakeKey] = [:]

    init(of pending: PendingChanges, on base: any IdentityView) throws {
        self.base = base
        for entry in pending.entries {
            switch entry.change {
            case .insert(let quake): try insert(quake, temporaryKey: entry.temporaryKey)
            case .update(let new, let before): try update(pending.savedKey(new.key), to: new.quake, from: before)
            case .delete(let stored): try delete(pending.savedKey(stored.key), stored.quake)
            }
        }
        for effect in order.compactMap({ effects[$0] }) {
            missingQuake = missingQuake ?? effect.unfoundQuake.map { StoredQuake(key: effect.key, quake: $0) }
            switch effect.kind {
            case .insert: inserted.append(effect)
            case .update: updated.append(effect)
            case .delete: deleted.append(effect)
            case nil: break
            }
        }
        try assignIDs()
        for effect in updated + inserted where takenID == nil {
            if let id = effect.current?.id { takenID = try otherHolder(ofID: id, than: effect).map { (id, $0) } }
        }
    }

    /// Whether a save would change nothing.
    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Returns the quake with a local or temporary key as it will be saved; nil if it will not exist.
    func quake(key: QuakeKey) throws -> StoredQuake? {
        let key = shownKeys[key] ?? key
        guard let effect = effects[key] else { return try base.knownQuake(key)?.stored }
        return effect.current.map { StoredQuake(key: key, quake: $0) }
    }

    /// Returns the key of the quake to which a save assigns `id`; nil if the save does not assign `id`.
    func newHolder(ofID id: String) -> QuakeKey? { assigned[id.lowercased()] }

    /// Assigns the ids of the changed quakes. Each quake gets its preferred id in any case, but another id only if it
    /// leads to no quake yet.
    private func assignIDs() throws {
        let remaining = inserted + updated
        for effect in remaining {
            if let id = effect.current?.id { assigned[id.lowercased()] = effect.key }
        }
        for effect in remaining {
            effect.newAliases = try (effect.current?.aliases ?? []).filter { alias in
                guard assigned[alias.lowercased()] == nil, try base.target(ofID: alias) == nil else { return false }
                assigned[alias.lowercased()] = effect.key
                return true
            }
        }
    }
}

extension PendingEffects {
    /// Returns the key of another quake that would also have `id`, the preferred id of the quake in `effect`; nil if
    /// there is no such quake.
    private func otherHolder(ofID id: String, than effect: PendingEffect) throws -> QuakeKey? {
        if effect.saved?.stored.quake.id.isSameID(as: id) == true { return nil }
        if let holder = assigned[id.lowercased()], holder != effect.key { return holder }
        guard case .live(let holder)? = try base.target(ofID: id), holder != effect.key else { return nil }
        return try quake(key: holder)?.quake.id.isSameID(as: id) == true ? holder : nil
    }
}

/// The rules for manual edits, which need no confirmation. An inserted quake updates the quake with its preferred id,
/// restores the deleted quake that had this id, or is new. Updates and deletions identify a quake by its key. No edit
/// merges quakes (decision 0067).
extension PendingEffects {
    /// Adds a quake, or replaces the values of the quake that already has its id.
    ///
    /// - Parameter temporaryKey: the key that identifies the quake until it is saved.
    private func insert(_ quake: Quake, temporaryKey: QuakeKey) throws {
        let effect = try effect(ofInserting: quake) ?? known(temporaryKey)
        register(effect)
        shownKeys[temporaryKey] = effect.key
        effect.replace(by: quake)
        holders[quake.id.lowercased()] = effect.key
    }

    /// Returns the effect on the quake that has or had the preferred id of `quake`; nil if `quake` is new.
    private func effect(ofInserting quake: Quake) throws -> PendingEffect? {
        switch try target(ofID: quake.id) {
        case .live(let key)?:
            let effect = try known(key)
            return effect.current?.id.isSameID(as: quake.id) == true ? effect : nil
        case .departed(let key, let sourceTime)?:
            let effect = try known(key)
            effect.sourceTime = max(effect.sourceTime, sourceTime)
            let last = try effect.saved?.stored.quake ?? base.tombstone(of: key)
            return last?.id.isSameID(as: quake.id) ?? true ? effect : nil
        case nil: return nil
        }
    }

    /// Updates the quake under `key` with the values of `new` that differ from `old`.
    ///
    /// - Throws: ``/QuakeStore/StoreError/otherQuake(id:key:)`` if the key leads to a quake other than `old`.
    private func update(_ key: QuakeKey, to new: Quake, from old: Quake) throws {
        let effect = try effect(on: shownKeys[key] ?? key)
        if let now = effect.current { try requireSameQuake(old, as: StoredQuake(key: effect.key, quake: now)) }
        effect.update(from: old, to: new)
        if let now = effect.current { holders[now.id.lowercased()] = effect.key }
    }

    /// Deletes a quake, unless it is already gone.
    ///
    /// - Throws: ``/QuakeStore/StoreError/otherQuake(id:key:)`` if the key leads to a quake other than `quake`.
    private func delete(_ key: QuakeKey, _ quake: Quake) throws {
        let effect = try effect(on: shownKeys[key] ?? key)
        if let now = effect.current { try requireSameQuake(quake, as: StoredQuake(key: effect.key, quake: now)) }
        effect.delete(from: quake)
    }

    private func effect(on key: QuakeKey) throws -> PendingEffect {
        let effect = try known(key)
        register(effect)
        return effect
    }

    /// Returns the effect on the quake with this key; a new, unregistered one if no change has affected the quake yet.
    private func known(_ key: QuakeKey) throws -> PendingEffect {
        try effects[key] ?? PendingEffect(key: key, saved: key.isTemporary ? nil : base.knownQuake(key))
    }

    private func register(_ effect: PendingEffect) {
        guard effects.updateValue(effect, forKey: effect.key) == nil else { return }
        order.append(effect.key)
    }

    /// Returns the quake that an id leads to after the changes applied so far.
    private func target(ofID id: String) throws -> AliasTarget? {
        let target = try holder(ofID: id).map { AliasTarget.live(key: $0) } ?? base.target(ofID: id)
        switch target {
        case .live(let key)?, .departed(let key, _)?:
            guard let effect = effects[key] else { return target }
            return effect.current == nil ? .departed(key: key, sourceTime: effect.sourceTime) : .live(key: key)
        case nil: return nil
        }
    }

    /// Returns the quake to which the changes gave the preferred id `id`; nil if there is none, or if it no longer has
    /// that id.
    private func holder(ofID id: String) -> QuakeKey? {
        guard let key = holders[id.lowercased()], let now = effects[key]?.current else { return nil }
        return now.id.isSameID(as: id) ? key : nil
    }

    /// Throws ``/QuakeStore/StoreError/otherQuake(id:key:)`` unless one of the ids of `quake` leads to `stored`. If
    /// none does, the key belongs to another cache, or was assigned in a state that a restored backup has replaced.
    private func requireSameQuake(_ quake: Quake, as stored: StoredQuake) throws {
        let isSame =
            try quake.id.isSameID(as: stored.quake.id)
            || quake.aliases.contains { id in
                try id.isSameID(as: stored.quake.id) || target(ofID: id) == .live(key: stored.key)
            }
        guard isSame else { throw StoreError.otherQuake(id: quake.id, key: stored.key) }
    }
}
