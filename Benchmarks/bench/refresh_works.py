"""Refreshing: from a file against other importers, over HTTP against `curl`."""

import functools
from functools import partial

from bench import checks, peers
from bench.files import DATA, Feeds, copy_database, remove_database
from bench.measure import Contestant, WrongResult
from bench.work import QUAKES, SHORT, Bench, Limit, Ratio, Work

URLSESSION = "URLSession"  # peers/fetch.swift: the floor of a program built on URLSession
SMALLEST_REFRESH_MB = 18  # of a file of a few quakes
ROWS_OF_JQ = ".features[] | [.id, .properties.mag, .properties.place, .properties.time] | @csv"


def first_import(bench: Bench) -> Work:
    db, quakes, feeds = bench.run_db, bench.quakes, bench.feeds

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
    asked = [Ratio("sqlite3", 0.45), Ratio("sqlite3", 1.0, "peak_mb"), Limit(40)]
    asked += [Ratio(peer) for peer in ("sqlite-utils", "geojson-to-sqlite", "ogr2ogr")]
    return Work("first import, 10 k quakes", [ours, *map(contestant, peers.IMPORTERS)], asked)


def import_catalog(bench: Bench) -> Work:
    """A longer document, where the start of the program is lost in the work for each quake."""
    db, quakes, count = bench.run_db, bench.quakes, 90_000
    document = bench.feeds.catalog(count)
    megabytes = (DATA / document).stat().st_size / 1e6

    def check() -> None:
        checks.same_operations(quakes.operations_in(db), insert=count)

    def contestant(peer: peers.Importer) -> Contestant:
        db = f"run-{peer.name}.db"
        return Contestant(peer.name, peer.argv(db, document, False), partial(remove_database, db),
                          lambda: checks.same_operations(peer.operations_in(db), insert=count))

    ours = Contestant(QUAKES, quakes.refresh(document, db), partial(remove_database, db), check)
    shell = next(peer for peer in peers.IMPORTERS if peer.keeps_history)
    asked = [Ratio(shell.name), Ratio(shell.name, metric="cpu_ms"), Limit(1.5 * megabytes)]
    return Work(f"import, {count:,} quakes, {megabytes:.0f} MB", [ours, contestant(shell)], asked)


def import_table(bench: Bench) -> Work:
    """The same quakes as CSV and as GeoJSON."""
    db, quakes, count, peer_db = bench.run_db, bench.quakes, 90_000, "run-geojson.db"
    table, document = bench.feeds.table(count), bench.feeds.catalog(count)
    megabytes = (DATA / table).stat().st_size / 1e6

    def contestant(name: str, file: str, db: str) -> Contestant:
        return Contestant(name, quakes.refresh(file, db), partial(remove_database, db),
                          lambda: checks.same_operations(quakes.operations_in(db), insert=count))

    contestants = [contestant(QUAKES, table, db), contestant("GeoJSON", document, peer_db)]
    asked = [Ratio("GeoJSON"), Ratio("GeoJSON", 1.0, "cpu_ms"), Limit(SMALLEST_REFRESH_MB + 1.5 * megabytes)]
    return Work(f"import, CSV of {count:,} quakes, {megabytes:.0f} MB", contestants, asked)


def refresh_one_percent(bench: Bench) -> Work:
    db, quakes, feeds = bench.run_db, bench.quakes, bench.feeds

    def contestant(peer: peers.Importer) -> Contestant:
        db = f"run-{peer.name}.db"

        @functools.cache
        def state() -> str:
            db = f"state-{peer.name}.db"
            remove_database(db)
            bench.launch(peer.argv(db, feeds.month, False))
            peer.finish_import(db)
            return db

        def check() -> None:
            checks.same_quakes(peer.quakes_in(db), feeds.after)
            if peer.keeps_history:
                checks.same_operations(peer.operations_in(db), insert=len(feeds.before), update=len(feeds.changed))

        return Contestant(peer.name, peer.argv(db, feeds.revised, True), lambda: copy_database(state(), db), check)

    ours = Contestant(QUAKES, quakes.refresh(feeds.revised, db), lambda: copy_database(bench.month.db, db),
                      partial(check_revised, bench, db))
    asked = [Ratio("sqlite3", 0.09), Ratio("sqlite3", 1.0, "peak_mb"), Limit(40), Ratio("sqlite-utils", 0.06, "cpu_ms"),
             Ratio("geojson-to-sqlite", 0.06, "cpu_ms"), Ratio("ogr2ogr")]
    return Work("refresh, 99 % unchanged", [ours, *map(contestant, peers.IMPORTERS)], asked)


def check_revised(bench: Bench, db: str) -> None:
    checks.same_quakes(bench.quakes.quakes_in(db), bench.feeds.after)
    expected = {"insert": len(bench.feeds.before), "update": len(bench.feeds.changed)}
    checks.same_operations(bench.quakes.operations_in(db), **expected)


def refresh_over_http(bench: Bench) -> Work:
    """Over loopback without a delay: shown without a target, because no link answers at once."""
    work = http_refresh(bench, "over loopback HTTP", 0)
    curl, jq = peers.find("curl"), peers.find("jq")
    url = bench.server.url
    script = f"'{curl}' --silent --fail --compressed '{url}' | '{jq}' --raw-output '{ROWS_OF_JQ}'"
    pipe = curl and jq and ["/bin/sh", "-c", script]

    def check_pipe() -> None:
        expected = [[quake["id"], quake["mag"], quake["place"], quake["time"]] for quake in bench.feeds.after.values()]
        checks.same_rows(checks.csv_rows(checks.output_of(pipe, "answer"), False), expected)

    work.contestants.append(Contestant("curl | jq", pipe, check=check_pipe))
    work.asked.extend([Ratio("curl"), Ratio("curl | jq"), Limit(40)])
    return work


def refresh_after_40_ms(bench: Bench) -> Work:
    work = http_refresh(bench, "answered after 40 ms", 40)
    work.asked.extend([Ratio(URLSESSION, 1.3), Ratio("curl"), Ratio("curl", metric="cpu_ms")])
    return work


def refresh_after_300_ms(bench: Bench) -> Work:
    work = http_refresh(bench, "answered after 300 ms", 300)
    work.asked.extend([Limit(130, "cpu_ms", peer="curl"), Ratio("curl")])
    return work


def http_refresh(bench: Bench, title: str, delay_ms: int) -> Work:
    """A refresh with the revised feed, 1 % changed, sent with gzip, against programs that only download it."""
    db, url, curl = bench.run_db, bench.server.url, peers.find("curl")
    state = cache_from_server(bench)
    bench.server.choose(1, delay_ms)
    download = curl and [curl, "--silent", "--fail", "--compressed", "--output", "/dev/null", url]

    def check_download() -> None:
        body = checks.output_of([curl, "--silent", "--fail", "--compressed", url], "answer")
        if (DATA / body).read_bytes() != (DATA / Feeds.revised).read_bytes():
            raise WrongResult("not the bytes of the feed")

    ours = Contestant(QUAKES, bench.quakes.refresh(url, db), partial(copy_database, state, db),
                      partial(check_revised, bench, db))
    fetch = peers.find("fetch")
    contestants = [ours, Contestant("curl", download, check=check_download),
                   Contestant(URLSESSION, fetch and [fetch, url])]
    return Work(f"refresh {title}, gzip, 99 % unchanged", contestants)


def not_modified_over_http(bench: Bench) -> Work:
    """As refresh_over_http: without a target."""
    work = not_modified(bench, "over loopback HTTP", 0)
    work.asked.append(Ratio("curl"))
    return work


def not_modified_after_40_ms(bench: Bench) -> Work:
    work = not_modified(bench, "after 40 ms", 40)
    work.asked.extend([Ratio(URLSESSION, 1.15), Ratio("curl"), Ratio("curl", metric="cpu_ms")])
    return work


def not_modified_after_300_ms(bench: Bench) -> Work:
    work = not_modified(bench, "after 300 ms", 300)
    work.asked.extend([Limit(60, "cpu_ms", peer="curl"), Ratio("curl")])
    return work


def not_modified(bench: Bench, title: str, delay_ms: int) -> Work:
    """A refresh that is answered 304, against `curl` and URLSession with the same condition."""
    db, server, curl, fetch = bench.run_db, bench.server, peers.find("curl"), peers.find("fetch")
    state = cache_from_server(bench)
    server.choose(0, delay_ms)
    conditional = curl and [curl, "--silent", "--fail", "--compressed", "--output", "/dev/null",
                            "--header", f"If-None-Match: {server.etag()}", server.url]

    def check(argv: list[str]) -> None:
        """The last run cannot be asked what it was answered: one more run, watched at the server."""
        before = server.answers()
        bench.launch(argv)
        after = server.answers()
        if (after["304"] - before["304"], after["200"] - before["200"]) != (1, 0):
            raise WrongResult("the server was not asked once and did not answer 304")

    ours = bench.quakes.refresh(server.url, db)
    bare = fetch and [fetch, server.url, server.etag()]
    contestants = [Contestant(QUAKES, ours, partial(copy_database, state, db), partial(check, ours)),
                   Contestant("curl", conditional, check=partial(check, conditional)),
                   Contestant(URLSESSION, bare, check=partial(check, bare))]
    return Work(f"refresh answered 304 {title}", contestants, runs_factor=SHORT)


def cache_from_server(bench: Bench) -> str:
    """A cache filled from the server's first feed, so that it holds that answer's validators."""
    db = bench.quakes.file("state-http.db")
    bench.server.choose(0)
    if not bench.quakes.is_missing:
        remove_database(db)
        bench.launch(bench.quakes.refresh(bench.server.url, db))
    return db
