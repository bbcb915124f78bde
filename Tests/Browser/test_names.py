"""Tests of the names on the map: which places and quakes are named, and that names leave quakes visible."""

import re

from page_test import FIGURES, PAGES, SHOTS, PageTest, page_data

# All texts on the layers `names` and `overlay`, each with the rectangle that its letters take in the window.
RECORDER = """
const written = [];
const plain = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const width = this.measureText(text).width;
  if (['names', 'overlay'].includes(this.canvas.id) && this.textAlign !== 'center' && this.textAlign !== 'right') {
    written.push({text, layer: this.canvas.id, left: x, right: x + width, top: y - 6, bottom: y + 6});
  }
  return plain.apply(this, arguments);
};
map.drawNames();
CanvasRenderingContext2D.prototype.fillText = plain;
return written.filter((one, k) => written.findIndex((other) => other.text === one.text && other.left === one.left) === k);
"""
# The largest quakes in the window, none within 60 pixels of a larger one.
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
  const isNear = (other) => Math.hypot(map.positionOf(other).x - at.x, map.positionOf(other).y - at.y) <= 60;
  if (kept.length < 3 && !kept.some(isNear)) kept.push(i);
}
return kept;
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
        """The number of quakes in the window, and of those whose centers lie under names."""
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
        names = [one["text"] for one in self.place_names()]
        self.assertEqual([country for country in countries if country not in names], [])
        for theme in ["light", "dark"]:
            self.browser.prefer(prefers_color_scheme=theme)
            self.browser.screenshot(SHOTS / f"names-{theme}.png")

    def test_the_three_largest_are_labeled_and_only_one_of_several_at_one_place(self):
        for name, fragment in [("1000", ""), ("4438", ""), ("100000", ""), ("4438", "#&view=37,-119,40")]:
            self.open(name, fragment)
            largest = self.browser.run(LARGEST)
            texts = self.browser.run("return arguments[0].map((i) => `M ${magnitudeText(data.mag[i])} `)", largest)
            labels = self.quake_labels()
            self.assertEqual(len(labels), 3, (name, labels))
            for label, start in zip(labels, texts):
                self.assertTrue(label["text"].startswith(start), (label, start))
                self.assertNotRegex(label["text"], r"\d ?km ")

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

    def test_a_replay_that_rests_labels_the_largest_that_are_known_then(self):
        self.open("replay")
        self.browser.find("#replay-open").click()
        self.browser.run(
            "const slider = document.querySelector('#replay-slider'); slider.value = slider.max * 0.3;"
            "slider.dispatchEvent(new Event('input', {bubbles: true}))")
        self.browser.settle()
        self.browser.settle()
        largest = self.browser.run(LARGEST)
        self.assertLess(self.browser.run("return shown.length"), self.browser.run("return data.present"))
        self.assertEqual(self.browser.run("return labels.ofQuakes().map(({i}) => i)"), largest)
