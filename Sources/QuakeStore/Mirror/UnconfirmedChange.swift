/// A change to a quake that has been reported but needs confirmation before it is applied.
package struct UnconfirmedChange: Hashable, Sendable, Codable {
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
    /// The source time of the first snapshot that reported the change.
    package var first: Timestamp
    /// The source time of the last snapshot that reported the change.
    package var last: Timestamp
    /// The number of snapshots that have reported the change, including the first.
    package var snapshots: Int
    /// For `backward`, the feature's `updated` time. A different time is a new unconfirmed change.
    package var updated: Timestamp?
    /// For `place`, the name in the feature. A different name is a new unconfirmed change.
    package var place: String?
    /// For `absent`, whether enough snapshots have confirmed the absence, so that only the event service must still
    /// confirm it.
    package var awaitsService = false

    /// Creates a change reported once, by a snapshot with this source time.
    package init(
        quakeKey: QuakeKey, kind: Kind, sourceTime: Timestamp, updated: Timestamp? = nil, place: String? = nil
    ) {
        self.quakeKey = quakeKey
        self.kind = kind
        first = sourceTime
        last = sourceTime
        snapshots = 1
        self.updated = updated
        self.place = place
    }
}

extension SourceRecords {
    /// Returns all unconfirmed changes, ordered by quake.
    package func unconfirmedChanges() throws -> [UnconfirmedChange] {
        try UnconfirmedChange.all(in: session.connection)
    }
}

extension UnconfirmedChange {
    private static let select = """
        SELECT quake, kind, first, last, snapshots, updated, place, awaits_service FROM unconfirmed_changes
        """

    static func all(of key: QuakeKey, in database: Database) throws -> [UnconfirmedChange] {
        try database.all("\(select) WHERE quake = ? ORDER BY kind", key, read: change).compactMap(\.self)
    }

    static func all(in database: Database) throws -> [UnconfirmedChange] {
        try database.all("\(select) ORDER BY quake, kind", read: change).compactMap(\.self)
    }

    private static func change(_ row: Statement) -> UnconfirmedChange? {
        guard let kind = Kind(rawValue: row.text(1)) else { return nil }
        var change = UnconfirmedChange(
            quakeKey: row.key(0), kind: kind, sourceTime: row.timestamp(2), updated: row.timestampOrNil(5),
            place: row.textOrNil(6))
        change.last = row.timestamp(3)
        change.snapshots = Int(row.integer(4))
        change.awaitsService = row.integer(7) != 0
        return change
    }
}
