import Synchronization

/// The ``QuakeOverlay`` that turns the current state into the state after an earlier transaction. The time to build it
/// grows with the number of changes since then.
enum PastOverlay {
    static let overlay = QuakeOverlay("past")
    static let touched = overlay.touched
    static let quakes = overlay.quakes

    /// Builds the tables from the changes of `scope`, that is, all changes after the desired state. The row before each
    /// quake's first change is the quake's row in that state.
    static func build(_ database: Database, _ scope: ChangeScope) throws {
        try overlay.create(in: database)
        // The plus sign before `c.quake` keeps SQLite from grouping by a scan of the whole index by quake.
        let touch = try database.prepare(
            "INSERT INTO \(touched) SELECT +c.quake, min(c.id) FROM main.changes c WHERE \(scope.condition) GROUP BY 1")
        try touch.bindAll(scope.ids.lowerBound, scope.ids.upperBound)
        try touch.run()
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
                try PastOverlay.build(database, history.changesToRewind())
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
