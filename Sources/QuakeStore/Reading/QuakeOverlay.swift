/// Two temporary tables that overlay the quakes of the cache: the affected keys, and their replacement rows. A query
/// reads `quakes` without those keys, plus the second table. This needs no write access, and is nearly as fast as
/// reading the current state.
package struct QuakeOverlay {
    /// The table of affected keys. In an overlay of a past state, the second column is the quake's first change after
    /// that state; otherwise, it is not used.
    let touched: String
    let quakes: String
    private let name: String

    /// Creates an overlay whose tables are named after `name`.
    package init(_ name: String) {
        self.name = name
        touched = "temp.\(name)_touched"
        quakes = "temp.\(name)_quakes"
    }

    /// Creates the tables, or empties existing ones.
    func create(in database: Database) throws {
        // Copy the columns of `quakes` to keep each column's affinity, which determines how values compare.
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS \(touched) (key INTEGER PRIMARY KEY, first INTEGER);
            CREATE TABLE IF NOT EXISTS \(quakes) AS SELECT key, \(QuakeColumns.list()) FROM main.quakes LIMIT 0;
            CREATE UNIQUE INDEX IF NOT EXISTS temp.\(name)_by_key ON \(name)_quakes (key);
            DELETE FROM \(touched);
            DELETE FROM \(quakes)
            """)
    }

    /// Makes reads see `quake` under `key`, or no quake if `quake` is nil.
    func set(_ key: QuakeKey, to quake: Quake?, in database: Database) throws {
        try database.run("INSERT OR IGNORE INTO \(touched) (key) VALUES (?)", key)
        guard let quake else { return try database.run("DELETE FROM \(quakes) WHERE key = ?", key) }
        try database.run(
            "INSERT OR REPLACE INTO \(quakes) (\(QuakeColumns.list()), key) VALUES (\(QuakeColumns.placeholders), ?)",
            quake.columnValues, key)
    }
}
