#ifndef CQUAKES_SQLITE_H
#define CQUAKES_SQLITE_H

struct sqlite3;

/// Switches triggers off for this connection only. In C, because Swift cannot call the variadic sqlite3_db_config.
///
/// Returns SQLITE_OK or another result code of SQLite.
int quakes_sqlite_disable_triggers(struct sqlite3 *connection);

#endif
