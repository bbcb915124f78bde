import QuakeModel
import Synchronization

/// Temporary tables that turn the present into the state after an earlier transaction.
///
/// Any query runs on an old state at nearly the cost of the present, without write access: one table holds the keys of
/// all quakes changed since, the other the values then of those which existed; a query takes `quakes` without those
/// keys, and the second table. Building them takes as long as there are changes since.
enum PastOverlay {
    static let touched = "temp.touched"
    static let quakes = "temp.past_quakes"

    /// Builds the tables from the changes of `scope`: everything after the wanted state. The first change of each quake
    /// keeps its row in that state.
    static func build(_ database: Database, _ scope: ChangeScope) throws {
        try database.execute("CREATE TABLE \(touched) (key INTEGER PRIMARY KEY, first INTEGER NOT NULL)")
        // Made from the table itself, so that every column keeps the affinity by which values are compared.
        try database.execute("CREATE TABLE \(quakes) AS SELECT key, \(QuakeColumns.list()) FROM main.quakes LIMIT 0")
        try database.execute("CREATE INDEX temp.past_quakes_by_key ON past_quakes (key)")
        // The sign before `quake` keeps SQLite from grouping by a walk over the whole index by quake.
        let touch = try database.prepare(
            "INSERT INTO \(touched) SELECT +c.quake, min(c.id) FROM main.changes c WHERE \(scope.condition) GROUP BY 1")
        try touch.bindAll(scope.ids.lowerBound, scope.ids.upperBound)
        try touch.run()
        try database.execute(
            "INSERT INTO \(quakes) SELECT key, \(QuakeColumns.list()) FROM \(touched) JOIN main.rows_before ON change = first"
        )
    }

    /// Adds a quake to the state.
    static func add(_ quake: Quake, _ key: QuakeKey, to database: Database) throws {
        let insert = try database.cached(
            "INSERT INTO \(quakes) (\(QuakeColumns.list()), key) VALUES (\(QuakeColumns.placeholders), ?)")
        try insert.bind(quake, from: 1)
        try insert.bind(Int32(QuakeColumns.names.count) + 1, key)
        try insert.run()
    }
}

extension QuakeContext {
    /// Where reads take quakes from. Builds the overlay of a pinned old generation at the first call.
    func source() throws -> QuakeSource {
        guard let generation = try settledGeneration(), generation.isPast else { return .present }
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
        return .past
    }
}
