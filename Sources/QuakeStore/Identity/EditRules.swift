import QuakeModel

/// Where edits are applied: the writer of a transaction, or what a context shows of its pending changes.
protocol EditTarget: AnyObject, IdentityView {
    /// Adds a quake and returns its key: `key` for one that returns, or a new one, which may be `temporaryKey`.
    func add(
        _ quake: Quake, reason: ChangeReason, key: QuakeKey?, temporaryKey: QuakeKey?, aliases: [String],
        generated: Int64
    ) throws -> QuakeKey
    /// Gives a quake other values. Returns whether any differed.
    func change(_ stored: StoredQuake, to new: Quake, reason: ChangeReason) throws -> Bool
    func remove(_ known: KnownQuake, reason: ChangeReason, mergedInto survivor: QuakeKey?) throws
    /// Lets `alias` find the quake under `key`, whichever it found before.
    func assign(alias: String, to key: QuakeKey) throws
    /// Removes the quakes the filter accepts, and returns how many.
    func removeAll(_ filter: QuakeFilter) throws -> Int
    /// Called with an update of a quake that no longer exists.
    func missed(_ stored: StoredQuake) throws
}

/// What an edit by hand means for the cache: the rules of ``Identity``, with the caller's word believed at once.
///
/// The quakes inserted together are one snapshot: two of them are never merged, and one that is among them under its
/// own id is no other's; the last of two with the same id stands. The same quakes mean the same inserted one by one or
/// as a list. So a quake whose ids would rename or unite others waits until the end of the list, or until an update or
/// a deletion.
struct EditRules {
    /// The ids of the quakes that were inserted, in lower case.
    private var listed: Set<String> = []
    /// Keys of the quakes that were inserted, and by which id.
    private var claimed: Set<QuakeKey> = []
    private var keys: [String: QuakeKey] = [:]
    /// Quakes that may be others of the cache, in their order.
    private var waiting: [Insertion] = []
    private var places: [String: Int] = [:]
    /// Where temporary keys lead by now.
    private(set) var savedKeys: [QuakeKey: QuakeKey] = [:]

    private struct Insertion {
        var quake: Quake
        var temporaryKeys: [QuakeKey]
    }

    /// Adds a quake, or gives its values to the quake of the cache that it is.
    ///
    /// - Parameter temporaryKey: the key under which the quake is known until then.
    mutating func insert(_ quake: Quake, temporaryKey: QuakeKey? = nil, into target: some EditTarget) throws {
        try quake.requireStorable()
        let id = quake.id.lowercased()
        listed.insert(id)
        if let place = places[id] {
            waiting[place].quake = quake
            waiting[place].temporaryKeys += [temporaryKey].compactMap(\.self)
            return
        }
        let insertion = Insertion(quake: quake, temporaryKeys: [temporaryKey].compactMap(\.self))
        let identity = try identity(of: quake, target)
        if identity.quakes.contains(where: { !$0.stored.quake.id.isSameID(as: quake.id) }) {
            places[id] = waiting.count
            waiting.append(insertion)
        } else {
            try place(insertion, identity, target)
        }
    }

    /// Whether quakes wait for the ids of later ones.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Places the quakes that wait for the ids of later ones.
    mutating func settle(in target: some EditTarget) throws {
        let insertions = waiting
        (waiting, places) = ([], [:])
        for insertion in insertions { try place(insertion, identity(of: insertion.quake, target), target) }
    }

    private mutating func identity(of quake: Quake, _ target: some EditTarget) throws -> Identity {
        // The last of two quakes with the same id is the same quake.
        let own = keys[quake.id.lowercased()].flatMap { claimed.remove($0) }
        defer { if let own { claimed.insert(own) } }
        return try Identity(of: quake, listedIDs: ListedIDs { [listed] in listed }, claimed: claimed, cache: target)
    }

    private mutating func place(
        _ insertion: Insertion, _ identity: Identity, _ target: some EditTarget
    ) throws {
        let quake = insertion.quake
        let key: QuakeKey
        if let survivor = identity.survivor {
            key = survivor.stored.key
            try unite(identity.quakes, in: survivor, with: quake, identity, target)
        } else {
            key = try add(quake, identity, temporaryKey: insertion.temporaryKeys.last, target)
        }
        claimed.insert(key)
        keys[quake.id.lowercased()] = key
        for temporary in insertion.temporaryKeys { savedKeys[temporary] = key }
    }

    /// Gives the quake under `key` the values of `new` that differ from `old`.
    ///
    /// - Throws: ``StoreError/idTaken(id:key:)`` for the id of another quake of the same network,
    ///   ``StoreError/otherQuake(id:key:)`` where the key leads to another quake than `old`.
    mutating func update(_ key: QuakeKey, to new: Quake, from old: Quake, in target: some EditTarget) throws {
        try settle(in: target)
        let key = savedKeys[key] ?? key
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
        follow(united.map(\.stored.key), to: survivor.stored.key, as: quake.id)
    }

    /// Lets the ids of inserted quakes lead to the one in which they are united by now, and its present id, too.
    private mutating func follow(_ united: [QuakeKey], to survivor: QuakeKey, as id: String) {
        guard !claimed.isDisjoint(with: united) else { return }
        claimed.subtract(united)
        claimed.insert(survivor)
        if united.count > 1 { keys = keys.mapValues { united.contains($0) ? survivor : $0 } }
        keys[id.lowercased()] = survivor
    }

    /// Deletes a quake. One that is gone is left alone.
    ///
    /// - Throws: ``StoreError/otherQuake(id:key:)`` where the key leads to another quake than `quake`.
    mutating func delete(_ key: QuakeKey, _ quake: Quake, in target: some EditTarget) throws {
        try settle(in: target)
        guard let known = try target.knownQuake(savedKeys[key] ?? key) else { return }
        try target.require(quake, as: known.stored)
        try target.remove(known, reason: .edited, mergedInto: nil)
    }

    mutating func deleteAll(_ filter: QuakeFilter, in target: some EditTarget) throws -> Int {
        try settle(in: target)
        return try target.removeAll(filter)
    }

    private func add(
        _ quake: Quake, _ identity: Identity, temporaryKey: QuakeKey?, _ target: some EditTarget
    ) throws -> QuakeKey {
        let key = identity.returning?.key
        let reason: ChangeReason = identity.isSplit ? .split : key == nil ? .edited : .restored
        return try target.add(
            quake, reason: reason, key: key, temporaryKey: temporaryKey, aliases: identity.aliasesToAssign(to: key),
            generated: identity.returning?.generated ?? 0)
    }

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
    fileprivate func taking(_ new: Quake, where before: Quake) -> Quake {
        var merged = self
        for property in new.differences(from: before) { merged.set(property, to: new[property]) }
        if new.publishedTitle != before.publishedTitle { merged.publishedTitle = new.publishedTitle }
        if new.publishedURL != before.publishedURL { merged.publishedURL = new.publishedURL }
        if new.publishedDetail != before.publishedDetail { merged.publishedDetail = new.publishedDetail }
        return merged
    }
}
