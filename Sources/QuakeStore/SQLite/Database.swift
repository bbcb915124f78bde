import CQuakesSQLite
import Glibc

/// One connection to a cache file. Only one thread at a time may use it, except through views of a shared connection.
///
/// Every SQLite result code passes through ``StoreError/check(_:on:path:)``, so that callers only see ``StoreError``.
final class Database {
    let path: String
    private(set) var isWritable: Bool
    let handle: OpaquePointer
    /// Prepared statements for reuse, keyed by their SQL.
    private var statements: [String: Statement] = [:]
    /// Whether commits wait until they are on the disk.
    var durability = Durability.unknown
    /// The open files; nil for drafts, and before the schema has been checked.
    private(set) var files: OpenFiles?
    /// The connection whose handle this view uses; nil if this is not a view.
    private let owner: Database?
    /// The version of the schema that this connection may write.
    let schemaVersion: Int

    /// Opens the file, creating it if `access` allows.
    ///
    /// - Parameters:
    ///   - isShared: whether several threads use views (``view()``) of the connection, serialized by SQLite.
    ///   - schemaVersion: the version of the schema that the connection may write.
    ///   - prepare: checks the schema of the file, and creates or upgrades it.
    init(
        path: String, access: StoreConfiguration.Access, configuration: StoreConfiguration, isShared: Bool,
        schemaVersion: Int, prepare: (Database) throws -> Void
    ) throws {
        owner = nil
        self.path = path
        self.schemaVersion = schemaVersion
        // Even a connection for reading may upgrade an older cache.
        isWritable = true
        let file = CacheFile(path: path)
        if access == .creating { try file.createFolder() }
        handle = try file.connect(for: access, configuration, isShared: isShared)
        try addFunctions()
        // The triggers in the file reject all writes, to keep other programs from writing.
        try check(quakes_sqlite_disable_triggers(handle))
        try prepare(self)
        isWritable = access != .reading
        if isWritable {
            try execute("PRAGMA journal_mode = WAL")
            try waitForDisk()
        } else {
            try refuseWrites()
        }
        files = try inTransaction(.reading) {
            // The first read opens the log or keeps others from beginning one. So the log found is the one in use.
            _ = try storedSchemaVersion()
            return try openedFiles()
        }
    }

    /// SQLite's result code from adding the VFS that opens drafts.
    private static let draftFiles = quakes_sqlite_add_descriptors(O_NOFOLLOW)

    /// Opens a database that no other connection uses and that is discarded after a failure. Uses no log, does not wait
    /// for the disk, and accepts any schema.
    ///
    /// - Parameter path: the path of the file's descriptor in /proc, or `:memory:`. A file opened by its descriptor
    ///   needs no name, and SQLite finds no journal that someone else may have put beside the file.
    init(draftAt path: String) throws {
        owner = nil
        self.path = path
        schemaVersion = 0
        isWritable = true
        try StoreError.check(Self.draftFiles, on: nil, path: path)
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "quakes-descriptors")
        guard code == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw StoreError(code: code, connection: opened, path: path)
        }
        handle = opened
        durability = .doesNotWait
        try addFunctions()
        try check(quakes_sqlite_disable_triggers(handle))
        try execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }

    private init(viewOf owner: Database) {
        self.owner = owner
        path = owner.path
        isWritable = false
        handle = owner.handle
        schemaVersion = owner.schemaVersion
        files = owner.files
    }

    /// Returns a view of the same connection for another thread, with its own statements.
    func view() -> Database { Database(viewOf: owner ?? self) }

    deinit {
        statements = [:]
        guard owner == nil else { return }
        if (try? requireSameFile()) == nil {
            // Leave the log unchanged: the log at the path belongs to another file, or this file now has another log.
            _ = quakes_sqlite_leaves_log(handle, 1)
        } else if isWritable, files != nil, quakes_sqlite_leaves_log(handle, -1) == 0 {
            emptyLog()
        }
        // The connection stays open until all statements that are still in use elsewhere have been released.
        sqlite3_close_v2(handle)
    }

    /// Makes SQLite reject every statement that would write to the file. Temporary tables remain possible.
    private func refuseWrites() throws {
        try check(
            sqlite3_set_authorizer(
                handle,
                { _, action, _, _, database, _ in
                    let writes = [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE].contains(action)
                    guard writes, let database, strcmp(database, "main") == 0 else { return SQLITE_OK }
                    return SQLITE_DENY
                }, nil))
    }

    /// Moves commits from the log into the file and empties the log, unless readers still need it. Otherwise, SQLite
    /// would do so when the last connection closes, but make readers wait for the disk.
    private func emptyLog() {
        sqlite3_busy_timeout(handle, 0)
        // The next connection to close moves the commits that cannot be moved now.
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }

    func check(_ code: Int32) throws { try StoreError.check(code, on: handle, path: path) }

    // MARK: Checking the open file

    /// Returns the files at the path, after checking that the database is the one that SQLite has open.
    private func openedFiles() throws -> OpenFiles {
        var hasMoved: Int32 = 0
        try check(sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved))
        guard hasMoved == 0, let files = OpenFiles(path) else { throw StoreError.replaced(path: path) }
        return files
    }

    /// Throws ``StoreError/replaced(path:)`` if the path now leads to another file or none, or if the file has another
    /// log, because commits to the open files would then be lost.
    func requireSameFile() throws {
        guard let files, !files.areUnreplaced else { return }
        throw StoreError.replaced(path: path)
    }

    /// Throws if this program must no longer write to the cache, because another file has taken its place or a newer
    /// program has changed its schema. Both can happen while a connection is open.
    func requireWritableCache() throws {
        guard files != nil else { return }
        try requireSameFile()
        let version = try storedSchemaVersion()
        guard version == schemaVersion else {
            throw StoreError.otherSchema(path: path, found: version, supported: schemaVersion)
        }
    }

    /// Returns the schema version stored in the file; 0 if there is none.
    func storedSchemaVersion() throws -> Int { Int(try integer("PRAGMA user_version") ?? 0) }

    // MARK: Statements

    /// Returns a cached statement for `sql` without bound values, or a new one while the cached statement is in use.
    func cachedStatement(_ sql: String) throws -> Statement {
        guard let statement = statements[sql] else {
            let new = try Statement(sql, on: self)
            statements[sql] = new
            return new
        }
        guard sqlite3_stmt_busy(statement.handle) == 0 else { return try Statement(sql, on: self) }
        try check(sqlite3_clear_bindings(statement.handle))
        return statement
    }
}
