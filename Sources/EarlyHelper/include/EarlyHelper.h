// Starts the download helper before main, where the command line looks like a download.

#ifndef EARLY_HELPER_H
#define EARLY_HELPER_H

#include <HelperStart.h>

/// Whether a command line is most probably that of a download: a refresh, of nothing that looks like a file.
bool looks_like_download(int count, char *const arguments[]);

/// The helper that was started before main, which is given away once. Returns false where there is none.
bool take_early_helper(struct started_helper *helper);

#endif
