/// The ids of quakes in a pinned past generation. The table of aliases has no history, but each recorded state contains
/// the ids it was published with.
extension QuakeContext {
    /// Returns the ids that led to the quake under `key` in the pinned generation, sorted. `today` contains the ids
    /// that lead to the quake now.
    ///
    /// Starts from today's ids, removes those that the quake acquired later through its own changes or a merged quake,
    /// and adds the ids under which it was published in that generation.
    func pastAliases(ofKey key: QuakeKey, today: [String]) throws -> [String] {
        let end = try history.changeIDs(after: newestReadable, through: .last).lowerBound
        var names = try savedQuake(forKey: key)?.quake.aliases ?? []
        let published = Set(names.map { $0.lowercased() })
        let then = try published.union(
            recordedAliases(in: history.readable(ChangeID(0)..<end), where: "c.quake = ?3", key))
        let present = try database().first("SELECT \(QuakeColumns.list()) FROM main.quakes WHERE key = ?", key) {
            lowercasedAliases($0.quake(from: 0))
        }
        let gained = try recordedAliases(
            in: history.changesToRewind(), where: "(c.quake = ?3 OR c.merged_into = ?3)", key
        ).union(present ?? [])
        // A quake older than the retained history that was deleted in that generation keeps its current ids.
        guard try !then.isEmpty || !isFirstChangeKept(ofKey: key) else { return [] }
        names += today.filter { alias in
            let alias = alias.lowercased()
            return !published.contains(alias) && (then.contains(alias) || !gained.contains(alias))
        }
        return names.sorted()
    }

    /// Returns the key of the quake that `id` led to in the pinned generation. `today` is the key it leads to now.
    ///
    /// A quake that listed the id in that generation takes precedence over one that the id led to earlier. Among quakes
    /// that listed it, the quake with that preferred id comes first, then `today`.
    func pastKey(ofID id: String, today: QuakeKey?) throws -> QuakeKey? {
        let database = try database()
        let listing = try database.integer(
            """
            SELECT key FROM (
                SELECT key, net || code AS id, ids FROM main.quakes
                WHERE key = ?2 AND key NOT IN (SELECT key FROM \(PastOverlay.touched))
                UNION ALL SELECT key, net || code, ids FROM \(PastOverlay.quakes))
            WHERE id = ?1 COLLATE NOCASE OR instr(lower(ids), ',' || lower(?1) || ',') > 0
            ORDER BY id <> ?1 COLLATE NOCASE, key IS NOT ?2, key LIMIT 1
            """, id, today
        ).map(QuakeKey.init(_:))
        guard listing == nil, let today else { return listing }
        if try aliases(ofKey: today).contains(where: { $0.isSameID(as: id) }) { return today }
        // The id was later reassigned from a quake that has not otherwise changed.
        return try database.integer(
            """
            SELECT key FROM main.quakes WHERE key NOT IN (SELECT key FROM \(PastOverlay.touched))
                AND instr(lower(ids), ',' || lower(?) || ',') > 0 ORDER BY key LIMIT 1
            """, id
        ).map(QuakeKey.init(_:))
    }

    /// Whether the quake's first retained change is its original insertion, so that nothing precedes it.
    func isFirstChangeKept(ofKey key: QuakeKey) throws -> Bool {
        let firsts: [ChangeReason] = [.new, .late, .split, .edited]
        let isFirst = try database().first("SELECT kind, reason FROM changes WHERE quake = ? ORDER BY id LIMIT 1", key)
        {
            $0.integer(0) == ChangeKind.insert.code && firsts.map(\.rawValue).contains($0.text(1))
        }
        return isFirst == true
    }

    /// Returns the ids recorded in the rows before changes in `scope` that meet `condition` for the key.
    private func recordedAliases(
        in scope: ChangeScope, where condition: String, _ key: QuakeKey
    ) throws -> Set<String> {
        let ids = try database().all(
            """
            SELECT \(QuakeColumns.list()) FROM changes c JOIN rows_before ON change = c.id
            WHERE \(scope.condition) AND \(condition)
            """, scope.ids.lowerBound, scope.ids.upperBound, key
        ) { lowercasedAliases($0.quake(from: 0)) }
        return Set(ids.joined())
    }
}

private func lowercasedAliases(_ quake: Quake) -> [String] { quake.aliases.map { $0.lowercased() } }
