"""Solutions on the page: in the replay from the first one on, as beach balls, and as courses of magnitude and depth."""

import http.server
import math
import random
import threading

from test_replay import PAGES, ROOT, SHOTS, Cache, PageTest, Replay

QUAKE_ID = "us7000zzay"


class Service(http.server.BaseHTTPRequestHandler):
    """An event service that knows one quake."""

    def do_GET(self):
        body = (ROOT / f"Fixtures/details/{QUAKE_ID}.geojson").read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def fetch_details(cache):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever).start()
    try:
        cache.run("details", QUAKE_ID, "--service-url", f"http://127.0.0.1:{server.server_port}/query")
    finally:
        server.shutdown()
        server.server_close()


class ReplayOfSolutions(Replay):
    """A replay that starts with the first solution passes all tests of a replay."""

    @classmethod
    def fill(cls, cache):
        super().fill(cache)
        cache.run("undo")
        fetch_details(cache)

    def test_it_begins_with_the_first_solution(self):
        browser = self.browser
        # A quake of which only the first solution passes a filter is shown until the next solution.
        for filters, values in [((), [6.5, 30]), (("--min-mag", "6.45"), [6.5, 30])]:
            browser.open(self.page(*filters))
            browser.run("replay.start('published'); replay.jump(replay.span()[0], false)")
            browser.settle()
            self.assertEqual({row[0]: row[1:3] for row in browser.run(
                "return [...shown].map((i) => [data.id[i], data.mag[i], data.depth[i]])")}, {QUAKE_ID: values})
            moments = ["2026-03-14T07:46:00Z", "2026-03-14T08:45:00Z", "2026-03-14T09:00:00Z", "2026-03-14T11:50:00Z"]
            for moment in moments + moments[::-1]:
                browser.run("replay.jump(Date.parse(arguments[0]), false)", moment)
                browser.settle()
                self.assert_same(self.state(), self.cache.quakes(*filters, "--at", f"published:{moment}"), moment)
            browser.run("replay.stop()")

    def test_on_the_clock_of_recorded_times_solutions_arrive_with_the_first_snapshot(self):
        browser = self.browser
        browser.open(self.page())
        browser.run("replay.start('recorded'); replay.jump(replay.span()[0], false)")
        browser.settle()
        self.assertEqual(self.state(), {})
        browser.run("replay.stepMoment(1)")
        browser.settle()
        self.assertEqual(self.state()[QUAKE_ID][0], 6.2)
        self.assertNotIn("solution", browser.text("#replay-news"))
        browser.run("replay.stepMoment(-1)")
        browser.settle()
        self.assertEqual(self.state(), {})

    def test_the_card_shows_courses_and_mechanism_up_to_the_moment(self):
        browser = self.browser
        browser.open(self.page())
        browser.run(f"select(data.id.indexOf('{QUAKE_ID}'), 'url')")
        card = browser.text("#card")
        for words in ["Mww 6.2, strike 2 dip 21 rake 101, 97% double couple (us)", "6 solutions", "6.5 → 6.2", "30 km → 44.18 km"]:
            self.assertIn(words, card)
        self.assertEqual(browser.run("return document.querySelectorAll('#card .course').length"), 2)
        browser.screenshot(SHOTS / "solutions.png")
        self.audit()
        browser.run("replay.start('published'); replay.jump(Date.parse('2026-03-14T07:50:00Z'), false)")
        browser.settle()
        card = browser.text("#card")
        self.assertIn("2 solutions", card)
        self.assertIn("6.5 → ?", card)
        self.assertNotIn("strike", card)
        browser.run("replay.jump(Date.parse('2026-03-14T11:50:00Z'), true)")
        browser.settle()
        browser.screenshot(SHOTS / "solutions-track.png")


class BeachBall(PageTest):
    def tensors(self):
        """Returns ten moment tensors: an explosion, an implosion, a dipole, and random ones."""
        chance = random.Random(31)
        found = [([1, 1, 1, 0, 0, 0], "explosion"), ([-1, -1, -1, 0, 0, 0], "implosion"), ([2, -1, -1, 0, 0, 0], "dipole")]
        for _ in range(7):
            found.append(([chance.uniform(-1, 1) for _ in range(6)], "any"))
        return found

    def test_a_beach_ball_has_the_first_motions_of_its_tensor(self):
        # The amplitude along a ray r is r·M·r, here in the coordinates north, east and down.
        chance = random.Random(100)
        self.browser.open(PAGES / "1000.html")
        for (rr, tt, pp, rt, rp, tp), name in self.tensors():
            moment = [[tt, -tp, rt], [-tp, pp, -rp], [rt, -rp, rr]]
            points, expected = [], []
            while len(points) < 100:
                azimuth, takeoff = chance.uniform(0, 2 * math.pi), math.acos(chance.uniform(0, 1))
                ray = [math.sin(takeoff) * math.cos(azimuth), math.sin(takeoff) * math.sin(azimuth), math.cos(takeoff)]
                motion = sum(ray[i] * moment[i][k] * ray[k] for i in range(3) for k in range(3))
                if abs(motion) < 0.03:
                    continue  # too close to a nodal line for a drawing of 120 rows
                radius = math.sqrt(2) * math.sin(takeoff / 2)
                if radius > 0.98:
                    continue
                points.append([radius * math.sin(azimuth), -radius * math.cos(azimuth)])
                expected.append(motion > 0)
            drawn = self.browser.run(
                "const ball = document.body.appendChild(beachBall(arguments[0], 'test')); const path = ball.querySelector('path');"
                "const inside = arguments[1].map(([x, y]) => path.isPointInFill(new DOMPoint(x, y))); ball.remove(); return inside",
                [rr, tt, pp, rt, rp, tp], points)
            self.assertEqual(drawn, expected, name)


# The loader must not run the tests of the imported base class twice.
del Replay
