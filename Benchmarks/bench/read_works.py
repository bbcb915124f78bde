"""Reading the cache: listings and changes; starting the program; sizes."""

import json
import re
import subprocess
from functools import partial
from pathlib import Path

from bench import caches, checks, peers
from bench.files import DATA, Feeds, copy_database, database_bytes
from bench.measure import Contestant, RunFailed, WrongResult
from bench.quakes import Quakes
from bench.work import QUAKES, SHORT, Bench, Figure, Limit, Ratio, Work

PEER_FORMS = {"csv": "sqlite3 -csv", "ndjson": "sqlite3 -json"}
SEVEN_FIELDS = ("id", "time", "mag", "depth", "lat", "lon", "place")
# The two times of the view are epoch milliseconds, those of `quakes list` are ISO 8601.
LISTED_AS = {
    name: f"strftime('%Y-%m-%dT%H:%M:%fZ', {name} / 1000.0, 'unixepoch') AS {name}" for name in ("time", "updated")
}
# Our csv writes the words of a set with spaces between them.
CSV_LISTED_AS = LISTED_AS | {
    name: f"replace(trim({name}, ','), ',', ' ') AS {name}" for name in ("ids", "sources", "types")
}


def list_ten_thousand(bench: Bench) -> Work:
    return listing(bench, "10 k quakes", lambda: bench.month.db, {"csv": 1.0, "ndjson": None}, runs_factor=SHORT)


def list_million(bench: Bench) -> Work:
    targets = {"csv": 0.42, "ndjson": 0.36}
    return listing(bench, "1 M quakes", lambda: bench.million.db, targets, [Limit(25, ours="quakes ndjson")])


def listing(bench: Bench, size: str, cache, targets: dict[str, float | None], asked=(), runs_factor: int = 1) -> Work:
    """`list --min-mag 2` against a SELECT by the sqlite3 shell: same columns, same form, same order."""
    title = f"list --min-mag 2, {size}"
    ratios = [Ratio(PEER_FORMS[form], target, ours=f"quakes {form}") for form, target in targets.items()]
    if bench.quakes.is_missing:
        return Work(title, [Contestant(ratio.ours, None) for ratio in ratios], [*ratios, *asked])
    db, shell = cache(), peers.find("sqlite3")
    contestants = []
    for form in targets:
        select = select_like_ours(bench.quakes, db, form)
        ours = bench.quakes.listing(db, "--min-mag", "2", "--format", form)
        theirs = shell and [shell, PEER_FORMS[form].split()[1], db, select]
        contestants.append(Contestant(PEER_FORMS[form], theirs))
        check = partial(check_listing, ours, theirs, form) if shell else lambda: None
        contestants.append(Contestant(f"quakes {form}", ours, check=check))
    return Work(title, contestants, [*ratios, *asked], runs_factor=runs_factor)


def select_like_ours(quakes: Quakes, db: str, form: str, condition: str = "WHERE mag >= 2") -> str:
    """The columns of our own CSV, from the public view, in our order, with the values as our `form` writes them."""
    header = quakes.output(quakes.listing(db, "--limit", "1", "--format", "csv")).splitlines()[0]
    listed_as = CSV_LISTED_AS if form == "csv" else LISTED_AS
    columns = ", ".join(listed_as.get(name, f'"{name}"') for name in header.split(","))
    return f"SELECT {columns} FROM quakes_v1 AS q {condition} ORDER BY q.time DESC, id"


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
        return Work(title, [Contestant(QUAKES, None)], [Limit(25)])
    argv = bench.quakes.changes(bench.million.db, "beginning")
    check = partial(check_changes, bench, argv, caches.MILLION)
    return Work(title, [Contestant(QUAKES, argv, check=check)], [Limit(25)])


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


def instructions(bench: Bench) -> Work:
    """Instructions from start to end, counted by valgrind: the same however busy the machine is."""
    title, valgrind, shell = "instructions", peers.find("valgrind"), peers.find("sqlite3")
    if bench.quakes.is_missing:
        return Work(title, [Contestant(QUAKES, None)], [Limit(6)])
    if valgrind is None:
        raise RunFailed("valgrind is missing")
    db = bench.month.db
    programs = [("--version", bench.quakes.argv("--version"), 6),
                ("list --limit 10", bench.quakes.listing(db, "--limit", "10", "--format", "csv"), 20)]
    if empty := peers.find("empty"):
        programs.append(("an empty Swift program", [empty], None))
    if shell:
        select = select_like_ours(bench.quakes, db, "csv", "") + " LIMIT 10"
        programs.append(("sqlite3 on the view", [shell, "-csv", db, select], None))
    return Work(title, figures=[Figure(name, millions_of_instructions(valgrind, argv), "M", at_most)
                                for name, argv, at_most in programs])


def millions_of_instructions(valgrind: str, argv: list[str]) -> float:
    counting = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", *argv]
    done = subprocess.run(counting, cwd=DATA, capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or collected is None:
        raise RunFailed(f"valgrind counted nothing for {argv[0]}")
    return int(collected.group(1)) / 1e6


def list_text(bench: Bench) -> Work:
    """As many rows as people see of a month, in columns for them."""
    rows = 4_438
    title = f"list as text, {rows:,} rows"
    if bench.quakes.is_missing:
        return Work(title, [Contestant(QUAKES, None)], [Limit(15, "wall_ms")])
    argv = bench.quakes.listing(bench.month.db, "--limit", str(rows), "--format", "text")

    def check() -> None:
        lines = (DATA / checks.output_of(argv, "listing-text")).read_text().splitlines()
        if sum(line.count(":") > 0 for line in lines) < rows:
            raise WrongResult(f"{len(lines)} lines are not {rows} rows")

    return Work(title, [Contestant(QUAKES, argv, check=check)], [Limit(15, "wall_ms")], runs_factor=SHORT)


def list_ten_rows(bench: Bench) -> Work:
    """The shortest useful answer: mostly start, opening the cache and one query."""
    title = "list --limit 10, 10 k quakes"
    curl, shell = peers.find("curl"), peers.find("sqlite3")
    if bench.quakes.is_missing:
        return Work(title, [Contestant(QUAKES, None)], [Ratio("curl --version")])
    db = bench.month.db
    ours = bench.quakes.listing(db, "--limit", "10", "--format", "csv")
    theirs = shell and [shell, "-csv", db, select_like_ours(bench.quakes, db, "csv", "") + " LIMIT 10"]
    check = partial(check_listing, ours, theirs, "csv") if shell else lambda: None
    contestants = [Contestant(QUAKES, ours, check=check), Contestant("sqlite3 -csv", theirs),
                   Contestant("curl --version", curl and [curl, "--version"])]
    return Work(title, contestants, [Ratio("curl --version"), Ratio("sqlite3 -csv", 2.2)], runs_factor=SHORT)


def list_seven_columns(bench: Bench) -> Work:
    """A short list for another program."""
    title = "list --min-mag 2, seven columns, 10 k quakes"
    if bench.quakes.is_missing:
        return Work(title, [Contestant(QUAKES, None)], [Ratio("sqlite3 -csv")])
    db, shell = bench.month.db, peers.find("sqlite3")
    columns = ", ".join(LISTED_AS.get(name, name) for name in SEVEN_FIELDS)
    select = f"SELECT {columns} FROM quakes_v1 AS q WHERE mag >= 2 ORDER BY q.time DESC, id"
    ours = bench.quakes.listing(db, "--min-mag", "2", "--fields", ",".join(SEVEN_FIELDS), "--format", "csv")
    theirs = shell and [shell, "-csv", db, select]
    check = partial(check_listing, ours, theirs, "csv") if shell else lambda: None
    contestants = [Contestant(QUAKES, ours, check=check), Contestant("sqlite3 -csv", theirs)]
    return Work(title, contestants, [Ratio("sqlite3 -csv")], runs_factor=SHORT)


def verify_million(bench: Bench) -> Work:
    """Every row and rule of a cache, against reading the bytes of the file."""
    title = "verify, 1 M quakes"
    if bench.quakes.is_missing:
        return Work(title, [Contestant(QUAKES, None)], [Ratio("cat")])
    db = bench.million.db
    contestants = [Contestant(QUAKES, bench.quakes.argv("verify", "--db", db)), Contestant("cat", ["/bin/cat", db])]
    return Work(title, contestants, [Ratio("cat")])


def program_size(bench: Bench) -> Work:
    """As installed, without symbols. The helper has no target; a build that keeps it elsewhere shows no size of it."""
    title = "size without symbols"
    if bench.quakes.is_missing:
        return Work(title, [Contestant(QUAKES, None)], [Limit(24)])
    figures = [Figure("quakes", stripped_bytes(bench.quakes.path) / 1e6, "MB", 24)]
    helper = bench.quakes.path + "-fetch"
    if Path(helper).exists():
        figures.append(Figure("quakes-fetch", stripped_bytes(helper) / 1e6, "MB"))
    return Work(title, figures=figures)


def stripped_bytes(program: str) -> int:
    """The size of a stripped copy; of the program itself where there is no `strip`."""
    strip, copy = peers.find("strip"), DATA / "stripped"
    if strip is None:
        return Path(program).stat().st_size
    if subprocess.run([strip, "-o", copy, program]).returncode != 0:
        raise RunFailed(f"cannot strip {program}")
    size = copy.stat().st_size
    copy.unlink()
    return size


def cache_size(bench: Bench) -> Work:
    title = "cache size"
    if bench.quakes.is_missing:
        return Work(title, [Contestant(QUAKES, None)], [Limit(600)])
    size = database_bytes(bench.million.db)
    copy_database(bench.month.db, bench.run_db)
    before = database_bytes(bench.run_db)
    bench.launch(bench.quakes.refresh(Feeds.all_revised, bench.run_db))
    updates = bench.quakes.operations_in(bench.run_db)["update"]
    if updates != len(bench.feeds.before):
        raise RunFailed(f"{updates} updates of {len(bench.feeds.before)}")
    return Work(title, figures=[
        Figure("1 M quakes, one insert each", size / 1e6, "MB", 600),
        Figure("per quake with its insert", size / caches.MILLION, "bytes"),
        Figure("per update", (database_bytes(bench.run_db) - before) / updates, "bytes"),
    ])
