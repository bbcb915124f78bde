import CQuakesSQLite

/// SQLite settings shared by the whole process.
package enum SQLiteLibrary {
    /// Makes SQLite faster by turning off its memory statistics for the whole process. Only a program should call this,
    /// before its first connection; a library should leave SQLite's settings to the program.
    package static func prepareProcess() {
        // After the first connection, SQLite rejects the call and works as before.
        _ = quakes_sqlite_omit_memory_statistics()
    }
}
