#pragma once
#include <stddef.h>

/// A file of the source tree, embedded in the program's read-only data. The system reads the data from disk only when
/// it is first used.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} QuakeFile;

/// Sources/QuakePlaces/cities.txt
QuakeFile quakePlaceCities(void);
/// Sources/QuakeMap/Page/page.html
QuakeFile quakeMapPageHTML(void);
/// Sources/QuakeMap/Page/page.css
QuakeFile quakeMapPageCSS(void);
/// The scripts in Sources/QuakeMap/Page, one after the other.
QuakeFile quakeMapPageJS(void);
/// Sources/QuakeMap/Outlines/world-110m.txt
QuakeFile quakeMapOutlines110m(void);
/// Sources/QuakeMap/Outlines/world-50m.txt
QuakeFile quakeMapOutlines50m(void);
/// Sources/QuakeMap/Outlines/world-10m.txt
QuakeFile quakeMapOutlines10m(void);
/// Sources/QuakeMap/Outlines/places.txt
QuakeFile quakeMapPlaces(void);
