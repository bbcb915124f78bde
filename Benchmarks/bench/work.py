"""What a piece of work is made of, what is asked of its figures, and what all works share."""

import functools
from dataclasses import dataclass, field

from bench import caches
from bench.feedserver import RunningServer
from bench.files import Feeds
from bench.measure import Contestant
from bench.quakes import Quakes

QUAKES = "quakes"
SHORT = 3  # runs_factor of work that takes a few milliseconds


@dataclass(frozen=True)
class Ratio:
    """Ours to theirs; `at_most` is the target, none where a peer is shown for information."""

    peer: str
    at_most: float | None = None
    metric: str = "wall_ms"
    ours: str = QUAKES


@dataclass(frozen=True)
class Limit:
    """One of our figures against an absolute target; `peer` is shown beside it for information."""

    at_most: float
    metric: str = "peak_mb"
    ours: str = QUAKES
    peer: str | None = None


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
    asked: list[Ratio | Limit] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    runs_factor: int = 1  # short work is run more often


class Bench:
    """What the works share; the caches are made when first asked for."""

    def __init__(self, quakes: Quakes, feeds: Feeds, server: RunningServer, launch):
        self.quakes, self.feeds, self.server, self.launch = quakes, feeds, server, launch
        self.run_db = quakes.file("run-quakes.db")

    @functools.cached_property
    def month(self) -> caches.Cache:
        return caches.month_cache(self.quakes)

    @functools.cached_property
    def changed_month(self) -> caches.Cache:
        return caches.changed_month_cache(self.quakes, self.month)

    @functools.cached_property
    def million(self) -> caches.Cache:
        return caches.million_cache(self.quakes, self.month)

    @functools.cached_property
    def four_million(self) -> caches.Cache:
        return caches.four_million_cache(self.quakes, self.month)
