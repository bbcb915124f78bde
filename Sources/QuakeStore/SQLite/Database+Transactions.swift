import CQuakesSQLite

extension Database {
    enum Transaction: String {
        case reading = "BEGIN DEFERRED"
        case writing = "BEGIN IMMEDIATE"
    }

    /// Whether a commit waits until it is on the disk.
    enum Durability {
        case waits, doesNotWait
        /// The setting is unknown or could not be changed. The next writing transaction first makes commits wait again.
        case unknown
    }

    /// Throws ``StoreError/readOnly(path:)`` if the connection was opened for reading.
    func requireWritable() throws(StoreError) {
        guard isWritable else { throw .readOnly(path: path) }
    }

    /// Whether a transaction is open. After some errors, such as a full disk, SQLite ends a transaction itself.
    var isInsideTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func begin(_ kind: Transaction) throws {
        if kind == .writing {
            try requireWritable()
            if durability == .unknown { try waitForDisk() }
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
                if kind == .writing, files != nil, sqlite3_total_changes64(handle) > changes {
                    try requireSameFile()
                    // Write page 1, whose change counter shows whether a log belongs to this file (WriteAheadLog).
                    try execute("PRAGMA user_version = \(schemaVersion)")
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

    /// Runs `body`, then `commit` or `rollBack`. An error in `rollBack` replaces the error of `body`, because the
    /// transaction is then still open.
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
    func waitForDisk() throws {
        try execute("PRAGMA synchronous = FULL")
        guard try integer("PRAGMA synchronous") == 2 else {
            throw StoreError.statement(path: path, code: SQLITE_ERROR, reason: "synchronous = FULL was not accepted")
        }
        durability = .waits
    }

    /// Runs `body`, whose commits reach the disk only with the next commit that waits, or when the last connection
    /// closes. Throws if the old setting cannot be restored; the next write transaction then restores it.
    func withoutWaitingForDisk<Result>(_ body: () throws -> Result) throws -> Result {
        durability = .unknown
        try execute("PRAGMA synchronous = NORMAL")
        durability = .doesNotWait
        let outcome = Swift.Result(catching: body)
        durability = .unknown
        try waitForDisk()
        return try outcome.get()
    }
}
