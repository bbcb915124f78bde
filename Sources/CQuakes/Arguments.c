#include "CQuakesArguments.h"

#include <stddef.h>
#include <sys/auxv.h>

// The loader hands argc and argv to constructors as it does to main. In C because Swift reads its list of arguments
// from /proc, and has an empty one where that cannot be read.
static int count;
static char *const *words;

__attribute__((constructor)) static void keep(int argc, char *const *argv) {
    count = argc;
    words = argv;
}

int quakes_argument_count(void) {
    return count;
}

const char *quakes_argument(int index) {
    return index >= 0 && index < count ? words[index] : NULL;
}

const char *quakes_executable(void) {
    return (const char *)getauxval(AT_EXECFN);
}
