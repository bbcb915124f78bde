#define _GNU_SOURCE
#include "SystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/// Others, such as FUSE, may grant a lease that holds no writer back who comes from another machine or process.
static bool is_local(int descriptor) {
    struct statfs system;
    if (fstatfs(descriptor, &system) != 0) return false;
    switch (system.f_type) {
    case EXT4_SUPER_MAGIC: // also ext2 and ext3
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
        return true;
    default:
        return false;
    }
}

bool lease_for_reading(int descriptor) {
    // A writer who waits is announced by a signal: by this one, which nobody minds, instead of SIGIO, which ends the process.
    return is_local(descriptor) && fcntl(descriptor, F_SETSIG, SIGURG) == 0 && fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0;
}

bool lease_is_intact(int descriptor) {
    return fcntl(descriptor, F_GETLEASE) == F_RDLCK;
}

void *map_for_reading(int descriptor, size_t size) {
    void *start = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (start == MAP_FAILED) return NULL;
    // MAP_POPULATE would leave it to the first access to find out that the disk does not answer, and to end the process.
    if (madvise(start, size, MADV_POPULATE_READ) == 0) return start;
    int reason = errno;
    munmap(start, size);
    errno = reason;
    return NULL;
}
