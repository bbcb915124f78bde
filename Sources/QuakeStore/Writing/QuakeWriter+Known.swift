extension QuakeWriter: IdentityView {
    /// Returns the quake that `id` leads to, ignoring case; nil for an unknown id.
    package func target(ofID id: String) throws -> AliasTarget? {
        try targetQuery.first(id) { row -> AliasTarget in
            let key = row.key(0)
            return row.integerOrNil(1).map { .departed(key: key, sourceTime: $0) } ?? .live(key: key)
        }
    }

    package func knownQuake(_ key: QuakeKey) throws -> KnownQuake? {
        try knownQuakeQuery.first(key) { row in
            KnownQuake(
                stored: StoredQuake(key: row.key(0), quake: row.quake(from: 3)),
                rowSource: RowSource(hash: row.integer(1), sourceTime: row.integer(2)))
        }
    }

    package func tombstone(of key: QuakeKey) throws -> Quake? { try database.tombstone(of: key) }

    /// Returns the quake into which the quake under `key` was merged; nil if there was no merge, or if the surviving
    /// quake was deleted.
    package func survivor(of key: QuakeKey) throws -> KnownQuake? {
        try database.survivor(of: key).flatMap { try knownQuake($0) }
    }

    /// Records that a snapshot with this source time confirmed the quakes under `keys`.
    package func recordSourceTime(of keys: [QuakeKey], sourceTime: Timestamp) throws {
        for key in keys { try confirm(key, RowSource(sourceTime: sourceTime.milliseconds)) }
    }
}
