"""The other programs: how each imports and refreshes a feed, and how its database is read back."""

import shutil
import sqlite3
import struct
import subprocess
from collections import Counter
from dataclasses import dataclass
from typing import Callable

from bench.files import DATA, IMPORT_SQL, ROOT

QUAKES_OF_FEED = (
    "[dict(f['properties'], id=f['id'], lon=f['geometry']['coordinates'][0], lat=f['geometry']['coordinates'][1],"
    " depth=f['geometry']['coordinates'][2]) for f in json.loads(text)['features']]"
)
COLUMNS = ("id", "mag", "place", "time", "updated", "status", "felt", "sig", "nst", "rms", "magType", "types")


def find(program: str) -> str | None:
    """The peer's path; what setup.sh installed here comes first."""
    return shutil.which(program, path=str(ROOT / ".peers" / "bin")) or shutil.which(program)


def version(program: str, *arguments: str) -> str:
    path = find(program)
    if path is None:
        return "missing"
    done = subprocess.run([path, *arguments], capture_output=True, text=True)
    return (done.stdout or done.stderr).splitlines()[0]


@dataclass(frozen=True)
class Importer:
    """A peer that mirrors a feed into a database."""

    name: str
    program: str
    arguments: Callable[[str, str], list[str]]  # database, feed
    refresh_arguments: Callable[[str, str], list[str]]
    coordinates: str = "lon, lat, depth"  # SQL
    keeps_history: bool = False
    index_id: bool = False  # the refresh needs a unique index that the import does not make

    def argv(self, db: str, feed: str, is_refresh: bool) -> list[str] | None:
        path = find(self.program)
        arguments = self.refresh_arguments if is_refresh else self.arguments
        return path and [path, *arguments(db, feed)]

    def finish_import(self, db: str) -> None:
        if self.index_id:
            with sqlite3.connect(DATA / db) as database:
                database.execute("CREATE UNIQUE INDEX quakes_id ON quakes (id)")

    def quakes_in(self, db: str) -> dict[str, dict]:
        database = sqlite3.connect(DATA / db)
        database.create_function("ordinate", 2, geopackage_ordinate)
        rows = database.execute(f"SELECT {', '.join(COLUMNS)}, {self.coordinates} FROM quakes")
        names = (*COLUMNS, "lon", "lat", "depth")
        quakes = {row[0]: dict(zip(names, row)) for row in rows}
        database.close()
        return quakes

    def operations_in(self, db: str) -> Counter:
        database = sqlite3.connect(DATA / db)
        operations = Counter(dict(database.execute("SELECT op, count(*) FROM history_changes GROUP BY op")))
        database.close()
        return operations


def geopackage_ordinate(blob: bytes, index: int) -> float:
    """One ordinate of a GeoPackage point: a header, an envelope of a size that the flags tell, then WKB."""
    envelope = (0, 32, 48, 48, 64)[blob[3] >> 1 & 7]
    return struct.unpack_from("<d", blob, 8 + envelope + 5 + 8 * index)[0]


def sqlite_shell_import(db: str, feed: str) -> list[str]:
    return ["-bail", "-cmd", f".parameter set @feed \"'{feed}'\"", db, f".read {IMPORT_SQL}"]


def sqlite_utils_upsert(db: str, feed: str) -> list[str]:
    return ["upsert", db, "quakes", feed, "--pk", "id", "--text", "--import", "json", "--convert", QUAKES_OF_FEED]


def geojson_to_sqlite(db: str, feed: str) -> list[str]:
    return [db, "quakes", feed, "--pk", "id"]


IMPORTERS = (
    Importer("sqlite3", "sqlite3", sqlite_shell_import, sqlite_shell_import, keeps_history=True),
    Importer("sqlite-utils", "sqlite-utils", sqlite_utils_upsert, sqlite_utils_upsert),
    Importer("geojson-to-sqlite", "geojson-to-sqlite", geojson_to_sqlite, geojson_to_sqlite,
             coordinates=", ".join(f"json_extract(geometry, '$.coordinates[{index}]')" for index in range(3))),
    Importer("ogr2ogr", "ogr2ogr",
             lambda db, feed: ["-f", "GPKG", db, feed, "-nln", "quakes", "-lco", "SPATIAL_INDEX=NO"],
             lambda db, feed: ["-append", "-upsert", db, feed, "-nln", "quakes"],
             coordinates=", ".join(f"ordinate(geom, {index})" for index in range(3)), index_id=True),
)
