import GRDB
import QuakeModel

/// The layout of a cache file: how it is recognised, made and brought up to date.
///
/// A released version never changes; a new one is a new case with its own file. Tables are private; the views
/// `quakes_v1` and `changes_v1` are the public face and only ever gain columns.
enum Schema {
    /// The version this program writes.
    static let version = 1
    /// `QUKE`, in the file's header: what tells a cache from another program's database.
    static let applicationID: Int32 = 0x5155_4B45

    /// Checks that the file is a cache this program understands, and makes or upgrades it where `access` allows.
    static func prepare(_ db: Database, path: String, access: StoreConfiguration.Access, now: Timestamp) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let applicationID = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        switch (applicationID, found) {
        case (Schema.applicationID, Schema.version):
            return
        case (Schema.applicationID, let newer) where newer > Schema.version:
            throw StoreError.newerSchema(path: path, found: newer, supported: Schema.version)
        case (0, 0):
            guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0 else {
                throw StoreError.notACache(path: path)
            }
            guard access == .creating else { throw StoreError.noCache(path: path) }
            try migrate(db, from: 0, now: now)
        default:
            throw StoreError.notACache(path: path)
        }
    }

    private static func migrate(_ db: Database, from found: Int, now: Timestamp) throws {
        try db.inTransaction(.immediate) {
            // Another process may have been quicker.
            guard try Int.fetchOne(db, sql: "PRAGMA user_version") == found else { return .commit }
            try SchemaVersion1.create(db, at: now)
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }
}
