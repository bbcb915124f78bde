import GRDB
import QuakeModel

extension QuakeContext {
    /// The ids that led to the quake under `key` in the pinned generation, sorted.
    ///
    /// The table of aliases has no history; the ids published with each state have. From the ids of today those go that the quake
    /// got since, by a change of its own or from a quake merged into it; what it was published under then comes back.
    func pastAliases(ofKey key: Int64, today: [String]) throws -> [String] {
        try database { db in
            let place = try changeIDs(after: newestReadable, through: .max).lowerBound
            var then = Set(try quake(forKey: key)?.quake.aliases.map { $0.lowercased() } ?? [])
            var names = then.isEmpty ? [] : try quake(forKey: key)?.quake.aliases ?? []
            var existed = !then.isEmpty
            try ChangeCursor(db, path: store.path, in: 0..<place, ofQuake: key).forEach { change in
                existed = true
                for state in [change.before, change.after] { then.formUnion(PastAliases.lowercased(state)) }
                return true
            }
            var gained: Set<String> = []
            try ChangeCursor(db, path: store.path, in: place..<Int64.max, ofQuake: key).forEach { change in
                gained.formUnion(PastAliases.lowercased(change.after))
                return true
            }
            for tombstone in try PastAliases.merged(into: key, after: place, db) {
                gained.formUnion(PastAliases.lowercased(tombstone))
            }
            // A quake older than the history that is kept, deleted and not yet back then, is known by its ids of today.
            guard try existed || wasMade(key, before: place, db) else { return [] }
            let published = Set(names.map { $0.lowercased() })
            names += today.filter { alias in
                let alias = alias.lowercased()
                return !published.contains(alias) && (then.contains(alias) || !gained.contains(alias))
            }
            return names.sorted()
        }
    }

    /// The key of the quake that had, or once had had, `id` in the pinned generation; `today` is where the id leads now.
    func pastKey(ofID id: String, today: Int64?) throws -> Int64? {
        let own: Int64? = try database { db in
            let statement = try SQLStatement(
                db,
                """
                SELECT key FROM \(PastOverlay.quakes) WHERE net || code = ?1 COLLATE NOCASE
                    OR instr(lower(ids), ',' || lower(?1) || ',') > 0 ORDER BY net || code <> ?1 COLLATE NOCASE, key
                """)
            statement.bind(1, id)
            defer { statement.reset() }
            return try statement.step() ? statement.integer(0) : nil
        }
        let leads = try today.map { try aliases(ofKey: $0).contains { $0.isSameID(as: id) } }
        if let today, leads == true, own == nil || own == today { return today }
        return own
    }

    /// Whether the first change of the quake that is kept came from before `place`, or is no insertion.
    private func wasMade(_ key: Int64, before place: Int64, _ db: Database) throws -> Bool {
        let row = try Row.fetchOne(
            db, sql: "SELECT kind, reason FROM changes WHERE quake = ? ORDER BY id LIMIT 1", arguments: [key])
        guard let row, row["kind"] == ChangeKind.insert.code else { return true }
        let firsts: [ChangeReason] = [.new, .late, .split, .edited]
        return !firsts.map(\.rawValue).contains(row["reason"])
    }
}

private enum PastAliases {
    static func lowercased(_ quake: Quake?) -> [String] {
        quake?.aliases.map { $0.lowercased() } ?? []
    }

    /// The last states of the quakes that were merged into the one under `key` from change `place` on.
    static func merged(into key: Int64, after place: Int64, _ db: Database) throws -> [Quake] {
        let statement = try SQLStatement(db, "SELECT before FROM changes WHERE id >= ? AND merged_into = ?")
        statement.bind(1, place)
        statement.bind(2, key)
        defer { statement.reset() }
        var quakes: [Quake] = []
        while try statement.step() {
            if let values = RecordedValues(json: statement.text(0)) { quakes.append(values.tombstone) }
        }
        return quakes
    }
}
