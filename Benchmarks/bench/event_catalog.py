"""A catalog of invented quakes as the event service publishes it: the same bytes for the same size and span.

The features lie in one file, in the order of their origin times; arrays beside it say where each one starts and what
the service selects by. An answer without filters is a slice of the file.
"""

import json
import random
import re
import sys
import time
from array import array
from bisect import bisect_left, bisect_right
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

from bench import data

VERSION = 1  # raise it when the bytes change
HOUR, DAY = 3_600_000, 86_400_000
GENERATED = data.MONTH_GENERATED  # no quake was updated later, before a night of re-processing
MODERN = 94_694_400_000  # 1973-01-01: before it nets are historical and most properties null
SWARM = 10_000  # quakes of one swarm, all within an hour
PART = 100_000
SEPARATOR = b",\n"


class Span(NamedTuple):
    """Times between which a share of the quakes lies."""

    start: int
    end: int
    share: float


# Shares as in the real catalog: few before 1973, more and more afterward.
CENTURY = (
    Span(-2_208_988_800_000, MODERN, 0.02),  # from 1900
    Span(MODERN, 946_684_800_000, 0.28),
    Span(946_684_800_000, GENERATED - 40 * DAY, 0.70),  # from 2000
)
# As dense as in a busy year: 500 a day.
RECENT = (Span(GENERATED - 240 * DAY, GENERATED - 40 * DAY, 1.0),)
SPANS = {"century": CENTURY, "recent": RECENT}

FIELDS = re.compile(
    r'"mag":([^,]+),.*?"updated":(\d+),.*?"type":"([^"]+)","title".*?"coordinates":\[([^,]+),([^,]+),')


def origin_times(count: int, spans: tuple[Span, ...]) -> array:
    """Ascending; a tenth of them in swarms where there are enough."""
    draw = random.Random(count).random
    times = array("q")
    for _ in range(count // 10 // SWARM):
        span = spans[-1]
        first = span.start + int(draw() * (span.end - span.start - HOUR))
        times.extend(first + int(draw() * HOUR) for _ in range(SWARM))
    rest = count - len(times)
    for span in spans:
        share = rest - (len(times) - count // 10 // SWARM * SWARM) if span is spans[-1] else int(rest * span.share)
        step = (span.end - span.start) / max(1, share)
        times.extend(int(span.start + (index + draw()) * step) for index in range(share))
    return array("q", sorted(times))


def part(job: tuple[int, array]) -> tuple[bytes, list[tuple]]:
    """The features of consecutive origin times, and of each its length and what the service selects by."""
    first, times = job
    lines = [
        historical(random.Random(number), number, time) if time < MODERN else None
        for number, time in enumerate(times, start=first)
    ]
    modern = [time for time in times if time >= MODERN]
    features = data.features(first, first + len(times) - len(modern), ((time, time) for time in modern), GENERATED)
    lines = [line or detail_of_service(next(features)) for line in lines]
    rows = []
    for time, line in zip(times, lines):
        magnitude, updated, kind, longitude, latitude = FIELDS.search(line).groups()
        rows.append((len(line.encode()), time, int(updated), float("nan") if magnitude == "null" else float(magnitude),
                     float(longitude), float(latitude), kind == "earthquake"))
    return b"".join(line.encode() + SEPARATOR for line in lines), rows


def detail_of_service(line: str) -> str:
    """The feeds and the service name different addresses for a quake's details."""
    line = line.replace("/earthquakes/feed/v1.0/detail/", "/fdsnws/event/1/query?eventid=", 1)
    return line.replace('.geojson","felt"', '&format=geojson","felt"', 1)


def historical(source: random.Random, number: int, time: int) -> str:
    """A quake of an old catalog: a magnitude and a place, hardly anything else."""
    draw = source.random
    net = ("iscgem", "ushis", "official")[int(draw() * 3)]
    code = f"{700_000 + number}"
    event = net + code
    mag = "null" if draw() < 0.02 else f"{4 + int(draw() * 40) / 10:g}"
    place = "null" if draw() < 0.05 else json.dumps(f"{data.COMPASS[number % 16]} of the coast of Region {number % 700}")
    title = f"M {'?' if mag == 'null' else f'{float(mag):.1f}'} - {'' if place == 'null' else place[1:-1]}"
    depth = "null" if draw() < 0.3 else f"{int(draw() * 600)}"
    updated = 1_528_145_024_000 + number % 100_000
    return (
        f'{{"type":"Feature","properties":{{"mag":{mag},"place":{place},"time":{time},"updated":{updated},"tz":null,'
        f'"url":"{data.EVENT_PAGE}{event}",'
        f'"detail":"https://earthquake.usgs.gov/fdsnws/event/1/query?eventid={event}&format=geojson",'
        f'"felt":null,"cdi":null,"mmi":null,"alert":null,"status":"reviewed","tsunami":0,'
        f'"sig":{0 if mag == "null" else int(float(mag) ** 2 * 15)},'
        f'"net":"{net}","code":"{code}","ids":",{event},","sources":",{net},","types":",impact-text,origin,",'
        f'"nst":null,"dmin":null,"rms":null,"gap":null,"magType":"{"mw" if draw() < 0.5 else "ms"}",'
        f'"type":"earthquake","title":"{title}"}},"geometry":{{"type":"Point","coordinates":'
        f'[{round(draw() * 360 - 180, 3)},{round(draw() * 160 - 80, 3)},{depth}]}},"id":"{event}"}}'
    )


class Catalog:
    """The features of a file, and a night in which some of them change."""

    NUMBERS = ("offsets", "times", "updated", "magnitudes", "longitudes", "latitudes", "earthquakes")
    TYPES = "qqqdddb"

    def __init__(self, directory: Path, count: int, span: str = "century"):
        name = f"events-{span}-{count}-v{VERSION}.{data.VERSION}"
        self.path, index = directory / f"{name}.json", directory / f"{name}.index"
        self.count = count
        for field, type_code in zip(self.NUMBERS, self.TYPES):
            setattr(self, field, array(type_code))
        if index.exists():
            self.load(index)
        else:
            self.make(span, index)
        self.changed: dict[int, bytes] = {}
        self.changed_rows: list[int] = []
        self.deleted: set[int] = set()

    def make(self, span: str, index: Path) -> None:
        times = origin_times(self.count, SPANS[span])
        jobs = ((first, times[first:first + PART]) for first in range(0, self.count, PART))
        offset = 0
        with open(self.path, "wb") as file, Pool() as pool:
            for body, rows in pool.imap(part, jobs):
                file.write(body)
                for length, *values in rows:
                    for field, value in zip(self.NUMBERS, (offset, *values)):
                        getattr(self, field).append(value)
                    offset += length + len(SEPARATOR)
                print(f"making {self.path.name}: {len(self.times):,} of {self.count:,}", file=sys.stderr)
        self.offsets.append(offset)
        with open(index, "wb") as file:
            for field in self.NUMBERS:
                getattr(self, field).tofile(file)

    def load(self, index: Path) -> None:
        with open(index, "rb") as file:
            for field in self.NUMBERS:
                getattr(self, field).fromfile(file, self.count + (field == "offsets"))

    def rows(self, start: int | None, end: int | None) -> range:
        """The quakes of these origin times in milliseconds, both included."""
        first = 0 if start is None else bisect_left(self.times, start)
        last = self.count if end is None else bisect_right(self.times, end)
        return range(first, max(first, last))

    def changed_in(self, rows: range) -> list[int]:
        """Those of `rows` that have changed since the catalog was made."""
        return self.changed_rows[bisect_left(self.changed_rows, rows.start):bisect_left(self.changed_rows, rows.stop)]

    @property
    def generated(self) -> int:
        """The moment of an answer, in whole seconds."""
        return int(time.time()) * 1000

    def change_in_a_night(self, count: int, morning: int) -> None:
        """Re-processes `count` quakes: half of them in blocks, half spread over all; one in a hundred is deleted.

        The last of it is done at `morning`, in milliseconds.
        """
        blocks = [int(block * self.count / 10) for block in range(10)]
        chosen = {row for first in blocks for row in range(first, min(self.count, first + count // 20))}
        step = self.count / (count - len(chosen) + 1)
        chosen.update(int(index * step) for index in range(count - len(chosen)))
        source = random.Random(count)
        rest = iter(source.sample(range(self.count), min(self.count, 2 * count)))
        while len(chosen) < min(count, self.count):
            chosen.add(next(rest))
        with open(self.path, "rb") as file:
            for turn, row in enumerate(sorted(chosen)):
                line = self.changed.get(row) or self.stored(file, row)
                self.updated[row] = morning - turn % 1_000
                self.changed[row] = revised(line, turn, self.updated[row])
                if turn % 100 == 50:
                    self.deleted.add(row)
                    self.changed[row] = deleted(self.changed[row])
        self.changed_rows = sorted(self.changed)

    def stored(self, file, row: int) -> bytes:
        file.seek(self.offsets[row])
        return file.read(self.offsets[row + 1] - self.offsets[row] - len(SEPARATOR))


NUMBER = r"-?[\d.]+"


def revised(line: bytes, turn: int, updated: int) -> bytes:
    """What a re-processing does: a new stamp, and for three of four quakes new values."""
    text = re.sub(r'"updated":\d+', f'"updated":{updated}', line.decode(), count=1)
    if turn % 4 == 0:
        return text.encode()
    text = re.sub(f'"rms":({NUMBER})', lambda found: f'"rms":{round(float(found[1]) + 0.01, 2)}', text, count=1)
    text = re.sub(f'"nst":({NUMBER})', lambda found: f'"nst":{int(found[1]) + 3}', text, count=1)
    text = re.sub(f',({NUMBER})\\]', lambda found: f",{round(float(found[1]) + 0.35, 2)}]", text, count=1)
    if turn % 4 == 1:
        text = re.sub(f'"mag":({NUMBER})', lambda found: f'"mag":{round(float(found[1]) + 0.1, 2):g}', text, count=1)
        text = re.sub(f'"title":"M ({NUMBER})', lambda found: f'"title":"M {float(found[1]) + 0.1:.1f}', text, count=1)
    return text.encode()


def deleted(line: bytes) -> bytes:
    return re.sub(rb'"status":"\w+"', b'"status":"deleted"', line, count=1)
