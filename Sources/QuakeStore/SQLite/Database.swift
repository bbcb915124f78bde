import CQuakesSQLite
import Glibc
import QuakeSystem

/// One connection to a cache file. A context owns one; it belongs to one thread at a time, unless it is a view of a
/// shared one.
///
/// Every result code of SQLite goes through ``StoreError/check(_:on:path:)``, so that callers only see ``StoreError``.
final class Database {
    let path: String
    let isWritable: Bool
    let handle: OpaquePointer
    /// Statements that were prepared once and are used again, by their text.
    private var statements: [String: Statement] = [:]
    private var durability = Durability.unknown
    /// The files that are open; nil for a database in memory, and until the schema was checked.
    private(set) var files: OpenFiles?
    /// The connection whose handle this one uses; nil if it is its own.
    private let owner: Database?

    /// Opens the file, checks its schema, and creates it where `access` allows.
    ///
    /// - Parameter isShared: whether several threads use views of it (``view()``): SQLite then serializes them.
    init(
        path: String, access: StoreConfiguration.Access, configuration: StoreConfiguration, isShared: Bool = false
    ) throws {
        owner = nil
        self.path = path
        isWritable = access != .reading
        let file = CacheFile(path: path)
        if access == .creating {
            try file.createFolder()
            if path != ":memory:" { NewCacheFile(path: file.location).create() }
        }
        handle = try file.connect(for: access, configuration, isShared: isShared)
        try addFunctions()
        // The triggers in the file refuse writes of other programs (SchemaObjects.guardTriggers).
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

    /// Opens a file that only this connection knows, and that is thrown away where something fails: without a log,
    /// without waiting for the disk, whatever its schema.
    init(draftAt path: String) throws {
        owner = nil
        self.path = path
        isWritable = true
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            CacheFile(path: path).plainName, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw StoreError(code: code, connection: opened, path: path)
        }
        handle = opened
        durability = .none
        try addFunctions()
        try check(quakes_sqlite_disable_triggers(handle))
        try execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }

    private init(viewOf owner: Database) {
        (self.owner, path, isWritable, handle) = (owner, owner.path, false, owner.handle)
        files = owner.files
    }

    /// The same connection for another thread, with statements of its own.
    func view() -> Database { Database(viewOf: owner ?? self) }

    deinit {
        statements = [:]
        guard owner == nil else { return }
        if (try? requireSameFile()) == nil {
            // The log at the path belongs to another file, or this one has another log now.
            _ = quakes_sqlite_leaves_log(handle, 1)
        } else if isWritable, quakes_sqlite_leaves_log(handle, -1) == 0 {
            emptyLog()
        }
        // Statements that are still held elsewhere keep the connection alive until they are gone.
        sqlite3_close_v2(handle)
    }

    /// Lets SQLite refuse every statement that would write to the file. Temporary tables stay possible.
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

    /// Moves what was committed from the log into the file and empties the log, as far as no reader needs it. The
    /// connection that closes last does so by itself, but then keeps readers waiting for the disk.
    private func emptyLog() {
        sqlite3_busy_timeout(handle, 0)
        // What cannot be moved now is moved by the next connection that closes.
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }

    func check(_ code: Int32) throws { try StoreError.check(code, on: handle, path: path) }
}

// MARK: The file under the connection

extension Database {
    /// The files at the path, of which the database must be the one that SQLite has open.
    private func openedFiles() throws -> OpenFiles? {
        guard path != ":memory:" else { return nil }
        var hasMoved: Int32 = 0
        try check(sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved))
        guard hasMoved == 0, let files = OpenFiles(path) else { throw StoreError.replaced(path: path) }
        return files
    }

    /// Throws ``StoreError/replaced(path:)`` where another file is at the path now, or none, or where the file has
    /// another log: what is committed to those that are open would be lost with them.
    func requireSameFile() throws {
        guard let files, !files.areUnreplaced else { return }
        throw StoreError.replaced(path: path)
    }

    /// Throws if the cache became one that this program must not write: another file took its place, or a newer
    /// program changed its schema. Both can happen while a connection is open.
    func requireWritableCache() throws {
        guard files != nil else { return }
        try requireSameFile()
        let version = try Schema.version(of: self)
        guard version == Schema.version else {
            throw StoreError.otherSchema(path: path, found: version, supported: Schema.version)
        }
    }
}

/// A database with its log and the log's index, without which nobody sees what others commit. While a connection is
/// open, SQLite removes neither.
struct OpenFiles {
    let database: FileIdentity
    private let path: String
    private let logs: [(path: String, identity: FileIdentity)]

    /// The files of the cache at `path`; nil when there is none.
    fileprivate init?(_ path: String) {
        guard let database = FileIdentity(path) else { return nil }
        (self.path, self.database) = (path, database)
        let location = FileLocation.resolved(path)
        logs = ["-wal", "-shm"].compactMap { suffix in FileIdentity(location + suffix).map { (location + suffix, $0) } }
    }

    /// Whether these are still the files at the path. A log that is missing tells nothing: the last connection removes
    /// it.
    var areUnreplaced: Bool {
        FileIdentity(path) == database
            && logs.allSatisfy { (FileIdentity($0.path) ?? $0.identity) == $0.identity }
    }
}

// MARK: Running statements

extension Database {
    /// The statement for `sql`, prepared once per connection, with nothing bound; a second one while it has rows left.
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

    /// A statement of its own: for SQL that varies, and for one that stays open while other code runs.
    func prepare(_ sql: String) throws -> Statement { try Statement(sql, on: self) }

    func prepare(_ query: QuakeQuery) throws -> Statement {
        let statement = try prepare(query.sql)
        try statement.bindAll(query.values)
        return statement
    }

    /// Runs one or more statements that bind nothing, and ignores their rows.
    func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    /// Runs one statement with `values` bound to its parameters, in order.
    func run<each Value: SQLValue>(_ sql: String, _ values: repeat each Value) throws {
        let statement = try cached(sql)
        try statement.bindAll(repeat each values)
        try statement.run()
    }

    /// What `read` makes of the first row; nil when there is none.
    func first<Result, each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, read: (Statement) throws -> Result
    ) throws -> Result? {
        let statement = try cached(sql)
        try statement.bindAll(repeat each values)
        defer { statement.reset() }
        return try statement.step() ? read(statement) : nil
    }

    func storeRow<Result, each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, read: (Statement) throws -> Result
    ) throws -> Result {
        guard let row = try first(sql, repeat each values, read: read) else {
            throw StoreError.corrupt(path: path, reason: "it has no store row")
        }
        return row
    }

    /// Calls `body` with each row. The statement is not shared: `body` may run the same SQL again.
    func forEach<each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, body: (Statement) throws -> Void
    ) throws {
        let statement = try prepare(sql)
        try statement.bindAll(repeat each values)
        while try statement.step() { try body(statement) }
    }

    /// What `read` makes of each row.
    func all<Result, each Value: SQLValue>(
        _ sql: String, _ values: repeat each Value, read: (Statement) throws -> Result
    ) throws -> [Result] {
        let statement = try cached(sql)
        try statement.bindAll(repeat each values)
        defer { statement.reset() }
        var results: [Result] = []
        while try statement.step() { results.append(try read(statement)) }
        return results
    }

    /// The integer in the first column of the first row; nil when there is no row or it is null.
    func integer<each Value: SQLValue>(_ sql: String, _ values: repeat each Value) throws -> Int64? {
        try first(sql, repeat each values) { $0.integerOrNil(0) } ?? nil
    }

    /// Rows that the last INSERT, UPDATE or DELETE touched.
    var changedRows: Int { Int(sqlite3_changes(handle)) }
}

// MARK: Transactions

extension Database {
    enum Transaction: String {
        case reading = "BEGIN DEFERRED"
        case writing = "BEGIN IMMEDIATE"
    }

    /// Whether a transaction is open. SQLite ends one by itself after some errors, such as a full disk.
    var isInsideTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func begin(_ kind: Transaction) throws {
        if kind == .writing {
            guard isWritable else { throw StoreError.readOnly(path: path) }
            if durability == .unknown { try waitForDisk() }
        }
        try execute(kind.rawValue)
    }

    /// Runs `body` in a transaction. Its writes are kept if `keep` returns true, and never if `body` throws.
    func inTransaction<Result>(
        _ kind: Transaction, keep: (Result) -> Bool = { _ in true }, _ body: () throws -> Result
    ) throws -> Result {
        try begin(kind)
        let changes = sqlite3_total_changes64(handle)
        return try ending(
            commit: {
                // A read may fill temporary tables, which count, too.
                if kind == .writing, sqlite3_total_changes64(handle) > changes {
                    try requireSameFile()
                    // Writes page 1, which identifies a log that belongs to another file (WriteAheadLog).
                    try execute("PRAGMA user_version = \(Schema.version)")
                }
                try execute("COMMIT")
            }, rollBack: rollBack, keep
        ) {
            if kind == .writing { try requireWritableCache() }
            return try body()
        }
    }

    /// Runs `body` in a savepoint of the open transaction, with the rules of ``inTransaction(_:keep:_:)``.
    func inSavepoint<Result>(keep: (Result) -> Bool, _ body: () throws -> Result) throws -> Result {
        try execute("SAVEPOINT nested")
        return try ending(
            commit: { try execute("RELEASE nested") },
            rollBack: { if isInsideTransaction { try execute("ROLLBACK TO nested; RELEASE nested") } }, keep, body)
    }

    func rollBack() throws {
        if isInsideTransaction { try execute("ROLLBACK") }
    }

    /// An error of `rollBack` replaces that of `body`: the transaction is still open then.
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

    /// What `PRAGMA synchronous` is set to.
    private enum Durability {
        /// Nothing has set it yet, or a failure left it open.
        case unknown
        /// FULL: a commit waits until it is on the disk.
        case full
        /// NORMAL: a commit does not wait.
        case normal
        /// OFF: nothing waits.
        case none
    }

    /// Makes every later commit wait until it is on the disk: under SQLite's NORMAL a power cut may lose the last
    /// commits.
    ///
    /// - Throws: inside a transaction, where the setting cannot change.
    private func waitForDisk() throws {
        try execute("PRAGMA synchronous = FULL")
        guard try integer("PRAGMA synchronous") == 2 else {
            throw StoreError.statement(path: path, code: SQLITE_ERROR, reason: "synchronous = FULL was not accepted")
        }
        durability = .full
    }

    /// Runs `body`, whose commits reach the disk with the next one that waits for it, or when the last connection
    /// closes. Throws when the old setting cannot be restored; the next write transaction then restores it.
    func withoutWaitingForDisk<Result>(_ body: () throws -> Result) throws -> Result {
        durability = .unknown
        try execute("PRAGMA synchronous = NORMAL")
        durability = .normal
        let outcome = Swift.Result(catching: body)
        durability = .unknown
        try waitForDisk()
        return try outcome.get()
    }
}

/// SQLite as the whole process shares it.
package enum SQLiteLibrary {
    /// Makes SQLite faster for a program that owns its process, before its first connection. Another program that uses
    /// these libraries may want SQLite's own settings.
    package static func prepareProcess() {
        // Once a connection was opened SQLite refuses, and works as before.
        _ = quakes_sqlite_omit_memory_statistics()
    }
}
