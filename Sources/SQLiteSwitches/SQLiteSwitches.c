#include "SQLiteSwitches.h"

#include <sqlite3.h>

int sqlite_switch_memory_statistics_off(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int sqlite_switch_triggers_off(struct sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

int sqlite_switch_checkpoint_on_close(struct sqlite3 *connection, int is_on) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !is_on, (int *)0);
}
