#!/usr/bin/env python3
"""Compares `quakes` with other tools on the same work, or with another build of itself; see README.md."""

import argparse
import os
import re
import subprocess
import sys

from bench import compare, report, works
from bench.feedserver import RunningServer
from bench.files import BEFORE, DATA, ROOT, Feeds
from bench.measure import Launcher, RunFailed, in_turn
from bench.quakes import Quakes
from bench.work import Bench


def main() -> int:
    options = parse_arguments()
    settle_environment()
    if not options.no_setup and not options.compare:
        subprocess.run([ROOT / "setup.sh"], check=True)
    quakes, feeds = Quakes(), Feeds()
    if quakes.is_missing:
        print("quakes is missing: build it, or name it in $QUAKES", file=sys.stderr)
    feeds.make()
    launcher = Launcher(DATA)
    with RunningServer(feeds.month, feeds.revised) as server:
        bench = Bench(quakes, feeds, server, launcher.run)
        if options.compare:
            earlier = Quakes(os.path.join(options.compare, "quakes"), BEFORE)
            status = compare_builds(options, Bench(earlier, feeds, server, launcher.run), bench, launcher)
        else:
            status = compare_with_peers(options, bench, launcher)
    launcher.close()
    return status


def parse_arguments() -> argparse.Namespace:
    names = " ".join(work.__name__ for work in works.SMALL + works.LARGE)
    parser = argparse.ArgumentParser(description=__doc__, epilog=f"The pieces of work: {names}")
    parser.add_argument("--runs", type=int, default=7, help="measured runs of each program (default 7)")
    parser.add_argument("--only", action="append", metavar="PATTERN",
                        help="only the work whose name contains this regular expression; may be given again")
    parser.add_argument("--quick", action="store_true", help="leave out what needs the caches of 1 M and 4 M quakes")
    parser.add_argument("--compare", metavar="FOLDER",
                        help="run the quakes in this folder in turn with the new one, instead of other tools")
    parser.add_argument("--no-setup", action="store_true", help="do not try to install missing peers")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    if not chosen_works(options):
        parser.error(f"no work matches --only; the names are: {names}")
    return options


def chosen_works(options: argparse.Namespace) -> list:
    everything = works.SMALL if options.quick else works.SMALL + works.LARGE
    patterns = options.only or [""]
    return [work for work in everything if any(re.search(pattern, work.__name__) for pattern in patterns)]


def is_whole(options: argparse.Namespace) -> bool:
    """Only a whole run is kept in RESULTS.md."""
    return not options.only and not options.quick


def compare_with_peers(options: argparse.Namespace, bench: Bench, launcher: Launcher) -> int:
    lines = [line for work in chosen_works(options) for line in run(work, bench, launcher, options.runs)]
    print(report.table(lines))
    if is_whole(options):
        floor = launcher.run(["/bin/true"]).peak_mb
        (ROOT / "RESULTS.md").write_text(report.results(lines, bench.quakes, options.runs, floor))
    return 0 if all(line.met in ("", "yes") for line in lines) else 1


def run(make_work, bench: Bench, launcher: Launcher, runs: int) -> list[report.Line]:
    print(f"running {make_work.__name__}", file=sys.stderr)
    try:
        work = make_work(bench)
        return report.lines_of(work, in_turn(launcher, work.contestants, runs * work.runs_factor))
    except RunFailed as failure:
        return [report.Line(make_work.__name__, f"failed ({failure})", met="?")]


def compare_builds(options: argparse.Namespace, before: Bench, after: Bench, launcher: Launcher) -> int:
    if before.quakes.is_missing or after.quakes.is_missing:
        print(f"one of the two builds is missing: {options.compare}/quakes, or the new one", file=sys.stderr)
        return 1
    rows = []
    for make_work in chosen_works(options):
        print(f"running {make_work.__name__}", file=sys.stderr)
        try:
            rows += compare.compare(make_work, before, after, launcher, options.runs)
        except RunFailed as failure:
            rows.append((make_work.__name__, f"failed ({failure})", "", "", "", "", "", "?"))
    print(compare.table(rows))
    return 0 if all(row[-1] == "yes" for row in rows) else 1


def settle_environment() -> None:
    """Loopback never goes through a proxy; peers in Python may keep their compiled modules, as they do everywhere."""
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = "127.0.0.1"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


if __name__ == "__main__":
    sys.exit(main())
