import CQuakesSQLite

/// SQLite settings shared by the whole process.
package enum SQLiteLibrary {
    /// Makes SQLite faster for a program that owns its process. Must be called before the first connection. Other users
    /// of these libraries may prefer SQLite's own settings.
    package static func prepareProcess() {
        // After the first connection, SQLite rejects the call and works as before.
        _ = quakes_sqlite_omit_memory_statistics()
    }
}
