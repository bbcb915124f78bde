"""The script computes the same as the programs: projection, sizes, magnitudes, distances, regions."""

import json

from page_test import PAGES, PageTest


class Copies(PageTest):
    def test_script_and_programs_agree(self):
        computed = json.loads((PAGES / "computed.json").read_text())
        self.browser.open(PAGES / "1000.html")
        found = self.browser.run("""
            const c = arguments[0], hilo = [19.73, -155.09];
            return {
              heights: c.latitudes.map(heightOfLatitude), back: c.heights.map(latitudeOfHeight),
              sizeFactors: c.scales.map(([quakes, scale]) => sizeFactor(quakes, scale)),
              opacities: c.scales.map(([quakes, scale]) => opacityOf(quakes, scale)),
              titles: c.magnitudes.map(magnitudeText), radii: c.magnitudes.map(radiusOfMagnitude),
              distances: c.places.map((_, i) => distanceBetween(latitude[i], longitude[i], ...hilo)),
              places: c.places.map((_, i) => placeOf(i)), regions: c.places.map((_, i) => regionsOf(i)),
            }""", computed)
        # The page contains coordinates to the nearest 11 meters.
        tolerances = {"heights": 1e-9, "back": 1e-9, "sizeFactors": 1e-12, "opacities": 1e-12, "radii": 1e-9,
                      "distances": 0.02}
        for name, tolerance in tolerances.items():
            self.assertEqual(len(found[name]), len(computed[name]))
            for k, (page, program) in enumerate(zip(found[name], computed[name])):
                self.assertAlmostEqual(page, program, delta=tolerance, msg=f"{name} {k}")
        self.assertEqual([title.replace("−", "-") for title in found["titles"]], computed["titles"])
        self.assertEqual([place.replace(" – ", " - ") for place in found["places"]], computed["places"])
        self.assertEqual([sorted(regions) for regions in found["regions"]],
                         [sorted(regions) for regions in computed["regions"]])
