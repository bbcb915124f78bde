"""A saved file is the same as the output of `quakes list`, column by column."""

import csv
import datetime
import io
import json
import tempfile

from page_test import PageTest
from test_replay import Cache


class Saved(PageTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = Cache(folder.name)

    def feature(self, code, **more):
        properties = {
            "mag": 4.35, "place": f"12 km SW of Town {code}, Alaska", "time": 1746366780123, "updated": 1746366999456,
            "tz": None, "url": f"https://earthquake.usgs.gov/earthquakes/eventpage/us{code}",
            "detail": f"https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/us{code}.geojson", "felt": None,
            "cdi": None, "mmi": None, "alert": None, "status": "reviewed", "tsunami": 0, "sig": 291, "net": "us",
            "code": code, "ids": f",us{code},", "sources": ",us,", "types": ",origin,phase-data,", "nst": 40, "dmin": 0.12,
            "rms": 0.61, "gap": 77, "magType": "mb", "type": "earthquake", "title": f"M 4.4 - 12 km SW of Town {code}, Alaska",
        }
        properties.update(more)
        return {"type": "Feature", "id": f"us{code}", "properties": properties,
                "geometry": {"type": "Point", "coordinates": [-150.123456, 61.5, 10]}}

    def features(self):
        return [
            self.feature("a"),
            self.feature("b", felt=12, cdi=3.4, mmi=4.312, alert="green", tsunami=1, ids=",us1,usb,ak2,", sources=",us,us,ak,"),
            self.feature("c", mag=None, place=None, magType=None, nst=None, dmin=None, rms=None, gap=None,
                         title="M ? - "),
            self.feature("d", type="quarry blast", title="M 4.4 Quarry Blast - 12 km SW of Town d, Alaska", felt=0, cdi=0),
            self.feature("e", place='The "Gap", Alaska', title='M 4.4 - The "Gap", Alaska', tz=-540, types="", sig=None,
                         url="https://example.org/e", newer={"a": [1, "b"]}, tsunami=None),
        ]

    def refresh(self, features, generated):
        feed = self.cache.folder / "feed.geojson"
        feed.write_text(json.dumps({
            "type": "FeatureCollection", "features": features,
            "metadata": {"generated": generated, "url": "", "title": "All", "status": 200, "api": "1", "count": len(features)}}))
        self.cache.run("refresh", feed)

    def expected(self, *arguments):
        """The table that the program prints, with coordinates to four decimals."""
        rows = list(csv.reader(io.StringIO(self.cache.run("list", "--format", "csv", *arguments))))
        for row in rows[1:]:
            for column in (2, 3):
                row[column] = f"{float(row[column]):.4f}".rstrip("0").rstrip(".")
        return rows

    def saved(self, fragment=""):
        page = self.cache.folder / "map.html"
        self.cache.run("map", "--replay", "--output", page)
        self.browser.open(page, fragment)
        self.browser.settle()
        text = self.browser.run("return shownAsCSV()")
        features = json.loads(self.browser.run("return shownAsGeoJSON()"))["features"]
        self.browser.requests()
        return list(csv.reader(io.StringIO(text))), features

    def test_a_saved_file_is_what_the_program_prints(self):
        self.refresh(self.features(), 1746367000000)
        rows, features = self.saved()
        self.assertEqual(rows, self.expected())
        printed = json.loads(self.cache.run("list", "--format", "geojson"))["features"]
        for ours, theirs in zip(features, printed):
            theirs["geometry"]["coordinates"][:2] = [round(degrees, 4) for degrees in theirs["geometry"]["coordinates"][:2]]
            self.assertEqual(ours, theirs)

    def test_in_a_replay_a_saved_file_has_what_was_known_at_the_moment(self):
        self.refresh(self.features(), 1746367000000)
        before = self.expected()
        moment = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        changed = self.features()
        changed[0]["properties"].update(mag=4.9, title="M 4.9 - 12 km SW of Town a, Alaska", nst=55, felt=3, updated=1746368000000,
                                        net="ak", code="2", ids=",ak2,usa,", sources=",ak,us,")
        changed[0]["id"] = "ak2"
        self.refresh(changed[:1] + changed[2:], 1746368100000)
        rows, _ = self.saved()
        self.assertEqual(rows, self.expected())
        rows, _ = self.saved(f"#replay=recorded:{moment}")
        self.assertEqual(sorted(rows), sorted(before))
