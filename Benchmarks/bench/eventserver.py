"""Starts the event service and talks to it."""

import json
import subprocess
import sys
from datetime import datetime, timezone

from bench.event_catalog import Catalog
from bench.feedserver import OPENER
from bench.files import DATA, ROOT


class RunningEventServer:
    """The event service of event_service.py, in a process of its own; a context manager."""

    def __init__(self, events: int, span: str = "century"):
        self.catalog = Catalog(DATA, events, span)
        self.process = subprocess.Popen(
            [sys.executable, ROOT / "event_service.py", "--events", str(events), "--span", span, "--data", DATA],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.root = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
        self.url = self.root + "/fdsnws/event/1/query"

    def __enter__(self) -> "RunningEventServer":
        return self

    def __exit__(self, *_) -> None:
        self.process.stdin.close()
        self.process.wait()

    @property
    def start(self) -> str:
        """The second of the first quake."""
        return self.text(self.catalog.times[0] // 1000 * 1000)

    @property
    def end(self) -> str:
        """The second after the last quake."""
        return self.text((self.catalog.times[-1] // 1000 + 1) * 1000)

    def windows(self, rows: int) -> list[tuple[str, str]]:
        """Stretches of time with so many quakes each; both ends count."""
        times = self.catalog.times
        return [(self.text(times[first]), self.text(times[min(first + rows, len(times)) - 1]))
                for first in range(0, len(times), rows)]

    def change(self, count: int) -> None:
        """Lets a night pass in which `count` quakes change, here and in the server alike."""
        morning = self.catalog.generated
        OPENER.open(f"{self.root}/night/{count}/{morning}").read()
        self.catalog.change_in_a_night(count, morning)

    def forget(self) -> None:
        OPENER.open(f"{self.root}/forget").read()

    def log(self) -> list[tuple[str, int, float, float, int]]:
        """Of each request: method, quakes, seconds when it came and when it was answered, bytes of the answer."""
        return [tuple(entry) for entry in json.load(OPENER.open(f"{self.root}/log"))]

    @staticmethod
    def text(milliseconds: int) -> str:
        moment = datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03d}"
