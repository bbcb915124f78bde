/// A quake that a range of changes touched, and whether it existed before and after the range.
package struct TouchedQuake {
    package var key: QuakeKey
    /// The quake's first change in the range.
    var first: ChangeID
    /// The quake's last change in the range.
    var last: ChangeID
    package var existedBefore: Bool
    package var existsAfter: Bool
    var hasLaterChanges: Bool

    static func all(in range: Range<ChangeID>, _ database: Database) throws -> [TouchedQuake] {
        try database.all(
            """
            SELECT g.quake, g.first, g.last, a.kind, b.kind,
                EXISTS (SELECT 1 FROM changes l WHERE l.quake = g.quake AND l.id >= ?2)
            FROM (
                SELECT quake, min(id) AS first, max(id) AS last FROM changes WHERE id >= ?1 AND id < ?2 GROUP BY quake
            ) g JOIN changes a ON a.id = g.first JOIN changes b ON b.id = g.last ORDER BY g.quake
            """, range.lowerBound, range.upperBound
        ) { row in
            TouchedQuake(
                key: row.key(0), first: row.change(1), last: row.change(2),
                existedBefore: row.integer(3) != ChangeKind.insert.code,
                existsAfter: row.integer(4) != ChangeKind.delete.code, hasLaterChanges: row.integer(5) == 1)
        }
    }
}

extension StoreHistory {
    /// Returns the quakes that transaction `number` changed, sorted by key.
    package func touchedQuakes(ofTransaction number: TransactionNumber) throws -> [TouchedQuake] {
        try TouchedQuake.all(in: changeIDs(ofTransaction: number), session.database())
    }
}
