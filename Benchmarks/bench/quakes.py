"""How `quakes` is called, and how its answers are read back to be checked."""

import json
import os
import shutil
import subprocess
from collections import Counter
from datetime import datetime

from bench.files import DATA, ROOT
from bench.measure import TIME_LIMIT_SECONDS, RunFailed

BUILT = ROOT.parent / ".build" / "release" / "quakes"


class Quakes:
    """One build of `quakes`, with a folder in DATA for its databases: two builds never share a changing file."""

    def __init__(self, program: str | None = None, folder: str = ""):
        found = shutil.which(program or os.environ.get("QUAKES", str(BUILT)))
        self.path = os.path.abspath(found) if found else None
        self.folder = folder

    def file(self, name: str) -> str:
        return self.folder + name

    @property
    def is_missing(self) -> bool:
        return self.path is None

    def argv(self, *arguments: str) -> list[str] | None:
        return None if self.path is None else [self.path, *arguments]

    def refresh(self, feed: str, db: str) -> list[str] | None:
        return self.argv("refresh", feed, "--db", db)

    def listing(self, db: str, *arguments: str) -> list[str] | None:
        return self.argv("list", "--db", db, *arguments)

    def changes(self, db: str, token: str) -> list[str] | None:
        return self.argv("changes", "--db", db, "--since-token", token, "--format", "ndjson")

    def version(self) -> str:
        return self.output(self.argv("--version")).split("\n")[0]

    def output(self, argv: list[str]) -> str:
        try:
            done = subprocess.run(argv, cwd=DATA, capture_output=True, text=True, timeout=TIME_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            raise RunFailed(f"quakes {argv[1]}: no end after {TIME_LIMIT_SECONDS} s") from None
        if done.returncode != 0:
            raise RunFailed(f"quakes {argv[1]}: exit {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def quakes_in(self, db: str) -> dict[str, dict]:
        """The whole cache by id, times as epoch milliseconds."""
        lines = self.output(self.listing(db, "--format", "ndjson")).splitlines()
        quakes = {quake["id"]: quake for quake in map(json.loads, lines)}
        for quake in quakes.values():
            for name in ("time", "updated"):
                moment = datetime.fromisoformat(quake[name].replace("Z", "+00:00"))
                quake[name] = round(moment.timestamp() * 1000)
        return quakes

    def history_of(self, db: str) -> list[dict]:
        """All changes of the cache, the end record left out."""
        records = map(json.loads, self.output(self.changes(db, "beginning")).splitlines())
        return [record for record in records if record["kind"] == "change"]

    def operations_in(self, db: str) -> Counter:
        return Counter(change["op"] for change in self.history_of(db))

    def head_token(self, db: str) -> str:
        return json.loads(self.output(self.changes(db, "now")).splitlines()[-1])["token"]
