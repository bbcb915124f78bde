"""The printed page: the map with its legend, the selected quake, and every row of the list, none of them covered."""

import itertools
import math
import re
import statistics
import subprocess
import unicodedata
from xml.etree import ElementTree

from page_test import FIGURES, PAGES, SHOTS, PageTest, page_data

PAPERS = {"A4": (21.0, 29.7), "Letter": (21.59, 27.94)}
WORD = "{http://www.w3.org/1999/xhtml}word"
LINE = "{http://www.w3.org/1999/xhtml}line"
PAGE = "{http://www.w3.org/1999/xhtml}page"


def squeezed(text):
    """Returns the text without spaces and ligatures."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


def lines_of(pdf):
    """Returns for each page its width and height, and its lines of text, each with its box."""
    html = subprocess.run(["pdftotext", "-bbox-layout", pdf, "-"], capture_output=True, check=True).stdout
    pages = []
    for page in ElementTree.fromstring(html).iter(PAGE):
        lines = []
        for line in page.iter(LINE):
            box = [float(line.get(name)) for name in ("xMin", "yMin", "xMax", "yMax")]
            lines.append((box, " ".join(word.text for word in line.iter(WORD))))
        pages.append((float(page.get("width")), float(page.get("height")), lines))
    return pages


def overlaps(lines):
    """Returns pairs of lines that overlap by more than the space between their letters."""
    found = []
    lines = sorted(lines, key=lambda line: line[0][1])
    for number, (box, text) in enumerate(lines):
        for other, words in itertools.takewhile(lambda line: line[0][1] < box[3], lines[number + 1:]):
            width = min(box[2], other[2]) - max(box[0], other[0])
            height = min(box[3], other[3]) - max(box[1], other[1])
            if width > 1 and height > 0.4 * min(box[3] - box[1], other[3] - other[1]):
                found.append((text, words))
    return found


class Print(PageTest):
    def printed(self, paper, orientation, name):
        width, height = PAPERS[paper]
        file = SHOTS / f"print-{name}-{paper}-{orientation}.pdf"
        file.write_bytes(self.browser.pdf(width, height, orientation))
        return lines_of(file)

    def check(self, pages, data, is_selected):
        for width, height, lines in pages:
            self.assertEqual(overlaps(lines), [])
            for (left, top, right, bottom), text in lines:
                self.assertTrue(left >= 0 and top >= 0 and right <= width and bottom <= height, text)
        texts = [" ".join(text for _, text in lines) for _, _, lines in pages]
        # The map is a picture, except for its scale bar, which is text.
        self.assertRegex(texts[0], r"\d+ km")
        self.assertIn("Magnitude", texts[0])
        self.assertEqual("Revision history" in " ".join(texts), is_selected)
        rows = [len(re.findall(r"\d\d:\d\d · ", text)) for text in texts]
        # The first page has the map, and the last one the remaining rows.
        needed = math.ceil(len(data["id"]) / statistics.median(rows[1:-1]))
        self.assertLessEqual(len(pages), needed + 2, rows)

    def check_places(self, name):
        """The text of each row is printed, in the order of the list."""
        text = subprocess.run(["pdftotext", "-raw", SHOTS / f"{name}.pdf", "-"], capture_output=True, text=True,
                              check=True).stdout
        wanted = self.browser.run(
            "return Array.from(shown, (i) => `${magnitudeText(data.mag[i])}${placeOf(i)}${timeInZone(time[i], i)[0].slice(11, 16)}`)")
        text, at = squeezed(text), 0
        for row in wanted:
            at = text.find(squeezed(row), at)
            self.assertGreaterEqual(at, 0, row)
            at += 1

    def test_every_row_is_on_paper_and_nothing_is_covered(self):
        for name, is_selected, paper, orientation in itertools.product(
                ["400", "4438"], [False, True], PAPERS, ["portrait", "landscape"]):
            # The long list takes long to print, so only half of its combinations are tested.
            if name == "4438" and is_selected == ((paper == "A4") == (orientation == "portrait")):
                continue
            with self.subTest(quakes=name, selected=is_selected, paper=paper, orientation=orientation):
                data = page_data(name)
                self.browser.open(PAGES / f"{name}.html", f"#{data['id'][7]}" if is_selected else "")
                self.browser.settle()
                pages = self.printed(paper, orientation, name)
                self.check(pages, data, is_selected)
                self.check_places(f"print-{name}-{paper}-{orientation}")
                FIGURES[f"pages of {paper} {orientation}, {name} quakes"] = len(pages)
