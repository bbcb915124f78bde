import CQuakesSQLite
import Glibc
import QuakeSystem

/// One connection to a cache file. Only one thread at a time may use it, except through views of a shared connection.
///
/// Every SQLite result code passes through ``StoreError/check(_:on:path:)``, so that callers only see ``StoreError``.
final class Database {
    let path: String
    let isWritable: Bool
    let handle: OpaquePointer
    /// Prepared statements for reuse, keyed by their SQL.
    private var statements: [String: Statement] = [:]
    /// Whether `PRAGMA synchronous` is set as later commits require, and not left undetermined by a failure.
    private var isSynchronousSet = false
    /// The open files; nil for drafts, and before the schema has been checked.
    private(set) var files: OpenFiles?
    /// The connection whose handle this one uses; nil if it has its own.
    private let owner: Database?

    /// Opens the file and checks its schema, creating the file if `access` allows.
    ///
    /// - Parameter isShared: whether several threads use views (``view()``) of the connection, serialized by SQLite.
    init(
        path: String, access: StoreConfiguration.Access, configuration: StoreConfiguration, isShared: Bool = false
    ) throws {
        owner = nil
        self.path = path
        isWritable = access != .reading
        let file = CacheFile(path: path)
        if access == .creating { try file.createFolder() }
        handle = try file.connect(for: access, configuration, isShared: isShared)
        try addFunctions()
        // The triggers in the file reject writes by other programs (SchemaObjects.guardTriggers).
        try check(quakes_sqlite_disable_triggers(handle))
        try Schema.prepare(self, access: access, configuration: configuration)
        if isWritable {
            try execute("PRAGMA journal_mode = WAL")
            try waitForDisk()
        } else {
            try refuseWrites()
        }
        files = try openedFiles()
    }

    /// The result of adding the VFS that opens drafts.
    private static let draftFiles = quakes_sqlite_add_descriptors(O_NOFOLLOW)

    /// Opens a file that no other connection uses and that is discarded after a failure. Uses no log, does not wait for
    /// the disk, and accepts any schema.
    ///
    /// - Parameter path: the path of the file's descriptor in /proc. The file need not have a name, and SQLite finds no
    ///   journal beside it that someone else may have put there.
    init(draftAt path: String) throws {
        owner = nil
        self.path = path
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
        isSynchronousSet = true
        try addFunctions()
        try check(quakes_sqlite_disable_triggers(handle))
        try execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }

    private init(viewOf owner: Database) {
        (self.owner, path, isWritable, handle) = (owner, owner.path, false, owner.handle)
        files = owner.files
    }

    /// Returns a view of the same connection for another thread, with its own statements.
    func view() -> Database { Database(viewOf: owner ?? self) }

    deinit {
        statements = [:]
        guard owner == nil else { return }
        if (try? requireSameFile()) == nil {
            // The log at the path belongs to another file, or this file now has another log.
            _ = quakes_sqlite_leaves_log(handle, 1)
        } else if isWritable, quakes_sqlite_leaves_log(handle, -1) == 0 {
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

    /// Moves commits from the log into the file and empties the log, unless readers still need it. Otherwise the last
    /// connection would do so when it closes, but would make readers wait for the disk.
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
        let version = try Schema.version(of: self)
        guard version == Schema.version else {
            throw StoreError.otherSchema(path: path, found: version, supported: Schema.version)
        }
    }
}

/// A database with its log and the log's index, without which no connection sees the commits of others. SQLite removes
/// neither while a connection is open.
struct OpenFiles {
    let database: FileIdentity
    private let path: String
    private let logs: [(path: String, identity: FileIdentity)]

    /// The files of the cache at `path`; nil if it does not exist.
    fileprivate init?(_ path: String) {
        guard let database = FileIdentity(path) else { return nil }
        (self.path, self.database) = (path, database)
        let location = FileLocation.resolved(path)
        logs = ["-wal", "-shm"].compactMap { suffix in FileIdentity(location + suffix).map { (location + suffix, $0) } }
    }

    /// Whether the path still leads to these files. A missing log proves nothing: the last connection removes it.
    var areUnreplaced: Bool {
        FileIdentity(path) == database
            && logs.allSatisfy { (FileIdentity($0.path) ?? $0.identity) == $0.identity }
    }
}

// MARK: Running statements

extension Database {
    /// Returns a cached statement for `sql` without bound values, or a new one while the cached statement is in use.
    func cached(_ sql: String) throws -> Statement {
        guard let statement = statements[sql] else {
            let new = try Statement(sql, on: self)
            statements[sql] = new
            return new
        }
        guard sqlite3_stmt_busy(statement.handle) == 0 else { return try Statement(sql, on: self) }
        try check(sqlite3_clear_bindings(statement.handle))
        return statement
    }

    /// Returns a separate statement, for SQL that varies or for a statement that stays open while other code runs.
    func prepare(_ sql: String) throws -> Statement { try Statement(sql, on: self) }

    func prepare(_ query: QuakeQuery) throws -> Statement {
        let statement = try prepare(query.sql)
        try statement.bindAll(query.values)
        return statement
    }

    /// Runs one or more statements without bound values, ignoring their rows.
    func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    /// Runs one statement with `values` bound to its parameters in order.
    func run<each Value: SQLValue>(_ sql: String, _ values: repeat each Value) throws {
        try cached(sql).run(repeat each values)
    }

    /// Returns the result of `read` for the first row; nil if there is no row.
    func first<Result, each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, read: (Statement) throws -> Result
    ) throws -> Result? {
        try cached(sql).first(repeat each values, read: read)
    }

    func storeRow<Result, each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, read: (Statement) throws -> Result
    ) throws -> Result {
        guard let row = try first(sql, repeat each values, read: read) else {
            throw StoreError.corrupt(path: path, reason: "it has no store row")
        }
        return row
    }

    /// Calls `body` with each row. It may run the same SQL.
    func forEach<each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, body: (Statement) throws -> Void
    ) throws {
        try cached(sql).forEach(repeat each values, body: body)
    }

    /// Returns the results of `read` for all rows.
    func all<Result, each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, read: (Statement) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        try forEach(sql, repeat each values) { results.append(try read($0)) }
        return results
    }

    /// Returns the integer in the first column of the first row; nil if there is no row or the value is null.
    func integer<each Value: SQLValue>(_ sql: String, _ values: repeat each Value) throws -> Int64? {
        try first(sql, repeat each values) { $0.integerOrNil(0) } ?? nil
    }

    /// Returns the moment in the first column of the first row; nil if there is no row or the value is null.
    func timestamp<each Value: SQLValue>(_ sql: String, _ values: repeat each Value) throws -> Timestamp? {
        try integer(sql, repeat each values).map(Timestamp.init(milliseconds:))
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    var changedRows: Int { Int(sqlite3_changes(handle)) }

    // MARK: Transactions

    enum Transaction: String {
        case reading = "BEGIN DEFERRED"
        case writing = "BEGIN IMMEDIATE"
    }

    /// Whether a transaction is open. After some errors, such as a full disk, SQLite ends a transaction itself.
    var isInsideTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func begin(_ kind: Transaction) throws {
        if kind == .writing {
            guard isWritable else { throw StoreError.readOnly(path: path) }
            if !isSynchronousSet { try waitForDisk() }
        }
        try execute(kind.rawValue)
    }

    /// Runs `body` in a transaction. Its writes are kept only if `keep` returns true and `body` does not throw.
    func inTransaction<Result>(
        _ kind: Transaction, keep: (Result) -> Bool = { _ in true }, _ body: () throws -> Result
    ) throws -> Result {
        try begin(kind)
        let changes = sqlite3_total_changes64(handle)
        return try ending(
            commit: {
                // A read may fill temporary tables, and those changes are counted too.
                if kind == .writing, sqlite3_total_changes64(handle) > changes {
                    try requireSameFile()
                    // Write page 1, which shows whether a log belongs to this file (WriteAheadLog).
                    try execute("PRAGMA user_version = \(Schema.version)")
                }
                try execute("COMMIT")
            }, rollBack: rollBack, keep
        ) {
            if kind == .writing { try requireWritableCache() }
            return try body()
        }
    }

    /// Runs `body` in a savepoint of the open transaction, with the same rules as ``inTransaction(_:keep:_:)``.
    func inSavepoint<Result>(keep: (Result) -> Bool, _ body: () throws -> Result) throws -> Result {
        try execute("SAVEPOINT nested")
        return try ending(
            commit: { try execute("RELEASE nested") },
            rollBack: { if isInsideTransaction { try execute("ROLLBACK TO nested; RELEASE nested") } }, keep, body)
    }

    func rollBack() throws {
        if isInsideTransaction { try execute("ROLLBACK") }
    }

    /// An error in `rollBack` replaces the error of `body`, because the transaction is then still open.
    private func ending<Result>(
        commit: () throws -> Void, rollBack: () throws -> Void, _ keep: (Result) -> Bool, _ body: () throws -> Result
    ) throws -> Result {
        do {
            let result = try body()
            if keep(result) { try commit() } else { try rollBack() }
            return result
        } catch {
            try rollBack()
            throw error
        }
    }

    /// Makes later commits wait until they are on the disk. With SQLite's NORMAL setting, a power failure may lose
    /// recent commits.
    ///
    /// - Throws: an error inside a transaction, where the setting cannot change.
    private func waitForDisk() throws {
        try execute("PRAGMA synchronous = FULL")
        guard try integer("PRAGMA synchronous") == 2 else {
            throw StoreError.statement(path: path, code: SQLITE_ERROR, reason: "synchronous = FULL was not accepted")
        }
        isSynchronousSet = true
    }

    /// Runs `body`, whose commits reach the disk only with the next commit that waits, or when the last connection
    /// closes. Throws if the old setting cannot be restored; the next write transaction then restores it.
    func withoutWaitingForDisk<Result>(_ body: () throws -> Result) throws -> Result {
        isSynchronousSet = false
        try execute("PRAGMA synchronous = NORMAL")
        isSynchronousSet = true
        let outcome = Swift.Result(catching: body)
        isSynchronousSet = false
        try waitForDisk()
        return try outcome.get()
    }
}

/// SQLite settings shared by the whole process.
package enum SQLiteLibrary {
    /// Makes SQLite faster for a program that owns its process. Must be called before the first connection. Other users
    /// of these libraries may prefer SQLite's own settings.
    package static func prepareProcess() {
        // After the first connection, SQLite rejects the call and works as before.
        _ = quakes_sqlite_omit_memory_statistics()
    }
}
