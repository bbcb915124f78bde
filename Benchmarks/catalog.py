#!/usr/bin/env python3
"""Measures `quakes backfill` and a cache that holds a catalog, against a local event service; see README.md."""

import argparse
import os
import re
import subprocess
import sys

from bench import report
from bench.catalog_works import WORKS, CatalogBench
from bench.files import DATA, ROOT
from bench.measure import UNREADABLE, Launcher, RunFailed, in_turn
from bench.quakes import Quakes


def main() -> int:
    options = parse_arguments()
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = "127.0.0.1"
    if not options.no_setup:
        subprocess.run([ROOT / "setup.sh", "--catalog"], check=True)
    DATA.mkdir(exist_ok=True)
    quakes = Quakes()
    if quakes.is_missing:
        print("quakes is missing: build it, or name it in $QUAKES", file=sys.stderr)
        return 1
    launcher = Launcher(DATA)
    lines = []
    with CatalogBench(quakes, launcher, options.events, options.small) as bench:
        for work in chosen_works(options):
            print(f"running {work.__name__}", file=sys.stderr)
            try:
                made = work(bench)
                lines += report.lines_of(made, in_turn(launcher, made.contestants, options.runs * made.runs_factor))
            except (RunFailed, *UNREADABLE) as failure:
                lines.append(report.Line(work.__name__, f"failed ({failure})", met="?"))
    launcher.close()
    print(report.table(lines))
    return 0 if all(line.met in ("", "yes") for line in lines) else 1


def parse_arguments() -> argparse.Namespace:
    names = " ".join(work.__name__ for work in WORKS)
    parser = argparse.ArgumentParser(description=__doc__, epilog=f"The pieces of work: {names}")
    parser.add_argument("--events", type=int, default=4_000_000, help="quakes of the large catalog (default 4,000,000)")
    parser.add_argument("--small", type=int, default=100_000,
                        help="quakes of the comparison with other tools (default 100,000)")
    parser.add_argument("--runs", type=int, default=3, help="measured runs of each program (default 3)")
    parser.add_argument("--only", action="append", metavar="PATTERN",
                        help="only the work whose name contains this regular expression; may be given again")
    parser.add_argument("--no-setup", action="store_true", help="do not try to install missing peers")
    options = parser.parse_args()
    if options.runs < 1 or options.events < 1_000 or options.small < 1_000:
        parser.error("--runs must be at least 1, --events and --small at least 1,000")
    if not chosen_works(options):
        parser.error(f"no work matches --only; the names are: {names}")
    return options


def chosen_works(options: argparse.Namespace) -> list:
    patterns = options.only or [""]
    return [work for work in WORKS if any(re.search(pattern, work.__name__) for pattern in patterns)]


if __name__ == "__main__":
    sys.exit(main())
