/// News about a quake that is doubtful: noted, but not applied yet.
public struct Doubt: Hashable, Sendable, Codable {
    /// The kind of unconfirmed change.
    public enum Kind: String, CaseIterable, Sendable, Codable {
        /// The quake is missing from a complete feed whose window covers it, or lost an id to another one.
        case absent
        /// The feature carries an older `updated` than the cache.
        case backward
        /// The feature names the place differently while the hypocenter is unmoved.
        case place
    }

    public var quakeKey: QuakeKey
    /// The kind of unconfirmed change.
    public var kind: Kind
    /// The `generated` of the first snapshot that said so.
    public var first: Timestamp
    /// The `generated` of the last snapshot that said so.
    public var last: Timestamp
    /// How many snapshots have said so, the first one included.
    public var sightings: Int
    /// For `backward`: the `updated` of the feature. Another value is other news.
    public var claimedUpdate: Timestamp?
    /// For `place`: the name in the feature. Another name is other news.
    public var claimedName: String?
    /// For `absent`: only the event service has yet to confirm it. No feed can, or enough of them have.
    public var awaitsService = false

    /// News seen once, in the snapshot of `generated`.
    package init(
        quakeKey: QuakeKey, kind: Kind, generated: Timestamp, claimedUpdate: Timestamp? = nil,
        claimedName: String? = nil
    ) {
        (self.quakeKey, self.kind) = (quakeKey, kind)
        first = generated
        last = generated
        sightings = 1
        (self.claimedUpdate, self.claimedName) = (claimedUpdate, claimedName)
    }
}

extension StoreSources {
    /// All unconfirmed changes, by quake.
    public func doubts() throws -> [Doubt] { try Doubt.all(in: context.connection) }
}

extension QuakeWriter {
    /// Every doubt, by quake.
    package func doubts() throws -> [Doubt] { try Doubt.all(in: database) }

    /// Notes `doubt`, replacing the one of the same quake and kind.
    package func note(_ doubt: Doubt) throws {
        try writing {
            try database.run(
                CheckedTable.doubts.insertion("OR REPLACE"),
                doubt.quakeKey, doubt.kind.rawValue, doubt.first.milliseconds, doubt.last.milliseconds,
                doubt.sightings, doubt.claimedUpdate?.milliseconds, doubt.claimedName,
                doubt.awaitsService ? 1 : 0)
        }
    }

    package func drop(_ kind: Doubt.Kind, of key: QuakeKey) throws {
        try writing {
            try database.run("DELETE FROM doubts WHERE quake = ? AND kind = ?", key, kind.rawValue)
        }
    }
}

extension Doubt {
    private static let select = "SELECT quake, kind, first, last, sightings, news, name, awaits FROM doubts"

    static func all(of key: QuakeKey, in database: Database) throws -> [Doubt] {
        try database.all("\(select) WHERE quake = ? ORDER BY kind", key, read: doubt).compactMap(\.self)
    }

    fileprivate static func all(in database: Database) throws -> [Doubt] {
        try database.all("\(select) ORDER BY quake, kind", read: doubt).compactMap(\.self)
    }

    private static func doubt(_ row: Statement) -> Doubt? {
        guard let kind = Kind(rawValue: row.text(1)) else { return nil }
        var doubt = Doubt(
            quakeKey: row.key(0), kind: kind, generated: row.timestamp(2),
            claimedUpdate: row.timestampOrNil(5), claimedName: row.textOrNil(6))
        doubt.last = row.timestamp(3)
        doubt.sightings = Int(row.integer(4))
        doubt.awaitsService = row.integer(7) != 0
        return doubt
    }
}
