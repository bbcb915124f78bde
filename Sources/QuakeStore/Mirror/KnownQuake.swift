/// A quake as the mirror needs it to judge news: its values and their source.
package struct KnownQuake: Hashable, Sendable {
    package var stored: StoredQuake
    /// Where its values came from.
    package var rowSource: RowSource

    package init(stored: StoredQuake, rowSource: RowSource) { (self.stored, self.rowSource) = (stored, rowSource) }
}

/// What an id leads to.
package enum AliasTarget: Hashable, Sendable {
    /// A quake in the cache.
    case live(key: QuakeKey)
    /// A quake that was deleted; its key is kept for its return. `generated` is that of the snapshot that decided the
    /// deletion; 0 where no snapshot did, because it was purged, edited or undone.
    case departed(key: QuakeKey, generated: Int64)
}

/// What recognizes a quake of the cache in a snapshot without decoding the feature.
package struct Fingerprint: Hashable, Sendable {
    /// The hash of the feature's bytes; 0 when unknown.
    package var hash: Int64
    package var key: QuakeKey
    package var originTime: Timestamp

    package init(hash: Int64, key: QuakeKey, originTime: Timestamp) {
        (self.hash, self.key, self.originTime) = (hash, key, originTime)
    }
}

extension QuakeWriter {
    /// The fingerprint of every quake whose origin time lies in `window`, from the index alone.
    package func fingerprints(in window: ClosedRange<Timestamp>) throws -> [Fingerprint] {
        try database.all(
            "SELECT hash, key, time FROM quakes INDEXED BY quakes_by_time WHERE time BETWEEN ? AND ?",
            window.lowerBound.milliseconds, window.upperBound.milliseconds, read: Fingerprint.init)
    }

    package func fingerprint(ofID id: String) throws -> Fingerprint? {
        try database.first(
            "SELECT q.hash, q.key, q.time FROM aliases a JOIN quakes q ON q.key = a.quake WHERE a.alias = ?", id,
            read: Fingerprint.init)
    }

    /// What `id` leads to, compared ignoring case.
    package func target(ofID id: String) throws -> AliasTarget? {
        try targetQuery.bind(1, id)
        defer { targetQuery.reset() }
        guard try targetQuery.step() else { return nil }
        let key = targetQuery.key(0)
        return targetQuery.integerOrNil(1).map { .departed(key: key, generated: $0) } ?? .live(key: key)
    }

    package func knownQuake(_ key: QuakeKey) throws -> KnownQuake? {
        let row = knownQuakeQuery
        try row.bind(1, key)
        defer { row.reset() }
        guard try row.step() else { return nil }
        return KnownQuake(
            stored: StoredQuake(key: row.key(0), quake: row.quake(from: 3)),
            rowSource: RowSource(hash: row.integer(1), generated: row.integer(2)))
    }

    package func tombstone(of key: QuakeKey) throws -> Quake? { try database.tombstone(of: key) }

    /// Notes that the snapshot of `generated` confirmed the quakes under `keys`.
    package func carrySource(of keys: [QuakeKey], generated: Timestamp) throws {
        for key in keys { try confirm(key, RowSource(generated: generated.milliseconds)) }
    }
}

extension Database {
    /// The values of the quake under `key` at its deletion; nil if the history no longer has them.
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
    /// From the first three columns: hash, key, time.
    fileprivate init(_ row: Statement) {
        self.init(hash: row.integer(0), key: row.key(1), originTime: row.timestamp(2))
    }
}
