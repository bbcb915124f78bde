"""Starts the feed server and talks to it."""

import json
import subprocess
import sys
import urllib.request

from bench.files import DATA, ROOT

# Never through a proxy, whatever the environment says.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class RunningServer:
    """The feed server of server.py, in a process of its own; a context manager."""

    def __init__(self, *feeds: str):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.server", *(str(DATA / feed) for feed in feeds)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.root = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
        self.url = self.root + "/earthquakes/feed/v1.0/summary/all_month.geojson"

    def __enter__(self) -> "RunningServer":
        return self

    def __exit__(self, *_) -> None:
        self.process.stdin.close()
        self.process.wait()

    def choose(self, number: int, delay_ms: int = 0) -> None:
        """The feed that is served from now on, and how long each answer is held back."""
        OPENER.open(f"{self.root}/choose/{number}/{delay_ms}").read()

    def answers(self) -> dict[str, int]:
        return json.load(OPENER.open(f"{self.root}/answers"))

    def etag(self) -> str:
        with OPENER.open(self.url) as answer:
            answer.read()
            return answer.headers["ETag"]
