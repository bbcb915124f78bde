import QuakeModel

/// Two temporary tables that lay other quakes over those of the cache: the keys that are touched, and the rows that
/// take their place. Any query takes `quakes` without those keys, and the second table: at nearly the cost of the present,
/// and without write access.
struct QuakeOverlay {
    /// The table of the keys, whose second column is ``PastOverlay``'s.
    let touched: String
    let quakes: String
    private let database: Database

    /// The tables called after `name`, which are created if they are missing.
    init(_ name: String, in database: Database) throws {
        (touched, quakes) = ("temp.\(name)_touched", "temp.\(name)_quakes")
        self.database = database
        try database.execute("CREATE TABLE IF NOT EXISTS \(touched) (key INTEGER PRIMARY KEY, first INTEGER)")
        // Made from the table itself, so that every column keeps the affinity by which values are compared.
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS \(quakes) AS SELECT key, \(QuakeColumns.list()) FROM main.quakes LIMIT 0;
            CREATE UNIQUE INDEX IF NOT EXISTS temp.\(name)_by_key ON \(name)_quakes (key)
            """)
    }

    func clear() throws { try database.execute("DELETE FROM \(touched); DELETE FROM \(quakes)") }

    /// Hides the quake under `key`.
    func hide(_ key: QuakeKey) throws {
        try database.run("INSERT OR IGNORE INTO \(touched) (key) VALUES (?)", key)
        try database.run("DELETE FROM \(quakes) WHERE key = ?", key)
    }

    /// Puts a quake under `key`, which is touched.
    func put(_ quake: Quake, _ key: QuakeKey) throws {
        let insert = try database.cached(
            "INSERT INTO \(quakes) (\(QuakeColumns.list()), key) VALUES (\(QuakeColumns.placeholders), ?)")
        try insert.bind(quake, from: 1)
        try insert.bind(Int32(QuakeColumns.names.count) + 1, key)
        try insert.run()
    }

    func touches(_ key: QuakeKey) throws -> Bool {
        try database.integer("SELECT 1 FROM \(touched) WHERE key = ?", key) != nil
    }

    /// The quake that is shown under `key`, if the overlay has it.
    func quake(_ key: QuakeKey) throws -> StoredQuake? {
        try database.first("SELECT \(QuakeColumns.list()) FROM \(quakes) WHERE key = ?", key) {
            StoredQuake(key: key, quake: $0.quake(from: 0))
        }
    }

    func touchedKeys() throws -> [QuakeKey] {
        try database.all("SELECT key FROM \(touched) ORDER BY key") { $0.key(0) }
    }

    /// The condition of what lies below and is not touched.
    var untouched: String { "key NOT IN (SELECT key FROM \(touched))" }
}
