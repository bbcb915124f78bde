#!/usr/bin/env python3
"""Measures the steps of `quakes` in one process, each beside the plain way of the same work; see README.md."""

import argparse
import json
import subprocess
import sys
from datetime import datetime, timezone
from typing import NamedTuple

from bench import report
from bench.data import MONTH_FEATURES
from bench.files import DATA, ROOT, Feeds

HEADINGS = ("step", "ours", "a feature", "CPU", "a second", "plain way", "theirs", "ratio")
PLAIN = ", plain: "
EXPLANATION = f"""\
All steps use the month feed of {MONTH_FEATURES} features. *A feature* is the wall time divided by that number, also
where only some features are decoded. Wall times are medians. CPU times are means, because the system counts them
in steps of 10 ms.

- *scan* finds and hashes the features. JSONSerialization reads the whole document.
- *decode* makes quakes of all features. Here nothing else is done with them, so the thread that asks waits for
  the one that decodes ahead. The gain of two threads shows in *reconcile, everything changed*, where CPU time is
  larger than wall time. The plain way is a synthesized `Decodable` of the whole collection.
- *reconcile* is a refresh from a file, rolled back at its end: read, scan, decode, decide, write. The plain way
  decodes, fetches and compares everything, and writes nothing.
- *list* opens the cache and writes every property of every quake to /dev/null. *rows alone* steps through the
  same fields and writes nothing. The plain ways fetch values and concatenate strings, or use JSONEncoder.
"""


class Figures(NamedTuple):
    """What one benchmark took: the median of wall time, and the means of CPU time and of runs a second."""

    wall_ms: float
    cpu_ms: float
    per_second: float


def main() -> int:
    options = parse_arguments()
    Feeds().make()
    if options.data:
        print(f"The feeds are in {DATA}.")
        return 0
    figures = figures_of(run(options.filter))
    print(table(figures))
    if not options.filter:
        (ROOT / "MICRO.md").write_text(results(figures))
    return 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", action="store_true", help="only make the feeds that are measured with, in .data")
    parser.add_argument("--filter", metavar="REGEX",
                        help="only the benchmarks whose complete name matches; MICRO.md stays unchanged")
    return parser.parse_args()


def run(filter: str | None) -> list[dict]:
    command = ["swift", "package", "benchmark", "--no-progress", "--format", "jmh", "--path", "stdout"]
    if filter:
        command += ["--filter", filter]
    print("building and running, minutes the first time", file=sys.stderr)
    output = subprocess.run(command, cwd=ROOT / "Micro", check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(next(line for line in output.splitlines() if line.startswith("[")))


def figures_of(elements: list[dict]) -> dict[str, Figures]:
    figures = {}
    for element in elements:
        name = element["benchmark"].removeprefix("package.benchmark.Steps.").replace("_", " ")
        times = element["secondaryMetrics"]
        # The system counts CPU time in steps of ten milliseconds: only the mean of many runs says something.
        figures[name] = Figures(
            wall_ms=times["Time (wall clock)"]["scorePercentiles"]["50.0"] / 1000,
            cpu_ms=times["Time (total CPU)"]["score"] / 1000, per_second=element["primaryMetric"]["score"])
    return dict(sorted(figures.items()))


def table(figures: dict[str, Figures]) -> str:
    rows = [HEADINGS]
    for name, ours in figures.items():
        if PLAIN in name:
            continue
        peer = next((other for other in figures if other.startswith(name + PLAIN)), None)
        theirs = figures.get(peer)
        rows.append((
            name, f"{ours.wall_ms:.2f} ms", f"{ours.wall_ms * 1000 / MONTH_FEATURES:.2f} µs", f"{ours.cpu_ms:.1f} ms",
            f"{ours.per_second:.0f}", peer.split(PLAIN)[1] if peer else "",
            f"{theirs.wall_ms:.2f} ms" if theirs else "", f"{ours.wall_ms / theirs.wall_ms:.3f}" if theirs else ""))
    return report.aligned(rows)


def results(figures: dict[str, Figures]) -> str:
    facts = "\n".join(f"- {name}: {value}" for name, value in report.machine().items())
    return (
        "# The steps of a refresh and of a listing\n\n"
        "Written by `micro.py`, from one run. Read the ratios, ours to theirs; the times belong to one machine\n"
        "on one day (see README.md).\n\n"
        f"{table(figures)}\n\n"
        f"{EXPLANATION}\n"
        f"- date: {datetime.now(timezone.utc):%Y-%m-%d}\n{facts}\n")


if __name__ == "__main__":
    sys.exit(main())
