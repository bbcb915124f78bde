"""Makes the feeds: the same bytes for the same seed, with the distributions of the real ones."""

import json
import math
import random
from datetime import datetime, timezone
from typing import Iterator, NamedTuple

VERSION = 1  # raise it when the bytes change, so that caches made from older ones are made again

MONTH_FEATURES = 10_000
MONTH_GENERATED = 1_768_435_200_000  # 2026-01-15T00:00:00Z
MONTH_WINDOW = 30 * 86_400_000
REVISION_DELAY = 300_000
MARGIN = 3_600_000  # quakes keep this distance from both ends of the month window

CATALOG_OLDEST = 788_918_400_000  # 1995-01-01T00:00:00Z
CATALOG_NEWEST = 1_735_689_600_000  # 2025-01-01T00:00:00Z, outside every window of the month feed
CATALOG_FEATURES = 4_000_000

ABOVE_TWO = 0.286  # share of quakes with a magnitude of 2 and more
WORLD = 0.08  # share recorded by the global network, from magnitude 4 up


class Region(NamedTuple):
    net: str
    code: str  # how the network numbers its quakes
    alias: str  # the network most likely to have seen the same quake
    magnitude_types: tuple[str, ...]
    digits: int  # of the magnitude
    towns: tuple[str, ...]
    lon: float
    lat: float
    extent: float
    weight: int


REGIONS = (
    Region("nc", "7{n:07d}", "us", ("md", "md", "md", "ml"), 2,
           ("The Geysers, CA", "Brooktrails, CA", "Petrolia, CA", "San Ramon, CA", "Cobb, CA", "Mammoth Lakes, CA"),
           -122.6, 38.4, 2.5, 20),
    Region("ci", "4{n:07d}", "us", ("ml",), 2,
           ("Ridgecrest, CA", "Borrego Springs, CA", "Little Lake, CA", "Niland, CA", "Searles Valley, CA"),
           -117.0, 34.4, 1.8, 18),
    Region("ak", "0{n:b36}", "us", ("ml",), 1,
           ("Petersville, Alaska", "Adak, Alaska", "Fox, Alaska", "Pedro Bay, Alaska", "False Pass, Alaska", "Chignik, Alaska"),
           -151.5, 60.9, 6.0, 22),
    Region("tx", "2025{n:b26}", "us", ("ml",), 1,
           ("Stanton, Texas", "Toyah, Texas", "Mentone, Texas", "Pecos, Texas", "Westbrook, Texas"),
           -102.9, 31.6, 1.2, 10),
    Region("uu", "6{n:07d}", "mb", ("ml", "md"), 2,
           ("Sunnyside, Utah", "Milford, Utah", "West Yellowstone, Montana", "Moroni, Utah"),
           -111.6, 40.6, 2.2, 8),
    Region("nn", "00{n:07d}", "uu", ("ml",), 1,
           ("Mina, Nevada", "Tonopah, Nevada", "Smith Valley, Nevada", "Lund, Nevada"),
           -117.9, 38.4, 1.6, 9),
    Region("hv", "7{n:07d}", "us", ("md", "ml"), 2,
           ("Pāhala, Hawaii", "Volcano, Hawaii", "Fern Forest, Hawaii", "Captain Cook, Hawaii"),
           -155.4, 19.3, 0.4, 8),
    Region("pr", "7{n:07d}", "us", ("md",), 2,
           ("Guánica, Puerto Rico", "Maria Antonia, Puerto Rico", "Añasco, Puerto Rico", "Cruz Bay, U.S. Virgin Islands"),
           -66.6, 18.2, 0.9, 5),
)
WORLD_REGIONS = tuple(
    Region("us", "7000{n:b36}", "usauto", ("mb", "mb", "mb", "mww", "mwr"), 1, towns, lon, lat, extent, 1)
    for towns, lon, lat, extent in (
        (("Aquiles Serdán, Mexico", "Brisas Barra de Suchiate, Mexico"), -93.5, 14.9, 2.0),
        (("Neiafu, Tonga", "Hihifo, Tonga"), -174.2, -18.3, 3.0),
        (("Severo-Kuril’sk, Russia", "Vilyuchinsk, Russia"), 158.1, 51.3, 3.0),
        (("Calama, Chile", "San Pedro de Atacama, Chile"), -68.6, -22.7, 1.5),
        (("Bitung, Indonesia", "Ternate, Indonesia"), 126.3, 1.1, 2.0),
        (("Miyako, Japan", "Nemuro, Japan"), 143.2, 40.6, 3.0),
    )
)
COMPASS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
EVENT_PAGE = "https://earthquake.usgs.gov/earthquakes/eventpage/"
SUMMARY_FEED = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_month.geojson"


def month_feed() -> bytes:
    """A month feed of 10,000 quakes, the newest first, all of them inside the window."""
    times = spread(MONTH_FEATURES, MONTH_GENERATED - MARGIN, MONTH_GENERATED - MONTH_WINDOW + MARGIN)
    lines = features(seed=1, first=9_000_000, times=times, generated=MONTH_GENERATED)
    return collection(list(lines), month_metadata(MONTH_GENERATED))


def revised_month_feed(feed: bytes, count: int) -> bytes:
    """The same feed five minutes later: `count` features revised, the bytes of all others as they were."""
    lines = feature_lines(feed)
    generated = MONTH_GENERATED + REVISION_DELAY
    revise_every(lines, count, generated)
    return collection(lines, month_metadata(generated))


def catalog_part(first: int, count: int) -> bytes:
    """Quakes `first` to `first + count` of a long catalog, as an event-service reply."""
    step = (CATALOG_NEWEST - CATALOG_OLDEST) / CATALOG_FEATURES
    oldest = CATALOG_OLDEST + int(first * step)
    newest = CATALOG_OLDEST + int((first + count) * step)
    generated = MONTH_GENERATED + first  # later parts are later replies
    lines = features(seed=first + 2, first=first, times=spread(count, newest, oldest), generated=generated)
    return collection(list(lines), query_metadata(generated, oldest, newest, count))


def revised_catalog_reply(feed: bytes, count: int) -> bytes:
    """A later event-service reply that holds only `count` revised quakes of the given feed."""
    lines = feature_lines(feed)
    generated = MONTH_GENERATED + CATALOG_FEATURES + REVISION_DELAY
    revised = [lines[index] for index in revise_every(lines, count, generated)]
    times = [json.loads(line)["properties"]["time"] for line in revised]
    return collection(revised, query_metadata(generated, min(times), max(times), count))


def feature_lines(feed: bytes) -> list[str]:
    """The features of a feed made here, one text each."""
    text = feed.decode()
    start, end = text.index('"features":[') + 12, text.rindex('],"bbox"')
    return text[start:end].split(",\n")


def spread(count: int, newest: int, oldest: int) -> Iterator[tuple[int, int]]:
    """`count` equal slots of time between the two ends, the newest first."""
    step = (newest - oldest) / count
    for index in range(count):
        yield int(newest - (index + 1) * step), int(newest - index * step)


def features(seed: int, first: int, times: Iterator[tuple[int, int]], generated: int) -> Iterator[str]:
    """One feature a slot, as compact JSON with the keys in the order of the real feeds."""
    source = random.Random(seed)
    draw = source.random
    local = [region for region in REGIONS for _ in range(region.weight)]
    for number, (earliest, latest) in enumerate(times, start=first):
        time = earliest + int(draw() * (latest - earliest))
        updated = min(time + 90_000 + int(-math.log(1 - draw()) * 20_000_000), generated - 60_000)
        worldwide = draw() < WORLD
        pool = WORLD_REGIONS if worldwide else local
        region = pool[int(draw() * len(pool))]
        mag = magnitude(source, worldwide, region.digits)
        yield feature(draw, region, number, mag, time, updated)


def magnitude(source: random.Random, worldwide: bool, digits: int) -> float:
    """Gutenberg-Richter above 2 (b = 1), and below it what the networks still notice; 28.6 % are 2 or more."""
    draw = source.random
    if worldwide:
        value = 4 - math.log10(1 - draw())
    elif draw() < (ABOVE_TWO - WORLD) / (1 - WORLD):
        value = 2 - math.log10(1 - draw())
    else:
        value = 2.0
        while value >= 2:
            value = source.gauss(1.05, 0.55)
    scale = 10**digits
    return math.floor(min(value, 9.1) * scale) / scale


def feature(draw, region: Region, number: int, mag: float, time: int, updated: int) -> str:
    code = network_code(region.code, number)
    event = region.net + code
    ids, sources, types = [event], [region.net], ["origin", "phase-data"]
    aliases = draw()
    if aliases < 0.10 or mag >= 4 and aliases < 0.6:
        ids.append(f"{region.alias}7000{base(number, DIGITS36)}")
        sources.append(region.alias)
        if aliases < 0.01:
            ids.append(f"at00{base(number, DIGITS36)}")
            sources.append("at")
    if region.digits == 2 or draw() < 0.5:
        types.insert(0, "nearby-cities")
    if region.net in ("nc", "ci", "uu"):
        types.append("scitech-link")
        if draw() < 0.35:
            types.insert(0, "focal-mechanism")

    felt = cdi = mmi = alert = "null"
    if draw() < (0.035 if mag < 2.5 else 0.12):
        felt, cdi = str(1 + int(4 * draw() ** -0.6)), f"{1 + int(draw() * 40) / 10:.3g}"
        types.insert(0, "dyfi")
        if mag >= 3.5:
            mmi = f"{round(1 + draw() * 5, 3)}"
            alert = '"green"' if mag >= 4.5 else alert
            types.append("shakemap")
    if mag >= 5:
        types.insert(0, "moment-tensor")

    located = draw() < 0.85
    nst = str(4 + int(draw() * 60)) if located else "null"
    gap = str(25 + int(draw() * 250)) if located else "null"
    dmin = f"{round(0.004 + draw() ** 3 * (12 if mag >= 4 else 0.9), 5)}" if located and draw() < 0.92 else "null"
    rms = f"{round(0.02 + draw() * (1.1 if mag >= 4 else 0.35), 2)}"
    kind = "earthquake" if draw() < 0.985 else "quarry blast"
    status = "reviewed" if draw() < 0.6 else "automatic"
    sig = max(0, round(mag * abs(mag) * 65 / 4.225)) + (0 if felt == "null" else min(200, int(felt)))
    tsunami = 1 if mag >= 6.5 else 0
    magnitude_type = region.magnitude_types[int(draw() * len(region.magnitude_types))]

    town = region.towns[int(draw() * len(region.towns))]
    place = f"{1 + int(draw() * 75)} km {COMPASS[int(draw() * 16)]} of {town}"
    # The sum of two draws is densest in the middle, as quakes are around a fault.
    precision = 7 if region.digits == 2 else 4
    lon = round(region.lon + (draw() + draw() - 1) * region.extent, precision)
    lat = round(region.lat + (draw() + draw() - 1) * region.extent, precision)
    depth = round(draw() ** 2 * (120 if mag >= 4 else 28) - 1.5, 2)
    return (
        f'{{"type":"Feature","properties":{{"mag":{mag:.12g},"place":"{place}","time":{time},"updated":{updated},"tz":null,'
        f'"url":"{EVENT_PAGE}{event}",'
        f'"detail":"https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/{event}.geojson",'
        f'"felt":{felt},"cdi":{cdi},"mmi":{mmi},"alert":{alert},"status":"{status}","tsunami":{tsunami},"sig":{sig},'
        f'"net":"{region.net}","code":"{code}","ids":",{",".join(ids)},","sources":",{",".join(sources)},",'
        f'"types":",{",".join(types)},","nst":{nst},"dmin":{dmin},"rms":{rms},"gap":{gap},"magType":"{magnitude_type}",'
        f'"type":"{kind}","title":"M {mag:.1f} - {place}"}},'
        f'"geometry":{{"type":"Point","coordinates":[{lon},{lat},{depth}]}},"id":"{event}"}}'
    )


DIGITS36 = "0123456789abcdefghijklmnopqrstuvwxyz"
DIGITS26 = "abcdefghijklmnopqrstuvwxyz"


def network_code(pattern: str, number: int) -> str:
    """The code of a quake in its network's own way of numbering; unique because `number` is."""
    if pattern.endswith("{n:07d}"):
        return f"{pattern[:-7]}{number:07d}"
    if pattern.endswith("{n:b36}"):
        return pattern[:-7] + base(number, DIGITS36)
    return pattern[:-7] + base(number, DIGITS26)


def base(number: int, digits: str) -> str:
    text = ""
    while number:
        number, digit = divmod(number, len(digits))
        text = digits[digit] + text
    return text or digits[0]


def revise_every(lines: list[str], count: int, generated: int) -> list[int]:
    """Revises `count` of the features in place, evenly spread; returns which."""
    step = len(lines) / count
    chosen = [int((index + 0.5) * step) for index in range(count)]
    for turn, index in enumerate(chosen):
        lines[index] = revised(lines[index], turn, generated)
    return chosen


def revised(line: str, turn: int, generated: int) -> str:
    """What a review does to a quake: magnitude, solution and status; now and then place, reports or types."""
    quake = json.loads(line)
    properties, coordinates = quake["properties"], quake["geometry"]["coordinates"]
    properties["mag"] = round(properties["mag"] + (0.1, -0.1, 0.2)[turn % 3], 2)
    properties["updated"] = generated - 1_000 * (1 + turn % 59)
    properties["status"] = "reviewed"
    properties["nst"] = (properties["nst"] or 0) + 3
    properties["rms"] = round(properties["rms"] + 0.01, 2)
    coordinates[2] = round(coordinates[2] + 0.35, 2)
    if turn % 4 == 0:
        properties["place"] = properties["place"].split(" of ")[1] + " region"
    if turn % 5 == 0:
        properties["felt"], properties["cdi"] = (properties["felt"] or 0) + 2, 2.2
        properties["types"] = ",dyfi" + properties["types"].removeprefix(",dyfi")
    properties["title"] = f"M {properties['mag']:.1f} - {properties['place']}"
    return json.dumps(quake, ensure_ascii=False, separators=(",", ":"))


def collection(lines: list[str], metadata: dict) -> bytes:
    metadata = metadata | {"status": 200, "api": "2.7.0", "count": len(lines)}
    head = json.dumps(metadata, separators=(",", ":"))
    body = ",\n".join(lines)
    bbox = "[-179.9,-25.7,-1.5,179.9,66.9,118.5]"
    return f'{{"type":"FeatureCollection","metadata":{head},"features":[{body}],"bbox":{bbox}}}'.encode()


def month_metadata(generated: int) -> dict:
    return {"generated": generated, "url": SUMMARY_FEED, "title": "USGS All Earthquakes, Past Month"}


def query_metadata(generated: int, oldest: int, newest: int, count: int) -> dict:
    start, end = (datetime.fromtimestamp(time / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S") for time in (oldest, newest))
    url = f"https://earthquake.usgs.gov/fdsnws/event/1/query?format=geojson&starttime={start}&endtime={end}&limit={count}"
    return {"generated": generated, "url": url.replace(":", "%3A").replace("https%3A", "https:"),
            "title": "USGS Earthquakes", "limit": count, "offset": 1}
