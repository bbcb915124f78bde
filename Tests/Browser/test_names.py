"""The names on the map: which places and quakes are named, and that names do not hide quakes."""

import re

from page_test import FIGURES, PAGES, SHOTS, PageTest, page_data

# All texts on the layers `names` and `overlay`, each with the rectangle that its letters take in the window. The layer
# of degrees is called `degrees`.
RECORDER = """
const written = [];
const plain = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const width = this.measureText(text).width;
  const left = x - width * ({center: 0.5, right: 1}[this.textAlign] ?? 0);
  const middle = this.textBaseline === 'middle' ? y : y - 4;
  if (['names', 'overlay'].includes(this.canvas.id)) {
    const layer = /^[\d.]+°/.test(text) ? 'degrees' : this.canvas.id;
    written.push({text, layer, left, right: left + width, top: middle - 6, bottom: middle + 6});
  }
  return plain.apply(this, arguments);
};
map.drawNames();
CanvasRenderingContext2D.prototype.fillText = plain;
return written.filter((one, k) => written.findIndex((other) => other.text === one.text && other.left === one.left) === k);
"""
# The largest quakes in the window, none within 40 pixels of a larger one.
LARGEST = """
const {width, tall} = map.size();
const size = (i) => data.mag[i] ?? -9;
const inside = [...shown].filter((i) => {
  const {x, y} = map.positionOf(i);
  return x >= 0 && y >= 0 && x <= width && y <= tall;
}).sort((a, b) => size(b) - size(a) || a - b);
const kept = [];
for (const i of inside) {
  const at = map.positionOf(i);
  const isNear = (other) => Math.hypot(map.positionOf(other).x - at.x, map.positionOf(other).y - at.y) <= 40;
  if (kept.length < 3 && !kept.some(isNear)) kept.push(i);
}
return kept;
"""
# The distance of each name from the point of its country, in pixels, without the space around the letters.
STRAYED = """
return arguments[0].flatMap(({text, left, right, top, bottom}) => {
  const away = places().regions.filter(({name}) => name === text).map(({x, y}) => {
    const at = map.pointAt(x, y);
    return Math.max(left - 2 - at.x, at.x - right - 2, top - 3 - at.y, at.y - bottom - 3, 0);
  });
  return away.length ? [[text, Math.min(...away)]] : [];
});
"""
# The first three cities of the list that lie in the window and under no button, legend or card.
FIRST_CITIES = """
const stage = document.querySelector('#view').getBoundingClientRect();
const finest = Math.floor(Math.log2(map.view.scale * 0.11));
return places().cities.filter(({rank, lon, y}) => {
  const at = map.pointAt(lon, y);
  return rank <= finest && at.x > 10 && at.x < stage.width - 60 && at.y > 30 && at.y < stage.height - 50 &&
    document.elementFromPoint(stage.left + at.x, stage.top + at.y)?.closest('#view');
}).slice(0, 3).map(({name}) => name);
"""


class NamesOnMap(PageTest):
    def open(self, name, fragment=""):
        self.browser.open(PAGES / f"{name}.html", fragment)
        self.browser.settle()

    def written(self):
        return self.browser.run(RECORDER)

    def quake_labels(self):
        return [one for one in self.written() if one["layer"] == "overlay" and re.match(r"M [\d?−]", one["text"])]

    def place_names(self):
        return [one for one in self.written() if one["layer"] == "names"]

    def covered(self, names):
        """Returns the number of quakes in the window, and how many of their centers lie under names."""
        return self.browser.run(
            "const {width, tall} = map.size(); let [all, under] = [0, 0]; for (const i of shown) {"
            " const {x, y} = map.positionOf(i); if (x < 0 || y < 0 || x > width || y > tall) continue; all++;"
            " if (arguments[0].some((one) => x > one.left && x < one.right && y > one.top && y < one.bottom)) under++; }"
            "return [all, under]", names)

    def test_few_quakes_lie_under_names(self):
        for name, fragment in [("1000", ""), ("4438", ""), ("20000", ""), ("100000", ""), ("4438", "#&view=37,-119,40"),
                               ("100000", "#&view=37,138,25"), ("100000", "#&view=-30,-70,20")]:
            self.open(name, fragment)
            names = self.place_names()
            shown, under = self.covered(names)
            FIGURES[f"quakes under names on {name}{fragment}"] = f"{under} of {shown} under {len(names)} names"
            self.assertLess(under, 0.04 * shown, (name, fragment))
            self.assertGreater(len(names), 5)

    def test_the_countries_with_the_most_quakes_are_named(self):
        self.open("4438")
        countries = self.browser.run(
            "const known = new Set(places().regions.filter((one) => !one.isState && (one.x || one.y)).map(({name}) => name));"
            "const sums = {}; for (const i of shown) for (const name of regionsOf(i)) if (known.has(name))"
            " sums[name] = (sums[name] ?? 0) + map.radiusOnMap(i) ** 2;"
            "return Object.keys(sums).sort((a, b) => sums[b] - sums[a]).slice(0, 7)")
        # The name of a quake can take the place of its country's name.
        names = " ".join(one["text"] for one in self.written())
        self.assertEqual([country for country in countries if country not in names], [])
        for theme in ["light", "dark"]:
            self.browser.prefer(prefers_color_scheme=theme)
            self.browser.screenshot(SHOTS / f"names-{theme}.png")

    def test_the_three_largest_are_labeled_but_only_one_of_several_at_a_place(self):
        for size in [(1280, 800), (390, 844)]:
            self.browser.resize(*size)
            for name, fragment in [("1000", ""), ("4438", ""), ("100000", ""), ("4438", "#&view=37,-119,40")]:
                self.open(name, fragment)
                texts = self.browser.run(
                    f"const largest = (() => {{ {LARGEST} }})();"
                    "return largest.map((i) => [`M ${magnitudeText(data.mag[i])}`, placeOf(i)])")
                labels = [one["text"] for one in self.quake_labels()]
                self.assertGreaterEqual(len(labels), 2, (name, size))
                # A quake without room for any text has no label.
                left = iter(texts)
                for label in labels:
                    self.assertTrue(any(label.startswith(start) and place.endswith(label[len(start) + 1:])
                                        for start, place in left), (name, size, labels, texts))
                    self.assertNotRegex(label, r"\d ?km ")

    def test_the_name_of_a_quake_is_beside_its_circle(self):
        for name, fragment in [("4438", ""), ("100000", ""), ("100000", "#&view=37,138,25")]:
            self.open(name, fragment)
            for gap in self.browser.run(
                    "return labels.quakeLabels().map(({i, dx, dy}) =>"
                    " (dx > 0 ? dx : Math.abs(dy) > 1 ? Math.abs(dy) - 6 : 0) - map.radiusOnMap(i))"):
                self.assertLess(gap, 7)

    def test_the_name_of_a_country_is_at_the_country(self):
        for size in [(1280, 800), (390, 844)]:
            self.browser.resize(*size)
            for name in ["1000", "4438", "100000"]:
                self.open(name)
                limit = min(20, 6 * self.browser.run("return map.view.scale"))
                for text, away in self.browser.run(STRAYED, self.place_names()):
                    self.assertLess(away, limit + 3, (text, name, size))

    def test_the_largest_cities_are_named_even_among_quakes(self):
        for name, view in [("100000", "37.8,-122.3,200"), ("100000", "39,35,40"), ("100000", "36,139,60"),
                           ("100000", "36,139,25"), ("california", "34,-118,90")]:
            self.open(name, f"#&view={view}")
            names = [one["text"] for one in self.place_names()]
            cities = self.browser.run(FIRST_CITIES)
            self.assertEqual([city for city in cities if city not in names], [], (name, view))

    def test_names_keep_clear_of_degrees(self):
        for size, name in [((1280, 800), "4438"), ((390, 844), "4438"), ((1024, 768), "100000"), ((844, 390), "4438")]:
            self.browser.resize(*size)
            self.open(name)
            names = self.written()
            for degree in [one for one in names if one["layer"] == "degrees"]:
                for other in [one for one in names if one["layer"] != "degrees"]:
                    apart = (degree["right"] < other["left"] or other["right"] < degree["left"]
                             or degree["bottom"] < other["top"] or other["bottom"] < degree["top"])
                    self.assertTrue(apart, (size, degree, other))

    def test_labels_stay_in_the_window_and_overlap_nothing(self):
        for name, fragment in [("4438", ""), ("100000", "#&view=37,138,25"), ("dateline", ""), ("california", "")]:
            self.open(name, fragment)
            box = self.browser.box("#view")
            labels = self.quake_labels()
            for number, label in enumerate(labels):
                self.assertTrue(label["left"] > 0 and label["right"] < box["width"], label)
                self.assertTrue(label["top"] > 0 and label["bottom"] < box["height"], label)
                for other in labels[number + 1:] + self.place_names():
                    apart = (label["right"] < other["left"] or other["right"] < label["left"]
                             or label["bottom"] < other["top"] or other["bottom"] < label["top"])
                    self.assertTrue(apart, (name, label, other))

    def test_labels_follow_the_filter_and_the_selection(self):
        self.open("4438")
        before = [one["text"] for one in self.quake_labels()]
        self.set_slider("Magnitude to", 4)
        self.browser.settle()
        after = [one["text"] for one in self.quake_labels()]
        self.assertEqual(len(after), 3)
        self.assertTrue(all(float(text.split()[1]) <= 4 for text in after), after)
        self.assertFalse(set(before) & set(after))
        number = self.browser.run(LARGEST)[0]
        self.browser.run("select(arguments[0], 'map')", number)
        texts = [one["text"] for one in self.quake_labels()]
        self.assertEqual(texts[0], self.browser.run("return headline(arguments[0])", number)[:48])
        self.assertEqual(len(set(texts)), 3)
        self.assertNotIn(after[0], texts)

    def test_a_single_quake_is_labeled(self):
        self.open("1000")
        self.browser.find("#place").send_keys(page_data("1000")["id"][321])
        self.browser.settle()
        self.browser.find("#fit").click()
        self.browser.settle()
        self.assertEqual(self.count_text(), "1 of 1,000 quakes")
        self.assertEqual(len(self.quake_labels()), 1)

    def test_a_paused_replay_labels_the_largest_quakes_known_at_its_moment(self):
        self.open("replay")
        self.browser.find("#replay-open").click()
        self.browser.run(
            "const slider = document.querySelector('#replay-slider'); slider.value = slider.max * 0.3;"
            "slider.dispatchEvent(new Event('input', {bubbles: true}))")
        self.browser.settle()
        self.browser.settle()
        largest = self.browser.run(LARGEST)
        self.assertLess(self.browser.run("return shown.length"), self.browser.run("return data.present"))
        self.assertEqual(self.browser.run("return labels.quakeLabels().map(({i}) => i)"), largest)
