/// What the fifth schema changes: the index by time runs as time does, and places have an index.
///
/// Quakes come in the order of time, by and large. An index that runs against it is filled at its beginning, which
/// leaves every page half empty (decision 0095).
enum SchemaVersion5 {
    /// Upgrades a cache of version 4. A connection that cannot upgrade the file reads it as it is, without the index of
    /// places.
    static func upgrade(_ database: Database) throws {
        try database.execute(
            """
            DROP INDEX IF EXISTS quakes_by_time;
            CREATE INDEX quakes_by_time ON quakes (time, (net || code) DESC, mag, hash);
            CREATE INDEX quakes_by_place ON quakes (\(PlaceCells.expression));
            """)
    }
}
