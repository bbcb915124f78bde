#pragma once
#include <stddef.h>

/// The bytes of Sources/QuakePlaces/cities.txt. They lie in the program's read-only data: a program that does not ask
/// for them never reads them from disk.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} QuakePlaceFile;

QuakePlaceFile quakePlaceCities(void);
