#!/usr/bin/env python3
"""Compares `quakes` with the tools people use today, on the same work; see README.md."""

import argparse
import os
import subprocess
import sys

from bench import report, works
from bench.feedserver import RunningServer
from bench.files import DATA, ROOT, Feeds
from bench.measure import Launcher, RunFailed, in_turn
from bench.quakes import Quakes


def main() -> int:
    options = parse_arguments()
    settle_environment()
    if not options.no_setup:
        subprocess.run([ROOT / "setup.sh"], check=True)
    quakes, feeds = Quakes(), Feeds()
    if quakes.is_missing:
        print("quakes is missing: build it, or name it in $QUAKES", file=sys.stderr)
    feeds.make()
    launcher = Launcher(DATA)
    with RunningServer(feeds.month, feeds.revised) as server:
        bench = works.Bench(quakes, feeds, server, launcher.run)
        lines = [line for work in chosen_works(options) for line in run(work, bench, launcher, options.runs)]
    floor = launcher.run(["/bin/true"]).peak_mb
    launcher.close()

    print(report.table(lines))
    if is_whole(options):
        (ROOT / "RESULTS.md").write_text(report.results(lines, quakes, options.runs, floor))
    return 0 if all(line.met in ("", "yes") for line in lines) else 1


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="measured runs of each program (default 7)")
    parser.add_argument("--only", action="append", metavar="WORK", choices=[work.__name__ for work in works.SMALL + works.LARGE],
                        help="only this piece of work; may be given again")
    parser.add_argument("--quick", action="store_true", help="leave out what needs the caches of 1 M and 4 M quakes")
    parser.add_argument("--no-setup", action="store_true", help="do not try to install missing peers")
    return parser.parse_args()


def chosen_works(options: argparse.Namespace) -> list:
    everything = works.SMALL if options.quick else works.SMALL + works.LARGE
    return [work for work in everything if not options.only or work.__name__ in options.only]


def is_whole(options: argparse.Namespace) -> bool:
    """Only a whole run is kept in RESULTS.md."""
    return not options.only and not options.quick


def run(make_work, bench: works.Bench, launcher: Launcher, runs: int) -> list[report.Line]:
    print(f"running {make_work.__name__}", file=sys.stderr)
    try:
        work = make_work(bench)
        return report.lines_of(work, in_turn(launcher, work.contestants, runs * work.runs_factor))
    except RunFailed as failure:
        return [report.Line(make_work.__name__, f"failed ({failure})", met="?")]


def settle_environment() -> None:
    """Loopback never goes through a proxy; peers in Python may keep their compiled modules, as they do everywhere."""
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = "127.0.0.1"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


if __name__ == "__main__":
    sys.exit(main())
