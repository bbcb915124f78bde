import QuakeModel

/// What the fourth schema adds: which parts of the catalogue the cache holds (``CataloguePart``).
enum SchemaVersion4 {
    /// Upgrades a cache of version 3.
    static func upgrade(_ database: Database) throws {
        try database.execute(
            """
            CREATE TABLE catalogue (
                since INTEGER NOT NULL,
                until INTEGER NOT NULL,
                as_of INTEGER NOT NULL,
                open_ended INTEGER NOT NULL,
                min_mag REAL,
                max_mag REAL,
                min_depth REAL,
                max_depth REAL,
                west REAL,
                south REAL,
                east REAL,
                north REAL,
                lat REAL,
                lon REAL,
                radius REAL,
                types TEXT NOT NULL
            ) STRICT
            """)
    }

    /// Lets a connection that cannot upgrade the file read a cache of version 3 as one of version 4.
    static func imitate(_ database: Database) throws {
        try database.execute(
            """
            CREATE TEMP VIEW catalogue AS
                SELECT 0 AS since, 0 AS until, 0 AS as_of, 0 AS open_ended, NULL AS min_mag, NULL AS max_mag,
                    NULL AS min_depth, NULL AS max_depth, NULL AS west, NULL AS south, NULL AS east, NULL AS north,
                    NULL AS lat, NULL AS lon, NULL AS radius, '' AS types
                WHERE 0;
            """)
    }
}
