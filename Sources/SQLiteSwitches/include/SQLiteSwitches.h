#ifndef SQLITE_SWITCHES_H
#define SQLITE_SWITCHES_H

/// The switches of SQLite that a program can only reach through functions with a variable number of arguments, which Swift
/// cannot call.

struct sqlite3;

/// Lets this process not count the memory that SQLite uses, which takes a lock at every allocation.
///
/// For the whole process, and only before SQLite's first use in it. Returns SQLITE_OK, or a result code of SQLite.
int sqlite_switch_memory_statistics_off(void);

/// Lets no trigger run for what this connection does. Other connections keep theirs.
///
/// Returns SQLITE_OK, or a result code of SQLite.
int sqlite_switch_triggers_off(struct sqlite3 *connection);

#endif
