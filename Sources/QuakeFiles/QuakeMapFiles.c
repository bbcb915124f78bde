#include "QuakeFiles.h"

// #embed is C23, but clang supports it in every language mode. The compiler records the embedded files as dependencies,
// so editing one of them triggers a rebuild.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char pageHTML[] = {
#embed "../QuakeMap/Page/page.html"
};
static const unsigned char pageCSS[] = {
#embed "../QuakeMap/Page/page.css"
};
// One script made of several files, in the order in which they run.
static const unsigned char pageJS[] = {
#embed "../QuakeMap/Page/quakes.js" suffix(, )
#embed "../QuakeMap/Page/intensity.js" suffix(, )
#embed "../QuakeMap/Page/url.js" suffix(, )
#embed "../QuakeMap/Page/words.js" suffix(, )
#embed "../QuakeMap/Page/filters.js" suffix(, )
#embed "../QuakeMap/Page/list.js" suffix(, )
#embed "../QuakeMap/Page/outlines.js" suffix(, )
#embed "../QuakeMap/Page/places.js" suffix(, )
#embed "../QuakeMap/Page/search.js" suffix(, )
#embed "../QuakeMap/Page/discs.js" suffix(, )
#embed "../QuakeMap/Page/labels.js" suffix(, )
#embed "../QuakeMap/Page/pointing.js" suffix(, )
#embed "../QuakeMap/Page/legend.js" suffix(, )
#embed "../QuakeMap/Page/solutions.js" suffix(, )
#embed "../QuakeMap/Page/card.js" suffix(, )
#embed "../QuakeMap/Page/replay.js" suffix(, )
#embed "../QuakeMap/Page/map.js" suffix(, )
#embed "../QuakeMap/Page/reload.js" suffix(, )
#embed "../QuakeMap/Page/save.js" suffix(, )
#embed "../QuakeMap/Page/embed.js" suffix(, )
#embed "../QuakeMap/Page/start.js"
};
static const unsigned char outlines110m[] = {
#embed "../QuakeMap/Outlines/world-110m.txt"
};
static const unsigned char outlines50m[] = {
#embed "../QuakeMap/Outlines/world-50m.txt"
};
static const unsigned char outlines10m[] = {
#embed "../QuakeMap/Outlines/world-10m.txt"
};
static const unsigned char places[] = {
#embed "../QuakeMap/Outlines/places.txt"
};

QuakeFile quakeMapPageHTML(void) { return (QuakeFile){pageHTML, sizeof pageHTML}; }
QuakeFile quakeMapPageCSS(void) { return (QuakeFile){pageCSS, sizeof pageCSS}; }
QuakeFile quakeMapPageJS(void) { return (QuakeFile){pageJS, sizeof pageJS}; }
QuakeFile quakeMapOutlines110m(void) { return (QuakeFile){outlines110m, sizeof outlines110m}; }
QuakeFile quakeMapOutlines50m(void) { return (QuakeFile){outlines50m, sizeof outlines50m}; }
QuakeFile quakeMapOutlines10m(void) { return (QuakeFile){outlines10m, sizeof outlines10m}; }
QuakeFile quakeMapPlaces(void) { return (QuakeFile){places, sizeof places}; }
