/// The ids of quakes, and the quakes that these ids lead to.
extension Database {
    /// Returns the key of the quake that an id leads to, even if the quake was deleted; nil for an unknown id.
    func quake(ofAlias alias: String) throws -> QuakeKey? {
        try integer("SELECT quake FROM aliases WHERE alias = ?", alias).map(QuakeKey.init(_:))
    }

    /// Returns the ids that lead to the quake under `key`, sorted.
    func aliases(ofKey key: QuakeKey) throws -> [String] {
        // The index only locates the rows: it contains the ids but no checksum that would reveal a corrupted letter.
        try all(
            """
            SELECT a.alias FROM aliases i CROSS JOIN aliases a ON a.alias = i.alias WHERE i.quake = ? ORDER BY i.alias
            """, key
        ) { $0.text(0) }
    }

    /// A query for the key of the quake into which the quake under `?1` was merged.
    static let mergeTargetQuery = "SELECT merged_into FROM main.departed WHERE quake = ?1"

    /// Returns the key of the quake that now contains the quake under `key`, after one or more merges; nil if it was
    /// not merged. `merge` is the query for a single merge.
    func survivor(of key: QuakeKey, _ merge: String = mergeTargetQuery) throws -> QuakeKey? {
        var survivor: QuakeKey?
        // In a damaged cache the chain of merges may be circular.
        for _ in 0..<1000 {
            guard let next = try integer(merge, survivor ?? key) else { break }
            survivor = QuakeKey(next)
        }
        return survivor
    }

    /// Returns the values of the quake under `key` at its deletion; nil if the history no longer contains them.
    func tombstone(of key: QuakeKey) throws -> Quake? {
        try first(
            """
            SELECT \(QuakeColumns.list()) FROM rows_before
            WHERE change = (SELECT max(id) FROM changes WHERE quake = ?)
            """, key
        ) { $0.quake(from: 0) }
    }
}
