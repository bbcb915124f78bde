"""The list, the descriptions of filters and the time axis agree with the shown quakes."""

import unittest
from datetime import datetime

from browser import Browser
from page_test import PAGES, PageTest, page_data
from selenium.webdriver.common.keys import Keys

CLIPPED = """
    const clipped = [];
    for (let top = 0; top < list.scroller.scrollHeight; top += list.scroller.clientHeight) {
      list.scroller.scrollTop = top;
      list.show();
      for (const row of document.querySelectorAll(".row")) {
        if (row.scrollHeight > row.clientHeight || row.scrollWidth > row.clientWidth) clipped.push(row.textContent);
      }
    }
    return clipped;"""


class Rows(unittest.TestCase):
    def test_no_row_is_clipped_beside_a_scrollbar(self):
        with Browser(scrollbars=True) as browser:
            for width, height in ((1280, 800), (1440, 900), (1024, 768), (390, 844), (320, 640)):
                browser.resize(width, height)
                browser.open(PAGES / "4438.html")
                browser.settle()
                self.assertEqual(browser.run(CLIPPED), [], width)


class Pills(PageTest):
    def test_a_larger_quake_has_a_larger_and_fuller_pill(self):
        self.browser.open(PAGES / "4438.html", "#sort=-mag")
        self.browser.settle()
        style = """
            const pill = document.querySelector(".pill"), style = getComputedStyle(pill);
            return [parseFloat(style.fontSize), style.backgroundColor !== "rgba(0, 0, 0, 0)"];"""
        largest, is_filled = self.browser.run(style)
        self.assertTrue(is_filled)
        self.browser.find("button[data-column=mag]").click()
        self.browser.settle()
        smallest, is_filled = self.browser.run(style)
        self.assertFalse(is_filled)
        self.assertGreater(largest, smallest + 3)

    def test_pills_can_be_read_on_every_color(self):
        for scheme in ("light", "dark"):
            self.browser.prefer(prefers_color_scheme=scheme)
            for color in ("depth", "age", "type"):
                self.browser.open(PAGES / "4438.html", f"#color={color}&sort=-mag")
                self.browser.settle()
                self.assertEqual(self.audit(), [], (scheme, color))


class Words(PageTest):
    def heading(self):
        self.browser.settle()
        return self.browser.run("return [document.querySelector('#title').textContent, document.title]")

    def test_the_heading_describes_the_filters(self):
        data = page_data("4438")
        wanted = sum(1 for m, p in zip(data["mag"], data["place"]) if (m or 0) >= 2.5 and (p or "").endswith(", Alaska"))
        self.browser.open(PAGES / "4438.html")
        before = self.heading()
        self.assertEqual(before[0], "All quakes")
        self.browser.open(PAGES / "4438.html", "#mag=2.5..&region=Alaska")
        self.assertEqual(self.heading(), ["Quakes", f"{before[1].replace('All quakes', 'Quakes')} (filtered: M 2.5 and larger, Alaska)"])
        self.assertEqual(self.count_text(), f"{wanted} of 4,438 quakes")
        self.assertTrue(self.browser.text("#span").endswith(" (filtered: M 2.5 and larger, Alaska)"))
        self.browser.run("resetFilters()")
        self.assertEqual(self.heading(), before)
        # The title that the map was given stays at the beginning.
        self.browser.open(PAGES / "california.html", "#mag=..2&depth=10..")
        self.assertRegex(self.heading()[1], r"^California\b.* \(filtered: M 2\.0 and smaller, depth ≥ 10 km\)$")

    def test_an_empty_list_names_the_filter_that_hides_the_quakes(self):
        browser = self.browser
        data = page_data("4438")
        browser.open(PAGES / "4438.html", "#type=explosion&mag=6..")
        browser.settle()
        explosions = [i for i, kind in enumerate(data["kind"]) if data["words"][data["kinds"][kind][2]] == "explosion"]
        largest = max(explosions, key=lambda i: data["mag"][i])
        self.assertIn(f"No quakes match all filters. Without “M {data_floor(data)} and larger”, the largest is "
                      f"M {data['mag'][largest]:.1f} Explosion – {data['place'][largest]}.", browser.text("#nothing"))
        browser.find("#nothing button").click()
        self.assertTrue(self.count_text().startswith(f"{len(explosions)} of"))

    def test_a_search_is_counted_within_the_other_filters_and_ends_with_enter(self):
        browser = self.browser
        browser.open(PAGES / "4438.html", "#mag=3..")
        browser.settle()
        place = browser.find("#place")
        place.send_keys("al")
        browser.settle()
        offer = browser.text("#suggestions .option")
        place.send_keys(Keys.ENTER)
        self.assertFalse(browser.find("#suggestions").is_displayed())
        self.assertEqual(place.get_attribute("value"), "al")
        place.send_keys("a")
        browser.settle()
        place.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
        shown = self.count_text().split(" of ")[0]
        self.assertEqual(f"Only Alaska: {shown} quakes", offer)

    def test_felt_sorts_by_the_number_that_the_rows_show(self):
        browser = self.browser
        browser.open(PAGES / "10000.html")
        browser.find("button[data-column=felt]").click()
        browser.settle()
        self.assertEqual(browser.find("button[data-column=felt]").get_attribute("title"), "Felt reports (DYFI)")
        counts = browser.run("return [...document.querySelectorAll('.row')].map((row) => "
                             "Number(row.querySelector('[title$=\"felt report\"], [title$=\"felt reports\"]')?.textContent ?? 0))")
        felt = sorted(page_data("10000")["rare"]["felt"].values(), reverse=True)
        self.assertEqual(counts[:5], (felt + [0] * 5)[:5])


def data_floor(data):
    """Returns the minimum magnitude at which the slider stops if a filter asks for more than the largest quake."""
    return min(6.0, max(m for m in data["mag"] if m is not None))


class TimeAxis(PageTest):
    def test_its_ticks_are_at_round_times_of_the_zone(self):
        for name, zone, hours in (("4438", "UTC", 24), ("4438", "Asia/Kolkata", 24), ("20", "UTC", 0.25)):
            self.browser.open(PAGES / f"{name}.html")
            ticks = self.browser.run(
                "zoneChoice.append(new Option(arguments[0])); zoneChoice.value = arguments[0];"
                "return timeTicks(8).map(({at, text}) => [timeInZone(at, -1)[0], text])", zone)
            self.assertTrue(2 <= len(ticks) <= 9, ticks)
            for moment, text in ticks:
                if hours == 24:
                    self.assertTrue(moment.endswith(" 00:00:00"), moment)
                    self.assertEqual(text, datetime.fromisoformat(moment).strftime("%b %-d"))
                else:
                    self.assertRegex(moment, r":(00|15|30|45):00$")

    def test_long_spans_have_starts_of_months(self):
        self.browser.open(PAGES / "100000.html")
        ticks = self.browser.run("return timeTicks(8).map(({at, text}) => [timeInZone(at, -1)[0], text])")
        self.assertTrue(all(moment.endswith("-01 00:00:00") for moment, _ in ticks), ticks)

    def test_a_single_quake_has_no_time_axis(self):
        self.browser.open(PAGES / "1.html")
        self.assertFalse(self.browser.find("#brush").is_displayed())
