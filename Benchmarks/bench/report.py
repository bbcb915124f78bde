"""Turns outcomes into the table, and the table into RESULTS.md."""

import os
import platform
from dataclasses import astuple, dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from bench import peers
from bench.measure import Outcome
from bench.quakes import Quakes
from bench.work import Figure, Limit, Ratio, Work

UNITS = {"wall_ms": "ms", "cpu_ms": "ms CPU", "peak_mb": "MB peak"}
HEADINGS = ("work", "ours", "peer", "theirs", "ratio", "target", "our MB", "their MB", "met")


@dataclass(frozen=True)
class Line:
    work: str
    ours: str
    peer: str = ""
    theirs: str = ""
    ratio: str = ""
    target: str = ""
    our_mb: str = ""
    their_mb: str = ""
    met: str = ""


def lines_of(work: Work, outcomes: dict[str, Outcome]) -> list[Line]:
    lines = [
        ratio_line(work.title, ask, outcomes) if isinstance(ask, Ratio) else limit_line(work.title, ask, outcomes)
        for ask in work.asked
    ]
    return lines + [figure_line(work.title, figure) for figure in work.figures]


def ratio_line(title: str, ask: Ratio, outcomes: dict[str, Outcome]) -> Line:
    ours, theirs = outcomes[ask.ours], outcomes.get(ask.peer, Outcome(problem="not run"))
    ratio = ratio_of(ours, theirs, ask.metric)
    return Line(
        title, shown(ours, ask.metric, ask.ours), ask.peer, shown(theirs, ask.metric, ""),
        "" if ratio is None else f"{ratio:.3f}", "" if ask.at_most is None else f"≤ {ask.at_most:g}",
        shown_peak(ours), shown_peak(theirs), verdict(ratio, ask.at_most))


def limit_line(title: str, ask: Limit, outcomes: dict[str, Outcome]) -> Line:
    ours = outcomes[ask.ours]
    figure = None if ours.problem else ours.figure(ask.metric)
    unit = "MB" if ask.metric == "peak_mb" else UNITS[ask.metric]
    line = Line(title, shown(ours, ask.metric, ask.ours), target=f"≤ {ask.at_most:g} {unit}", our_mb=shown_peak(ours),
                met=verdict(figure, ask.at_most))
    if ask.peer is None:
        return line
    theirs = outcomes.get(ask.peer, Outcome(problem="not run"))
    return replace(line, peer=ask.peer, theirs=shown(theirs, ask.metric, ""), their_mb=shown_peak(theirs))


def figure_line(title: str, figure: Figure) -> Line:
    target = "" if figure.at_most is None else f"≤ {figure.at_most:g} {figure.unit}"
    return Line(f"{title}: {figure.what}", f"{figure.value:.{1 if figure.value < 100 else 0}f} {figure.unit}", target=target,
                met=verdict(figure.value, figure.at_most))


def ratio_of(ours: Outcome, theirs: Outcome, metric: str) -> float | None:
    if ours.problem or theirs.problem:
        return None
    return ours.figure(metric) / theirs.figure(metric)


def shown(outcome: Outcome, metric: str, name: str) -> str:
    if outcome.problem:
        return f"{name.split(' ')[0].rstrip(',')} {outcome.problem}".strip()
    return f"{outcome.figure(metric):.1f} {UNITS[metric]}"


def shown_peak(outcome: Outcome) -> str:
    return "" if outcome.problem else f"{outcome.figure('peak_mb'):.1f}"


def verdict(value: float | None, at_most: float | None) -> str:
    if at_most is None:
        return ""
    if value is None:
        return "?"
    return "yes" if value <= at_most else "**no**"


def table(lines: list[Line]) -> str:
    return aligned([HEADINGS, *(tuple(cell.replace("|", "\\|") for cell in astuple(line)) for line in lines)])


def aligned(rows: list[tuple[str, ...]]) -> str:
    """A Markdown table that reads well as plain text too; the headings are the first row."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rule = tuple("-" * width for width in widths)
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
        for row in (rows[0], rule, *rows[1:]))


def results(lines: list[Line], quakes: Quakes, runs: int, memory_floor_mb: float) -> str:
    facts = "\n".join(f"- {name}: {value}" for name, value in (machine() | versions(quakes)).items())
    return (
        "# Results of the last run\n\n"
        "Written by `make bench`. Read the ratios; the times belong to one machine on one day (see README.md).\n\n"
        f"{table(lines)}\n\n"
        f"Medians of {runs} alternating runs after one warm-up; three times as many for short work.\n"
        "CPU time is user and system time of all processes of a run, the download helper included.\n"
        f"Peak memory is the peak of the largest process. Peaks below {memory_floor_mb:.0f} MB cannot be measured.\n\n"
        f"## Machine and versions\n\n- date: {datetime.now(timezone.utc):%Y-%m-%d}\n{facts}\n")


def machine() -> dict[str, str]:
    return {
        "processor": f"{first_value('/proc/cpuinfo', 'model name') or platform.machine()}, {os.cpu_count()} cores",
        "memory": f"{int(first_value('/proc/meminfo', 'MemTotal').split()[0]) / 1024**2:.0f} GB",
        "system": f"{platform.freedesktop_os_release()['PRETTY_NAME']}, Linux {platform.release()}",
    }


def versions(quakes: Quakes) -> dict[str, str]:
    return {
        "quakes": "missing" if quakes.is_missing else quakes.version(),
        "sqlite3": peers.version("sqlite3", "-version").split(" ")[0],
        "sqlite-utils": peers.version("sqlite-utils", "--version"),
        "geojson-to-sqlite": peers.version("geojson-to-sqlite", "--version"),
        "ogr2ogr": peers.version("ogr2ogr", "--version"),
        "curl": " ".join(peers.version("curl", "--version").split(" ")[:2]),
        "jq": peers.version("jq", "--version"),
        "python3": platform.python_version(),
    }


def first_value(file: str, key: str) -> str:
    for line in Path(file).read_text().splitlines():
        if line.startswith(key):
            return line.split(":", 1)[1].strip()
    return ""
