import QuakeModel

/// Where edits are applied: the writer of a transaction, or what a context shows of its pending changes.
protocol EditTarget: AnyObject, IdentityView {
    /// Adds a quake and returns its local key: `key` when it returns after a deletion, or a new one.
    func add(_ quake: Quake, reason: ChangeReason, key: Int64?, aliases: [String], generated: Int64) throws -> Int64
    /// Gives a quake other values. Returns whether any differed.
    func change(_ stored: StoredQuake, to new: Quake, reason: ChangeReason) throws -> Bool
    /// Removes a quake.
    func remove(_ known: KnownQuake, reason: ChangeReason, mergedInto survivor: Int64?) throws
    /// Lets `alias` find the quake under `key`, whichever it found before.
    func assign(alias: String, to key: Int64) throws
    /// Removes the quakes the filter accepts, and returns how many.
    func removeAll(_ filter: QuakeFilter) throws -> Int
    /// Called with an update of a quake that is not there any more.
    func missed(_ stored: StoredQuake) throws
}

/// What an edit by hand means for the cache: the rules of ``Identity``, with the caller's word believed at once.
///
/// The quakes inserted together are one snapshot: two of them are never merged, and one that is among them under its
/// own id is no other's. Unlike in a snapshot, the last of two with the same id stands.
struct EditRules {
    private let listedIDs: ListedIDs
    /// Keys of the quakes that were inserted, and by which id.
    private var claimed: Set<Int64> = []
    private var keys: [String: Int64] = [:]

    /// The rules for quakes of `ids`, which are about to be inserted, as far as that is known.
    init(listing ids: [String] = []) {
        listedIDs = ListedIDs { Set(ids.map { $0.lowercased() }) }
    }

    /// Adds a quake, or gives its values to the quake of the cache that it is. Returns the local key.
    mutating func insert(_ quake: Quake, into target: some EditTarget) throws -> Int64 {
        try quake.requireStorable()
        let id = quake.id.lowercased()
        if let key = keys[id] { claimed.remove(key) }
        let identity = try Identity(of: quake, listedIDs: listedIDs, claimed: claimed, cache: target)
        let key: Int64
        if let survivor = identity.survivor {
            key = survivor.stored.key
            try unite(identity.quakes, in: survivor, with: quake, identity, target)
        } else {
            key = try add(quake, identity, target)
        }
        claimed.insert(key)
        keys[id] = key
        return key
    }

    /// Gives the quake under `key` the values of `new` that differ from `old`.
    ///
    /// - Throws: ``StoreError/idTaken(id:key:)`` for the id of another quake of the same network,
    ///   ``StoreError/otherQuake(id:key:)`` where the key leads to another quake than `old`.
    func update(_ key: Int64, to new: Quake, from old: Quake, in target: some EditTarget) throws {
        guard let known = try target.knownQuake(key) else {
            return try target.missed(StoredQuake(key: key, quake: old))
        }
        try target.require(old, as: known.stored)
        let quake = known.stored.quake.taking(new, where: old)
        try quake.requireStorable()
        guard quake.id != known.stored.quake.id || quake.ids != known.stored.quake.ids else {
            _ = try target.change(known.stored, to: quake, reason: .edited)
            return
        }
        let identity = try Identity(of: quake, listedIDs: [], claimed: [], cache: target)
        var united = [known]
        for other in identity.quakes where other.stored.key != key {
            // The quake itself is tied to its values by its key, so an id that is preferred on neither side ties none.
            guard quake.aliases.contains(where: { $0.isSameID(as: other.stored.quake.id) }) else { continue }
            if !united.contains(where: { $0.stored.quake.net == other.stored.quake.net }) {
                united.append(other)
            } else if other.stored.quake.id.isSameID(as: quake.id) {
                throw StoreError.idTaken(id: quake.id, key: other.stored.key)
            }
        }
        let survivor = united.min { $0.stored.key < $1.stored.key } ?? known
        try unite(united, in: survivor, with: quake, identity, target)
    }

    /// Deletes a quake. One that is gone is left alone.
    ///
    /// - Throws: ``StoreError/otherQuake(id:key:)`` where the key leads to another quake than `quake`.
    func delete(_ key: Int64, _ quake: Quake, in target: some EditTarget) throws {
        guard let known = try target.knownQuake(key) else { return }
        try target.require(quake, as: known.stored)
        try target.remove(known, reason: .edited, mergedInto: nil)
    }

    private func add(_ quake: Quake, _ identity: Identity, _ target: some EditTarget) throws -> Int64 {
        let key = identity.returningKey
        let reason: ChangeReason = identity.isSplit ? .split : key == nil ? .edited : .restored
        let generated = identity.departed.first { $0.key == key }?.generated ?? 0
        return try target.add(
            quake, reason: reason, key: key, aliases: identity.aliasesToAssign(to: key), generated: generated)
    }

    /// Merges `quakes` into `survivor`, which gets the values of `quake`.
    private func unite(
        _ quakes: [KnownQuake], in survivor: KnownQuake, with quake: Quake, _ identity: Identity,
        _ target: some EditTarget
    ) throws {
        let stored = survivor.stored
        for other in quakes where other.stored.key != stored.key {
            try target.remove(other, reason: .merged, mergedInto: stored.key)
        }
        let isRename = !stored.quake.id.isSameID(as: quake.id)
        guard try target.change(stored, to: quake, reason: isRename ? .renamed : .edited) else { return }
        for alias in identity.aliasesToAssign(to: stored.key) { try target.assign(alias: alias, to: stored.key) }
    }
}

extension IdentityView {
    /// Throws ``StoreError/otherQuake(id:key:)`` unless one of the ids of `quake` leads to `stored`: its key is one of
    /// another cache, or was given in a state that a restored backup replaced.
    fileprivate func require(_ quake: Quake, as stored: StoredQuake) throws {
        let isSame = try quake.aliases.contains { id in
            try id.isSameID(as: stored.quake.id) || target(ofID: id) == .live(key: stored.key)
        }
        guard isSame else { throw StoreError.otherQuake(id: quake.id, key: stored.key) }
    }
}

extension Quake {
    /// This quake with the values of `new` that differ from `before`.
    fileprivate func taking(_ new: Quake, where before: Quake) -> Quake {
        var merged = self
        for property in new.differences(from: before) { merged.set(property, to: new[property]) }
        if new.publishedTitle != before.publishedTitle { merged.publishedTitle = new.publishedTitle }
        if new.publishedURL != before.publishedURL { merged.publishedURL = new.publishedURL }
        if new.publishedDetail != before.publishedDetail { merged.publishedDetail = new.publishedDetail }
        return merged
    }
}
