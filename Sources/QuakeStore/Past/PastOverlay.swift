/// The ``QuakeOverlay`` that turns the current state into a past state. The time to build the overlay grows with the
/// number of changes since that state.
enum PastOverlay {
    static let overlay = QuakeOverlay("past")
    static let touched = overlay.touched
    static let quakes = overlay.quakes
    /// The table of the ids, in lowercase, that led to another quake in the past state, with that quake's key; NULL for
    /// an id that led to no quake.
    static let ids = "temp.past_ids"
    /// A query for the key of the quake into which the quake under `?1` was merged in the past state.
    static let mergeTargetQuery = """
        SELECT iif(EXISTS (SELECT 1 FROM \(touched) WHERE key = ?1),
            (SELECT merged_into FROM main.changes WHERE quake = ?1
                AND id < (SELECT first FROM \(touched) WHERE key = ?1) ORDER BY id DESC LIMIT 1),
            (SELECT merged_into FROM main.departed WHERE quake = ?1))
        """

    /// Builds the tables for the state at `place` from the changes in `scope`, which follow that state, and from the
    /// transactions that made them. Each quake's first change in `scope` contains the quake's row in that state, and
    /// each id's first move contains the quake to which the id led.
    static func build(for place: HistoryPosition, from scope: ChangeScope, in database: Database) throws {
        try overlay.create(in: database)
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS \(ids) (id TEXT PRIMARY KEY, key INTEGER) WITHOUT ROWID;
            DELETE FROM \(ids)
            """)
        for (id, moved) in try MovedID.all(where: place.excludesTransaction, in: database) {
            try database.run("INSERT OR IGNORE INTO \(ids) VALUES (?, ?)", id, moved.old)
        }
        // The plus sign before `c.quake` keeps SQLite from scanning the whole index on `quake` to group the rows.
        let touch = try database.prepare(
            "INSERT INTO \(touched) SELECT +c.quake, min(c.id) FROM main.changes c WHERE \(scope.condition) GROUP BY 1")
        try touch.run(scope.ids.lowerBound, scope.ids.upperBound)
        try database.execute(
            "INSERT INTO \(quakes) SELECT key, \(QuakeColumns.list()) FROM \(touched) JOIN main.rows_before ON change = first"
        )
        if let moment = place.published { try EarlierSolutions.add(to: overlay, at: moment, in: database) }
    }
}
