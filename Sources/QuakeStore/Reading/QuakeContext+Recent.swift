/// What a cache holds, as far as it can be said at once: for the completion of a command line, which must not keep a
/// person waiting however many quakes there are. Each question reads a bounded number of rows through an index.
extension QuakeContext {
    /// An id and what helps to tell its quake from others.
    package struct RecentID: Hashable, Sendable {
        /// The id, in the case in which the feed writes it.
        package var id: String
        /// The origin time; nil if the quake was deleted.
        package var time: Timestamp?
        package var magnitude: Double?
        package var place: String?
    }

    /// How many of the newest quakes these questions look at.
    package static let recentRows = 20_000

    /// At most `count` ids that start with `prefix`, those of the newest quakes first. The case does not matter.
    ///
    /// If few ids start so, these are all of them, including those that quakes had before. Otherwise they are the
    /// preferred ids of the newest quakes; if none of these starts so, the first in alphabetical order.
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

    /// The regions of the newest quakes and how many quakes each has; one at a border counts on both sides.
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

    /// The texts that a property of the newest quakes has, sorted, and whether these are all quakes of the cache.
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
