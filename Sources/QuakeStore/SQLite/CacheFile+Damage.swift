import CQuakesSQLite

extension CacheFile {
    /// Returns the actual fault when SQLite reports damage through `connection`: the path may now lead to another file,
    /// or the log beside the file may belong to an earlier file. Nil if the file itself is damaged.
    func otherFault(through connection: OpaquePointer?) -> StoreError? {
        guard let connection else { return nil }
        var hasMoved: Int32 = 0
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if hasMoved != 0 { return .replaced(path: path) }
        guard isSoundWithoutLog else { return nil }
        // Otherwise, closing the last connection would move the other file's log into this file.
        _ = quakes_sqlite_leaves_log(connection, 1)
        return .foreignLog(path: location)
    }

    /// Whether the file is sound without its log. Opens the file through SQLite: closing a separate descriptor would
    /// release SQLite's locks (POSIX).
    private var isSoundWithoutLog: Bool {
        var (handle, statement): (OpaquePointer?, OpaquePointer?)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(handle)
        }
        guard sqlite3_open_v2(immutableName, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil) == SQLITE_OK,
            sqlite3_prepare_v2(handle, "PRAGMA integrity_check(1)", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let found = sqlite3_column_text(statement, 0)
        else { return false }
        return String(cString: found) == "ok"
    }
}
