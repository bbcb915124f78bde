// What Linux offers and Swift's Glibc module does not show.

#ifndef SYSTEM_CALLS_H
#define SYSTEM_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/// Takes a read lease on the file open as `descriptor`, for as long as it is open: whoever opens it for writing, or cuts
/// it, waits until it is closed, but never longer than /proc/sys/fs/lease-break-time. Returns whether there is one to be had.
bool lease_for_reading(int descriptor);

/// Whether the lease on `descriptor` is there and nobody waits for its end: then it holds for the whole of that time yet.
bool lease_is_intact(int descriptor);

/// Maps the first `size` bytes of the file open as `descriptor` for reading, all of them fetched. A null pointer, with errno set, where
/// that fails, also where a byte cannot be read or the kernel cannot tell (before Linux 5.14).
void *map_for_reading(int descriptor, size_t size);

#endif
