/// A quake's values and their source, which the mirror needs to judge new information about the quake.
package struct KnownQuake: Hashable, Sendable {
    package var stored: StoredQuake
    /// The source of the values.
    package var rowSource: RowSource

    package init(stored: StoredQuake, rowSource: RowSource) { (self.stored, self.rowSource) = (stored, rowSource) }
}

/// The quake that an id leads to.
package enum AliasTarget: Hashable, Sendable {
    /// A quake in the cache.
    case live(key: QuakeKey)
    /// A deleted quake, whose key is reserved for its return. `generated` is the time of the snapshot that caused the
    /// deletion; 0 if the quake was deleted by a purge, edit or undo.
    case departed(key: QuakeKey, generated: Int64)
}

/// The values that identify a quake in a snapshot without decoding its feature.
package struct Fingerprint: Hashable, Sendable {
    /// The hash of the feature's bytes; 0 if unknown.
    package var hash: Int64
    package var key: QuakeKey
    package var originTime: Timestamp
}

extension StoreSources {
    /// Returns the fingerprint of every quake whose origin time is in `window`, from the index alone.
    package func fingerprints(in window: ClosedRange<Timestamp>) throws -> [Fingerprint] {
        try context.connection.all(
            "SELECT hash, key, time FROM quakes INDEXED BY quakes_by_time WHERE time BETWEEN ? AND ?",
            window.lowerBound.milliseconds, window.upperBound.milliseconds, read: Fingerprint.init)
    }

    package func fingerprint(ofID id: String) throws -> Fingerprint? {
        try context.connection.first(
            "SELECT q.hash, q.key, q.time FROM aliases a JOIN quakes q ON q.key = a.quake WHERE a.alias = ?", id,
            read: Fingerprint.init)
    }

    /// Returns a number that changes whenever another program, or another context, changes the cache.
    package func version() throws -> Int64? { try context.connection.integer("PRAGMA data_version") }
}

extension QuakeWriter {
    /// Returns the quake that `id` leads to; case is ignored.
    package func target(ofID id: String) throws -> AliasTarget? {
        try targetQuery.first(id) { row -> AliasTarget in
            let key = row.key(0)
            return row.integerOrNil(1).map { .departed(key: key, generated: $0) } ?? .live(key: key)
        }
    }

    package func knownQuake(_ key: QuakeKey) throws -> KnownQuake? {
        try knownQuakeQuery.first(key) { row in
            KnownQuake(
                stored: StoredQuake(key: row.key(0), quake: row.quake(from: 3)),
                rowSource: RowSource(hash: row.integer(1), generated: row.integer(2)))
        }
    }

    package func tombstone(of key: QuakeKey) throws -> Quake? { try database.tombstone(of: key) }

    /// Records that the snapshot with the time `generated` confirmed the quakes under `keys`.
    package func carrySource(of keys: [QuakeKey], generated: Timestamp) throws {
        for key in keys { try confirm(key, RowSource(generated: generated.milliseconds)) }
    }
}

extension Database {
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

extension Fingerprint {
    /// Reads the hash, the key and the time from the first three columns.
    fileprivate init(_ row: Statement) {
        self.init(hash: row.integer(0), key: row.key(1), originTime: row.timestamp(2))
    }
}
