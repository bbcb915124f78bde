/// The schema of a cache file, with the rules for recognizing and creating a cache.
///
/// Tables are private; the views `quakes_v1`, `changes_v1`, and `solutions_v1` are public and only ever gain columns.
enum Schema {
    /// The schema version that this program reads and writes.
    static let version = 1
    /// `QKS1` in the file's header, which distinguishes a cache from another program's database.
    static let applicationID: Int64 = 0x514B_5331

    /// Checks that this program understands the cache, and creates a cache in an empty file if `access` allows it.
    static func prepare(
        _ database: Database, access: StoreConfiguration.Access, configuration: StoreConfiguration
    ) throws {
        let path = database.path
        // Read in one transaction, because another process may be creating the file.
        let (applicationID, found, isEmpty) = try database.inTransaction(.reading) {
            (
                try database.integer("PRAGMA application_id") ?? 0,
                try version(of: database),
                try database.integer("SELECT count(*) FROM sqlite_master") == 0
            )
        }
        switch (applicationID, found) {
        case (Schema.applicationID, Schema.version): break
        case (Schema.applicationID, 1...):
            throw StoreError.otherSchema(path: path, found: found, supported: Schema.version)
        case (0, 0) where isEmpty:
            guard access == .creating else { throw StoreError.noCache(path: path) }
            try create(database, now: configuration.now())
        default:
            throw StoreError.notACache(path: path)
        }
    }

    static func version(of database: Database) throws -> Int { Int(try database.integer("PRAGMA user_version") ?? 0) }

    private static func create(_ database: Database, now: Timestamp) throws {
        try database.inTransaction(.writing) {
            // Another process may have created the cache meanwhile.
            guard try database.integer("PRAGMA user_version") == 0 else { return }
            try SchemaObjects.create(database, at: now)
            try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        }
    }
}
