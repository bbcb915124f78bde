"""Makes feeds: a large one that changes again and again, and one with place names that attack what reads them."""
import json, pathlib, time

FIXTURE = pathlib.Path(__file__).parents[2] / "Fixtures/feeds/hostile.geojson"
# The quakes are of the last hour, the hostile ones of the last ten minutes: alarms skip what happened long ago.
START = 0

# Besides those of the fixture: names that attack a shell, a mail header, a template, a pattern and a line of records.
HOSTILE_PLACES = [
    "$(touch pwned) `touch pwned`; touch pwned & touch pwned | touch pwned",
    "\"; touch pwned; # '; touch pwned; #", "-rf --help -e", "%s%n%d ${HOME} ~ * ? [a-z] {{ 7 * 7 }} {mag}",
    "x\r\nBcc: you@example.org\r\n\r\nsecond body", "\\N \\. \\t \\u0000 \\\\u0000 \\", "a\x01b\x02c\x00\x00d\x1ee",
    "' || (SELECT 1) || '\"; DELETE FROM quakes; --", '","kind":"end","quake":7,"', "  spaces before and after  ",
    "*1\r\n$8\r\nFLUSHALL\r\n", ".",
]


def begin():
    """Lets the feeds begin now."""
    global START
    START = time.time_ns() // 60_000_000_000 * 60_000


def feature(code, magnitude, place, moment, updated, net="us", ids=None, depth=8.25):
    """A quake as the summary feeds publish it, with the least that is needed."""
    identifier = f"{net}{code}"
    properties = {
        "mag": magnitude, "place": place, "time": moment, "updated": updated, "tz": None,
        "url": f"https://earthquake.usgs.gov/earthquakes/eventpage/{identifier}",
        "detail": f"https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/{identifier}.geojson", "felt": None,
        "cdi": None, "mmi": None, "alert": None, "status": "automatic", "tsunami": 0, "sig": 35, "net": net,
        "code": str(code), "ids": ids or f",{identifier},", "sources": f",{net},", "types": ",origin,phase-data,",
        "nst": 18, "dmin": 0.0625, "rms": 0.15, "gap": 74, "magType": "ml", "type": "earthquake",
        "title": f"M {magnitude} - {place}"}
    return {"type": "Feature", "properties": properties, "id": identifier,
            "geometry": {"type": "Point", "coordinates": [-117.5, 35 + int(str(code)[-3:]) / 1000, depth]}}


def document(features, generated):
    metadata = {"generated": generated, "title": "USGS All Earthquakes, Past Day", "status": 200, "api": "2.7.0",
                "url": "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_day.geojson",
                "count": len(features)}
    return json.dumps({"type": "FeatureCollection", "metadata": metadata, "features": features}).encode()


def hostile():
    """The fixture and the names above, each of magnitude 5, so that alarms go off."""
    fixture = json.loads(FIXTURE.read_text())
    features = [
        dict(item, properties=dict(item["properties"], mag=5.0, time=START - 1000 * number, updated=START - 1000))
        for number, item in enumerate(fixture["features"])]
    for number, place in enumerate(HOSTILE_PLACES):
        features.append(feature(f"7000zi{number:03}", 5.0, place, START - 30_000 * number, START - 1000))
    return document(features, START)


def generation(number, count, codes=None):
    """The `number`-th state of a feed of `count` quakes: every value of every quake differs from the state before.
    From the fourth state on, every hundredth quake has another preferred id."""
    generated = START + 60_000 * (number + 1)
    features = []
    for code in codes or range(count):
        renamed = code % 100 == 0 and number >= 3
        ids = f",us{code:06},ci{code:06}," if renamed else f",us{code:06},"
        magnitude = round((code * 7 + number * 13) % 79 / 10, 1)
        features.append(feature(
            f"{code:06}", magnitude, f"{number + code % 90} km N of Place {code}", START - 600 * code, generated - 1000,
            net="ci" if renamed else "us", ids=ids, depth=round(5 + (code + number) % 300 / 10, 1)))
    return document(features, generated)
