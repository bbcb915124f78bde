import Synchronization

/// The ``QuakeOverlay`` that turns the current state into the state after an earlier transaction. The time to build it
/// grows with the number of changes since then.
enum PastOverlay {
    static let overlay = QuakeOverlay("past")
    static let touched = overlay.touched
    static let quakes = overlay.quakes
    /// The table of lowercase ids that led to another quake, with the key of that quake, or NULL for no quake.
    static let ids = "temp.past_ids"
    /// A query for the key of the quake into which the quake under `?1` had been merged.
    static let merge = """
        SELECT iif(EXISTS (SELECT 1 FROM \(touched) WHERE key = ?1),
            (SELECT merged_into FROM main.changes WHERE quake = ?1
                AND id < (SELECT first FROM \(touched) WHERE key = ?1) ORDER BY id DESC LIMIT 1),
            (SELECT merged_into FROM main.departed WHERE quake = ?1))
        """

    /// Builds the tables from the changes in `scope`, which follow the wanted state, and from the transactions that
    /// made them, selected by `condition`. A quake's first change contains its row in the wanted state, and the first
    /// move of an id contains the quake to which the id led.
    static func build(_ database: Database, _ scope: ChangeScope, where condition: String) throws {
        try overlay.create(in: database)
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS \(ids) (id TEXT PRIMARY KEY, key INTEGER) WITHOUT ROWID;
            DELETE FROM \(ids)
            """)
        for (id, moved) in try TakenBack.movedIDs(where: condition, in: database) {
            try database.run("INSERT OR IGNORE INTO \(ids) VALUES (?, ?)", id, moved.old)
        }
        // The plus sign before `c.quake` keeps SQLite from grouping the rows by a scan of the whole index on `quake`.
        let touch = try database.prepare(
            "INSERT INTO \(touched) SELECT +c.quake, min(c.id) FROM main.changes c WHERE \(scope.condition) GROUP BY 1")
        try touch.run(scope.ids.lowerBound, scope.ids.upperBound)
        try database.execute(
            "INSERT INTO \(quakes) SELECT key, \(QuakeColumns.list()) FROM \(touched) JOIN main.rows_before ON change = first"
        )
    }
}

extension QuakeContext {
    /// Returns the tables that reads use. The first call builds the overlay of a pinned past generation.
    func source() throws -> QuakeSource {
        guard let generation = try settledGeneration(), generation.isPast else { return QuakeSource() }
        let database = try database()
        try generation.hasOverlay.withLock { hasOverlay in
            guard !hasOverlay else { return }
            // A half-built overlay would block the next attempt.
            try database.inSavepoint(keep: { _ in true }) {
                try PastOverlay.build(
                    database, history.changesToRewind(), where: history.transactionsToRewind)
                if let moment = generation.place.published { try addEarlierSolutions(at: moment, to: database) }
            }
            hasOverlay = true
        }
        return QuakeSource(overlays: [PastOverlay.overlay])
    }

    /// Returns the tables for a read of `descriptor`, including pending changes if it requests them.
    func source(for descriptor: QuakeDescriptor) throws -> QuakeSource {
        descriptor.includesPending && edits.hasChanges ? try PendingView.current(in: self).source : try source()
    }
}
