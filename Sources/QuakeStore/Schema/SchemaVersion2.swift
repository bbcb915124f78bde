import QuakeModel

/// What the second released schema adds to the first.
enum SchemaVersion2 {
    /// Upgrades a cache of version 1.
    static func upgrade(_ database: Database) throws {
        // The place name that a doubt of kind `place` claims. Version 1 had room for a number only.
        try database.execute("ALTER TABLE doubts ADD COLUMN name TEXT")
        // Whether an absence waits for the answer of the event service.
        try database.execute("ALTER TABLE doubts ADD COLUMN awaits INTEGER NOT NULL DEFAULT 0")
        // The newest `generated` of the purged transactions. Version 1 did not keep it: no snapshot is newer than its
        // transaction.
        try database.execute("ALTER TABLE store ADD COLUMN floor_published INTEGER")
        try database.execute("UPDATE store SET floor_published = floor_time")
        try database.execute(
            "CREATE TABLE coverage (since INTEGER PRIMARY KEY, until INTEGER NOT NULL) STRICT")
        try recoverCoverage(database)
    }

    /// Lets a connection that cannot upgrade the file read a cache of version 1 as one of version 2: temporary views
    /// stand in front of the tables that changed.
    static func imitate(_ database: Database) throws {
        try database.execute(
            """
            CREATE TEMP VIEW doubts AS
                SELECT quake, kind, first, last, sightings, news, NULL AS name, 0 AS awaits FROM main.doubts;
            CREATE TEMP VIEW store AS
                SELECT id, created, floor, floor_fingerprint, floor_time, floor_moved, floor_author,
                    floor_time AS floor_published FROM main.store;
            CREATE TEMP VIEW coverage AS SELECT 0 AS since, 0 AS until WHERE 0;
            """)
    }

    /// Fills `coverage` from what version 1 kept: the newest snapshot of each feed, and those that changed something.
    private static func recoverCoverage(_ database: Database) throws {
        let snapshots = try database.all(
            """
            SELECT name, generated FROM feeds WHERE generated IS NOT NULL
            UNION SELECT context, generated FROM transactions WHERE context IS NOT NULL AND generated IS NOT NULL
            """
        ) { (feed: FeedName($0.text(0)), generated: Timestamp(milliseconds: $0.integer(1))) }
        for (feed, generated) in snapshots {
            guard let feed, feed.isComplete else { continue }
            try Coverage.add(generated - feed.period.window...generated, to: database)
        }
    }
}
