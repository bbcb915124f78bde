#include <sqlite3.h>
#include "row_checksum.h"

/// Turns triggers off for this connection only. In C, because Swift cannot call the variadic sqlite3_db_config.
///
/// Returns SQLITE_OK or another of SQLite's result codes.
static inline int quakes_sqlite_disable_triggers(struct sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

/// Whether the connection leaves its log unchanged when it closes. `choice`: 1 to set this, 0 to clear it, -1 to query.
static inline int quakes_sqlite_leaves_log(struct sqlite3 *connection, int choice) {
    int leaves = 0;
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, choice, &leaves);
    return leaves;
}

/// Turns off SQLite's memory statistics, which take a lock for every allocation. Must be called before the process
/// opens its first connection. In C, because Swift cannot call the variadic sqlite3_config.
static inline int quakes_sqlite_omit_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
