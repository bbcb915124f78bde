"""What a piece of work is made of, and what is asked of its figures."""

from dataclasses import dataclass, field

from bench.measure import Contestant

QUAKES = "quakes"


@dataclass(frozen=True)
class Ratio:
    """Ours to theirs; `at_most` is the target, none where a peer is shown for information."""

    peer: str
    at_most: float | None = None
    metric: str = "wall_ms"
    ours: str = QUAKES


@dataclass(frozen=True)
class Peak:
    """Our peak memory against an absolute target."""

    megabytes: float
    ours: str = QUAKES


@dataclass(frozen=True)
class Figure:
    """A measured number that is neither time nor memory of a run."""

    what: str
    value: float
    unit: str
    at_most: float | None = None


@dataclass(frozen=True)
class Work:
    title: str
    contestants: list[Contestant] = field(default_factory=list)
    asked: list[Ratio | Peak] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    runs_factor: int = 1  # short work is run more often
