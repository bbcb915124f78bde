import QuakeModel

/// Finds the state of a quake after any change that is in the history, or before its first: the row before
/// the next change, otherwise the present row.
struct StateRebuilder {
    private let statement: Statement

    init(_ database: Database) throws {
        statement = try database.prepare(
            """
            WITH next AS (SELECT min(id) AS id FROM changes WHERE quake = ?1 AND id > ?2)
            SELECT \(QuakeColumns.list()) FROM next JOIN rows_before ON change = id
            UNION ALL SELECT \(QuakeColumns.list()) FROM next JOIN quakes ON key = ?1 WHERE id IS NULL
            """)
    }

    /// The state of the quake under `key` right after `change`; nil when it was not in the cache then.
    func state(of key: QuakeKey, after change: ChangeID) throws -> Quake? {
        try statement.bindAll(key, change)
        defer { statement.reset() }
        return try statement.step() ? statement.quake(from: 0) : nil
    }
}
