"""The map: quakes under the pointer, names, colors as drawn, and jumps to a view and back."""

import collections
import json
import re

from page_test import PAGES, SHOTS, PageTest, needs_real_quakes, page_data
from selenium.webdriver.common.keys import Keys


class MapTest(PageTest):
    def point_of(self, number):
        return self.browser.run(
            "const {left, top} = document.querySelector('#view').getBoundingClientRect();"
            "const {x, y} = map.positionOf(arguments[0]); return [left + x, top + y]", number)

    def view(self):
        return self.browser.run("return {...map.view}")

    def is_in_view(self, number):
        x, y = self.point_of(number)
        box = self.browser.box("#view")
        return box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"]


class OverlappingQuakes(MapTest):
    def overlapping(self):
        """Returns a quake whose circle overlaps those of at least three others, and all of these quakes, largest first."""
        return self.browser.run(
            "for (const i of shown) { const {x, y} = map.positionOf(i); const {width, tall} = map.size();"
            " if (x < 60 || y < 60 || x > width - 60 || y > tall - 60) continue;"
            " const hits = pointing.quakesAt(Math.round(x), Math.round(y), 3);"
            " if (hits.length > 3 && hits.length < 12) return [i, hits]; }")

    def open_overlaps(self):
        self.browser.open(PAGES / "1000.html")
        number, hits = self.overlapping()
        x, y = self.point_of(number)
        box = self.browser.box("#view")
        point = (box["x"] + round(x - box["x"]), box["y"] + round(y - box["y"]))
        self.browser.click_at(*point)
        return hits, point

    def test_a_click_on_several_quakes_lists_them_largest_first(self):
        hits, _ = self.open_overlaps()
        offered = [int(option.get_attribute("data-quake")) for option in self.browser.find_all("#overlaps .option")]
        self.assertEqual(offered, hits)
        magnitudes = [page_data("1000")["mag"][number] for number in offered]
        known = [magnitude for magnitude in magnitudes if magnitude is not None]
        self.assertEqual(known, sorted(known, reverse=True))
        self.assertEqual(self.selected_rows(), [str(hits[0])])
        self.browser.screenshot(SHOTS / "overlaps.png")
        self.browser.find_all("#overlaps .option")[2].click()
        self.assertEqual(self.selected_rows(), [str(hits[2])])
        self.assertFalse(self.browser.find("#overlaps").is_displayed())

    def test_repeated_clicks_select_each_of_several_quakes_in_turn(self):
        hits, point = self.open_overlaps()
        seen = [self.selected_rows()[0]]
        for _ in hits:
            self.browser.click_at(*point)
            seen.append(self.selected_rows()[0])
        self.assertEqual(seen, [str(number) for number in hits + hits[:1]])

    def test_arrow_keys_choose_among_overlapping_quakes_and_escape_closes_the_list(self):
        hits, _ = self.open_overlaps()
        overlaps = self.browser.find("#overlaps")
        overlaps.send_keys(Keys.ARROW_DOWN)
        self.assertEqual(self.selected_rows(), [str(hits[1])])
        overlaps.send_keys(Keys.ARROW_UP)
        overlaps.send_keys(Keys.ARROW_UP)
        self.assertEqual(self.selected_rows(), [str(hits[-1])])
        self.assertEqual(self.audit(), [])
        overlaps.send_keys(Keys.ESCAPE)
        self.assertFalse(overlaps.is_displayed())
        self.assertEqual(self.browser.run("return document.activeElement.id"), "view")
        self.assertEqual(self.selected_rows(), [str(hits[-1])])

    def test_no_quake_of_magnitude_4_5_or_more_is_hidden(self):
        self.browser.open(PAGES / "20000.html")
        order, magnitudes = self.browser.run("return [[...drawingOrder], data.mag]")
        large = [magnitudes[number] for number in order if (magnitudes[number] or 0) >= 4.5]
        self.assertGreater(len(large), 20)
        # They are drawn last. Quakes of M 6 or more are drawn over the others, but are transparent.
        self.assertTrue(all((magnitudes[number] or 0) >= 4.5 for number in order[-len(large):]))
        self.assertEqual(large, sorted(large, key=lambda magnitude: (magnitude >= 6, -magnitude)))


class Jumps(MapTest):
    def test_a_quake_selected_in_the_list_comes_into_view(self):
        browser = self.browser
        browser.open(PAGES / "1000.html", "#&view=0,-30,40")
        browser.settle()
        outside = next(number for number in browser.run("return [...shown]") if not self.is_in_view(number))
        browser.run("list.scroller.scrollTop = arguments[0] * 40", browser.run("return shown.indexOf(arguments[0])", outside))
        browser.settle()
        browser.find(f"#row-{outside}").click()
        browser.settle()
        self.assertTrue(self.is_in_view(outside))
        browser.find("body").send_keys(Keys.ESCAPE)
        browser.settle()
        self.assertFalse(self.is_in_view(outside))
        self.assertEqual(self.selected_rows(), [str(outside)])

    def test_double_click_and_enter_zoom_and_escape_goes_back(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        browser.settle()
        before = self.view()
        for zoom in [lambda: browser.run(
                "document.querySelector('#row-3').dispatchEvent(new MouseEvent('dblclick', {bubbles: true}))"),
                lambda: browser.find("#table").send_keys(Keys.ENTER)]:
            browser.find("#row-3").click()
            zoom()
            browser.settle()
            self.assertGreater(self.view()["scale"], before["scale"] * 5)
            browser.find("body").send_keys(Keys.ESCAPE)
            browser.settle()
            self.assertAlmostEqual(self.view()["scale"], before["scale"], places=6)
            self.assertEqual(self.selected_rows(), ["3"])

    def test_the_card_shows_the_quake_on_the_map_and_its_neighbors(self):
        browser = self.browser
        browser.open(PAGES / "california.html")
        browser.settle()
        number = int(self.selected_rows()[0])
        browser.run("[...document.querySelectorAll('#card button')].find((b) => b.textContent === 'Nearby quakes').click()")
        browser.settle()
        near = browser.run("return [...shown].map((i) => distanceBetween(latitude[i], longitude[i], latitude[arguments[0]],"
                           " longitude[arguments[0]]))", number)
        self.assertTrue(near and max(near) <= 100)
        everyone = browser.run(
            "return [...latitude].filter((lat, i) => distanceBetween(lat, longitude[i], latitude[arguments[0]],"
            " longitude[arguments[0]]) <= 100).length", number)
        self.assertEqual(len(near), everyone)
        self.assertIn("within 100 km of M", browser.text("#chips"))
        browser.screenshot(SHOTS / "neighbors.png")
        browser.find("body").send_keys(Keys.ESCAPE)
        browser.find("body").send_keys(Keys.ESCAPE)
        self.assertEqual(self.count_text(), f"{page_data('california')['present']:,} quakes")

    @needs_real_quakes
    def test_the_button_fits_what_the_list_shows(self):
        browser = self.browser
        browser.open(PAGES / "10000.html")
        browser.find("#place").send_keys("hawaii")
        browser.settle()
        browser.find("#fit").click()
        browser.settle()
        inside = browser.run("const test = map.viewTest(); return [...shown].every(test)")
        self.assertTrue(inside)
        self.assertGreater(self.view()["scale"], 20)
        self.open_menu("more")
        browser.find("#reset").click()
        browser.find("#fit").click()
        browser.settle()
        self.assertLess(self.view()["scale"], 5)

    def test_the_search_offers_regions(self):
        browser = self.browser
        data = page_data("1000")
        regions = collections.Counter(
            region for place in data["place"][:data["present"]] if place
            for part in [" ".join(place.rpartition(",")[2].split())]
            for region in data["regions"].get(part, part).split(", ") if region)
        region, number = regions.most_common(1)[0]
        browser.open(PAGES / "1000.html")
        box = browser.find("#place")
        box.send_keys(region.upper())
        option = browser.find("#suggestions .option")
        self.assertEqual(option.text, f"Only {region}: {number:,} quakes")
        box.send_keys(Keys.ARROW_DOWN)
        box.send_keys(Keys.ENTER)
        shown = "1,000 quakes" if number == 1000 else f"{number:,} of 1,000 quakes"
        self.assertEqual(self.count_text(), shown)
        self.assertEqual(box.get_attribute("value"), "")
        self.assertIn(f"{region} ×", browser.text("#chips"))
        fragment = browser.run("return location.hash")
        self.open_menu("more")
        browser.find("#reset").click()
        self.assertEqual(self.count_text(), "1,000 quakes")
        browser.run("location.hash = arguments[0]", fragment)
        self.assertEqual(self.count_text(), shown)

    def test_the_search_finds_cities_and_ids(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        box = browser.find("#place")
        box.send_keys("anchor")
        option = browser.find("#suggestions .option")
        self.assertEqual(option.text, "Go to Anchorage, Alaska")
        self.assertEqual(self.audit(), [])
        box.send_keys(Keys.ARROW_DOWN)
        box.send_keys(Keys.ENTER)
        browser.settle()
        # The city is in the middle of the part of the map that nothing covers.
        x, y, middle, legend = browser.run(
            "const { width } = map.size(); const { x, y } = map.pointAt(-149.9, heightOfLatitude(61.2));"
            "const top = (id) => byId(id).getBoundingClientRect(); const stage = top('view').top;"
            "return [x - width / 2, y, (top('tools').bottom + top('legend-box').top) / 2 - stage, top('legend-box').top - stage]")
        self.assertAlmostEqual(x, 0, delta=12)
        self.assertAlmostEqual(y, middle, delta=20)
        self.assertLess(y, legend)
        self.assertEqual(self.count_text(), "1,000 quakes")
        wanted = page_data("1000")["id"][321]
        box.send_keys(wanted.upper())
        self.assertEqual(self.count_text(), "1 of 1,000 quakes")
        box.send_keys(Keys.ENTER)
        self.assertEqual(self.selected_rows(), ["321"])


class Tooltip(MapTest):
    def hover(self):
        number = self.browser.run(
            "const {width, tall} = map.size(); return [...shown].find((i) => { const {x, y} = map.positionOf(i);"
            " return x > 80 && y > 80 && x < width - 80 && y < tall - 80; })")
        self.browser.mouse("mouseMoved", *self.point_of(number))
        self.assertTrue(self.browser.find("#tip").is_displayed())

    def test_it_goes_with_zoom_filter_scroll_and_escape(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        browser.settle()
        for leave in [
            lambda: browser.find("#zoom-in").send_keys(Keys.ENTER),
            lambda: self.set_slider("Magnitude from", 1),
            lambda: browser.run("list.scroller.scrollTop = 400"),
            lambda: browser.find("body").send_keys(Keys.ESCAPE),
        ]:
            self.hover()
            leave()
            browser.settle()
            self.assertFalse(browser.find("#tip").is_displayed())


class Near(MapTest):
    def test_list_and_card_show_distances_and_the_list_sorts_by_them(self):
        browser = self.browser
        browser.open(PAGES / "island.html", "#&unit=km")
        browser.find("button[data-column=distance]").click()
        browser.settle()
        away = [float(row.text.split(" km away")[0].split()[-1]) for row in browser.find_all(".row .facts")]
        self.assertEqual(away, sorted(away))
        browser.find(".row").click()
        self.assertRegex(browser.text("#card"), r"Distance from\s+Kīlauea\s+[\d.]+ km [NESW]+")
        browser.open(PAGES / "1000.html")
        self.assertFalse(browser.find("button[data-column=distance]").is_displayed())

    def test_the_pointer_marks_a_quake_on_the_map_and_in_the_list(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        browser.settle()
        browser.mouse("mouseMoved", *browser.middle(".row"))
        self.assertEqual(browser.run("return map.pointed()"), 0)
        number = browser.run(
            "const {width, tall} = map.size(); return [...shown].slice(0, 12).find((i) => { const {x, y} = map.positionOf(i);"
            " return x > 60 && y > 130 && x < width - 60 && y < tall - 120; })")
        browser.mouse("mouseMoved", *self.point_of(number))
        pointed = browser.run("return [map.pointed(), document.querySelector('.pointed')?.dataset.quake]")
        self.assertIn(pointed[1], [None, str(pointed[0])])
        self.assertGreaterEqual(pointed[0], 0)


class Names(MapTest):
    @needs_real_quakes
    def test_cities_are_named_and_no_name_lies_on_another_or_on_the_selection(self):
        browser = self.browser
        # All texts on the map, with the rectangles that their letters take.
        recorder = (
            "window.written = []; const old = CanvasRenderingContext2D.prototype.fillText;"
            "CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {"
            " if (this.canvas.id === 'names') written.push({text, left: x, right: x + this.measureText(text).width,"
            " top: y - 5, bottom: y + 5}); return old.apply(this, arguments); }; map.drawNames();"
            "CanvasRenderingContext2D.prototype.fillText = old; return written")
        for name, fragment, wanted in [
            ("california", "#&view=34,-118,60", "Los Angeles"), ("japan", "", "Tokyo"), ("20", "", "Canada"),
            ("island", "", "Hilo"), ("california", "#&view=37.5,-119.5,40", "California"),
        ]:
            browser.open(PAGES / f"{name}.html", fragment)
            browser.settle()
            written = browser.run(recorder)
            self.assertIn(wanted, [one["text"] for one in written], (name, fragment))
            for k, one in enumerate(written):
                for other in written[k + 1:]:
                    apart = (one["right"] <= other["left"] or other["right"] <= one["left"]
                             or one["bottom"] <= other["top"] or other["bottom"] <= one["top"])
                    self.assertTrue(apart, (name, one, other))
        browser.open(PAGES / "california.html")
        browser.settle()
        x, y, reach = browser.run(
            "const {x, y} = map.positionOf(selected); return [x, y, map.radiusOnMap(selected) + 6]")
        for one in browser.run(recorder):
            apart = (one["right"] < x - reach or one["left"] > x + reach or one["bottom"] < y - reach
                     or one["top"] > y + reach)
            self.assertTrue(apart, one)

    def test_the_scale_bar_measures_what_it_says(self):
        browser = self.browser
        for scale in [3, 25, 900]:
            browser.open(PAGES / "1000.html", f"#&view=34,-118,{scale}")
            browser.settle()
            # From west to east in the middle of the window, between the ends of the bar.
            words, width = browser.run(
                "const bar = document.querySelector('#scale-km'); return [bar.textContent, bar.getBoundingClientRect().width]")
            kilometers = browser.run(
                "const lat = latitudeOfHeight(map.view.y);"
                "return distanceBetween(lat, 0, lat, arguments[0] / map.view.scale)", width)
            self.assertAlmostEqual(kilometers / float(words.split()[0].replace(",", "")), 1, delta=0.03)

    def test_the_legend_has_the_sizes_of_the_circles_on_the_map(self):
        browser = self.browser
        browser.open(PAGES / "20000.html")
        browser.settle()
        view, legend = browser.box("#view"), browser.box("#legend")
        self.assertGreater(legend["x"], view["x"] + view["width"] / 3)
        self.assertGreater(legend["y"], view["y"] + view["height"] * 0.7)
        for zoom in [0, 6]:
            for _ in range(zoom):
                browser.find("#zoom-in").click()
            browser.settle()
            drawn, shown = browser.run(
                "const last = [...document.querySelectorAll('#legend .size')].pop();"
                "return [2 * radiusOfMagnitude(Number(last.textContent)) * sizeFactor(data.present, map.view.scale),"
                " last.firstChild.getBoundingClientRect().width]")
            self.assertAlmostEqual(drawn, shown, delta=1)
        self.assertIn("plate boundary", browser.text("#legend"))
        self.open_menu("layers")
        browser.find("#plates").click()
        browser.settle()
        self.assertNotIn("plate boundary", browser.text("#legend"))

    @needs_real_quakes
    def test_the_legend_lists_only_what_occurs(self):
        browser = self.browser
        for name, classes, magnitudes in [
                ("world", ["<10", "10–35", "35–70", "70–150", "150–300", "300–500", "≥500", "fixed or unknown"], "4567"),
                ("empty", [], "")]:
            browser.open(PAGES / f"{name}.html", "#&color=depth")
            browser.settle()
            labels, sizes = browser.run(
                "return ['.colors span', '.size'].map((kind) =>"
                " [...document.querySelectorAll(`#legend ${kind}`)].map((one) => one.textContent))")
            self.assertEqual(labels, classes)
            self.assertEqual("".join(sizes), magnitudes)
        browser.open(PAGES / "island.html", "#&color=depth")
        browser.settle()
        depths = page_data("island")["depth"]
        self.assertEqual(len(browser.find_all("#legend .colors span")), len(browser.run(
            "return [...new Set(arguments[0].map((depth, i) => classOf(i, 'depth')))]", depths)))
        self.assertLess(len(browser.find_all("#legend .colors span")), 8)
        browser.resize(390, 844, mobile=True)
        browser.open(PAGES / "1000.html")
        self.assertFalse(browser.find("#legend").is_displayed())
        browser.find("#legend-box summary").click()
        self.assertTrue(browser.find("#legend").is_displayed())

    def test_the_area_of_the_query_is_outlined_and_the_rest_is_gray(self):
        browser = self.browser
        browser.open(PAGES / "island.html")
        browser.settle()
        inside, outside = browser.run(
            "const c = document.querySelector('#ground'); const {margin} = map.size();"
            "const pixels = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
            "return arguments[0].map(([lat, lon]) => { const p = map.pointAt(lon, heightOfLatitude(lat));"
            " const at = (Math.round(p.y + margin.y) * c.width + Math.round(p.x + margin.x)) * 4;"
            " return [...pixels.slice(at, at + 4)]; })", [(18.8, -155.75), (18.6, -156.3)])
        self.assertEqual(inside, [0xDF, 0xE9, 0xF1, 255])
        self.assertLess(sum(outside), sum(inside) - 40)
        self.assertIn("outside the selected area", browser.text("#legend"))
        self.assertIn("home", browser.text("#legend"))


def luminance(color):
    parts = [value / 255 for value in color[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)


class Colors(MapTest):
    def test_every_class_as_drawn_differs_from_land_and_sea(self):
        """The contrast is that of one circle's outline, blended onto land or sea as on the map: at least 3:1."""
        browser = self.browser
        for scheme in ["light", "dark"]:
            browser.prefer(prefers_color_scheme=scheme)
            browser.open(PAGES / "20.html")
            browser.settle()
            drawn = browser.run(
                "const style = getComputedStyle(document.documentElement); const result = [];"
                "for (const [by, {classes}] of Object.entries(data.scales)) for (const one of classes)"
                " for (const ground of ['--land', '--sea']) for (const [band, [, fill, rim]] of data.bands.entries()) {"
                "  const below = rgb(style.getPropertyValue(ground).trim());"
                "  const image = new ImageData(21, 21);"
                "  const circle = stamp(12, rgb(colorOfClass(one)), rgb(rimInBand(one, band)), fill, opacityOf(20, 3), rim);"
                "  blend(image, new Uint32Array(image.data.buffer), circle, 10, 10);"
                "  const colors = [...Array(10).keys()].map((x) => { const at = (10 * 21 + x) * 4;"
                "   const alpha = image.data[at + 3] / 255;"
                "   return [0, 1, 2].map((k) => image.data[at + k] * alpha + below[k] * (1 - alpha)); });"
                "  result.push([`${by} ${one[3]} ${ground} ${band}`, colors, below]); } return result")
            self.assertGreater(len(drawn), 90)
            for name, colors, below in drawn:
                self.assertGreaterEqual(max(contrast(color, below) for color in colors), 3, (scheme, name))


class PageURL(MapTest):
    @needs_real_quakes
    def test_settings_stay_in_the_url(self):
        browser = self.browser
        browser.open(PAGES / "island.html")
        browser.settle()
        self.assertEqual(browser.run("return location.hash"), "")
        self.open_menu("layers")
        browser.find("#plates").click()
        browser.run("for (const [id, value] of [['color', 'magtype'], ['zone', 'quake'], ['unit', 'km']]) {"
                    " const e = document.getElementById(id); e.value = value; e.dispatchEvent(new Event('change')); }")
        self.set_slider("Magnitude from", 2.5)
        self.set_slider("Depth to", 40)
        browser.find("#place").send_keys("volcano")
        browser.find("button[data-column=mag]").click()
        browser.find("#zoom-in").click()
        browser.settle()
        browser.find_all(".row")[2].click()
        browser.settle()
        state = ("return JSON.stringify([location.hash, document.querySelector('#count').textContent, selected, {...map.view},"
                 " document.querySelector('.row').textContent, document.querySelector('#chips').textContent,"
                 " document.querySelector('#card dl').textContent, document.querySelector('#legend').textContent])")
        before = json.loads(browser.run(state))
        for part in ["mag=2.5..", "depth=..40", "place=volcano", "color=magtype", "zone=quake", "unit=km", "sort=-mag",
                     "layers=cities,states", "view="]:
            self.assertIn(part, before[0])
        browser.open(PAGES / "island.html", before[0])
        browser.settle()
        after = json.loads(browser.run(state))
        for one, other in zip(before[3].values(), after[3].values()):
            self.assertAlmostEqual(one, other, delta=abs(one) * 1e-4)
        before[3] = after[3] = None
        self.assertEqual(before, after)

    def test_a_url_of_nonsense_shows_everything(self):
        browser = self.browser
        browser.open(PAGES / "1000.html", "#%E0%A4%A&mag=x..y&time=..&view=91,0,0&color=plaid&sort=toString&zone=Mars&"
                     "around=1&replay=recorded:never&unit=furlong&depth=9..1&layers=&=&&place=")
        self.assertEqual(self.count_text(), "1,000 quakes")

    def test_empty_results_name_the_filter_that_hides_everything_and_clear_it(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        browser.find("#place").send_keys("no such place")
        self.set_slider("Depth from", 1)
        self.assertEqual(self.count_text(), "0 of 1,000 quakes")
        self.assertEqual([button.text for button in browser.find_all("#nothing button")], ["Clear: “no such place”"])
        browser.find("#nothing button").click()
        self.assertNotEqual(self.count_text(), "0 of 1,000 quakes")
        self.assertFalse(browser.find("#nothing").is_displayed())


class Card(MapTest):
    def test_an_event_that_is_no_earthquake_is_named_after_its_type(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        data = page_data("1000")
        types = [data["words"][data["kinds"][kind][2]] for kind in data["kind"]]
        others = [number for number, kind in enumerate(types) if kind != "earthquake"]
        self.assertGreater(len(others), 0)
        shown = browser.run("return data.id.map((_, i) => [kindOf(i), placeOf(i), headline(i)])")
        for number, (kind, place, headline) in enumerate(shown):
            name = data["place"][number] or "unknown place"
            title = types[number].title()
            told = name if number not in others else f"{title} – {name}"
            self.assertEqual((kind, place), (title if number in others else "", told))
            self.assertRegex(headline, r"^M (\?|−?\d+\.\d) (– )?" + re.escape(told) + "$")
            self.assertEqual("– " + told in headline, number not in others)
        browser.run("select(arguments[0], 'list')", others[0])
        browser.settle()
        told = shown[others[0]][1]
        self.assertEqual(browser.text("#card h2"), shown[others[0]][2])
        self.assertTrue(browser.text(f"#row-{others[0]} .name").endswith(told))

    def test_the_nearest_city_is_that_of_the_data(self):
        browser = self.browser
        browser.open(PAGES / "1000.html")
        data = page_data("1000")
        for number in [0, 17, 500]:
            browser.run("select(arguments[0], 'list')", number)
            name = data["cities"][data["city"][number]][0]
            self.assertRegex(browser.text("#card"), rf"Nearest city\s+[\d,]+ (km|mi) [NESW]+ of {re.escape(name)}\n")

    def test_times_name_their_zone_and_ids_can_be_copied(self):
        browser = self.browser
        browser.open(PAGES / "island.html", "#&zone=quake")
        browser.find_all(".row")[0].click()
        card = browser.text("#card")
        self.assertIn("UTC−10", card)
        self.assertIn("published", card)
        self.assertIn("Distance from home", card)
        self.assertIn(" mi", card)
        browser.run("window.copied = null; document.addEventListener('copy', () => copied = getSelection().toString() ||"
                    " document.activeElement.value); Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        browser.find("#card button[aria-label='Copy ID']").click()
        browser.wait("[...document.querySelectorAll('#card .copy')].some((b) => b.textContent === 'Copied')")
        self.assertEqual(browser.run("return copied"), browser.run("return data.id[selected]"))
        self.assertEqual(self.audit(), [])

    def test_every_property_in_the_history_has_a_name(self):
        self.browser.open(PAGES / "20.html")
        # The names of these in the data are words.
        plain = {"place", "depth", "status", "updated", "title", "url", "detail"}
        names = set(self.browser.run("return JSON.parse(byId('saved').textContent).names"))
        self.assertEqual(names - set(self.browser.run("return Object.keys(valueNames)")), plain)
