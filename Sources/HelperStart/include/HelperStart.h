// Starts the download helper.

#ifndef HELPER_START_H
#define HELPER_START_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// A helper that runs: its process, our end of the socket that is its input and output, and our end of the one that is its
/// standard error. None of the descriptors is 0, 1 or 2, and child processes do not inherit them.
struct started_helper {
    pid_t process;
    int answers;
    int diagnostics;
};

/// Starts the program at `path` with the variables of `environment` ("NAME=value", a null pointer at the end), but those that
/// would let it leave something behind. Returns 0, or an error number.
///
/// Signals that this process blocks are not blocked in the helper; those it ignores (nohup) stay ignored.
int start_helper(const char *path, char *const environment[], struct started_helper *helper);

/// Writes the path of the helper of the program at `executable`, or of the one that runs where that is null: the `place`th of those
/// where it may lie, from 0. Returns false where there is no such place, or no room for its path.
bool helper_path(int place, const char *executable, char *path, size_t size);

#endif
