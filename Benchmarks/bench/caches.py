"""The large caches: made once through `quakes refresh`, kept until the generator or the schema changes."""

import hashlib
import json
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path

from bench import data
from bench.files import DATA, Feeds, copy_database, remove_database
from bench.quakes import Quakes

PART_FEATURES = 250_000
MILLION, FOUR_MILLION = 1_000_000, 4_000_000
TEN_CHANGES = 10


@dataclass(frozen=True)
class Cache:
    db: str
    before_ten: str | None = None  # the token from before its last ten changes


def month_cache(quakes: Quakes) -> Cache:
    """10,000 quakes, no change after the import."""
    remove_database("month.db")
    quakes.output(quakes.refresh(Feeds.month, "month.db"))
    return Cache("month.db")


def changed_month_cache(quakes: Quakes, month: Cache) -> Cache:
    """10,000 quakes, ten of them changed since `before_ten`."""
    copy_database(month.db, "month-10.db")
    return Cache("month-10.db", change_ten(quakes, "month-10.db", (DATA / Feeds.month).read_bytes()))


def million_cache(quakes: Quakes, month: Cache) -> Cache:
    """1 M quakes, each inserted once and never changed."""
    key = cache_key(month)
    if kept("1m.db", key) is None:
        remove_database("1m.db")
        import_parts(quakes, "1m.db", 0, MILLION)
        keep("1m.db", key, None)
    return Cache("1m.db")


def four_million_cache(quakes: Quakes, month: Cache) -> Cache:
    """4 M quakes, ten of them changed since `before_ten`."""
    key = cache_key(month)
    kept_cache = kept("4m.db", key)
    if kept_cache is None:
        copy_database(million_cache(quakes, month).db, "4m.db")
        last_part = import_parts(quakes, "4m.db", MILLION, FOUR_MILLION)
        keep("4m.db", key, change_ten(quakes, "4m.db", last_part))
        kept_cache = kept("4m.db", key)
    return Cache("4m.db", kept_cache["before_ten"])


def import_parts(quakes: Quakes, db: str, first: int, end: int) -> bytes:
    part_file = DATA / "part.geojson"
    for start in range(first, end, PART_FEATURES):
        print(f"making {db}: {start:,} of {end:,}", file=sys.stderr)
        part = data.catalog_part(start, PART_FEATURES)
        part_file.write_bytes(part)
        quakes.output(quakes.refresh(part_file.name, db))
    part_file.unlink()
    return part


def change_ten(quakes: Quakes, db: str, feed: bytes) -> str:
    token = quakes.head_token(db)
    reply = DATA / "ten.geojson"
    reply.write_bytes(data.revised_catalog_reply(feed, TEN_CHANGES))
    quakes.output(quakes.refresh(reply.name, db))
    return token


def cache_key(month: Cache) -> str:
    """Changes with the generator, with the size of the parts and with the schema `quakes` makes today."""
    database = sqlite3.connect(DATA / month.db)
    schema = database.execute("SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_master ORDER BY name)").fetchone()
    database.close()
    return hashlib.sha256(f"{data.VERSION} {PART_FEATURES} {schema}".encode()).hexdigest()


def kept(db: str, key: str) -> dict | None:
    note = note_of(db)
    if not note.exists() or not (DATA / db).exists():
        return None
    noted = json.loads(note.read_text())
    return noted if noted["key"] == key else None


def keep(db: str, key: str, before_ten: str | None) -> None:
    note_of(db).write_text(json.dumps({"key": key, "before_ten": before_ten}))


def note_of(db: str) -> Path:
    return DATA / (db + ".json")
