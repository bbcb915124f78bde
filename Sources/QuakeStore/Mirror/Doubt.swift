/// An unconfirmed change to a quake, recorded but not applied yet.
package struct Doubt: Hashable, Sendable, Codable {
    package enum Kind: String, CaseIterable, Sendable, Codable {
        /// The quake is missing from a complete feed whose window covers it.
        case absent
        /// The feature has an older `updated` time than the quake in the cache.
        case backward
        /// The feature names a different place although the hypocenter has not moved.
        case place
    }

    package var quakeKey: QuakeKey
    package var kind: Kind
    /// The `generated` time of the first snapshot that reported the change.
    package var first: Timestamp
    /// The `generated` time of the last snapshot that reported the change.
    package var last: Timestamp
    /// The number of snapshots that have reported the change, including the first.
    package var sightings: Int
    /// For `backward`, the feature's `updated` time. A different time is a new unconfirmed change.
    package var claimedUpdate: Timestamp?
    /// For `place`, the name in the feature. A different name is a new unconfirmed change.
    package var claimedName: String?
    /// For `absent`, whether only the event service must still confirm, because enough feeds did.
    package var awaitsService = false

    /// Creates a change seen once, in the snapshot with the time `generated`.
    package init(
        quakeKey: QuakeKey, kind: Kind, generated: Timestamp, claimedUpdate: Timestamp? = nil,
        claimedName: String? = nil
    ) {
        self.quakeKey = quakeKey
        self.kind = kind
        first = generated
        last = generated
        sightings = 1
        self.claimedUpdate = claimedUpdate
        self.claimedName = claimedName
    }
}

extension StoreSources {
    /// Returns all unconfirmed changes, ordered by quake.
    package func doubts() throws -> [Doubt] { try Doubt.all(in: session.connection) }
}

extension Doubt {
    private static let select = "SELECT quake, kind, first, last, sightings, news, name, awaits FROM doubts"

    static func all(of key: QuakeKey, in database: Database) throws -> [Doubt] {
        try database.all("\(select) WHERE quake = ? ORDER BY kind", key, read: doubt).compactMap(\.self)
    }

    static func all(in database: Database) throws -> [Doubt] {
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
