#pragma once
#include <stddef.h>

/// The bytes of a file of the source tree. They lie in the program's read-only data: a program that does not ask for
/// them never reads them from disk.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} QuakeMapFile;

/// Sources/QuakeMap/Page/page.html
QuakeMapFile quakeMapPageHTML(void);
/// Sources/QuakeMap/Page/page.css
QuakeMapFile quakeMapPageCSS(void);
/// The scripts in Sources/QuakeMap/Page, one after the other.
QuakeMapFile quakeMapPageJS(void);
/// Sources/QuakeMap/Outlines/world-110m.txt
QuakeMapFile quakeMapOutlines110m(void);
/// Sources/QuakeMap/Outlines/world-50m.txt
QuakeMapFile quakeMapOutlines50m(void);
/// Sources/QuakeMap/Outlines/world-10m.txt
QuakeMapFile quakeMapOutlines10m(void);
/// Sources/QuakeMap/Outlines/places.txt
QuakeMapFile quakeMapPlaces(void);
