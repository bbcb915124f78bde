"""Where the data lies, and how a database is brought back to the state a run starts from."""

import json
import os
import shutil
from functools import cached_property
from pathlib import Path

from bench import data, event_csv

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / ".data"  # also the working directory of every measured program, so that names below are short
BEFORE = "before/"  # the folder in DATA for the databases of the build that is compared with
IMPORT_SQL = "../peers/import.sql"


class Feeds:
    """The month feeds, as files in DATA and as values to check results against."""

    month, revised, all_revised = "month.geojson", "month-revised.geojson", "month-all-revised.geojson"

    def make(self) -> None:
        (DATA / BEFORE).mkdir(parents=True, exist_ok=True)
        feed = data.month_feed()
        (DATA / self.month).write_bytes(feed)
        (DATA / self.revised).write_bytes(data.revised_month_feed(feed, data.MONTH_FEATURES // 100))
        (DATA / self.all_revised).write_bytes(data.revised_month_feed(feed, data.MONTH_FEATURES))

    def catalog(self, count: int) -> str:
        """An answer of the event service with so many quakes, as a file in DATA; it is made once."""
        name = f"catalog-{count}-{data.VERSION}.geojson"
        if not (DATA / name).exists():
            (DATA / name).write_bytes(data.catalog_part(0, count))
        return name

    def table(self, count: int) -> str:
        """The quakes of `catalog(count)` as CSV."""
        name = f"catalog-{count}-{data.VERSION}.csv"
        if not (DATA / name).exists():
            lines = data.feature_lines((DATA / self.catalog(count)).read_bytes())
            (DATA / name).write_bytes(event_csv.HEADER + b"".join(event_csv.row_of(line.encode()) for line in lines))
        return name

    @cached_property
    def before(self) -> dict[str, dict]:
        return quakes_of(self.month)

    @cached_property
    def after(self) -> dict[str, dict]:
        return quakes_of(self.revised)

    @cached_property
    def changed(self) -> set[str]:
        return {id for id in self.before if self.before[id] != self.after[id]}


def quakes_of(feed: str) -> dict[str, dict]:
    """All quakes of a feed by id, coordinates among the properties."""
    quakes = {}
    for feature in json.loads((DATA / feed).read_bytes())["features"]:
        lon, lat, depth = feature["geometry"]["coordinates"]
        quakes[feature["id"]] = feature["properties"] | {"id": feature["id"], "lon": lon, "lat": lat, "depth": depth}
    return quakes


def remove_database(name: str) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        (DATA / (name + suffix)).unlink(missing_ok=True)


def copy_database(source: str, target: str) -> None:
    """Copies a database nobody has open; what it wrote is on the disk before a measured program starts."""
    remove_database(target)
    for suffix in ("", "-wal"):
        if (DATA / (source + suffix)).exists():
            shutil.copyfile(DATA / (source + suffix), DATA / (target + suffix))
            with open(DATA / (target + suffix)) as copy:
                os.fsync(copy.fileno())


def database_bytes(name: str) -> int:
    return sum((DATA / (name + suffix)).stat().st_size for suffix in ("", "-wal") if (DATA / (name + suffix)).exists())
