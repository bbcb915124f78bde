import QuakeModel

/// The schema of a cache file: how a cache is recognized and created.
///
/// Tables are private; the views `quakes_v1`, `changes_v1` and `solutions_v1` are the public interface and only ever
/// gain columns.
enum Schema {
    /// The version that this program writes.
    static let version = 3
    /// The oldest version that it reads, and upgrades when it opens the cache to write.
    static let oldestVersion = 1
    /// `QUAK`, in the file's header, which distinguishes a cache from the database of another program.
    static let applicationID: Int64 = 0x5155_414B
    /// `QUKE`, which caches had before the first release. Each is older than version 1, whatever its number.
    static let formerApplicationID: Int64 = 0x5155_4B45

    /// Checks that this program understands the cache, and creates one in an empty file where `access` allows.
    static func prepare(
        _ database: Database, access: StoreConfiguration.Access, configuration: StoreConfiguration
    ) throws {
        let path = database.path
        // In one read transaction: another process may be creating the file.
        let (applicationID, found, isEmpty) = try database.inTransaction(.reading) {
            (
                try database.integer("PRAGMA application_id") ?? 0,
                try version(of: database),
                try database.integer("SELECT count(*) FROM sqlite_master") == 0
            )
        }
        switch (applicationID, found) {
        case (Schema.applicationID, Schema.oldestVersion...Schema.version):
            if access != .reading { try upgrade(database) }
        case (Schema.applicationID, 1...):
            throw StoreError.otherSchema(path: path, found: found, supported: Schema.version)
        case (formerApplicationID, _):
            throw StoreError.otherSchema(path: path, found: 0, supported: Schema.version)
        case (0, 0):
            guard isEmpty else { throw StoreError.notACache(path: path) }
            guard access == .creating else { throw StoreError.noCache(path: path) }
            try create(database, now: configuration.now())
        default:
            throw StoreError.notACache(path: path)
        }
    }

    /// Brings a cache of an older version to that of this program. One of this version stays as it is.
    static func upgrade(_ database: Database) throws {
        guard try version(of: database) < version else { return }
        try database.inTransaction(.writing) {
            // Another process may have been faster.
            let found = try version(of: database)
            if found < version { try SchemaUpgrade.run(database, from: found) }
        }
    }

    static func version(of database: Database) throws -> Int {
        Int(try database.integer("PRAGMA user_version") ?? 0)
    }

    private static func create(_ database: Database, now: Timestamp) throws {
        try database.inTransaction(.writing) {
            // Another process may have been faster.
            guard try database.integer("PRAGMA user_version") == 0 else { return }
            try SchemaObjects.create(database, at: now)
            try database.execute("PRAGMA application_id = \(applicationID)")
        }
    }
}
