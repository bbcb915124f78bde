import GRDB
public import QuakeModel

/// A quake as the mirror needs it to judge news: its values, and who confirmed them last.
public struct KnownQuake: Hashable, Sendable {
    /// The quake under its local key.
    public var stored: StoredQuake
    /// Which bytes its values came from, and on whose word.
    public var rowSource: RowSource

    /// A quake with the word it stands on.
    public init(stored: StoredQuake, rowSource: RowSource) {
        self.stored = stored
        self.rowSource = rowSource
    }
}

/// What an id leads to.
public enum AliasTarget: Hashable, Sendable {
    /// A quake in the cache.
    case live(key: Int64)
    /// One that was deleted; its key waits for its return. `generated` is that of the snapshot that decided it, or 0.
    case departed(key: Int64, generated: Int64)
}

/// By what a quake of the cache is recognised in a snapshot without decoding anything.
public struct Fingerprint: Hashable, Sendable {
    /// The hash of the feature's bytes; 0 when unknown.
    public var hash: Int64
    /// The quake's local key.
    public var key: Int64
    /// When the quake happened.
    public var originTime: Timestamp

    /// A fingerprint of the quake under `key`.
    public init(hash: Int64, key: Int64, originTime: Timestamp) {
        self.hash = hash
        self.key = key
        self.originTime = originTime
    }
}

extension QuakeWriter {
    /// The fingerprint of every quake whose origin time lies in `window`, from the index alone.
    ///
    /// - Parameter expected: how many there will be, most probably.
    public func fingerprints(in window: ClosedRange<Timestamp>, expected: Int = 0) throws -> [Fingerprint] {
        try connection.translatingErrors {
            let statement = try SQLStatement(
                db, "SELECT hash, key, time FROM quakes INDEXED BY quakes_by_time WHERE time BETWEEN ? AND ?")
            statement.bind(1, window.lowerBound.milliseconds)
            statement.bind(2, window.upperBound.milliseconds)
            defer { statement.reset() }
            var fingerprints: [Fingerprint] = []
            fingerprints.reserveCapacity(expected)
            while try statement.step() { fingerprints.append(statement.fingerprint) }
            return fingerprints
        }
    }

    /// The fingerprint of the quake whose preferred or other id is `id`.
    public func fingerprint(ofID id: String) throws -> Fingerprint? {
        try connection.translatingErrors {
            let statement = try SQLStatement(
                db, "SELECT q.hash, q.key, q.time FROM aliases a JOIN quakes q ON q.key = a.quake WHERE a.alias = ?")
            statement.bind(1, id)
            defer { statement.reset() }
            return try statement.step() ? statement.fingerprint : nil
        }
    }

    /// What `id` leads to, compared without regard to case.
    public func target(ofID id: String) throws -> AliasTarget? {
        try connection.translatingErrors {
            let statement = try targetQuery.prepared(in: db)
            statement.bind(1, id)
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            let key = statement.integer(0)
            return statement.integerOrNil(1).map { .departed(key: key, generated: $0) } ?? .live(key: key)
        }
    }

    /// The quake under `key`, unless it is deleted.
    public func knownQuake(_ key: Int64) throws -> KnownQuake? {
        try connection.translatingErrors {
            let statement = try knownQuakeQuery.prepared(in: db)
            statement.bind(1, key)
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            return KnownQuake(
                stored: StoredQuake(key: statement.integer(0), quake: statement.quake(from: 3)),
                rowSource: RowSource(hash: statement.integer(1), generated: statement.integer(2)))
        }
    }

    /// Notes that the quakes under `keys` were confirmed by the snapshot of `generated`.
    public func carrySource(of keys: [Int64], generated: Timestamp) throws {
        for key in keys { try confirm(key, RowSource(generated: generated.milliseconds)) }
    }
}

extension SQLStatement {
    /// The fingerprint in the first three columns: hash, key, time.
    fileprivate var fingerprint: Fingerprint {
        Fingerprint(
            hash: integer(0), key: integer(1), originTime: Timestamp(milliseconds: integer(2)))
    }
}
