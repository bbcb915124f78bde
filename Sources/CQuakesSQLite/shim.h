#include <sqlite3.h>
#include "row_checksum.h"

/// Switches triggers off for this connection only. In C, because Swift cannot call the variadic sqlite3_db_config.
///
/// Returns SQLITE_OK or another result code of SQLite.
static inline int quakes_sqlite_disable_triggers(struct sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

/// Lets the connection close without moving its log into the file, or removing one.
static inline void quakes_sqlite_leave_log(struct sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Lets SQLite keep no statistics of its memory, which take a lock for every allocation. Only before the first
/// connection of the process. In C, because Swift cannot call the variadic sqlite3_config.
static inline int quakes_sqlite_omit_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
