import GRDB
public import QuakeModel

/// News about a quake that is noted, not yet believed.
public struct Doubt: Hashable, Sendable {
    /// What the news is.
    public enum Kind: String, CaseIterable, Sendable {
        /// The quake is missing from a complete feed whose window covers it.
        case absent
        /// The feature carries an older `updated` than the cache.
        case backward
    }

    /// The quake's local key.
    public var quakeKey: Int64
    /// What the news is.
    public var kind: Kind
    /// The `generated` of the first and of the last snapshot that said so.
    public var first: Timestamp
    /// The `generated` of the last snapshot that said so.
    public var last: Timestamp
    /// How many snapshots have said so, the first one included.
    public var sightings: Int
    /// The `updated` claimed, for a step backward: another claim is other news.
    public var claimedUpdate: Timestamp?

    /// News seen once, in the snapshot of `generated`.
    public init(quakeKey: Int64, kind: Kind, generated: Timestamp, claimedUpdate: Timestamp? = nil) {
        self.quakeKey = quakeKey
        self.kind = kind
        first = generated
        last = generated
        sightings = 1
        self.claimedUpdate = claimedUpdate
    }
}

extension QuakeContext {
    /// Everything in doubt, by quake.
    public func doubts() throws -> [Doubt] {
        try database { try Doubt.all(in: $0) }
    }
}

extension QuakeWriter {
    /// Everything in doubt, by quake.
    public func doubts() throws -> [Doubt] {
        try connection.translatingErrors { try Doubt.all(in: db) }
    }

    /// Notes `doubt`, in the place of what was noted of the same quake and kind.
    public func note(_ doubt: Doubt) throws {
        try connection.translatingErrors {
            let statement = try SQLStatement(
                db,
                """
                INSERT OR REPLACE INTO doubts (quake, kind, first, last, sightings, news) VALUES (?, ?, ?, ?, ?, ?)
                """)
            statement.bind(1, doubt.quakeKey)
            statement.bind(2, doubt.kind.rawValue)
            statement.bind(3, doubt.first.milliseconds)
            statement.bind(4, doubt.last.milliseconds)
            statement.bind(5, Int64(doubt.sightings))
            statement.bind(6, doubt.claimedUpdate?.milliseconds)
            try statement.run()
        }
    }

    /// Drops what was noted.
    public func drop(_ kind: Doubt.Kind, of key: Int64) throws {
        try connection.translatingErrors {
            try db.cachedStatement(sql: "DELETE FROM doubts WHERE quake = ? AND kind = ?")
                .execute(arguments: [key, kind.rawValue])
        }
    }
}

extension Doubt {
    fileprivate static func all(in db: Database) throws -> [Doubt] {
        let statement = try SQLStatement(
            db, "SELECT quake, kind, first, last, sightings, news FROM doubts ORDER BY quake, kind")
        defer { statement.reset() }
        var doubts: [Doubt] = []
        while try statement.step() {
            guard let kind = Kind(rawValue: statement.text(1)) else { continue }
            var doubt = Doubt(
                quakeKey: statement.integer(0), kind: kind, generated: Timestamp(milliseconds: statement.integer(2)),
                claimedUpdate: statement.integerOrNil(5).map(Timestamp.init(milliseconds:)))
            doubt.last = Timestamp(milliseconds: statement.integer(3))
            doubt.sightings = Int(statement.integer(4))
            doubts.append(doubt)
        }
        return doubts
    }
}
