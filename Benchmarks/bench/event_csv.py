"""The quakes of a feed as the CSV that USGS publishes, with invented uncertainties.

    python3 -m bench.event_csv FEED.geojson >FEED.csv

An uncertainty depends only on the quake's id. A quake without a station count has no errors, as in old catalogs.
"""

import csv
import functools
import io
import json
import sys
import zlib
from datetime import datetime, timedelta, timezone

COLUMNS = ("time", "latitude", "longitude", "depth", "mag", "magType", "nst", "gap", "dmin", "rms", "net", "id",
           "updated", "place", "type", "horizontalError", "depthError", "magError", "magNst", "status",
           "locationSource", "magSource")
# The columns that GeoJSON lacks, by their names in quakes_v1.
UNCERTAINTIES = {"horizontalError": "horizontal_error", "depthError": "depth_error", "magError": "mag_error",
                 "magNst": "mag_nst", "locationSource": "location_source", "magSource": "mag_source"}
HEADER = ",".join(COLUMNS).encode() + b"\n"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@functools.cache
def row_of(line: bytes) -> bytes:
    """The row of a feature, given as JSON."""
    return row(json.loads(line, parse_float=str, parse_int=str))


def row(feature: dict) -> bytes:
    """The row of a feature whose numbers are text, so that each has the digits of the feed."""
    properties = feature["properties"]
    longitude, latitude, depth = feature["geometry"]["coordinates"]
    values = properties | uncertainties(feature["id"], properties) | {
        "id": feature["id"], "longitude": longitude, "latitude": latitude, "depth": depth,
        "time": iso8601(properties["time"]), "updated": iso8601(properties["updated"])}
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([values[column] for column in COLUMNS])
    return text.getvalue().encode()


def uncertainties(id: str, properties: dict) -> dict:
    draw = zlib.crc32(id.encode())
    networks = {"locationSource": properties["net"], "magSource": properties["net"]}
    if properties["nst"] is None:
        return dict.fromkeys(UNCERTAINTIES) | networks
    return networks | {"horizontalError": f"{0.1 + draw % 997 / 100:.2f}", "depthError": f"{draw % 3_163 / 100:.2f}",
                       "magError": f"{draw % 499 / 1_000:.3f}", "magNst": f"{draw % 61}"}


def iso8601(milliseconds: str) -> str:
    moment = EPOCH + timedelta(milliseconds=int(milliseconds))
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def main() -> None:
    with open(sys.argv[1], "rb") as file:
        document = json.load(file, parse_float=str, parse_int=str)
    sys.stdout.buffer.write(HEADER)
    for feature in document["features"]:
        sys.stdout.buffer.write(row(feature))


if __name__ == "__main__":
    main()
