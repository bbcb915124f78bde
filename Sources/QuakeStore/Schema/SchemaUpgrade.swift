/// The steps from one version of the layout to the next. A new cache takes them too, so that it has the same objects as
/// one that was upgraded, with the same text.
enum SchemaUpgrade {
    /// Brings a cache of version `found` to `version`, within the caller's transaction.
    static func run(_ database: Database, from found: Int, to version: Int = Schema.version) throws {
        for (number, step) in steps where found < number && number <= version { try database.execute(step) }
        try database.execute("PRAGMA user_version = \(version)")
    }

    /// Each version after the first, and what makes it of the one before.
    private static let steps = [(2, toVersion2)]

    /// `windows` were the answers of a backfill that no count had proved whole; now each window is proved by a count of
    /// its own. `taken_back` is what an undo gives back beside the changes, as JSON. `unreadable` are the ids of features in answers of the event service that could not be read, with the
    /// origin times that were asked for.
    private static let toVersion2 = """
        DROP TABLE windows;
        CREATE TABLE taken_back (
            txn INTEGER PRIMARY KEY,
            taken TEXT NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE unreadable (
            id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL,
            reason TEXT NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}

extension Database {
    /// Whether the cache has `table`: one of an older version, which is only read, may not.
    func has(_ table: CheckedTable) throws -> Bool {
        try integer("SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?", table.name) != nil
    }
}
