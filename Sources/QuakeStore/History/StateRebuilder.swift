/// Finds the state of a quake after any change in the history, or before its first change. The state is the row stored
/// with the quake's next change (the values before that change) or, if there is none, the quake's present row.
struct StateRebuilder {
    private let statement: Statement

    init(_ database: Database) throws {
        statement = try database.prepare(
            """
            SELECT \(QuakeColumns.list()) FROM rows_before
            WHERE change = (SELECT min(id) FROM changes WHERE quake = ?1 AND id > ?2)
            UNION ALL SELECT \(QuakeColumns.list()) FROM quakes
            WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM changes WHERE quake = ?1 AND id > ?2)
            """)
    }

    /// Returns the state of the quake with `key` right after `change`; nil if the quake was not in the cache then.
    func state(of key: QuakeKey, after change: ChangeID) throws -> Quake? {
        try statement.first(key, change) { $0.quake(from: 0) }
    }
}
