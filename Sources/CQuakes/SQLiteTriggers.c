#include "CQuakesSQLite.h"

#include <sqlite3.h>

int quakes_sqlite_disable_triggers(struct sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}
