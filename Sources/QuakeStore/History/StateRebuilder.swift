import QuakeModel

/// Finds the state of a quake after any change that is in the history, or before its first: what the next change keeps
/// as the row before it, otherwise the present row.
struct StateRebuilder {
    private let statement: Statement

    init(_ database: Database) throws {
        statement = try database.prepare(
            """
            SELECT c.id, c.before, q.key, \(QuakeColumns.list(prefix: "q."))
            FROM (SELECT ?1 AS key, (SELECT min(id) FROM changes WHERE quake = ?1 AND id > ?2) AS later) n
                LEFT JOIN changes c ON c.id = n.later LEFT JOIN quakes q ON q.key = iif(n.later IS NULL, n.key, NULL)
            """)
    }

    /// The state of the quake under `key` right after `change`; nil when it was not in the cache then.
    func state(of key: QuakeKey, after change: ChangeID) throws -> Quake? {
        try statement.bindAll(key, change)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        if !statement.isNull(0) { return try statement.recordedQuake(1) }
        return statement.isNull(2) ? nil : statement.quake(from: 3)
    }
}
