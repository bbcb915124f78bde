import QuakeModel

/// What the third schema changes: no address in the file gives access any more (``WebAddress``). The tables stay as
/// they are.
enum SchemaVersion3 {
    /// Upgrades a cache of version 2.
    static func upgrade(_ database: Database) throws {
        // What is replaced is overwritten with zeros; otherwise it would stay in the unused parts of the pages.
        let before = try database.integer("PRAGMA secure_delete") ?? 0
        try database.execute("PRAGMA secure_delete = ON")
        defer { try? database.execute("PRAGMA secure_delete = \(before)") }
        try uniteFeeds(database)
        try database.execute(
            """
            UPDATE feeds SET name = redacted(name), url = redacted(url), error = redacted(error)
            WHERE \(isRedactable("name, url, error"));
            UPDATE transactions SET url = redacted(url), context = redacted(context)
            WHERE \(isRedactable("url, context"));
            """)
    }

    /// Lets a connection that cannot upgrade the file read a cache of version 2 as one of version 3: temporary views
    /// stand in front of the tables with addresses.
    static func imitate(_ database: Database) throws {
        try database.execute(
            """
            CREATE TEMP VIEW feeds AS
                SELECT redacted(name) AS name, redacted(url) AS url, generated, etag, last_modified, checked, applied,
                    features, not_before, redacted(error) AS error, error_time, roster FROM main.feeds;
            CREATE TEMP VIEW transactions AS
                SELECT number, time, fingerprint, author, redacted(context) AS context, pid, host, program,
                    redacted(url) AS url, generated, etag, sha256, features, last_change, inserted, updated, deleted
                FROM main.transactions;
            """)
    }

    /// Of feeds whose names become equal, the one that was asked last keeps its record.
    private static func uniteFeeds(_ database: Database) throws {
        let names = try database.all(
            """
            SELECT name FROM feeds
            ORDER BY max(coalesce(checked, 0), coalesce(applied, 0), coalesce(error_time, 0)) DESC, name
            """
        ) { $0.text(0) }
        var kept: Set<String> = []
        for name in names where !kept.insert(WebAddress.redactedText(name)).inserted {
            try database.run("DELETE FROM feeds WHERE name = ?", name)
        }
    }

    private static func isRedactable(_ columns: String) -> String {
        columns.split(separator: ", ").map { "\($0) IS NOT redacted(\($0))" }.joined(separator: " OR ")
    }
}
