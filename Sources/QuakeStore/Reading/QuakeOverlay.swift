/// Two temporary tables that lay other quakes over those of the cache: the keys that are touched, and the rows that
/// take their place. Any query takes `quakes` without those keys, and the second table: at nearly the cost of the
/// present, and without write access.
struct QuakeOverlay {
    /// The table of the keys, whose second column is ``PastOverlay``'s.
    let touched: String
    let quakes: String
    private let name: String

    /// The tables called after `name`.
    init(_ name: String) { (self.name, touched, quakes) = (name, "temp.\(name)_touched", "temp.\(name)_quakes") }

    /// Creates the tables, or empties them.
    func create(in database: Database) throws {
        // Made from the table itself, so that every column keeps the affinity by which values are compared.
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS \(touched) (key INTEGER PRIMARY KEY, first INTEGER);
            CREATE TABLE IF NOT EXISTS \(quakes) AS SELECT key, \(QuakeColumns.list()) FROM main.quakes LIMIT 0;
            CREATE UNIQUE INDEX IF NOT EXISTS temp.\(name)_by_key ON \(name)_quakes (key);
            DELETE FROM \(touched);
            DELETE FROM \(quakes)
            """)
    }

    /// Shows `quake` under `key`, or nothing.
    func set(_ key: QuakeKey, to quake: Quake?, in database: Database) throws {
        try database.run("INSERT OR IGNORE INTO \(touched) (key) VALUES (?)", key)
        guard let quake else { return try database.run("DELETE FROM \(quakes) WHERE key = ?", key) }
        let insert = try database.cached(
            "INSERT OR REPLACE INTO \(quakes) (\(QuakeColumns.list()), key) VALUES (\(QuakeColumns.placeholders), ?)")
        try insert.bind(quake, from: 1)
        try insert.bind(Int32(QuakeColumns.names.count) + 1, key)
        try insert.run()
    }
}
