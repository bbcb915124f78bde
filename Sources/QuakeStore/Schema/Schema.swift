import QuakeModel

/// The schema of a cache file: how a cache is recognised, created and upgraded.
///
/// A released version never changes; a new one is a migration in a file of its own. Tables are private; the views
/// `quakes_v1` and `changes_v1` are the public interface and only ever gain columns.
enum Schema {
    /// The version this program writes.
    static let version = 5
    /// `QUKE`, in the file's header, which distinguishes a cache from the database of another program.
    static let applicationID: Int64 = 0x5155_4B45

    /// Checks that the file is a cache this program understands, upgrades one of an older version and creates one in an
    /// empty file, where `access` allows.
    static func prepare(
        _ database: Database, access: StoreConfiguration.Access, configuration: StoreConfiguration
    ) throws {
        let path = database.path
        // In one read transaction: another process may be creating the file.
        let (applicationID, found, isEmpty) = try database.inTransaction(.reading) {
            (
                try database.integer("PRAGMA application_id") ?? 0,
                Int(try database.integer("PRAGMA user_version") ?? 0),
                try database.integer("SELECT count(*) FROM sqlite_master") == 0
            )
        }
        switch (applicationID, found) {
        case (Schema.applicationID, Schema.version):
            return
        case (Schema.applicationID, 1..<Schema.version):
            // Another user's cache, or one on a read-only disk, can be read without being upgraded.
            guard database.isWritable else { return try imitate(database, from: found) }
            try upgrade(database)
        case (Schema.applicationID, let newer) where newer > Schema.version:
            throw StoreError.newerSchema(path: path, found: newer, supported: Schema.version)
        case (0, 0):
            guard isEmpty else { throw StoreError.notACache(path: path) }
            guard access == .creating else { throw StoreError.noCache(path: path) }
            try create(database, now: configuration.now())
        default:
            throw StoreError.notACache(path: path)
        }
    }

    private static func create(_ database: Database, now: Timestamp) throws {
        try database.inTransaction(.writing) {
            // Another process may have been faster.
            guard try database.integer("PRAGMA user_version") == 0 else { return }
            try SchemaVersion1.create(database, at: now)
            try SchemaVersion2.upgrade(database)
            try SchemaVersion3.upgrade(database)
            try SchemaVersion4.upgrade(database)
            try SchemaVersion5.upgrade(database)
            try database.execute("PRAGMA application_id = \(applicationID)")
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    private static func upgrade(_ database: Database) throws {
        try database.inTransaction(.writing) {
            // Another process may have been faster.
            guard let found = try database.integer("PRAGMA user_version"), found < version else { return }
            if found < 2 { try SchemaVersion2.upgrade(database) }
            if found < 3 { try SchemaVersion3.upgrade(database) }
            if found < 4 { try SchemaVersion4.upgrade(database) }
            if found < 5 { try SchemaVersion5.upgrade(database) }
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Lets a connection that cannot upgrade the file read a cache of version `found` as one of the present version.
    private static func imitate(_ database: Database, from found: Int) throws {
        if found < 2 { try SchemaVersion2.imitate(database) }
        if found < 3 { try SchemaVersion3.imitate(database) }
        if found < 4 { try SchemaVersion4.imitate(database) }
    }
}
