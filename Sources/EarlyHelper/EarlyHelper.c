#include "EarlyHelper.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/// What was started before main and nobody has taken; process 0 where there is nothing.
static struct started_helper early;

static bool is_one_of(const char *argument, const char *const words[]) {
    for (; *words; words++) {
        if (strcmp(argument, *words) == 0) return true;
    }
    return false;
}

static bool looks_like_feed_file(const char *argument) {
    static const char ending[] = ".geojson";
    size_t length = strlen(argument), needed = sizeof ending - 1;
    return length >= needed && strcmp(argument + length - needed, ending) == 0 && !strstr(argument, "://");
}

bool looks_like_download(int count, char *const arguments[]) {
    static const char *const others[] = {"-", "-h", "--help", "--version", NULL};
    if (count < 2 || strcmp(arguments[1], "refresh") != 0) return false;
    for (int index = 2; index < count; index++) {
        if (is_one_of(arguments[index], others) || looks_like_feed_file(arguments[index])) return false;
    }
    return true;
}

bool take_early_helper(struct started_helper *helper) {
    if (early.process == 0) return false;
    *helper = early;
    early.process = 0;
    return true;
}

/// Before the initializers of everything else, which take longer than this. A helper that nobody takes ends with our sockets.
__attribute__((constructor(101))) static void start_early(int count, char **arguments, char **environment) {
    if (!looks_like_download(count, arguments)) return;
    char path[PATH_MAX];
    for (int place = 0; helper_path(place, NULL, path, sizeof path); place++) {
        if (access(path, X_OK) == 0) {
            if (start_helper(path, environment, &early) != 0) early.process = 0;
            return;
        }
    }
}
