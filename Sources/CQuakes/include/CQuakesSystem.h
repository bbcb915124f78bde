#pragma once

// Calls that are GNU's: Swift's module of the C library leaves them out.

int mkostemp(char *pattern, int flags);
int pipe2(int ends[2], int flags);
/// `actions` are posix_spawn_file_actions_t.
int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);
int renameat2(int oldFolder, const char *oldPath, int newFolder, const char *newPath, unsigned int flags);

/// The flag of renameat2: fail if the new path exists.
static const unsigned int renameNoReplace = 1;
