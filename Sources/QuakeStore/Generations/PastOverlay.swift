import GRDB
import QuakeModel

/// Temporary tables that turn the present into the state after an earlier transaction.
///
/// Need: any query must run on an old state at nearly the price of the present. Hazard: a copy of the whole cache grows with the
/// cache; rewriting rows takes the right to write. Choice: two tables of this connection alone, the keys of all quakes
/// changed since, and the values then of those which existed; a query takes `quakes` without those keys, and the second
/// table. Each arm keeps its index order. Price: building grows with what changed since. Works on a read-only file;
/// SQLite keeps the tables in memory and moves large ones to a temporary file.
enum PastOverlay {
    static let touched = "temp.touched"
    static let quakes = "temp.past_quakes"

    /// Makes the tables from the changes in `range`, all that came after the state wanted.
    static func build(_ db: Database, path: String, range: Range<Int64>) throws {
        try db.execute(sql: "CREATE TABLE \(touched) (key INTEGER PRIMARY KEY)")
        // Made from the table itself, so that every column keeps the affinity by which values are compared.
        try db.execute(
            sql: "CREATE TABLE \(quakes) AS SELECT key, \(QuakeColumns.list()) FROM main.quakes LIMIT 0")
        try db.execute(sql: "CREATE INDEX temp.past_quakes_by_key ON past_quakes (key)")
        let walk = try SQLStatement(
            db, "SELECT quake, kind, before FROM main.changes WHERE id >= ? AND id < ? ORDER BY quake, id",
            isShared: false)
        walk.bind(1, range.lowerBound)
        walk.bind(2, range.upperBound)
        defer { walk.reset() }
        let rows = try Rows(db)
        var rewind: QuakeRewind?
        while try walk.step() {
            let key = walk.integer(0)
            if rewind?.key != key {
                if let rewind { try rows.write(rewind, path: path) }
                rewind = QuakeRewind(key: key)
            }
            if rewind?.isComplete == false { try rewind?.take(walk, path: path) }
        }
        if let rewind { try rows.write(rewind, path: path) }
    }

    private struct Rows {
        let touch: SQLStatement
        let insert: SQLStatement
        let current: SQLStatement

        init(_ db: Database) throws {
            touch = try SQLStatement(db, "INSERT INTO \(touched) (key) VALUES (?)", isShared: false)
            insert = try SQLStatement(
                db, "INSERT INTO \(quakes) (\(QuakeColumns.list()), key) VALUES (\(QuakeColumns.placeholders), ?)",
                isShared: false)
            current = try SQLStatement(
                db, "SELECT \(QuakeColumns.list()) FROM main.quakes WHERE key = ?", isShared: false)
        }

        func write(_ rewind: QuakeRewind, path: String) throws {
            touch.bind(1, rewind.key)
            try touch.run()
            guard !rewind.isAbsent else { return }
            guard let state = try rewind.state(current) else {
                throw StoreError.corrupt(path: path, reason: "quake \(rewind.key) is gone without a tombstone")
            }
            insert.bind(state, from: 1)
            insert.bind(Int32(QuakeColumns.names.count) + 1, rewind.key)
            try insert.run()
        }
    }
}
