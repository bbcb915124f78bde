"""The replay shows the quakes that `quakes list --at` prints from the same cache, and is fast."""

import csv
import datetime
import gzip
import io
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import unittest

from page_test import FIGURES, PAGES, SHOTS, PageTest
from selenium.webdriver.common.keys import Keys

PROGRAM = os.environ["QUAKES_PROGRAM"]
ROOT = pathlib.Path(__file__).parents[2]
SERIES = ROOT.parent / "shared/usgs/series/caribbean-2025-jul-sep"
SHOWN = ("return [...shown].map((i) => [data.id[i], data.mag[i], data.depth[i], latitude[i], longitude[i], time[i],"
         " data.place[i], data.words[data.status[i]]])")


class Cache:
    """A cache in its own folder, made by the program under test."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def run(self, *arguments, statuses=(0,)):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "QUAKES_DB": str(self.folder / "quakes.db")}
        result = subprocess.run([PROGRAM, *map(str, arguments)], env=environment, capture_output=True, text=True)
        if result.returncode not in statuses:
            raise AssertionError(f"{arguments}: {result.returncode}\n{result.stderr}")
        return result.stdout

    def quakes(self, *arguments):
        """Returns the listed quakes by id, with their values as the page has them."""
        fields = "id,mag,depth,lat,lon,time,place,status"
        text = self.run("list", "--format", "csv", "--fields", fields, *arguments)
        number = lambda value: float(value) if value else None
        return {
            row["id"]: (number(row["mag"]), number(row["depth"]), float(row["lat"]), float(row["lon"]), epoch(row["time"]),
                        row["place"] or None, row["status"])
            for row in csv.DictReader(io.StringIO(text))
        }


def epoch(text):
    """Returns a time as milliseconds since 1970."""
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


class Replay(PageTest):
    # The minimum numbers of different moments in the snapshots.
    min_recorded = 10
    min_published = 6
    # A part of the Earth with some of the quakes.
    box = "-130,20,-60,60"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory()
        cls.cache = Cache(cls.folder.name)
        cls.fill(cls.cache)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()

    @classmethod
    def fill(cls, cache):
        """Reads two feeds, and stories in which quakes are retracted, merged, renamed and restored; then purges."""
        stories = ["retracted-after-six", "merge", "rename-chain", "restored-same-key", "null-to-value", "id-is-not-split"]
        files = [ROOT / f"Fixtures/feeds/{name}.geojson" for name in ["all_day-1", "all_hour", "all_day-2"]]
        files += [file for story in stories for file in (ROOT / "Fixtures/stories" / story).glob("*.geojson")]
        # In the order of publication, whichever story the files belong to.
        for file in sorted(files, key=lambda file: json.loads(file.read_text())["metadata"]["generated"]):
            cache.run("refresh", file)
        cache.run("purge", "--older-than", "1h", "--max-mag", "0.5", "--yes")
        cache.run("undo")
        cache.run("purge", "--older-than", "1h", "--min-mag", "5.2", "--yes")

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])
        self.browser.requests()

    def page(self, *arguments):
        path = pathlib.Path(self.folder.name) / "page.html"
        self.cache.run("map", "--replay", "--output", path, *arguments)
        return path

    def state(self):
        return {row[0]: tuple(row[1:]) for row in self.browser.run(SHOWN)}

    def assert_same(self, page, listed, name):
        self.assertEqual(sorted(page), sorted(listed), name)
        for identifier, values in listed.items():
            for one, other in zip(page[identifier], values):
                if isinstance(other, float):
                    self.assertAlmostEqual(one, other, delta=1e-4, msg=f"{name} {identifier}")
                else:
                    self.assertEqual(one, other, f"{name} {identifier}")

    def moments(self, clock):
        """Returns moments spread over a clock: at events, and right before events."""
        self.browser.run("replay.start(arguments[0])", clock)
        every = self.browser.run(
            "const found = new Set(); for (const revisions of Object.entries(data.history)) {"
            " let recorded = originTimes[revisions[0]]; for (const [later, , offset] of revisions[1]) { recorded += later;"
            "  const at = arguments[0] === 'recorded' ? recorded : offset === null ? null : recorded + offset;"
            "  if (at !== null) found.add(at); } } return [...found].sort((a, b) => a - b)", clock)
        chosen = [every[round(k * (len(every) - 1) / 5)] for k in range(6)]
        # `list --at` rejects moments before the first event.
        return sorted({*chosen, *(moment - 1 for moment in chosen[1:] if moment - 1 >= every[0])})

    def compare(self, clock, *filters):
        self.browser.open(self.page(*filters))
        moments = self.moments(clock)
        prefix = "" if clock == "recorded" else "published:"
        for moment in moments + moments[::-1]:
            text = self.browser.run("return new Date(arguments[0]).toISOString()", moment)
            self.browser.run("replay.jump(arguments[0], false)", moment)
            self.browser.settle()
            self.assert_same(self.state(), self.cache.quakes(*filters, "--at", prefix + text), f"{clock} {text}")
        self.browser.run("replay.stop()")
        self.browser.settle()
        self.assert_same(self.state(), self.cache.quakes(*filters), "now")
        return moments

    def test_forwards_and_backwards_it_shows_what_the_cache_knew(self):
        for filters in [(), ("--min-mag", "2"), ("--bbox", self.box)]:
            with self.subTest(filters=filters):
                self.assertGreaterEqual(len(self.compare("recorded", *filters)), 3 if filters else self.min_recorded)

    def test_forwards_and_backwards_it_shows_what_was_published(self):
        for filters in [(), ("--min-mag", "2")]:
            with self.subTest(filters=filters):
                self.assertGreaterEqual(len(self.compare("published", *filters)), 2 if filters else self.min_published)

    def test_deleted_quakes_are_shown_before_and_vanish_with_a_mark(self):
        browser = self.browser
        browser.open(self.page())
        gone = browser.run("return data.count - data.present")
        self.assertGreater(gone, 0)
        self.assertEqual(self.count_text(), f"{browser.run('return data.present')} quakes")
        browser.run("replay.start('recorded')")
        seen = set()
        marks = browser.run(
            "window.kinds = new Set(); const push = Array.prototype.push;"
            "Array.prototype.push = function (one) { if (one && one.kind) kinds.add(one.kind); return push.apply(this, arguments); };"
            "replay.jump(replay.span()[0], false);"
            "while (replay.moment() < replay.span()[1]) { replay.stepMoment(1); }"
            "Array.prototype.push = push; return [...kinds]")
        seen.update(marks)
        self.assertTrue({"new", "moved", "gone"} <= seen, seen)

    def test_playing_by_buttons_and_keys(self):
        browser = self.browser
        browser.open(self.page())
        published = browser.run("return data.replay.published !== null")
        browser.find("#replay-open").click()
        # The replay opens at its start.
        self.assertEqual(browser.run("return replay.moment() === replay.span()[0]"), True)
        self.assertEqual(browser.find("#replay-clock").get_attribute("value"), "published" if published else "recorded")
        browser.run("replay.start('recorded')")
        self.assertEqual(self.audit(), [])
        slider = browser.find("#replay-slider")
        slider.send_keys(Keys.HOME)
        browser.settle()
        self.assertEqual(self.count_text(), "0 quakes")
        self.assertIn("No quakes were known at that time.", browser.text("#nothing"))
        browser.find("#replay-step").send_keys(Keys.ENTER)
        browser.settle()
        self.assertNotEqual(self.count_text(), "0 quakes")
        self.assertNotEqual(browser.text("#replay-news"), "")
        self.assertIn("replay=recorded:", browser.run("return location.hash"))
        browser.find("#replay-back").send_keys(Keys.ENTER)
        self.assertEqual(self.count_text(), "0 quakes")
        browser.run("document.querySelector('#replay-speed').value = '2592000'")
        browser.find("#replay-play").send_keys(Keys.ENTER)
        browser.wait("!replay.isPlaying()")
        self.assertEqual(self.count_text(), f"{browser.run('return data.present')} quakes")
        browser.find("#replay-close").click()
        self.assertFalse(browser.find("#replay").is_displayed())
        self.assertEqual(browser.run("return location.hash"), "")

    def test_the_card_shows_what_was_known_at_the_moment(self):
        browser = self.browser
        browser.open(self.page())
        number = browser.run("return Number(Object.entries(data.history).find(([i, one]) => i < data.present &&"
                             " one.length > 1 && one.some((r) => r.slice(3).some(([p]) => data.words[p] === 'mag')))[0])")
        browser.run("select(arguments[0], 'list')", number)
        now = browser.text("#card")
        browser.run("replay.start('recorded'); replay.jump(originTimes[arguments[0]] + data.history[arguments[0]][0][0], false)",
                    number)
        browser.settle()
        then = browser.text("#card")
        self.assertNotEqual(now, then)
        self.assertIn("later", then)
        browser.run("replay.stop()")
        browser.settle()
        self.assertEqual(browser.text("#card"), now)

    def test_the_parts_of_a_place_that_a_replay_has_changed_are_not_used(self):
        browser = self.browser
        browser.open(self.page())
        wrong, changed = browser.run(
            "const places = [...data.place]; replay.start('recorded'); replay.jump(replay.span()[0], false);"
            "const parted = (i) => data.parts[data.start[i]] + data.parts[data.name[i]];"
            "return [data.place.filter((place, i) => data.name[i] !== null && place !== parted(i)).length,"
            " data.place.filter((place, i) => place !== places[i]).length]")
        self.assertEqual(wrong, 0)
        # The real series need not have a place that changes.
        if type(self) is Replay:
            self.assertGreater(changed, 0)

    def test_with_reduced_motion_nothing_moves(self):
        browser = self.browser
        browser.prefer(prefers_reduced_motion="reduce")
        browser.open(self.page())
        browser.run("replay.start('recorded'); replay.jump(replay.span()[0], false)")
        browser.settle()
        browser.run("while (replay.moment() < replay.span()[1]) replay.stepMoment(1)")
        browser.settle()
        frames = browser.run("let n = 0; const old = window.requestAnimationFrame; window.requestAnimationFrame ="
                             " (f) => { n++; return old(f); }; window.counted = () => n; return 0")
        self.assertEqual(frames, 0)
        browser.settle()
        self.assertLessEqual(browser.run("return counted()"), 2)
        self.assert_same(self.state(), self.cache.quakes(), "now")

    def test_without_the_option_a_page_replays_only_origin_times(self):
        browser = self.browser
        path = pathlib.Path(self.folder.name) / "plain.html"
        self.cache.run("map", "--output", path)
        browser.open(path)
        browser.find("#replay-open").click()
        self.assertTrue(browser.find("#replay-hint").is_displayed())
        times = sorted(values[4] for values in self.cache.quakes().values())
        for moment in [times[0], times[len(times) // 2], times[-2]]:
            browser.run("replay.jump(arguments[0], false)", moment)
            browser.settle()
            expected = sum(1 for one in times if one <= moment)
            self.assertEqual(len(self.state()), expected)


@unittest.skipUnless(SERIES.is_dir(), "needs the series of real feeds")
class RealReplay(Replay):
    min_published = 10
    box = "-67,17,-66,20"

    @classmethod
    def fill(cls, cache):
        for snapshot in sorted(SERIES.iterdir())[:80]:
            text = gzip.decompress(snapshot.read_bytes()) if snapshot.suffix == ".gz" else snapshot.read_bytes()
            file = cache.folder / "snapshot.geojson"
            file.write_bytes(text)
            cache.run("refresh", file)

    def test_deleted_quakes_are_shown_before_and_vanish_with_a_mark(self):
        self.skipTest("the fixtures have all kinds of marks")

    def test_without_the_option_a_page_replays_only_origin_times(self):
        self.skipTest("tested with the fixtures")


class ReplaySpeed(PageTest):
    def test_frames_with_ten_thousand_quakes(self):
        browser = self.browser
        browser.open(PAGES / "replay.html")
        browser.settle()
        browser.run("replay.start('recorded'); replay.jump(replay.span()[0], false);"
                    "document.querySelector('#replay-speed').value = '86400'")
        browser.settle()
        browser.run("replay.setPlaying(true)")
        frames = browser.frame_times(lambda: browser.wait("replay.moment() > replay.span()[0] + 7 * 86400e3"))
        browser.screenshot(SHOTS / "replay-middle.png")
        browser.run("replay.setPlaying(false)")
        FIGURES["replay, 10000 quakes: median, worst frame (ms)"] = (
            round(statistics.median(frames), 1), round(max(frames), 1))
        self.assertLess(statistics.median(frames), 34)
