#include "QuakeFiles.h"

// #embed is C23, but clang supports it in every language mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char cities[] = {
#embed "../QuakePlaces/cities.txt"
};

QuakeFile quakePlaceCities(void) { return (QuakeFile){cities, sizeof cities}; }
