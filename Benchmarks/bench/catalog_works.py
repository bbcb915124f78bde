"""The work of catalog.py: fetching a catalog, keeping it true, and reading a cache that holds it."""

import contextlib
import functools
import json
import sqlite3
import sys
from functools import partial

from bench import checks, event_csv, peers
from bench.event_catalog import GENERATED
from bench.eventserver import RunningEventServer
from bench.files import DATA, ROOT, copy_database, database_bytes, remove_database
from bench.measure import Contestant, Launcher, WrongResult
from bench.quakes import Quakes
from bench.work import QUAKES, SHORT, Figure, Limit, Ratio, Work

WINDOW = 20_000
NIGHT_SHARE = 20  # a twentieth of all quakes changes in the night: 200,000 of 4 M
TEN_THOUSAND = 10_000
REGION_QUAKES = 40_000  # as many as California has in a year
BOX_QUAKES = 100
MOST_MEMORY = 60
FEW_WINDOWS = 20  # with so few a tenth of the run is one window or none


class CatalogBench(contextlib.ExitStack):
    """The servers and caches that the works share; each is made when it is first asked for."""

    def __init__(self, quakes: Quakes, launcher: Launcher, events: int, small: int):
        super().__init__()
        self.quakes, self.launcher, self.events, self.small = quakes, launcher, events, small
        self.samples = {}

    @functools.cached_property
    def small_server(self) -> RunningEventServer:
        return self.enter_context(RunningEventServer(self.small, "recent"))

    @functools.cached_property
    def large_server(self) -> RunningEventServer:
        return self.enter_context(RunningEventServer(self.events))

    @functools.cached_property
    def little_server(self) -> RunningEventServer:
        return self.enter_context(RunningEventServer(TEN_THOUSAND))

    @functools.cached_property
    def region_server(self) -> RunningEventServer:
        return self.enter_context(RunningEventServer(REGION_QUAKES, "recent"))

    @functools.cached_property
    def large(self) -> str:
        return self.fetched("catalog.db", self.large_server)

    @functools.cached_property
    def little(self) -> str:
        return self.fetched("catalog-10k.db", self.little_server)

    def fetched(self, db: str, server: RunningEventServer) -> str:
        """A cache with the whole catalog of `server`; what fetching it took is in `samples`."""
        print(f"fetching {server.catalog.count:,} quakes into {db}", file=sys.stderr)
        remove_database(db)
        server.forget()
        sample = self.launcher.run(self.backfill(db, server))
        self.samples[db] = (sample, [entry for entry in server.log() if entry[1]])
        check_catalog(db, server)
        return db

    def backfill(self, db: str, server: RunningEventServer, *options: str) -> list[str]:
        return self.quakes.argv("backfill", "--since", server.start + "Z", "--until", server.end + "Z", *options,
                                "--service-url", server.url, "--db", db)

    def update(self, db: str, server: RunningEventServer) -> list[str]:
        return self.quakes.argv("backfill", "--service-url", server.url, "--db", db)


def against_others(bench: CatalogBench) -> Work:
    """The same quakes by libcomcat into a CSV, and by curl and the sqlite3 shell into a database with history."""
    server, db = bench.small_server, "run-catalog.db"
    windows = DATA / "windows"
    windows.write_text("".join(f"{start} {end}\n" for start, end in server.windows(WINDOW)))
    shell, curl, comcat = peers.find("sqlite3"), peers.find("curl"), ROOT / ".peers-comcat" / "bin" / "python"
    theirs = "run-catalog-sqlite3.db"
    contestants = [
        Contestant("libcomcat", [str(comcat), str(ROOT / "peers/comcat_csv.py"), server.url, server.start, server.end,
                                 "comcat.csv"] if comcat.exists() else None, check=partial(check_csv, server)),
        Contestant("curl, sqlite3", [str(ROOT / "peers/backfill.sh"), server.url, theirs, windows.name,
                                     str(ROOT / "peers/import.sql")] if shell and curl else None,
                   prepare=partial(remove_database, theirs), check=partial(check_shell, server, theirs)),
        Contestant(QUAKES, bench.backfill(db, server), prepare=partial(remove_database, db),
                   check=partial(check_catalog, db, server)),
        Contestant("quakes refresh", bench.quakes.refresh(document_of(server), "run-document.db"),
                   prepare=partial(remove_database, "run-document.db"),
                   check=partial(check_catalog, "run-document.db", server)),
    ]
    asked = [Ratio("libcomcat", 0.25), Ratio("curl, sqlite3", 0.6), Ratio("quakes refresh"),
             Ratio("quakes refresh", 1.3, "cpu_ms"), Limit(MOST_MEMORY)]
    return Work(f"backfill, {server.catalog.count:,} quakes", contestants, asked)


def document_of(server: RunningEventServer) -> str:
    """All quakes of the server in one document, as a file in DATA."""
    name = "catalog.geojson"
    lines = lines_of(server.catalog, range(server.catalog.count))
    with open(DATA / name, "wb") as file:
        file.write(b'{"type":"FeatureCollection","metadata":{"generated":%d,"url":"%s","count":%d},"features":[' % (
            GENERATED, server.url.encode(), len(lines)))
        file.write(b",\n".join(line.rstrip(b",\n") for line in lines))
        file.write(b"]}\n")
    return name


def uncertainties(bench: CatalogBench) -> Work:
    """The uncertainties of a region, by what can fetch them in bulk: libcomcat's getcsv has no option for them."""
    server, db, theirs = bench.region_server, "run-catalog.db", "run-catalog-sqlite3.db"
    windows = DATA / "windows-csv"
    windows.write_text("".join(f"{start} {end}\n" for start, end in server.windows(WINDOW)))
    shell, curl, script = peers.find("sqlite3"), peers.find("curl"), str(ROOT / "peers/uncertainties.sh")
    contestants = [
        Contestant("curl, CSV", [script, server.url, "region", windows.name] if curl else None,
                   check=partial(check_region, server)),
        Contestant("curl, sqlite3", [script, server.url, "region", windows.name, theirs] if shell and curl else None,
                   prepare=partial(remove_database, theirs), check=partial(check_import, server, theirs)),
        Contestant(QUAKES, bench.backfill(db, server, "--uncertainties"), prepare=partial(remove_database, db),
                   check=partial(check_uncertainties, db, server)),
        Contestant("without them", bench.backfill(db, server), prepare=partial(remove_database, db),
                   check=partial(check_catalog, db, server)),
    ]
    asked = [Ratio("curl, CSV"), Ratio("curl, sqlite3"), Ratio("without them"), Ratio("without them", metric="cpu_ms"),
             Limit(MOST_MEMORY)]
    figures = [Figure("quakes details", server.catalog.count, "requests")]
    for contestant in contestants:
        figures += received(bench, contestant, server) if contestant.argv else []
    return Work(f"backfill --uncertainties, {server.catalog.count:,} quakes", contestants, asked, figures)


def received(bench: CatalogBench, contestant: Contestant, server: RunningEventServer) -> list[Figure]:
    """What one run requests from the server."""
    contestant.prepare()
    server.forget()
    bench.launcher.run(contestant.argv)
    requests = server.log()
    return [Figure(contestant.name, len(requests), "requests"),
            Figure(contestant.name, sum(sent for *_, sent in requests) / 1e6, "MB received")]


def whole_catalog(bench: CatalogBench) -> Work:
    db = bench.large
    sample, queries = bench.samples[db]
    figures = [
        Figure("wall", sample.wall_ms / 1000, "s"),
        Figure("pace", bench.events / sample.wall_ms * 1000, "quakes a second"),
        Figure("peak memory", sample.peak_mb, "MB", MOST_MEMORY),
        Figure("answers with quakes", len(queries), "requests"),
        Figure("cache size", database_bytes(db) / bench.events, "bytes a quake", 420),
    ]
    if len(queries) > FEW_WINDOWS:
        share = 100 / steadiness(queries)
        figures.append(Figure("time for a quake in the last tenth to that in the first", share, "%", 125))
    return Work(f"backfill, {bench.events:,} quakes", figures=figures)


def steadiness(queries: list[tuple[str, int, float, float, int]]) -> float:
    """Quakes a second of the last tenth of the run to those of the first: from a request to the one after it."""
    total, part, pace = sum(rows for _, rows, _, _ in queries), 0, {}
    for (_, rows, arrival, *_), (_, _, following, *_) in zip(queries, queries[1:]):
        tenth = part * 10 // total
        part += rows
        counted, seconds = pace.get(tenth, (0, 0.0))
        pace[tenth] = (counted + rows, seconds + following - arrival)
    (first, first_seconds), (last, last_seconds) = pace[0], pace[max(pace)]
    return (last / last_seconds) / (first / first_seconds)


def after_a_night(bench: CatalogBench) -> Work:
    server, count = bench.large_server, bench.events // NIGHT_SHARE
    db = "run-catalog.db"
    copy_database(bench.large, db)
    before = database_bytes(db)
    server.change(count)
    server.forget()
    sample = bench.launcher.run(bench.update(db, server))
    waited = sum(end - arrival for _, _, arrival, end, _ in server.log())
    check_catalog(db, server)
    work = Work(f"update after a night, {count:,} of {bench.events:,} changed", figures=[
        Figure("wall without the server's time", sample.wall_ms / 1000 - waited, "s", 30),
        Figure("wall", sample.wall_ms / 1000, "s"),
        Figure("requests", len(server.log()), ""),
        Figure("peak memory", sample.peak_mb, "MB", MOST_MEMORY),
        Figure("growth of the cache", (database_bytes(db) - before) / count, "bytes a change"),
    ])
    remove_database(db)
    return work


def read_newest(bench: CatalogBench) -> Work:
    return compared(bench, "list --limit 20", lambda db, _: bench.quakes.listing(db, "--limit", "20"))


def read_one(bench: CatalogBench) -> Work:
    def show(db: str, server: RunningEventServer) -> list[str]:
        return bench.quakes.argv("show", some_id(db), "--db", db)
    return compared(bench, "show", show)


def read_box(bench: CatalogBench) -> Work:
    def draw(db: str, server: RunningEventServer) -> list[str]:
        return bench.quakes.argv("map", "--bbox", box_of(server), "--format", "svg", "--db", db)
    return compared(bench, f"map --bbox of {BOX_QUAKES} quakes", draw)


def ten_changes(bench: CatalogBench) -> Work:
    tokens = {}

    def changes(db: str, server: RunningEventServer) -> list[str]:
        if db not in tokens:
            tokens[db] = bench.quakes.head_token(db)
            server.change(10)
            bench.quakes.output(bench.update(db, server))
        return bench.quakes.changes(db, tokens[db])

    return compared(bench, "changes --since-token, 10 changes", changes)


def compared(bench: CatalogBench, title: str, argv) -> Work:
    large, little = f"quakes, {bench.events:,}", f"quakes, {TEN_THOUSAND:,}"
    contestants = [Contestant(large, argv(bench.large, bench.large_server)),
                   Contestant(little, argv(bench.little, bench.little_server))]
    return Work(f"{title}, {bench.events:,} quakes against {TEN_THOUSAND:,}", contestants,
                [Ratio(little, 1.2, ours=large)], runs_factor=2 * SHORT)


def some_id(db: str) -> str:
    with contextlib.closing(sqlite3.connect(f"file:{DATA / db}?mode=ro", uri=True)) as database:
        return database.execute("SELECT id FROM quakes_v1 WHERE net = 'ci' LIMIT 1").fetchone()[0]


def box_of(server: RunningEventServer) -> str:
    """A box with as near to BOX_QUAKES quakes as whole steps of its size allow, around Tonga."""
    catalog = server.catalog
    away = sorted(max(abs(longitude + 174.2), abs(latitude + 18.3))
                  for longitude, latitude in zip(catalog.longitudes, catalog.latitudes))
    half = away[min(BOX_QUAKES, len(away) - 1)]
    return f"{max(-180, -174.2 - half):.5f},{-18.3 - half:.5f},{-174.2 + half:.5f},{-18.3 + half:.5f}"


def check_catalog(db: str, server: RunningEventServer) -> None:
    """Every quake that is not deleted is in the cache, those that changed as they are now; a sample is compared whole."""
    catalog = server.catalog
    with contextlib.closing(sqlite3.connect(f"file:{DATA / db}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        count, changed = database.execute(
            "SELECT count(*), count(*) FILTER (WHERE updated > ?) FROM quakes_v1", [GENERATED]).fetchone()
        wanted = (catalog.count - len(catalog.deleted), len(catalog.changed) - len(catalog.deleted))
        if (count, changed) != wanted:
            raise WrongResult(f"{count} quakes and {changed} changed ones, not {wanted[0]} and {wanted[1]}")
        rows = [row for row in range(0, catalog.count, max(1, catalog.count // 500))] + catalog.changed_rows[::997]
        expected = {quake["id"]: quake for quake in map(quake_of, lines_of(catalog, rows))}
        found = {}
        for id, quake in expected.items():
            key = [quake["net"], quake["code"]]
            for row in database.execute("SELECT * FROM quakes_v1 WHERE net = ? AND code = ?", key):
                found[id] = dict(row)
    checks.same_quakes(found, expected)


def lines_of(catalog, rows) -> list[bytes]:
    with open(catalog.path, "rb") as file:
        return [catalog.changed.get(row) or catalog.stored(file, row)
                for row in rows if row not in catalog.deleted]


def quake_of(line: bytes) -> dict:
    feature = json.loads(line)
    longitude, latitude, depth = feature["geometry"]["coordinates"]
    return feature["properties"] | {"id": feature["id"], "lon": longitude, "lat": latitude, "depth": depth}


def check_csv(server: RunningEventServer) -> None:
    with open(DATA / "comcat.csv", encoding="utf-8") as file:
        count = sum(1 for _ in file) - 1
    if count != server.catalog.count:
        raise WrongResult(f"{count} lines, not {server.catalog.count}")


def check_region(server: RunningEventServer) -> None:
    rows = [row for name in sorted(DATA.glob("region-*.csv")) for row in checks.csv_rows(name.name, True)]
    if len(rows) != server.catalog.count or any(len(row) != len(event_csv.COLUMNS) for row in rows):
        raise WrongResult(f"{len(rows)} rows, not {server.catalog.count}, or not of {len(event_csv.COLUMNS)} columns")


def check_import(server: RunningEventServer, db: str) -> None:
    with contextlib.closing(sqlite3.connect(DATA / db)) as database:
        count, = database.execute("SELECT count(DISTINCT id) FROM quakes").fetchone()
    if count != server.catalog.count:
        raise WrongResult(f"{count} quakes, not {server.catalog.count}")


def check_uncertainties(db: str, server: RunningEventServer) -> None:
    """Every quake has the six values of the service's CSV."""
    check_catalog(db, server)
    columns = ", ".join(event_csv.UNCERTAINTIES.values())
    with contextlib.closing(sqlite3.connect(f"file:{DATA / db}?mode=ro", uri=True)) as database:
        found = {id: values for id, *values in database.execute(f"SELECT id, {columns} FROM quakes_v1")}
    for line in lines_of(server.catalog, range(server.catalog.count)):
        feature = json.loads(line)
        expected = event_csv.uncertainties(feature["id"], feature["properties"])
        for value, column in zip(found[feature["id"]], event_csv.UNCERTAINTIES):
            if not checks.same_value(value, expected[column]):
                raise WrongResult(f"{feature['id']}: {column} is {value!r}, not {expected[column]!r}")


def check_shell(server: RunningEventServer, db: str) -> None:
    with contextlib.closing(sqlite3.connect(DATA / db)) as database:
        counts = database.execute(
            "SELECT (SELECT count(*) FROM quakes), (SELECT count(*) FROM history_changes)").fetchone()
    if counts != (server.catalog.count, server.catalog.count):
        raise WrongResult(f"{counts} quakes and changes, not {server.catalog.count} of both")


WORKS = (against_others, uncertainties, whole_catalog, read_newest, read_one, read_box, ten_changes, after_a_night)
