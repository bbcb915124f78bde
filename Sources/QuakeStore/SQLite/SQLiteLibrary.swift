import CSQLite

/// SQLite as the whole process shares it.
package enum SQLiteLibrary {
    /// Makes SQLite faster for a program that owns its process, before its first connection. Another program that uses
    /// these libraries may want SQLite's own settings.
    package static func prepareProcess() {
        // Once a connection was opened SQLite refuses, and works as before.
        _ = quakes_sqlite_omit_memory_statistics()
    }
}
