// What Linux offers and Swift's Glibc module does not show.

#ifndef SYSTEM_CALLS_H
#define SYSTEM_CALLS_H

#include <stdbool.h>

/// Takes a read lease on the file open as `descriptor`, for as long as it is open: whoever opens it for writing, or cuts
/// it, waits until it is closed, but never longer than /proc/sys/fs/lease-break-time. Returns whether there is one to be had.
bool lease_for_reading(int descriptor);

#endif
