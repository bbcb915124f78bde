import CQuakesSQLite

/// A database that nobody else can read or write during the lifetime of this object.
///
/// SQLite first applies any log or journal, such as one left by a killed program, to the database.
final class HeldDatabase {
    private let handle: OpaquePointer

    /// Opens and locks the database; nil if the user may not write to the file.
    ///
    /// - Throws: ``StoreError/busy(path:)`` if another connection has the file open.
    init?(at path: String) throws {
        do {
            handle = try CacheFile(path: path).connect(for: .writing, StoreConfiguration(busyTimeout: .zero))
        } catch StoreError.readOnly {
            return nil
        }
        var keeps: Int32 = 0
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
        // Leaving WAL mode and beginning an exclusive transaction both require that nobody else has the file open. If
        // they fail for another reason, such as damage, the file may still be replaced.
        let code = sqlite3_exec(handle, "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE", nil, nil, nil)
        if [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF) {
            sqlite3_close_v2(handle)
            throw StoreError.busy(path: path)
        }
    }

    deinit { sqlite3_close_v2(handle) }
}
