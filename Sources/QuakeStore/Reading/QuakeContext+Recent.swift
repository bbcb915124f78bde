/// Queries for command-line completion, which must be fast however many quakes there are. Each query reads a bounded
/// number of rows through an index.
extension QuakeContext {
    /// An id, with details that help distinguish its quake from others.
    package struct RecentID: Hashable, Sendable {
        /// The id, in the feed's own case.
        package var id: String
        /// The origin time; nil if the quake was deleted.
        package var time: Timestamp?
        package var magnitude: Double?
        package var place: String?
    }

    /// The number of newest quakes that these queries examine.
    package static let recentRows = 20_000

    /// Returns at most `count` ids that start with `prefix`, newest quakes first; case is ignored.
    ///
    /// If no more than `count` ids match, the result contains them all, including former ids. Otherwise it contains the
    /// preferred ids of the newest quakes or, if none of these match, the alphabetically first ids.
    package func recentIDs(startingWith prefix: String, count: Int) throws -> [RecentID] {
        let database = try database()
        let listed = try database.all(
            """
            SELECT a.alias, q.time, q.mag, q.place FROM
                (SELECT alias, quake FROM aliases WHERE alias >= ?1 AND alias < ?1 || char(0x10FFFF) LIMIT ?2) a
                LEFT JOIN quakes q ON q.key = a.quake
            ORDER BY q.time DESC NULLS LAST, a.alias
            """, prefix, count + 1, read: QuakeContext.recentID)
        guard listed.count > count else { return listed }
        let newest = try database.all(
            """
            SELECT net || code, time, mag, place FROM quakes WHERE key IN (
                SELECT key FROM (SELECT key, net || code AS id FROM quakes ORDER BY time DESC, net || code LIMIT ?3)
                WHERE substr(id, 1, length(?1)) = ?1 COLLATE NOCASE LIMIT ?2)
            ORDER BY time DESC, net || code
            """, prefix, count, Self.recentRows, read: QuakeContext.recentID)
        return newest.isEmpty ? Array(listed.prefix(count)) : newest
    }

    private static func recentID(_ row: Statement) -> RecentID {
        RecentID(id: row.text(0), time: row.timestampOrNil(1), magnitude: row.realOrNil(2), place: row.textOrNil(3))
    }

    /// Counts the newest quakes by region. A quake at a border counts on both sides.
    package func regions() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        var parts: [String: Int] = [:]
        _ = try database().all(
            "SELECT place, lon FROM (SELECT place, lon FROM quakes ORDER BY time DESC LIMIT ?) WHERE place IS NOT NULL",
            Self.recentRows
        ) { row in parts[Region.lastPart(of: row.text(0), longitude: row.real(1)), default: 0] += 1 }
        for (part, count) in parts {
            for name in Region.names(ofPart: part) { counts[name, default: 0] += count }
        }
        return counts
    }

    /// Returns the sorted values of a text property of the newest quakes, and whether these are all quakes.
    package func recentTexts(of property: QuakeProperty) throws -> (texts: [String], areAll: Bool) {
        let column = property.rawValue
        guard property.kind == .text, QuakeColumns.names.contains(column) else { return ([], true) }
        var (texts, rows): ([String], Int64) = ([], 0)
        _ = try database().all(
            """
            SELECT \(column), count(*) FROM (SELECT \(column) FROM quakes ORDER BY time DESC LIMIT ?)
            GROUP BY 1 ORDER BY 1
            """, Self.recentRows
        ) { row in
            rows += row.integer(1)
            if let text = row.textOrNil(0) { texts.append(text) }
        }
        return (texts, rows < Self.recentRows)
    }
}
