#!/usr/bin/env python3
"""The page in a real browser: list, filters, safety, accessibility, speed. `make test-browser` runs all tests."""

import json
import re
import statistics
import subprocess

from page_test import FIGURES, PAGES, SHOTS, PageTest, page_data
from selenium.webdriver.common.keys import Keys


class Selection(PageTest):
    def test_a_click_in_the_list_selects_on_the_map_and_in_the_url(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        row = browser.find_all(".row")[3]
        number = row.get_attribute("data-quake")
        row.click()
        browser.settle()
        self.assertEqual(self.selected_rows(), [number])
        self.assertTrue(browser.find("#selection").is_displayed())
        self.assertEqual(browser.run("return location.hash"), "#" + page_data("1000")["id"][int(number)])
        self.assertIn("Revision history", browser.text("#card"))
        # The ring around the quake is visible on the map.
        x, y = browser.middle("#selection")
        box = browser.box("#view")
        self.assertTrue(box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"])

    def test_a_click_on_the_map_selects_in_the_list(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        browser.find_all(".row")[0].click()
        browser.settle()
        x, y = browser.middle("#selection")
        browser.driver.find_element("css selector", "body").send_keys(Keys.ESCAPE)
        self.assertEqual(self.selected_rows(), [])
        browser.click_at(x, y)
        browser.settle()
        self.assertEqual(len(self.selected_rows()), 1)
        shown = browser.box(".row[aria-selected=true]")
        scroll = browser.box("#scroll")
        self.assertGreaterEqual(shown["y"], scroll["y"])
        self.assertLessEqual(shown["y"] + shown["height"], scroll["y"] + scroll["height"] + 1)

    def test_the_url_selects_a_quake_when_the_page_opens_and_later(self):
        ids = page_data("1000")["id"]
        self.browser.open(PAGES / "1000.html", "#" + ids[700])
        self.browser.settle()
        self.assertEqual(self.selected_rows(), ["700"])
        self.browser.run("location.hash = arguments[0]", ids[20].upper())
        self.browser.settle()
        self.assertEqual(self.selected_rows(), ["20"])

    def test_the_quake_of_select_is_selected_when_the_page_opens(self):
        data = page_data("dateline")
        self.browser.open(PAGES / "dateline.html")
        self.browser.settle()
        self.assertEqual(self.selected_rows(), [str(data["id"].index(data["selected"]))])

    def test_the_keyboard_alone_is_enough(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        table = browser.find("#table")
        table.send_keys(Keys.ARROW_DOWN)
        table.send_keys(Keys.ARROW_DOWN)
        self.assertEqual(self.selected_rows(), ["1"])
        self.assertEqual(table.get_attribute("aria-activedescendant"), "row-1")
        table.send_keys(Keys.END)
        self.assertEqual(self.selected_rows(), ["999"])
        table.send_keys(Keys.ENTER)
        browser.settle()
        # The first Escape goes back to the view before, and the second clears the selection.
        table.send_keys(Keys.ESCAPE)
        self.assertEqual(self.selected_rows(), ["999"])
        browser.settle()
        table.send_keys(Keys.ESCAPE)
        self.assertEqual(self.selected_rows(), [])
        browser.settle()
        self.assertEqual(browser.run("return location.hash"), "")
        view = browser.find("#view")
        before = browser.run("return document.querySelector('#picture').style.transform")
        view.send_keys(Keys.ARROW_RIGHT)
        view.send_keys("+")
        browser.settle()
        view.send_keys(Keys.ENTER)
        self.assertEqual(len(self.selected_rows()), 1)
        self.assertIsNotNone(before)
        # Every control can be reached with the Tab key, in the order of the page.
        browser.run("document.activeElement.blur()")
        seen = set()
        for menu in ["more", "layers", "actions"]:
            self.open_menu(menu)
        for _ in range(50):
            browser.driver.switch_to.active_element.send_keys(Keys.TAB)
            seen.add(browser.run("const e = document.activeElement; return e.id || e.ariaLabel || e.textContent"))
        for name in ["Time from", "Magnitude to", "place", "in-view", "reset", "table", "view", "zoom-in", "fit", "color", "plates", "cities", "states", "zone", "unit",
                     "replay-open", "save-csv", "copy-link", "print", "4.5+", "Skip to list", "Skip to map"]:
            self.assertIn(name, seen)

    def test_skip_links_lead_to_the_list_and_the_map(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        for tabs, wanted in [(1, "table"), (2, "view")]:
            browser.run("document.activeElement.blur(); document.body.tabIndex = -1; document.body.focus()")
            for _ in range(tabs):
                browser.driver.switch_to.active_element.send_keys(Keys.TAB)
            link = browser.driver.switch_to.active_element
            self.assertGreaterEqual(browser.box("#skips a:focus")["y"], 0)
            link.send_keys(Keys.ENTER)
            self.assertEqual(browser.run("return document.activeElement.id"), wanted)
            self.assertEqual(browser.run("return location.hash"), "")

    def test_escape_and_a_click_elsewhere_close_a_menu(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        is_open = "return document.querySelector('#layers').open"
        browser.find("#layers summary").click()
        self.assertTrue(browser.run(is_open))
        browser.find("#plates").send_keys(Keys.ESCAPE)
        self.assertFalse(browser.run(is_open))
        browser.find("#layers summary").click()
        browser.click_at(*browser.middle("#view"))
        self.assertFalse(browser.run(is_open))

    def test_announced_and_copied_texts_have_spaces(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        heard, copied = browser.run("const row = document.querySelector('.row'); return [row.ariaLabel, row.textContent]")
        data = page_data("1000")
        self.assertRegex(heard, r"^M \d\.\d – " + re.escape(data["place"][0]) + r", \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, depth [\d.]+ km")
        self.assertRegex(copied, r"^\d\.\d " + re.escape(data["place"][0]) + r" \d\d:\d\d · \d+ km")

    def test_no_place_name_is_cut(self):
        cut = """
            isOnPaper = true; list.show(); isOnPaper = false;
            return [...document.querySelectorAll(".row")].filter((row) => {
              const name = row.querySelector(".name");
              return name.scrollWidth > name.clientWidth || name.offsetHeight + 16 > row.clientHeight
            }).map((row) => row.textContent);"""
        tall = """
            const heights = [...document.querySelectorAll(".row")].map((row) => row.offsetHeight);
            return [Math.min(...heights), heights.filter((height) => height > heights[0]).length / heights.length];"""
        for width, height in ((1280, 800), (390, 844), (320, 640)):
            self.browser.resize(width, height)
            self.browser.open(PAGES / "1000.html")
            self.browser.settle()
            self.assertEqual(self.browser.run(cut), [], width)
            # A long name makes only its own row taller.
            height, share = self.browser.run(tall)
            self.assertEqual(height, 40 if width > 760 else 48)
            self.assertLess(share, 0.2 if width > 320 else 0.5)

    def test_small_windows_show_title_and_map_and_buttons_for_the_rest(self):
        browser = self.browser
        tall = "return ['header', '#filters', '#legend-box']" \
            ".reduce((sum, part) => sum + document.querySelector(part).offsetHeight, 0)"
        for width, height, fragment in ((640, 480, ""), (480, 360, ""), (1280, 800, "#embed"), (640, 480, "#embed&mag=4..")):
            browser.resize(width, height)
            browser.open(PAGES / "1000.html", fragment)
            browser.settle()
            self.assertLess(browser.run(tall), height / 5 if height == 480 else 96, (width, height))
            self.assertGreater(browser.box("#view")["height"], height * 0.7)
            self.assertFalse(browser.find("#list").is_displayed())
            browser.find("#folds button").click()
            self.assertTrue(browser.find(".row .name").is_displayed())
            browser.find(".row").click()
            browser.settle()
            self.assertTrue(browser.find("#card").is_displayed())
            self.assertEqual(browser.run("return location.hash.includes('embed')"), "embed" in fragment)
            self.assertEqual(browser.find("#chips").is_displayed(), "mag" in fragment)
        self.assertIn(" of ", self.count_text())
        self.assertEqual(self.audit(), [])

    def test_a_selection_does_not_move_a_map_that_shows_it(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        browser.settle()
        moved = browser.run(
            "const before = (map.zoom(8), map.view.x += map.positionOf(700).x / map.view.scale - 3 / map.view.scale,"
            " map.view.y = height[700], map.move(), {...map.view}); select(700, 'list');"
            "return [map.positionOf(700).x, before.x - map.view.x, before.y - map.view.y]")
        self.assertAlmostEqual(moved[0], 3, delta=0.01)
        self.assertEqual(moved[1:], [0, 0])

    def test_the_legend_follows_the_unit(self):
        browser = self.browser
        browser.open(PAGES / "1000.html", "#unit=mi&color=depth")
        browser.settle()
        self.assertIn("Depth (mi)", browser.text("#legend"))
        self.assertIn("6–22", browser.text("#legend"))
        browser.open(PAGES / "1000.html", "#unit=km&color=depth")
        browser.settle()
        self.assertIn("10–35", browser.text("#legend"))

    def test_the_shown_quakes_can_be_saved(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        self.set_slider("Magnitude from", 4)
        shown = int(self.count_text().split(" of ")[0])
        rows = browser.run("return shownAsCSV()").splitlines()
        self.assertEqual(len(rows), shown + 1)
        features = json.loads(browser.run("return shownAsGeoJSON()"))["features"]
        self.assertEqual([feature["id"] for feature in features], [row.split(",")[0] for row in rows[1:]])
        self.assertTrue(all(feature["properties"]["mag"] >= 4 for feature in features))

    def test_columns_sort(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        magnitudes = sorted((m for m in page_data("1000")["mag"] if m is not None), reverse=True)
        browser.find("button[data-column=mag]").click()
        self.assertEqual(float(browser.text(".row .pill")), round(magnitudes[0], 1))
        button = browser.find("button[data-column=mag]")
        self.assertEqual([button.get_attribute(name) for name in ("aria-pressed", "aria-describedby")], ["true", "direction"])
        self.assertEqual(browser.run("return document.querySelector('#direction').textContent"), "descending")
        self.assertEqual(button.accessible_name, "Mag")


class Filters(PageTest):
    def test_types_can_be_chosen_where_there_are_several(self):
        browser = self.browser
        data = page_data("10000")
        types = [data["words"][data["kinds"][kind][2]] for kind in data["kind"]]
        browser.open(PAGES / "10000.html")
        for type in sorted(set(types)):
            browser.run("const choice = document.querySelector('#type'); choice.value = arguments[0];"
                        "choice.dispatchEvent(new Event('change'))", type)
            self.assertTrue(self.count_text().startswith(f"{types.count(type):,} of "), (type, self.count_text()))
        blasts = types.count("quarry blast")
        self.assertGreater(blasts, 0)
        browser.open(PAGES / "10000.html", "#type=quarry+blast")
        self.assertTrue(self.count_text().startswith(f"{blasts:,} of "))
        browser.open(PAGES / "10000.html", "#place=quarry")
        self.assertTrue(self.count_text().startswith(f"{blasts:,} of "))
        browser.open(PAGES / "island.html")
        self.open_menu("more")
        self.assertFalse(browser.find("#type-choice").is_displayed())

    def test_filters_count_the_quakes_in_the_data(self):
        data = page_data("10000")
        self.browser.open(PAGES / "10000.html")
        self.set_slider("Magnitude from", 2.5)
        wanted = sum(1 for m in data["mag"] if m is not None and m >= 2.5)
        self.assertEqual(self.count_text(), f"{wanted:,} of 10,000 quakes")
        self.set_slider("Depth to", 30)
        wanted = sum(1 for m, d in zip(data["mag"], data["depth"])
                     if m is not None and m >= 2.5 and d is not None and d <= 30)
        self.assertEqual(self.count_text(), f"{wanted:,} of 10,000 quakes")
        self.browser.find("#place").send_keys("ALASKA")
        wanted = sum(1 for m, d, p in zip(data["mag"], data["depth"], data["place"])
                     if m is not None and m >= 2.5 and d is not None and d <= 30 and "alaska" in (p or "").lower())
        self.assertEqual(self.count_text(), f"{wanted:,} of 10,000 quakes")
        self.assertEqual(int(self.browser.find(".row").get_attribute("aria-setsize")), wanted)
        self.assertEqual([chip.get_attribute("aria-label") for chip in self.browser.find_all("#chips button")],
                         ["Clear: M 2.5 and larger", "Clear: depth ≤ 30 km", "Clear: “ALASKA”"])
        self.browser.find("#chips button").click()
        self.browser.settle()
        self.assertEqual(len(self.browser.find_all("#chips button")), 2)
        self.open_menu("more")
        self.browser.find("#reset").click()
        self.assertEqual(self.count_text(), "10,000 quakes")

    def test_dragging_across_the_histogram_selects_a_time_range(self):
        self.browser.open(PAGES / "1000.html")
        box = self.browser.box("#histogram")
        self.browser.drag((box["x"] + box["width"] * 0.25, box["y"] + 20), (box["x"] + box["width"] * 0.5, box["y"] + 20))
        count = int(self.count_text().split(" of ")[0])
        self.assertTrue(100 < count < 500, count)
        self.browser.click_at(box["x"] + 30, box["y"] + 20)
        self.assertEqual(self.count_text(), "1,000 quakes")

    def test_the_list_can_be_limited_to_the_view(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        self.open_menu("more")
        browser.find("#in-view").click()
        for _ in range(4):
            browser.find("#zoom-in").click()
        browser.settle()
        count = int(self.count_text().split(" of ")[0])
        self.assertLess(count, 1000)

    def test_a_page_without_quakes_says_so(self):
        self.browser.open(PAGES / "empty.html")
        self.assertEqual(self.browser.text("#nothing"), "No quakes match.")


class Safety(PageTest):
    def test_hostile_place_names_do_nothing(self):
        browser = self.browser
        browser.open(PAGES / "hostile.html")
        self.assertTrue(browser.run("return document.title").startswith("</title><script>document.title = 'broken'</script>, "))
        self.assertEqual(browser.run("return document.querySelectorAll('img, #rows script, #rows b').length"), 0)
        texts = " ".join(cell.text for cell in browser.find_all(".row .name"))
        self.assertIn("<img src=x", texts)
        self.assertIn("日本", texts)
        for mark in "\u202e\u2066\u2028\x1b":
            self.assertNotIn(mark, browser.driver.page_source)

    def test_the_content_security_policy_blocks_scripts_and_requests(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        browser.run("const s = document.createElement('script'); s.textContent = 'window.injected = 1';"
                    "document.body.append(s); const i = new Image(); i.src = 'https://example.org/x.png';")
        browser.settle()
        self.assertIsNone(browser.run("return window.injected"))
        refused = [message for message in browser.console() if "Content Security Policy" in message]
        self.assertEqual(len(refused), 2)
        # Discard the refused request for the picture.
        browser.requests()

    def test_without_javascript_the_table_is_there(self):
        self.browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.driver.get((PAGES / "1000.html").resolve().as_uri())
            self.assertEqual(len(self.browser.find_all("table.plain tbody tr")), 1000)
            # The picture above the table has all quakes, too.
            self.assertGreaterEqual(len(self.browser.find_all("svg circle")), 1000)
            self.assertLess(self.browser.find("svg").location["y"], self.browser.find("table.plain").location["y"])
            self.browser.screenshot(SHOTS / "no-javascript.png")
        finally:
            self.browser.cdp("Emulation.setScriptExecutionDisabled", value=False)


class Frame(PageTest):
    def test_the_map_fills_the_window(self):
        browser = self.browser
        # The size of the window, the minimum share of the map, and the minimum number of rows. In an upright window,
        # the map is above the list.
        for width, height, share, min_rows in [(1920, 1080, 0.7, 22), (1440, 900, 0.62, 17), (1280, 800, 0.62, 14),
                                                 (1024, 768, 0.55, 13), (768, 1024, 0.5, 7), (390, 844, 0.46, 5), (320, 640, 0.45, 3)]:
            browser.resize(width, height, mobile=width < 760)
            browser.open(PAGES / "1000.html")
            browser.settle()
            view = browser.box("#view")
            self.assertLessEqual(view["y"], 96 if width < 760 else 110)
            self.assertGreaterEqual(view["width"] * view["height"] / width / height, share - 0.001, width)
            rows = browser.run("const {bottom} = document.querySelector('#scroll').getBoundingClientRect();"
                               "return [...document.querySelectorAll('.row')].filter((row) => row.getBoundingClientRect().bottom <= bottom).length")
            self.assertGreaterEqual(rows, min_rows, width)
            self.assertEqual(browser.run("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"),
                             [width, height])

    def test_headings_name_the_days_of_the_rows(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        times = page_data("1000")["time"]
        first = sum(times[:1])
        browser.run("list.scroller.scrollTop = 9000")
        browser.settle()
        day, top = browser.run(
            "const {top} = document.querySelector('#scroll').getBoundingClientRect();"
            "const row = [...document.querySelectorAll('.row')].find((one) => one.getBoundingClientRect().bottom > top + 22);"
            "return [document.querySelector('#day').textContent, time[row.dataset.quake]]")
        self.assertLess(top, first)
        self.assertTrue(day.startswith(browser.run("return dayWords(Math.floor(arguments[0] / 86400e3))", top)), day)
        number = int(day.split("· ")[1].split()[0].replace(",", ""))
        self.assertEqual(number, browser.run(
            "return [...time].filter((one) => Math.floor(one / 86400e3) === Math.floor(arguments[0] / 86400e3)).length", top))


class Access(PageTest):
    def test_axe_finds_no_violations(self):
        for scheme in ["light", "dark"]:
            for width, height in [(1280, 800), (390, 844)]:
                self.browser.prefer(prefers_color_scheme=scheme)
                self.browser.resize(width, height)
                self.browser.open(PAGES / "dateline.html")
                self.browser.settle()
                self.assertEqual(self.audit(), [], f"{scheme}, {width} pixels")

    def test_a_phone_needs_no_horizontal_scrolling(self):
        browser = self.browser
        browser.resize(390, 844, mobile=True)
        browser.open(PAGES / "1000.html")
        browser.settle()
        self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), 390)
        self.assertGreaterEqual(browser.box("#map")["height"], 320)
        browser.screenshot(SHOTS / "phone.png")
        browser.find("#more summary").click()
        browser.settle()
        self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), 390)
        browser.screenshot(SHOTS / "phone-filters.png")

    def test_two_fingers_zoom_around_the_point_between_them(self):
        browser = self.browser
        browser.resize(390, 844, mobile=True)
        browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
        try:
            browser.open(PAGES / "1000.html")
            # Zoom in first, because the whole world cannot move in its frame.
            for _ in range(3):
                browser.find("#zoom-in").click()
            browser.settle()
            box = browser.box("#view")
            # Not the middle of the map, which stays in place with any zoom.
            point = (box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.4)

            def below():
                return browser.run(
                    "const {left, top, width, height} = document.querySelector('#view').getBoundingClientRect();"
                    "const {x, y, scale} = map.view;"
                    "return [scale, x + (arguments[0] - left - width / 2) / scale,"
                    " y - (arguments[1] - top - height / 2) / scale]", *point)

            scale, x, y = below()
            browser.pinch(point, 60, 180)
            near, near_x, near_y = below()
            self.assertAlmostEqual(near / scale, 3, delta=0.3)
            self.assertLess(abs(near_x - x) * near, 12)
            self.assertLess(abs(near_y - y) * near, 12)
            browser.pinch(point, 180, 90)
            self.assertAlmostEqual(below()[0] / near, 0.5, delta=0.05)
            # The fingers zoom the map, not the page, and select nothing.
            self.assertEqual(browser.run("return visualViewport.scale"), 1)
            self.assertEqual(self.selected_rows(), [])
        finally:
            browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)

    def test_a_finger_selects_a_quake_and_moves_the_map(self):
        browser = self.browser
        browser.resize(390, 844, mobile=True)
        browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=1)
        try:
            browser.open(PAGES / "20.html")
            for _ in range(3):
                browser.find("#zoom-in").click()
            browser.settle()
            x, y = browser.middle("#view")
            before = browser.run("return map.view.x")
            browser.touch((x, y), (x + 80, y))
            browser.settle()
            self.assertAlmostEqual(browser.run("return (arguments[0] - map.view.x) * map.view.scale", before), 80, delta=12)
            self.assertEqual(self.selected_rows(), [])
            number = max(range(20), key=lambda i: page_data("20")["mag"][i])
            browser.run("map.zoomTo(arguments[0])", number)
            browser.settle()
            at = browser.run("const r = document.querySelector('#view').getBoundingClientRect();"
                             "const p = map.positionOf(arguments[0]); return [r.x + p.x, r.y + p.y]", number)
            browser.touch(at, at)
            browser.settle()
            self.assertEqual(browser.run("return selected"), number)
            # The card lies over the list, not over the map.
            card, stage = browser.box("#card"), browser.box("#view")
            self.assertGreaterEqual(card["y"], stage["y"] + stage["height"])
            self.assertAlmostEqual(card["y"] + card["height"], 844, delta=1)
        finally:
            browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)

    def test_it_prints_the_map_and_then_the_list(self):
        self.browser.open(PAGES / "dateline.html")
        self.browser.settle()
        pdf = self.browser.pdf()
        (SHOTS / "print.pdf").write_bytes(pdf)
        pages = subprocess.run(["pdftotext", "-layout", SHOTS / "print.pdf", "-"], capture_output=True, text=True,
                               check=True).stdout.split("\f")
        # The map with its legend comes before the list.
        self.assertIn("Depth (km)", pages[0])
        lists = [page for page in pages if len(re.findall(r"\d\d:\d\d · \d+ km", page)) > 5]
        # All 961 quakes.
        self.assertTrue(2 < len(lists) <= 9, len(lists))
        # The map is as wide as the paper and drawn to its edges.
        picture = subprocess.run(["pdftoppm", "-r", "36", "-l", "1", SHOTS / "print.pdf"], capture_output=True, check=True).stdout
        width, height = (int(number) for number in picture.split(b"\n", 3)[1].split())
        pixels = picture[-width * height * 3:]
        row = [pixels[(height // 4 * width + x) * 3:][:3] for x in range(width)]
        self.assertGreater(sum(pixel != b"\xff\xff\xff" for pixel in row), width * 0.85)


class Speed(PageTest):
    """Figures, and limits wide enough for a machine that is busy with other things."""

    def test_opening(self):
        for name, limit in [("1000", 1500), ("20000", 1500), ("100000", 9000)]:
            times = []
            for _ in range(3):
                self.browser.open(PAGES / f"{name}.html")
                times.append(self.browser.run("return performance.getEntriesByName('interactive')[0].startTime"))
            FIGURES[f"interactive, {name} quakes (ms)"] = round(min(times))
            self.assertLess(min(times), limit)

    def test_panning(self):
        for name in ["20000", "100000"]:
            self.browser.open(PAGES / f"{name}.html")
            self.browser.settle()
            x, y = self.browser.middle("#view")
            frames = self.browser.frame_times(lambda: self.browser.drag((x + 60, y), (x - 120, y + 60), steps=60))
            FIGURES[f"panning, {name} quakes: median, worst frame (ms)"] = (
                round(statistics.median(frames), 1), round(max(frames), 1))
            self.assertLess(statistics.median(frames), 34)

    def test_sizes(self):
        for name in ["empty", "1000", "10000", "20000", "100000"]:
            FIGURES[f"bytes, {name} quakes"] = (PAGES / f"{name}.html").stat().st_size
        # This includes the values that only saved files need.
        self.assertLess(FIGURES["bytes, 1000 quakes"], 950_000)
        # The size of a page without quakes and without the picture for readers without JavaScript.
        empty = (PAGES / "empty.html").read_text(encoding="utf-8")
        fixed = len(empty.encode()) - len(re.search(r"<svg.*</svg>", empty, re.DOTALL).group(0).encode())
        FIGURES["bytes, fixed part"] = fixed
        self.assertLess(fixed, 600_000)
        self.assertLess(FIGURES["bytes, 10000 quakes"], 3_400_000)


class Screenshots(PageTest):
    """Saves screenshots to look at; asserts nothing."""

    def test_screenshots(self):
        browser = self.browser
        for scheme in ["light", "dark"]:
            browser.prefer(prefers_color_scheme=scheme)
            for name in ["20", "4438", "20000", "dateline", "california", "japan", "island", "empty", "hostile"]:
                browser.open(PAGES / f"{name}.html")
                browser.settle()
                browser.screenshot(SHOTS / f"{name}-{scheme}.png")
