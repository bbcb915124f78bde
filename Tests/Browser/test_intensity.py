"""The intensities that the page estimates are those that `quakes list` prints from the same cache."""

import csv
import io
import tempfile

from page_test import PAGES, PageTest
from test_replay import ROOT, Cache


class EstimatedIntensity(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory()
        cls.cache = Cache(cls.folder.name)
        for name in ["all_day-1", "all_day-2"]:
            cls.cache.run("refresh", "-q", ROOT / f"Fixtures/feeds/{name}.geojson")
        for name, options in [("intensity", ["--color-by", "intensity"]), ("intensity-card", [])]:
            page = PAGES / f"{name}.html"
            cls.cache.run("map", "--home", "35.75,-117.48", *options, "--output", page)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()

    def test_page_and_program_estimate_the_same(self):
        self.browser.open(PAGES / "intensity.html")
        text = self.cache.run("list", "--home", "35.75,-117.48", "--format", "csv", "--fields", "id,intensity")
        expected = {row["id"]: row["intensity"] for row in csv.DictReader(io.StringIO(text))}
        self.assertIn("", expected.values())
        found = self.browser.run("return Object.fromEntries(data.id.map((id, i) => [id, estimatedIntensity(i)]))")
        self.assertEqual(found.keys(), expected.keys())
        for id, value in expected.items():
            if value:
                self.assertAlmostEqual(found[id], float(value), delta=0.001, msg=id)
            else:
                self.assertIsNone(found[id])

    def test_the_card_and_the_legend_show_the_estimate(self):
        self.browser.open(PAGES / "intensity.html", "#ci49000125")
        self.assertIn("IV (light) at home", self.browser.text("#card"))
        self.assertIn("Estimated intensity at home", self.browser.text("#legend"))
        self.browser.run("byId('color').value = 'depth'; byId('color').dispatchEvent(new Event('change'))")
        self.browser.wait("location.hash.includes('color=depth')")
        self.assertIn("Depth (km)", self.browser.text("#legend"))

    def test_a_page_colored_by_depth_can_be_colored_by_intensity(self):
        self.browser.open(PAGES / "intensity-card.html", "#&color=intensity")
        self.assertIn("Estimated intensity at home", self.browser.text("#legend"))
        self.browser.open(PAGES / "intensity-card.html", "#&color=toString")
        self.assertIn("<1 day", self.browser.text("#legend"))
