#include "QuakePlaceFiles.h"

// #embed is C23; clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char cities[] = {
#embed "../QuakePlaces/cities.txt"
};

QuakePlaceFile quakePlaceCities(void) { return (QuakePlaceFile){cities, sizeof cities}; }
