#include <sqlite3.h>
#include "row_checksum.h"

/// Turns triggers off for this connection only. In C, because Swift cannot call the variadic sqlite3_db_config.
///
/// Returns SQLITE_OK or another of SQLite's result codes.
static inline int quakes_sqlite_disable_triggers(struct sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

/// Sets and returns whether the connection leaves its log unchanged when it closes (1) or moves the log's contents into
/// the file (0). A `choice` of -1 only returns the setting.
static inline int quakes_sqlite_leaves_log(struct sqlite3 *connection, int choice) {
    int leaves = 0;
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, choice, &leaves);
    return leaves;
}

/// Sets `full` to `path` as it is. SQLite's own function would resolve /proc/self/fd/N to a name that the file does not
/// have.
static inline int quakes_sqlite_same_path(sqlite3_vfs *files, const char *path, int size, char *full) {
    (void)files;
    sqlite3_snprintf(size, full, "%s", path);
    return SQLITE_OK;
}

/// The values that ``quakes_sqlite_open`` needs.
struct quakes_sqlite_opening {
    /// The function with which SQLite opens files by default.
    int (*usual)(const char *path, int flags, int mode);
    /// The flag O_NOFOLLOW, passed by Swift. If this header included fcntl.h, which defines the flag, this module would
    /// take over declarations that belong to Glibc.
    int no_follow;
};

/// Returns the same structure at each call. The variable is inside a function, because Swift emits no static variables
/// outside of functions.
static inline struct quakes_sqlite_opening *quakes_sqlite_opening(void) {
    static struct quakes_sqlite_opening opening;
    return &opening;
}

/// Opens a file. SQLite has already resolved links, so it opens files with O_NOFOLLOW. Only /proc/self/fd/N is still a
/// link and must be followed.
static inline int quakes_sqlite_open(const char *path, int flags, int mode) {
    const struct quakes_sqlite_opening *opening = quakes_sqlite_opening();
    if (strncmp(path, "/proc/self/fd/", 14) == 0) flags &= ~opening->no_follow;
    return opening->usual(path, flags, mode);
}

/// Adds the VFS "quakes-descriptors", which opens files without a name by their descriptors (/proc/self/fd/N). It does
/// not become the default VFS. Must be called only once.
static inline int quakes_sqlite_add_descriptors(int no_follow) {
    static sqlite3_vfs files;
    sqlite3_vfs *usual = sqlite3_vfs_find(0);
    if (usual == 0 || usual->iVersion < 3) return SQLITE_ERROR;
    sqlite3_syscall_ptr open = usual->xGetSystemCall(usual, "open");
    if (open == 0) return SQLITE_ERROR;
    struct quakes_sqlite_opening *opening = quakes_sqlite_opening();
    opening->usual = (int (*)(const char *, int, int))open;
    opening->no_follow = no_follow;
    files = *usual;
    files.pNext = 0;
    files.zName = "quakes-descriptors";
    files.xFullPathname = quakes_sqlite_same_path;
    const int code = usual->xSetSystemCall(usual, "open", (sqlite3_syscall_ptr)quakes_sqlite_open);
    return code == SQLITE_OK ? sqlite3_vfs_register(&files, 0) : code;
}

/// Turns off SQLite's memory statistics, which take a lock for every allocation. Must be called before the process
/// opens its first connection. In C, because Swift cannot call the variadic sqlite3_config.
static inline int quakes_sqlite_omit_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
