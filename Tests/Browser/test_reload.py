"""A page that reloads itself from a server shows the newer version of its file as the reader left the older one."""

import functools
import http.server
import pathlib
import tempfile
import threading

from page_test import PageTest
from test_replay import ROOT, Cache


class Reload(PageTest):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.cache = Cache(self.folder.name)
        self.site = pathlib.Path(self.folder.name) / "site"
        self.site.mkdir()
        handler = functools.partial(QuietHandler, directory=str(self.site))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tearDown(self):
        self.browser.driver.get("about:blank")
        self.server.shutdown()
        self.server.server_close()
        self.folder.cleanup()
        self.assertEqual([line for line in self.browser.console() if "favicon" not in line], [])
        self.browser.requests()

    def refresh(self, number):
        self.cache.run("refresh", ROOT / f"Fixtures/feeds/all_day-{number}.geojson")
        self.cache.run("map", "--replay", "--reload", "1h", "--output", self.site / "quakes.html")

    def open(self):
        self.browser.driver.get(f"http://127.0.0.1:{self.server.server_port}/quakes.html")
        self.browser.wait("performance.getEntriesByName('interactive').length > 0")

    # Makes the page believe that an hour has passed.
    LATER = "const real = Date.now.bind(Date); Date.now = () => real() + 3700e3;"

    def wait_for_reload(self):
        self.browser.wait(
            "document.body.dataset.version !== 'old' && performance.getEntriesByName('interactive').length > 0")
        self.browser.settle()

    def state(self):
        return self.browser.run(
            "return {id: data.id[selected], x: map.view.x.toFixed(2), y: map.view.y.toFixed(2),"
            " scale: Number(map.view.scale.toPrecision(5)), showing: document.querySelector('#chips').textContent,"
            " color: document.querySelector('#color').value, zone: zoneChoice.value, unit: unitChoice.value,"
            " plates: document.querySelector('#plates').checked, sort: document.querySelector('#sorts .down')?.textContent,"
            " filters: document.querySelector('#more').open, scroll: list.scroller.scrollTop,"
            " focus: document.activeElement.id}")

    def test_the_newer_file_has_the_view_and_settings_of_the_older_one(self):
        browser = self.browser
        self.refresh(1)
        self.open()
        browser.run("document.body.dataset.version = 'old'")
        before = browser.run("return data.present")
        # This quake has another preferred id in the newer file.
        browser.run("select(quakeWithId('us7000zzc4'), 'list')")
        self.set_slider("Magnitude from", 0.5)
        self.open_menu("layers")
        browser.find("#plates").click()
        browser.run("for (const [id, value] of [['color', 'magtype'], ['zone', 'quake'], ['unit', 'mi']]) {"
                    " const e = document.getElementById(id); e.value = value; e.dispatchEvent(new Event('change')); }")
        browser.find("button[data-column=mag]").click()
        browser.find("#zoom-in").click()
        browser.find("#zoom-in").click()
        browser.settle()
        browser.run("list.scroller.scrollTop = 64; document.querySelector('#view').focus()")
        browser.settle()
        was = self.state()
        self.refresh(2)
        self.assertEqual(browser.run("return document.body.dataset.version"), "old")
        browser.run(self.LATER)
        self.wait_for_reload()
        now = self.state()
        self.assertNotEqual(browser.run("return data.present"), before)
        self.assertEqual((was.pop("id"), now.pop("id")), ("us7000zzc4", "ci49000125"))
        self.assertEqual(now, was)

    def test_it_waits_while_a_replay_plays_or_reloading_is_off(self):
        browser = self.browser
        self.refresh(1)
        self.open()
        browser.run("document.body.dataset.version = 'old'; replay.start('origin'); replay.jump(replay.span()[0], false);"
                    "document.querySelector('#replay-speed').value = '60'; replay.setPlaying(true);" + self.LATER)
        # The page checks four times a second whether it is time to reload.
        start = browser.run("return performance.now()")
        browser.wait(f"performance.now() > {start} + 1000")
        self.assertEqual(browser.run("return document.body.dataset.version"), "old")
        self.assertTrue(browser.run("return replay.isPlaying()"))
        browser.run("replay.setPlaying(false)")
        self.wait_for_reload()
        # The replay is still at the same moment.
        self.assertIn("replay=origin:", browser.run("return location.hash"))
        self.assertTrue(browser.find("#replay").is_displayed())
        self.open_menu("layers")
        browser.find("#reload").click()
        browser.run("document.body.dataset.version = 'old';" + self.LATER)
        start = browser.run("return performance.now()")
        browser.wait(f"performance.now() > {start} + 1000")
        self.assertEqual(browser.run("return document.body.dataset.version"), "old")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
