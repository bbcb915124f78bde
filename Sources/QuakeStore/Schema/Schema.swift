/// The schema of a cache file, with the rules for recognizing, creating and upgrading a cache.
///
/// Tables are private; the views `quakes_v1`, `changes_v1`, and `solutions_v1` are public and only ever gain columns.
struct Schema: Sendable {
    /// The steps that lead to this schema, in order. The number of steps is the schema version, which a cache stores as
    /// `user_version`.
    let steps: [SchemaStep]

    /// The schema that this program reads and writes.
    static let current = Schema(steps: SchemaStep.all)

    var version: Int { steps.count }

    /// Checks that this program supports the cache's schema. Upgrades an older cache if the file is writable, and
    /// creates a cache in an empty file if `access` allows it.
    func prepare(_ database: Database, access: StoreConfiguration.Access, now: Timestamp) throws {
        let path = database.path
        let file = try StoredSchema(of: database)
        switch (file.applicationID, file.version) {
        case (CacheFile.applicationID, version): return
        case (CacheFile.applicationID, 1..<version):
            do {
                try runSteps(from: file.version, in: database, now: now)
            } catch StoreError.readOnly {
                throw StoreError.otherSchema(path: path, found: file.version, supported: version)
            }
        case (CacheFile.applicationID, 1...):
            throw StoreError.otherSchema(path: path, found: file.version, supported: version)
        case (0, 0) where file.isEmpty:
            guard access == .creating else { throw StoreError.noCache(path: path) }
            try runSteps(from: 0, in: database, now: now)
        default:
            throw StoreError.notACache(path: path)
        }
        // Check again: another process may have run these steps, or even later ones.
        try prepare(database, access: access, now: now)
    }

    /// Runs the steps after version `found`, then creates the views, which depend on the tables.
    func build(in database: Database, from found: Int = 0) throws {
        for step in steps.dropFirst(found) { try step.run(database) }
        try SchemaObjects.createViews(in: database)
    }

    /// Runs the steps in one transaction, unless another process has run any meanwhile.
    private func runSteps(from found: Int, in database: Database, now: Timestamp) throws {
        try database.inTransaction(.writing) {
            guard try database.storedSchemaVersion() == found else { return }
            try build(in: database, from: found)
            if found == 0 { try database.addStoreRow(at: now) }
            try database.execute(
                "PRAGMA application_id = \(CacheFile.applicationID); PRAGMA user_version = \(version)")
        }
    }
}

/// The values in a database file that identify its schema.
private struct StoredSchema {
    let applicationID: Int64
    let version: Int
    let isEmpty: Bool
}

extension StoredSchema {
    /// Reads in one transaction, because another process may be creating the file.
    fileprivate init(of database: Database) throws {
        self = try database.inTransaction(.reading) {
            Self(
                applicationID: try database.integer("PRAGMA application_id") ?? 0,
                version: try database.storedSchemaVersion(),
                isEmpty: try database.integer("SELECT count(*) FROM sqlite_master") == 0)
        }
    }
}

extension Database {
    /// Adds the only row of `store`, with a new id for the cache.
    fileprivate func addStoreRow(at now: Timestamp) throws {
        let id = (0..<13).compactMap { _ in HistoryToken.storeIDAlphabet.randomElement() }
        let none: Int64? = nil
        try run(
            CheckedTable.store.insertion(), 1, String(decoding: id, as: UTF8.self), now.milliseconds, 0, 0, none, none,
            String?.none, none)
    }

    /// Opens the cache in the file at `path`, creating or upgrading it if `access` allows.
    ///
    /// - Parameter isShared: whether several threads use views (``view()``) of the connection, serialized by SQLite.
    convenience init(
        cacheAt path: String, access: StoreConfiguration.Access, configuration: StoreConfiguration,
        isShared: Bool = false, schema: Schema = .current
    ) throws {
        try self.init(
            path: path, access: access, configuration: configuration, isShared: isShared, schemaVersion: schema.version
        ) { try schema.prepare($0, access: access, now: configuration.now()) }
    }
}
