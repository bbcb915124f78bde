import Synchronization

/// The ``QuakeOverlay`` that turns the present into the state after an earlier transaction: building it takes as long
/// as there are changes since.
enum PastOverlay {
    static let overlay = QuakeOverlay("past")
    static let touched = overlay.touched
    static let quakes = overlay.quakes

    /// Builds the tables from the changes of `scope`: everything after the wanted state. The first change of each quake
    /// keeps its row in that state.
    static func build(_ database: Database, _ scope: ChangeScope) throws {
        try overlay.create(in: database)
        // The sign before `quake` keeps SQLite from grouping by a walk over the whole index by quake.
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
    /// Where reads take quakes from. Builds the overlay of a pinned old generation on the first call.
    func source() throws -> QuakeSource {
        guard let generation = try settledGeneration(), generation.isPast else { return QuakeSource() }
        let database = try database()
        try generation.hasOverlay.withLock { hasOverlay in
            guard !hasOverlay else { return }
            // Half an overlay would stand in the way of the next attempt.
            try database.inSavepoint(keep: { _ in true }) {
                try PastOverlay.build(database, history.changesToRewind())
                if let moment = generation.place.published { try addEarlierSolutions(at: moment, to: database) }
            }
            hasOverlay = true
        }
        return QuakeSource(overlays: [PastOverlay.overlay])
    }

    /// The same with what is pending over it, if the descriptor asks for that.
    func source(for descriptor: QuakeDescriptor) throws -> QuakeSource {
        descriptor.includesPending && edits.hasChanges ? try PendingView.current(in: self).source : try source()
    }
}
