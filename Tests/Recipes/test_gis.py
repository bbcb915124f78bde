"""GDAL: the layer and the exported file have the place, the time and the point of every quake."""
import datetime
import feeds
from workspace import expect, json_lines, rate

PAGE = "gis.md"


def test(work):
    work.need("ogr2ogr")
    work.hostile_cache()

    def layer():
        work.run("rm", "-f", "layer.geojsonl")
        seconds = work.timed("convert")
        with open(work.path("layer.geojsonl"), encoding="utf-8") as file: return json_lines(file.read()), seconds

    def check(features):
        """GDAL ends a text at NUL, and rounds coordinates to seven digits."""
        found = {item["properties"]["id"]: item for item in features}
        listed = work.records("list")
        expect(len(found) == len(listed), f"{len(found)} features for {len(listed)} quakes")
        for quake in listed:
            properties, point = found[quake["id"]]["properties"], found[quake["id"]]["geometry"]["coordinates"]
            place = quake["place"] and quake["place"].split("\0")[0]
            expect((properties["place"] or "") == (place or ""), f"{quake['id']}: {properties['place']!r}")
            expect(abs(point[0] - quake["lon"]) < 1e-6 and abs(point[1] - quake["lat"]) < 1e-6, f"{quake['id']}: {point}")
            yield properties, quake

    features, _ = layer()
    for properties, quake in check(features):
        moments = [datetime.datetime.fromisoformat(item["time"]) for item in (properties, quake)]
        expect(moments[0] == moments[1] and properties["mag"] == quake["mag"], f"{quake['id']}: {properties}")
    # The command of the page takes the last 30 days; the quakes of the feed happened in March 2026.
    work.command("export")
    work.page.commands["all"] = work.page.commands["export"].replace("--since 30d ", "")
    expect(work.page.commands["all"] != work.page.commands["export"], "the export has no --since 30d")
    work.run("rm", "-f", "quakes.gpkg")
    work.command("all")
    exported = work.run("ogr2ogr", "-f", "GeoJSONSeq", "/vsistdout/", "quakes.gpkg").stdout.decode()
    for properties, quake in check(json_lines(exported)):
        moment = datetime.datetime.fromisoformat(quake["time"])
        expect(properties["time"] == round(moment.timestamp() * 1000), f"{quake['id']}: {properties['time']}")
    work.unharmed()

    work.apply(feeds.generation(1, 20_000))
    features, seconds = layer()
    count = len(list(check(features)))
    return f"{count:,} points as listed, layer and export, {rate(count, seconds)}"
