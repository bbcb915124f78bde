"""The pieces of work, one function each: who runs, from which state, what is checked, what is asked."""

import contextlib
import functools
import json
from functools import partial

from bench import caches, checks, peers
from bench.feedserver import RunningServer
from bench.files import DATA, Feeds, copy_database, database_bytes, remove_database
from bench.measure import Contestant, RunFailed, WrongResult
from bench.quakes import Quakes
from bench.work import QUAKES, Figure, Peak, Ratio, Work

SHORT = 3  # runs_factor of work that takes a few milliseconds

ROWS_OF_JQ = ".features[] | [.id, .properties.mag, .properties.place, .properties.time] | @csv"
PEER_FORMS = {"csv": "sqlite3 -csv", "ndjson": "sqlite3 -json"}
# The two times of the view are epoch milliseconds, those of `quakes list` are ISO 8601.
LISTED_AS = {
    name: f"strftime('%Y-%m-%dT%H:%M:%fZ', {name} / 1000.0, 'unixepoch') AS {name}" for name in ("time", "updated")
}


class Bench:
    """What the works share; the caches are made when first asked for."""

    def __init__(self, quakes: Quakes, feeds: Feeds, server: RunningServer, launch):
        self.quakes, self.feeds, self.server, self.launch = quakes, feeds, server, launch

    @functools.cached_property
    def month(self) -> caches.Cache:
        return caches.month_cache(self.quakes)

    @functools.cached_property
    def changed_month(self) -> caches.Cache:
        return caches.changed_month_cache(self.quakes, self.month)

    @functools.cached_property
    def million(self) -> caches.Cache:
        return caches.million_cache(self.quakes, self.month)

    @functools.cached_property
    def four_million(self) -> caches.Cache:
        return caches.four_million_cache(self.quakes, self.month)


def first_import(bench: Bench) -> Work:
    db, quakes, feeds = "run-quakes.db", bench.quakes, bench.feeds

    def check_quakes() -> None:
        checks.same_quakes(quakes.quakes_in(db), feeds.before)
        checks.same_operations(quakes.operations_in(db), insert=len(feeds.before))

    def contestant(peer: peers.Importer) -> Contestant:
        db = f"run-{peer.name}.db"

        def check() -> None:
            checks.same_quakes(peer.quakes_in(db), feeds.before)
            if peer.keeps_history:
                checks.same_operations(peer.operations_in(db), insert=len(feeds.before))

        return Contestant(peer.name, peer.argv(db, feeds.month, False), partial(remove_database, db), check)

    ours = Contestant(QUAKES, quakes.refresh(feeds.month, db), partial(remove_database, db), check_quakes)
    asked = [Ratio("sqlite3", 0.5), Ratio("sqlite3", 1.0, "peak_mb"), Peak(40)]
    asked += [Ratio(peer) for peer in ("sqlite-utils", "geojson-to-sqlite", "ogr2ogr")]
    return Work("first import, 10 k quakes", [ours, *map(contestant, peers.IMPORTERS)], asked)


def refresh_one_percent(bench: Bench) -> Work:
    db, quakes, feeds = "run-quakes.db", bench.quakes, bench.feeds

    def contestant(peer: peers.Importer) -> Contestant:
        state, db = f"state-{peer.name}.db", f"run-{peer.name}.db"
        if peer.argv(db, feeds.month, False):
            remove_database(state)
            with contextlib.suppress(RunFailed):  # without the state the refresh gives a wrong result, and is reported so
                bench.launch(peer.argv(state, feeds.month, False))
                peer.finish_import(state)

        def check() -> None:
            checks.same_quakes(peer.quakes_in(db), feeds.after)
            if peer.keeps_history:
                checks.same_operations(peer.operations_in(db), insert=len(feeds.before), update=len(feeds.changed))

        return Contestant(peer.name, peer.argv(db, feeds.revised, True), partial(copy_database, state, db), check)

    ours = Contestant(QUAKES, quakes.refresh(feeds.revised, db), lambda: copy_database(bench.month.db, db),
                      partial(check_revised, bench, db))
    asked = [Ratio("sqlite3", 0.10), Ratio("sqlite3", 1.0, "peak_mb"), Peak(40), Ratio("sqlite-utils", 0.06, "cpu_ms"),
             Ratio("geojson-to-sqlite", 0.06, "cpu_ms"), Ratio("ogr2ogr")]
    return Work("refresh, 99 % unchanged", [ours, *map(contestant, peers.IMPORTERS)], asked)


def check_revised(bench: Bench, db: str) -> None:
    checks.same_quakes(bench.quakes.quakes_in(db), bench.feeds.after)
    expected = {"insert": len(bench.feeds.before), "update": len(bench.feeds.changed)}
    checks.same_operations(bench.quakes.operations_in(db), **expected)


def refresh_over_http(bench: Bench) -> Work:
    db, quakes, url = "run-quakes.db", bench.quakes, bench.server.url
    state = cache_from_server(bench)
    bench.server.choose(1)
    ours = Contestant(QUAKES, quakes.refresh(url, db), partial(copy_database, state, db), partial(check_revised, bench, db))
    curl, jq = peers.find("curl"), peers.find("jq")
    download = curl and [curl, "--silent", "--fail", "--compressed", "--output", "/dev/null", url]
    pipe = curl and jq and ["/bin/sh", "-c", f"'{curl}' --silent --fail --compressed '{url}' | '{jq}' --raw-output '{ROWS_OF_JQ}'"]

    def check_download() -> None:
        body = checks.output_of([curl, "--silent", "--fail", "--compressed", url], "answer")
        if (DATA / body).read_bytes() != (DATA / Feeds.revised).read_bytes():
            raise WrongResult("not the bytes of the feed")

    def check_pipe() -> None:
        expected = [[quake["id"], quake["mag"], quake["place"], quake["time"]] for quake in bench.feeds.after.values()]
        checks.same_rows(checks.csv_rows(checks.output_of(pipe, "answer"), False), expected)

    contestants = [ours, Contestant("curl", download, check=check_download), Contestant("curl | jq", pipe, check=check_pipe)]
    return Work("refresh over HTTP, gzip, 99 % unchanged", contestants, [Ratio("curl", 2.2), Ratio("curl | jq"), Peak(40)])


def refresh_not_modified(bench: Bench) -> Work:
    db, url, server = "run-quakes.db", bench.server.url, bench.server
    state = cache_from_server(bench)
    curl = peers.find("curl")
    conditional = curl and [curl, "--silent", "--fail", "--compressed", "--output", "/dev/null",
                            "--header", f"If-None-Match: {server.etag()}", url]

    def check(argv: list[str]) -> None:
        """The last run cannot be asked what it was answered: one more run, watched at the server."""
        before = server.answers()
        bench.launch(argv)
        after = server.answers()
        if (after["304"] - before["304"], after["200"] - before["200"]) != (1, 0):
            raise WrongResult("the server was not asked once and did not answer 304")

    ours = bench.quakes.refresh(url, db)
    contestants = [Contestant(QUAKES, ours, partial(copy_database, state, db), partial(check, ours)),
                   Contestant("curl", conditional, check=partial(check, conditional))]
    return Work("refresh answered 304", contestants, [Ratio("curl", 1.8)], runs_factor=SHORT)


def cache_from_server(bench: Bench) -> str:
    """A cache filled from the server's first feed, so that it holds that answer's validators."""
    bench.server.choose(0)
    if not bench.quakes.is_missing:
        remove_database("state-http.db")
        bench.launch(bench.quakes.refresh(bench.server.url, "state-http.db"))
    return "state-http.db"


def list_ten_thousand(bench: Bench) -> Work:
    return listing(bench, "10 k quakes", lambda: bench.month.db, {"csv": 1.0, "ndjson": None}, runs_factor=SHORT)


def list_million(bench: Bench) -> Work:
    return listing(bench, "1 M quakes", lambda: bench.million.db, {"csv": 0.45, "ndjson": 0.30}, [Peak(25, "quakes ndjson")])


def listing(bench: Bench, size: str, cache, targets: dict[str, float | None], asked=(), runs_factor: int = 1) -> Work:
    """`list --min-mag 2` against a SELECT by the sqlite3 shell: same columns, same form, same order."""
    title = f"list --min-mag 2, {size}"
    ratios = [Ratio(PEER_FORMS[form], target, ours=f"quakes {form}") for form, target in targets.items()]
    if bench.quakes.is_missing:
        return Work(title, [Contestant(ratio.ours, None) for ratio in ratios], [*ratios, *asked])
    db, shell = cache(), peers.find("sqlite3")
    select = select_like_ours(bench.quakes, db)
    contestants = []
    for form in targets:
        ours = bench.quakes.listing(db, "--min-mag", "2", "--format", form)
        theirs = shell and [shell, PEER_FORMS[form].split()[1], db, select]
        contestants.append(Contestant(PEER_FORMS[form], theirs))
        check = partial(check_listing, ours, theirs, form) if shell else lambda: None
        contestants.append(Contestant(f"quakes {form}", ours, check=check))
    return Work(title, contestants, [*ratios, *asked], runs_factor=runs_factor)


def select_like_ours(quakes: Quakes, db: str) -> str:
    """The columns of our own CSV, from the public view, in our order."""
    header = quakes.output(quakes.listing(db, "--limit", "1", "--format", "csv")).splitlines()[0]
    columns = ", ".join(LISTED_AS.get(name, f'"{name}"') for name in header.split(","))
    return f"SELECT {columns} FROM quakes_v1 AS q WHERE mag >= 2 ORDER BY q.time DESC, id"


def check_listing(ours: list[str], theirs: list[str], form: str) -> None:
    our_rows, their_rows = checks.output_of(ours, "listing-ours"), checks.output_of(theirs, "listing-theirs")
    if form == "csv":
        checks.same_rows(checks.csv_rows(our_rows, has_header=True), checks.csv_rows(their_rows, has_header=False))
    else:
        checks.same_rows(checks.ndjson_rows(our_rows), checks.sqlite_json_rows(their_rows))


def list_newest(bench: Bench) -> Work:
    title = "list --limit 20, 4 M quakes against 10 k"
    if bench.quakes.is_missing:
        return Work(title, [Contestant("quakes, 4 M", None)], [Ratio("quakes, 10 k", 1.2, ours="quakes, 4 M")])
    contestants = [Contestant("quakes, 4 M", bench.quakes.listing(bench.four_million.db, "--limit", "20")),
                   Contestant("quakes, 10 k", bench.quakes.listing(bench.month.db, "--limit", "20"))]
    return Work(title, contestants, [Ratio("quakes, 10 k", 1.2, ours="quakes, 4 M")], runs_factor=SHORT)


def ten_changes(bench: Bench) -> Work:
    title = "changes --since-token, 10 changes, 4 M quakes against 10 k"
    asked = [Ratio("quakes, 10 k", 1.1, ours="quakes, 4 M")]
    if bench.quakes.is_missing:
        return Work(title, [Contestant("quakes, 4 M", None)], asked)

    def contestant(name: str, cache: caches.Cache) -> Contestant:
        argv = bench.quakes.changes(cache.db, cache.before_ten)
        return Contestant(name, argv, check=partial(check_changes, bench, argv, caches.TEN_CHANGES))

    contestants = [contestant("quakes, 4 M", bench.four_million), contestant("quakes, 10 k", bench.changed_month)]
    return Work(title, contestants, asked, runs_factor=SHORT)


def million_changes(bench: Bench) -> Work:
    title = "changes, 1 M records"
    if bench.quakes.is_missing:
        return Work(title, [Contestant(QUAKES, None)], [Peak(25)])
    argv = bench.quakes.changes(bench.million.db, "beginning")
    check = partial(check_changes, bench, argv, caches.MILLION)
    return Work(title, [Contestant(QUAKES, argv, check=check)], [Peak(25)])


def check_changes(bench: Bench, argv: list[str], count: int) -> None:
    name = checks.output_of(argv, "changes")
    kinds = {"change": 0, "end": 0}
    with open(DATA / name, encoding="utf-8") as file:
        for line in file:
            kinds[json.loads(line)["kind"]] += 1
    if kinds != {"change": count, "end": 1}:
        raise WrongResult(f"records are {kinds}, not {count} changes and an end")


def start_up(bench: Bench) -> Work:
    curl = peers.find("curl")
    contestants = [Contestant(QUAKES, bench.quakes.argv("--version")), Contestant("curl", curl and [curl, "--version"])]
    return Work("--version", contestants, [Ratio("curl", 0.8)], runs_factor=SHORT)


def cache_size(bench: Bench) -> Work:
    title = "cache size"
    if bench.quakes.is_missing:
        return Work(title, [Contestant(QUAKES, None)], [Peak(600)])
    size = database_bytes(bench.million.db)
    copy_database(bench.month.db, "run-quakes.db")
    before = database_bytes("run-quakes.db")
    bench.launch(bench.quakes.refresh(Feeds.all_revised, "run-quakes.db"))
    updates = bench.quakes.operations_in("run-quakes.db")["update"]
    if updates != len(bench.feeds.before):
        raise RunFailed(f"{updates} updates of {len(bench.feeds.before)}")
    return Work(title, figures=[
        Figure("1 M quakes, one insert each", size / 1e6, "MB", 600),
        Figure("per quake with its insert", size / caches.MILLION, "bytes"),
        Figure("per update", (database_bytes("run-quakes.db") - before) / updates, "bytes"),
    ])


SMALL = (first_import, refresh_one_percent, refresh_over_http, refresh_not_modified, list_ten_thousand, start_up)
LARGE = (list_million, list_newest, ten_changes, million_changes, cache_size)
