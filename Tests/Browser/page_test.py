"""The base class of the tests of the map's page. `MAP_PAGES` is the folder of the pages under test; `MAP_QUAKES` is
`real` if they show quakes of a USGS feed."""

import json
import os
import pathlib
import re
import unittest

import axe_core_python
from browser import Browser

PAGES = pathlib.Path(os.environ["MAP_PAGES"])
SHOTS = PAGES / "screenshots"
AXE = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()
FIGURES = {}

# For tests that name places, or count kinds of quakes, of the real catalog.
needs_real_quakes = unittest.skipUnless(
    os.environ.get("MAP_QUAKES") == "real", "the pages show quakes made by write-map-pages")


def page_data(name):
    page = (PAGES / f"{name}.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL).group(1))
    data["place"] = [None if name is None else data["parts"][start] + data["parts"][name]
                     for start, name in zip(data["start"], data["name"])]
    return data


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SHOTS.mkdir(exist_ok=True)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.driver.quit()

    def setUp(self):
        self.browser.resize(1280, 800)
        self.browser.prefer()
        self.browser.console()
        self.browser.requests()

    def tearDown(self):
        # Whatever the test did, nothing was logged and nothing but the page itself was requested.
        self.assertEqual(self.browser.console(), [])
        foreign = [url for url in self.browser.requests()
                   if not url.startswith((PAGES.resolve().as_uri(), "about:"))]
        self.assertEqual(foreign, [])

    def count_text(self):
        self.browser.settle()
        return self.browser.text("#count")

    def selected_rows(self):
        # All rows are read at once, after the list has scrolled to the selection and rewritten its rows.
        self.browser.next_frames()
        return self.browser.run(
            "return [...document.querySelectorAll('.row[aria-selected=true]')].map(row => row.dataset.quake)")

    def open_menu(self, name):
        """Opens the menu More, Layers or ⋯: `more`, `layers`, `actions`."""
        self.browser.run("document.getElementById(arguments[0]).open = true", name)

    def set_slider(self, label, value):
        self.browser.run(
            "const input = document.querySelector(`input[aria-label='${arguments[0]}']`);"
            "input.value = arguments[1]; input.dispatchEvent(new Event('input', {bubbles: true}));", label, str(value))

    def audit(self):
        self.browser.run(AXE)
        result = self.browser.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done)")
        return [(violation["id"], [node["html"][:120] for node in violation["nodes"]][:3])
                for violation in result["violations"]]
