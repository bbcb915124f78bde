"""Runs the same work with two builds of `quakes`, in turn, and shows where the newer one is slower."""

import statistics
from dataclasses import replace

from bench.measure import Contestant, Launcher, Outcome, Sample, in_turn
from bench.report import UNITS, aligned
from bench.work import Bench, Figure, Work

TOLERATED = 1.03
HEADINGS = ("work", "program", "measured", "before", "after", "after/before", "middle half", "met")


def compare(make_work, before: Bench, after: Bench, launcher: Launcher, runs: int) -> list[tuple[str, ...]]:
    """One row for each figure. Every round runs both builds; every second round runs them in the opposite order."""
    work, earlier = make_work(after), make_work(before)
    ours, theirs = contestants_of(work, after), contestants_of(earlier, before)
    pairs = [half for pair in zip(theirs, ours) for half in pair]
    outcomes = in_turn(launcher, pairs, runs * work.runs_factor, alternating=True)
    rows = []
    for old, new in zip(theirs, ours):
        for metric in ("wall_ms", "cpu_ms", "peak_mb"):
            rows.append(row(work, new.name.removeprefix("after: "), metric, outcomes[old.name], outcomes[new.name]))
    return rows + [figure_row(work, *pair) for pair in zip(earlier.figures, work.figures)]


def contestants_of(work: Work, bench: Bench) -> list[Contestant]:
    side = "before: " if bench.quakes.folder else "after: "
    return [
        replace(contestant, name=side + contestant.name)
        for contestant in work.contestants
        if contestant.argv and contestant.argv[0] == bench.quakes.path
    ]


def row(work: Work, program: str, metric: str, before: Outcome, after: Outcome) -> tuple[str, ...]:
    if before.problem or after.problem:
        return (work.title, program, UNITS[metric], before.problem or "", after.problem or "", "", "", "?")
    ratio = after.figure(metric) / before.figure(metric)
    return (work.title, program, UNITS[metric], f"{before.figure(metric):.1f}", f"{after.figure(metric):.1f}",
            f"{ratio:.3f}", middle_half(before.samples, after.samples, metric), verdict(ratio))


def middle_half(before: list[Sample], after: list[Sample], metric: str) -> str:
    """The range of the middle half of the ratios, round by round. It is wide when the machine was busy."""
    ratios = [getattr(new, metric) / getattr(old, metric) for old, new in zip(before, after)]
    if len(ratios) < 2:
        return ""
    low, _, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return f"{low:.3f} to {high:.3f}"


def figure_row(work: Work, before: Figure, after: Figure) -> tuple[str, ...]:
    ratio = after.value / before.value
    return (work.title, after.what, after.unit, f"{before.value:.1f}", f"{after.value:.1f}",
            f"{ratio:.3f}", "", verdict(ratio))


def verdict(ratio: float) -> str:
    return "yes" if ratio <= TOLERATED else "**no**"


def table(rows: list[tuple[str, ...]]) -> str:
    return aligned([HEADINGS, *rows])
