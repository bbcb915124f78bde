"""Coasts at 1:10 million: around the quakes of the world, and in a region."""

from page_test import PAGES, PageTest, page_data


class Coasts(PageTest):
    def test_a_small_region_has_finer_ground_and_more_cities(self):
        near = page_data("japan")["near"]
        self.assertEqual(len(near["cities"]), 150)
        self.assertEqual(len(near["boxes"]), 1)
        self.assertGreater(len(near["boxes"][0][4]), 30_000)
        self.browser.open(PAGES / "japan.html")
        self.assertEqual(self.browser.run("return places().cities.filter((city) => city.name === 'Tokyo').length"), 1)

    def test_a_page_of_the_world_has_finer_ground_around_quakes_within_a_budget(self):
        data = page_data("4438")
        boxes = data["near"]["boxes"]
        self.assertNotIn("cities", data["near"])
        self.assertLessEqual(sum(len(box[4]) + 25 for box in boxes), 24_000 + 10 * data["count"])
        near = [[lon / 1e4, lat / 1e4] for lon, lat in zip(data["lon"], data["lat"])]
        for west, south, east, north, _ in boxes:
            self.assertTrue(any(
                south - 1 <= lat <= north + 1 and min((lon - west) % 360, (west - lon) % 360) <= 3 for lon, lat in near))

    def test_the_finer_ground_is_unpacked_when_a_zoomed_map_shows_it(self):
        browser = self.browser
        browser.open(PAGES / "4438.html")
        browser.settle()
        self.assertEqual(browser.run("return Object.keys(unpacked).filter((name) => Number(name) >= 0)"), [])
        browser.open(PAGES / "4438.html", "#&view=37.7,-122.4,250")
        browser.settle()
        unpacked = browser.run("return Object.keys(unpacked).map(Number).filter((name) => name >= 0)")
        self.assertIn(len(unpacked), range(1, 12))
        boxes = page_data("4438")["near"]["boxes"]
        self.assertTrue(any(boxes[k][0] <= -122.4 <= boxes[k][2] and boxes[k][1] <= 37.7 <= boxes[k][3] for k in unpacked))

    def test_the_finer_ground_replaces_the_coarser_only_in_its_boxes(self):
        browser = self.browser
        browser.open(PAGES / "4438.html", "#&view=37.7,-122.4,250")
        browser.settle()
        changed = browser.run("""
            const pixels = () => {
              // The ground of an unchanged view is not drawn again.
              const x = map.view.x;
              map.view.x += 1;
              map.draw(true);
              map.view.x = x;
              map.draw(true);
              return byId("ground").getContext("2d").getImageData(0, 0, byId("ground").width, byId("ground").height);
            };
            const near = data.near;
            const fine = pixels();
            data.near = undefined;
            const plain = pixels();
            data.near = near;
            const apart = 1 / map.view.scale;
            const changed = { inside: 0, outside: 0 };
            for (let k = 0; k < fine.data.length; k += 4) {
              if ([0, 1, 2].every((part) => fine.data[k + part] === plain.data[k + part])) continue;
              const lon = map.view.x + ((k / 4) % fine.width - fine.width / 2) * apart;
              const high = map.view.y - (Math.floor(k / 4 / fine.width) - fine.height / 2) * apart;
              const lat = latitudeOfHeight(high);
              const isInside = near.boxes.some(([west, south, east, north]) =>
                lon > west - 2 * apart && lon < east + 2 * apart && lat > south - 2 * apart && lat < north + 2 * apart);
              changed[isInside ? "inside" : "outside"]++;
            }
            return changed;""")
        self.assertGreater(changed["inside"], 5000)
        self.assertEqual(changed["outside"], 0)
        # Discard Chromium's warning that pixels were read.
        browser.console()
