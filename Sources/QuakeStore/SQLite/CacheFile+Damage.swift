import CQuakesSQLite

extension CacheFile {
    /// What is wrong where SQLite, through `connection`, found damage, after a look at the file that is at the path now:
    /// another one may have taken its place, and the log beside it may be that of the file before. Nil if it is that
    /// file which is damaged.
    func otherFault(through connection: OpaquePointer?) -> StoreError? {
        guard let connection else { return nil }
        var hasMoved: Int32 = 0
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if hasMoved != 0 { return .replaced(path: path) }
        guard isSoundWithoutLog else { return nil }
        // Closing the last connection would move the foreign log into this file.
        _ = quakes_sqlite_leaves_log(connection, 1)
        return .foreignLog(path: location)
    }

    /// Opened as a file of its own, by SQLite: another descriptor would release the locks of this process.
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
