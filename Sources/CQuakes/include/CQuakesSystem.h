#pragma once

#include <time.h>

// Functions that Swift's Glibc module omits.

int mkostemp(char *pattern, int flags);
int pipe2(int ends[2], int flags);
/// `actions` is a pointer to posix_spawn_file_actions_t.
int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);
int renameat2(int oldFolder, const char *oldPath, int newFolder, const char *newPath, unsigned int flags);
char *strptime(const char *text, const char *format, struct tm *time);

/// The flag that makes renameat2 fail if the new path exists.
static const unsigned int renameNoReplace = 1;
