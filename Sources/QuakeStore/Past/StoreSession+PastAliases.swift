/// The ids of quakes in a pinned past generation: today's ids, with the effects of later transactions reversed.
extension StoreSession {
    /// Returns the ids that led to the quake under `key` in the pinned generation, sorted. `today` contains the ids
    /// that lead to the quake now.
    func pastAliases(ofKey key: QuakeKey, today: [String]) throws -> [String] {
        guard try !wasAddedLater(key) else { return [] }
        let moved = try database().all(
            """
            SELECT coalesce(a.alias, p.id), p.key IS ? FROM \(PastOverlay.ids) p
            LEFT JOIN main.aliases a ON a.alias = p.id
            """, key
        ) { (id: $0.text(0), isBack: $0.integer(1) == 1) }
        let kept = Set(today).subtracting(moved.filter { !$0.isBack }.map(\.id))
        return kept.union(moved.filter(\.isBack).map(\.id)).sorted()
    }

    /// Returns the key of the quake that `id` led to in the pinned generation. If the id led to no quake then, returns
    /// `today`, the quake that the id leads to now; nil if that quake was added after the generation.
    func pastKey(ofID id: String, today: QuakeKey?) throws -> QuakeKey? {
        let moved = try database().integer("SELECT key FROM \(PastOverlay.ids) WHERE id = ?", id.lowercased())
        return try [moved.map(QuakeKey.init(_:)), today].compactMap(\.self).first { try !wasAddedLater($0) }
    }

    /// Whether the quake was first added to the cache after the pinned generation.
    private func wasAddedLater(_ key: QuakeKey) throws -> Bool {
        let isNew = try database().integer(
            """
            SELECT 1 FROM \(PastOverlay.touched) WHERE key = ?1
                AND first = (SELECT min(id) FROM main.changes WHERE quake = ?1)
                AND NOT EXISTS (SELECT 1 FROM \(PastOverlay.quakes) WHERE key = ?1)
            """, key)
        return try isNew != nil && database().isFirstChangeKept(ofKey: key)
    }
}

extension Database {
    /// Whether the quake's first retained change is its original insertion, so that nothing precedes it.
    func isFirstChangeKept(ofKey key: QuakeKey) throws -> Bool {
        let firsts: [ChangeReason] = [.new, .late, .split, .edited]
        let isFirst = try first("SELECT kind, reason FROM changes WHERE quake = ? ORDER BY id LIMIT 1", key) {
            $0.integer(0) == ChangeKind.insert.code && firsts.map(\.rawValue).contains($0.text(1))
        }
        return isFirst == true
    }
}
