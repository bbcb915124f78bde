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

PART_FEATURES = 62_500  # 45 MB: a feed may have 64 MiB
MILLION, FOUR_MILLION = 1_000_000, 4_000_000
TEN_CHANGES = 10


@dataclass(frozen=True)
class Cache:
    db: str
    before_ten: str | None = None  # the token from before its last ten changes


def month_cache(quakes: Quakes) -> Cache:
    """10,000 quakes, no change after the import."""
    db = quakes.file("month.db")
    remove_database(db)
    quakes.output(quakes.refresh(Feeds.month, db))
    return Cache(db)


def changed_month_cache(quakes: Quakes, month: Cache) -> Cache:
    """10,000 quakes, ten of them changed since `before_ten`."""
    db = quakes.file("month-10.db")
    copy_database(month.db, db)
    return Cache(db, change_ten(quakes, db, (DATA / Feeds.month).read_bytes()))


def million_cache(quakes: Quakes, month: Cache) -> Cache:
    """1 M quakes, each inserted once and never changed."""
    key = cache_key(month)
    cache = kept(quakes, "1m.db", key)
    if cache is None:
        db = quakes.file("1m.db")
        remove_database(db)
        import_parts(quakes, db, 0, MILLION)
        cache = keep(Cache(db), key)
    return cache


def four_million_cache(quakes: Quakes, month: Cache) -> Cache:
    """4 M quakes, ten of them changed since `before_ten`."""
    key = cache_key(month)
    cache = kept(quakes, "4m.db", key)
    if cache is None:
        db = quakes.file("4m.db")
        copy_database(million_cache(quakes, month).db, db)
        last_part = import_parts(quakes, db, MILLION, FOUR_MILLION)
        cache = keep(Cache(db, change_ten(quakes, db, last_part)), key)
    return cache


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


def kept(quakes: Quakes, name: str, key: str) -> Cache | None:
    """A large cache made earlier; builds whose schema is the same read the same one."""
    for db in (name, quakes.file(name)):
        if note_of(db).exists() and (DATA / db).exists():
            noted = json.loads(note_of(db).read_text())
            if noted["key"] == key:
                return Cache(db, noted["before_ten"])
    return None


def keep(cache: Cache, key: str) -> Cache:
    note_of(cache.db).write_text(json.dumps({"key": key, "before_ten": cache.before_ten}))
    return cache


def note_of(db: str) -> Path:
    return DATA / (db + ".json")
