"""The layout in windows of six sizes: nothing covers a quake, and the map uses the available room."""

from page_test import FIGURES, PAGES, PageTest

SIZES = [(1440, 900), (1280, 800), (1024, 768), (768, 1024), (844, 390), (390, 844)]
NAMES = ["20", "400", "4438", "dateline", "california", "japan", "island"]

# The number of shown quakes whose centers lie outside the map's window or under an element on the map.
COVERED = """
const stage = document.querySelector('#view').getBoundingClientRect();
const boxes = ['#legend-box', '#tools', '.buttons', '#card', '#scale', '#credits', '#chips button', '.panel']
  .flatMap((selector) => [...document.querySelectorAll(selector)]).filter((one) => one.checkVisibility())
  .map((one) => one.getBoundingClientRect());
return [...(arguments[0] ?? shown)].filter((i) => {
  const { x, y } = map.positionOf(i);
  const [left, top] = [stage.left + x, stage.top + y];
  return x < 0 || y < 0 || x > stage.width || y > stage.height ||
    boxes.some((box) => left > box.left && left < box.right && top > box.top && top < box.bottom);
}).length;
"""


class Layout(PageTest):
    def at_every_size(self, names, fragment=""):
        for width, height in SIZES:
            self.browser.resize(width, height, mobile=width < 500)
            for name in names:
                self.browser.open(PAGES / f"{name}.html", fragment)
                self.browser.settle()
                yield f"{name} at {width}x{height}"

    def test_at_first_no_quake_lies_under_legend_tools_or_card(self):
        covered = {where: self.browser.run(COVERED) for where in self.at_every_size(NAMES)}
        FIGURES["quakes covered at first, in the worst case"] = max(covered.values())
        self.assertEqual({where: number for where, number in covered.items() if number}, {})

    def test_a_selected_quake_is_never_covered(self):
        missed = []
        for where in self.at_every_size(NAMES):
            numbers = self.browser.run(
                "return Array.from({length: 15}, (_, k) => shown[Math.floor((k + 0.5) * shown.length / 15)])")
            for number in numbers:
                self.browser.run("select(arguments[0], 'list')", number)
                self.browser.next_frames()
                if self.browser.run(COVERED, [number]):
                    missed.append(f"{number} of {where}")
        FIGURES["selected quakes covered"] = len(missed)
        self.assertEqual(missed, [])

    def test_the_polar_regions_are_only_drawn_for_their_quakes(self):
        for where in self.at_every_size(["world"]):
            south, drawn, wide = self.browser.run(
                "const {top, bottom} = map.frame(); const {width} = map.size();"
                "return [Math.min(...latitude), (bottom - top) / map.view.scale, 360 * map.view.scale / width]")
            self.assertGreater(south, -60)
            # From 63°S to 84°N.
            self.assertAlmostEqual(drawn, 204.91, delta=0.1)
            if "844x390" not in where:
                self.assertGreater(wide, 0.85, where)

    def test_an_upright_window_has_the_map_above_the_list(self):
        for width, height in [(768, 1024), (390, 844), (600, 960)]:
            self.browser.resize(width, height, mobile=width < 500)
            self.browser.open(PAGES / "4438.html")
            stage, rows = self.browser.box("#view"), self.browser.box("#scroll")
            self.assertAlmostEqual(stage["width"], width, delta=1)
            self.assertLessEqual(stage["y"] + stage["height"], rows["y"])
            self.assertGreater(stage["height"], height * 0.4)

    def test_the_card_leaves_room_for_rows_on_a_large_screen(self):
        self.browser.open(PAGES / "california.html")
        self.browser.settle()
        rows, card = self.browser.box("#scroll"), self.browser.box("#card")
        self.assertGreater(rows["height"], 150)
        self.assertLessEqual(rows["y"] + rows["height"], card["y"])
