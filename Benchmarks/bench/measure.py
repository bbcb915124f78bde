"""Measures whole processes: wall time, CPU time, peak memory; contestants in turn, medians."""

import ctypes
import os
import selectors
import signal
import sqlite3
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

TIME_LIMIT_SECONDS = 900
PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>; survives exec, so the launcher itself need not load ctypes


class RunFailed(Exception):
    """A program ended with an error, or not at all."""


@dataclass(frozen=True)
class Sample:
    wall_ms: float
    cpu_ms: float
    peak_mb: float  # of the largest single process


@dataclass(frozen=True)
class Contestant:
    """One program on one piece of work."""

    name: str
    argv: list[str] | None  # none where the program is missing
    prepare: Callable[[], None] = lambda: None  # brings back the state every run starts from; not timed
    check: Callable[[], None] = lambda: None  # raises WrongResult; looks at what the last run left


@dataclass
class Outcome:
    """What the runs of one contestant came to."""

    samples: list[Sample] = field(default_factory=list)
    problem: str | None = None  # "missing", "failed" or "wrong result": its figures do not count

    def figure(self, metric: str) -> float:
        """The median of a time; of memory the largest, because that is what must be there."""
        combine = max if metric == "peak_mb" else statistics.median
        return combine(getattr(sample, metric) for sample in self.samples)


class WrongResult(Exception):
    """A program ran, and what it left is not what the work asked for."""


# What a check raises on a result that is wrong, or so wrong that it cannot be read.
UNREADABLE = (WrongResult, LookupError, TypeError, ValueError, OSError, sqlite3.Error, subprocess.SubprocessError)


class Launcher:
    """The small process that starts the measured programs (see launcher.py)."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.start()

    def start(self) -> None:
        script = Path(__file__).with_name("launcher.py")
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(script)], cwd=self.directory, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, preexec_fn=adopt_orphans)
        self.replies = selectors.DefaultSelector()
        self.replies.register(self.process.stdout, selectors.EVENT_READ)

    def run(self, argv: list[str], stdout: str = "/dev/null") -> Sample:
        errors = self.directory / "stderr"
        self.process.stdin.write("\x1f".join(["/dev/null", stdout, str(errors), *argv]) + "\n")
        self.process.stdin.flush()
        if not self.replies.select(TIME_LIMIT_SECONDS):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.start()
            raise RunFailed(f"no end after {TIME_LIMIT_SECONDS} s")
        wall, cpu, peak, status = map(int, self.process.stdout.readline().split())
        if status != 0:
            said = errors.read_text(errors="replace").strip().splitlines() if errors.exists() else []
            raise RunFailed(f"exit {status}: {said[-1] if said else 'no message'}")
        return Sample(wall / 1e6, cpu / 1e6, peak / 1024)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def adopt_orphans() -> None:
    """Processes whose parent ends become children of this one."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def in_turn(
    launcher: Launcher, contestants: list[Contestant], runs: int, alternating: bool = False
) -> dict[str, Outcome]:
    """A warm-up and then `runs` rounds in which every contestant runs once.

    What the warm-up and the last run left is checked. `alternating` reverses the order of every second round.
    """
    outcomes = {contestant.name: Outcome(problem=None if contestant.argv else "missing") for contestant in contestants}
    for turn in range(runs + 1):
        for contestant in reversed(contestants) if alternating and turn % 2 else contestants:
            outcome = outcomes[contestant.name]
            if outcome.problem:
                continue
            try:
                contestant.prepare()
                sample = launcher.run(contestant.argv)
                if turn > 0:
                    outcome.samples.append(sample)
                if turn in (0, runs):
                    contestant.check()
            except RunFailed as failure:
                outcome.problem = "failed"
                print(f"{contestant.name} failed: {failure}", file=sys.stderr)
            except UNREADABLE as wrong:
                outcome.problem = "wrong result"
                print(f"{contestant.name}: wrong result: {wrong!r}", file=sys.stderr)
    return outcomes
