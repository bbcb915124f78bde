#include <sqlite3.h>
#include "row_checksum.h"

/// Switches triggers off for this connection only. In C, because Swift cannot call the variadic sqlite3_db_config.
///
/// Returns SQLITE_OK or another result code of SQLite.
static inline int quakes_sqlite_disable_triggers(struct sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

/// Whether the connection leaves the log beside its file as it is when it closes: 1 to do so, 0 not to, -1 to ask.
static inline int quakes_sqlite_leaves_log(struct sqlite3 *connection, int choice) {
    int leaves = 0;
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, choice, &leaves);
    return leaves;
}

/// Lets SQLite keep no statistics of its memory, which take a lock for every allocation. Only before the first
/// connection of the process. In C, because Swift cannot call the variadic sqlite3_config.
static inline int quakes_sqlite_omit_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
