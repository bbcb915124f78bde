import QuakeModel
import QuakeStore

/// The rules for manual edits, which need no confirmation. An inserted quake updates the quake with its preferred id,
/// restores the deleted quake that had this id, or is new. Updates and deletions identify a quake by its key. No edit
/// merges quakes (decision 0067).
struct EditRules {
    /// The key of the saved quake for each temporary key.
    private(set) var savedKeys: [QuakeKey: QuakeKey] = [:]

    /// Adds a quake, or updates the quake in the cache that already has its id.
    ///
    /// - Parameter temporaryKey: the key that identifies the quake until it is saved.
    mutating func insert(_ quake: Quake, temporaryKey: QuakeKey, into target: some EditTarget) throws {
        try quake.requireStorable()
        savedKeys[temporaryKey] = try place(quake, temporaryKey: temporaryKey, target)
    }

    private func place(_ quake: Quake, temporaryKey: QuakeKey, _ target: some EditTarget) throws -> QuakeKey {
        let leadsTo = try target.target(ofID: quake.id)
        if let own = try target.quake(withOwnID: quake.id) {
            if try target.change(own.stored, to: quake, reason: .edited) {
                for alias in try target.unknown(quake.aliases) { try target.assign(alias: alias, to: own.stored.key) }
            }
            return own.stored.key
        }
        let aliases = try [quake.id] + target.unknown(quake.aliases.filter { !$0.isSameID(as: quake.id) })
        if case .departed(let key, let sourceTime)? = leadsTo,
            try target.tombstone(of: key)?.id.isSameID(as: quake.id) ?? true
        {
            return try target.add(
                quake, reason: .restored, key: key, temporaryKey: temporaryKey, aliases: aliases, sourceTime: sourceTime
            )
        }
        let reason: ChangeReason = if case .live? = leadsTo { .split } else { .edited }
        return try target.add(
            quake, reason: reason, key: nil, temporaryKey: temporaryKey, aliases: aliases, sourceTime: 0)
    }

    /// Updates the quake under `key` with the values of `new` that differ from `old`.
    ///
    /// - Throws: ``/QuakeStore/StoreError/idTaken(id:key:)`` if another quake has the id,
    ///   ``/QuakeStore/StoreError/otherQuake(id:key:)`` if the key leads to a quake other than `old`.
    func update(_ key: QuakeKey, to new: Quake, from old: Quake, in target: some EditTarget) throws {
        let key = savedKeys[key] ?? key
        guard let known = try target.knownQuake(key) else {
            return try target.missed(StoredQuake(key: key, quake: old))
        }
        try target.require(old, as: known.stored)
        let quake = known.stored.quake.taking(new, where: old)
        try quake.requireStorable()
        if let holder = try target.quake(withOwnID: quake.id), holder.stored.key != key {
            throw StoreError.idTaken(id: quake.id, key: holder.stored.key)
        }
        let isRename = !known.stored.quake.id.isSameID(as: quake.id)
        guard try target.change(known.stored, to: quake, reason: isRename ? .renamed : .edited) else { return }
        for alias in try target.unknown(quake.aliases) { try target.assign(alias: alias, to: key) }
    }

    /// Deletes a quake, unless it is already gone.
    ///
    /// - Throws: ``/QuakeStore/StoreError/otherQuake(id:key:)`` if the key leads to a quake other than `quake`.
    func delete(_ key: QuakeKey, _ quake: Quake, in target: some EditTarget) throws {
        guard let known = try target.knownQuake(savedKeys[key] ?? key) else { return }
        try target.require(quake, as: known.stored)
        try target.remove(known)
    }
}

extension IdentityView {
    /// Returns the quake whose preferred id is `id`.
    fileprivate func quake(withOwnID id: String) throws -> KnownQuake? {
        guard case .live(let key)? = try target(ofID: id), let known = try knownQuake(key),
            known.stored.quake.id.isSameID(as: id)
        else { return nil }
        return known
    }

    /// Returns the elements of `ids` that do not lead to any quake.
    fileprivate func unknown(_ ids: [String]) throws -> [String] { try ids.filter { try target(ofID: $0) == nil } }

    /// Throws ``/QuakeStore/StoreError/otherQuake(id:key:)`` unless one of the ids of `quake` leads to `stored`. If
    /// none does, the key belongs to another cache, or was assigned in a state that a restored backup has replaced.
    fileprivate func require(_ quake: Quake, as stored: StoredQuake) throws {
        let isSame = try quake.aliases.contains { id in
            try id.isSameID(as: stored.quake.id) || target(ofID: id) == .live(key: stored.key)
        }
        guard isSame else { throw StoreError.otherQuake(id: quake.id, key: stored.key) }
    }
}

extension Quake {
    fileprivate func taking(_ new: Quake, where before: Quake) -> Quake {
        var merged = self
        for property in new.differences(from: before) { merged.set(property, to: new[property]) }
        if new.publishedTitle != before.publishedTitle { merged.publishedTitle = new.publishedTitle }
        if new.publishedURL != before.publishedURL { merged.publishedURL = new.publishedURL }
        if new.publishedDetail != before.publishedDetail { merged.publishedDetail = new.publishedDetail }
        return merged
    }
}
