/// The values by which an unchanged feature of a snapshot is recognized without decoding it.
package struct Fingerprint: Hashable, Sendable {
    /// The hash of the feature's bytes; 0 if unknown.
    package var hash: Int64
    package var key: QuakeKey
    package var originTime: Timestamp
}

extension SourceRecords {
    /// Returns the fingerprint of every quake whose origin time is in `window`, reading only the index.
    package func fingerprints(in window: ClosedRange<Timestamp>) throws -> [Fingerprint] {
        try session.connection.all(
            "SELECT hash, key, time FROM quakes INDEXED BY quakes_by_time WHERE time BETWEEN ? AND ?",
            window.lowerBound.milliseconds, window.upperBound.milliseconds, read: Fingerprint.init)
    }

    package func fingerprint(ofID id: String) throws -> Fingerprint? {
        try session.connection.first(
            "SELECT q.hash, q.key, q.time FROM aliases a JOIN quakes q ON q.key = a.quake WHERE a.alias = ?", id,
            read: Fingerprint.init)
    }
}

extension Fingerprint {
    /// Reads the hash, the key and the time from the first three columns.
    fileprivate init(_ row: Statement) {
        self.init(hash: row.integer(0), key: row.key(1), originTime: row.timestamp(2))
    }
}
