#!/usr/bin/env python3
"""An event service on loopback, in a process of its own, over a catalog of invented quakes.

    ./event_service.py --events 400000 [--span recent] [--gzip 1] [--delay-ms 40]

Speaks the protocol of the USGS event service as far as a client needs it that fetches a catalog: /fdsnws/event/1/query
in GeoJSON and CSV, and /count. An unknown parameter is refused. /night/NUMBER/MORNING changes so many quakes until that
moment and deletes some of them; /log tells of each request its method, its quakes, when it came and was answered, and
the bytes of the answer; /forget empties the log. Prints its port, and ends when its standard input does.
"""

import argparse
import gzip
import json
import sys
import threading
import time
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from bench import event_csv
from bench.event_catalog import GENERATED, SEPARATOR, Catalog

MOST_ROWS = 20_000
PREFIX = "/fdsnws/event/1/"
API = "2.7.0"
ORDERS = ("time", "time-asc", "magnitude", "magnitude-asc")


class Refusal(Exception):
    """The service refuses a request, with this text."""


class Query:
    """The parameters of a request."""

    NUMBERS = ("minmagnitude", "maxmagnitude", "minlatitude", "maxlatitude", "minlongitude", "maxlongitude")

    def __init__(self, text: str):
        self.times: dict[str, int] = {}
        self.bounds: dict[str, float] = {}
        self.types: list[str] | None = None
        self.order, self.deleted = "time", "false"
        self.limit: int | None = None
        self.offset = 1
        self.form = None
        for name, value in parse_qsl(text, keep_blank_values=True):
            try:
                if name == "format":
                    self.form = value
                elif name in ("starttime", "endtime", "updatedafter"):
                    self.times[name] = milliseconds(value)
                elif name in self.NUMBERS:
                    self.bounds[name] = float(value)
                elif name == "eventtype":
                    self.types = value.lower().split(",")
                elif name == "orderby" and value in ORDERS:
                    self.order = value
                elif name == "includedeleted" and value in ("true", "false", "only"):
                    self.deleted = value
                elif name == "limit" and 1 <= int(value) <= MOST_ROWS:
                    self.limit = int(value)
                elif name == "offset" and int(value) >= 1:
                    self.offset = int(value)
                elif name in ("orderby", "includedeleted", "limit", "offset"):
                    raise ValueError
                else:
                    raise Refusal(f'Unknown parameter "{name}".')
            except ValueError:
                raise Refusal(f'Bad {name} value "{value}".') from None
        if self.form not in ("geojson", "csv"):
            raise Refusal(f'Bad format value "{self.form}". Valid values are: "csv", "geojson".')

    def rows(self, catalog: Catalog) -> range | list[int]:
        """The quakes that match, by ascending origin time; a range where nothing but the time selects."""
        start = self.times.get("starttime", catalog.generated - 30 * 86_400_000)
        rows = window = catalog.rows(start, self.times.get("endtime"))
        after = self.times.get("updatedafter")
        if after is not None and after > GENERATED:
            rows = [row for row in catalog.changed_in(window) if catalog.updated[row] >= after]
        elif after is not None:
            rows = [row for row in window if catalog.updated[row] >= after]
        if self.deleted == "only":
            rows = [row for row in rows if row in catalog.deleted]
        elif self.deleted == "false" and catalog.deleted:
            rows = [row for row in rows if row not in catalog.deleted]
        for name, bound in self.bounds.items():
            values = getattr(catalog, name[3:] + "s")
            if name.startswith("min"):
                rows = [row for row in rows if values[row] >= bound]
            else:
                rows = [row for row in rows if values[row] <= bound]
        if self.types is not None:
            kinds = ("earthquake" in self.types, "quarry blast" in self.types)
            rows = [row for row in rows if kinds[0 if catalog.earthquakes[row] else 1]]
        return rows

    def ordered(self, rows, catalog: Catalog):
        if self.order == "time":
            rows = rows[::-1]
        elif self.order != "time-asc":
            rows = sorted(rows, key=lambda row: catalog.magnitudes[row], reverse=self.order == "magnitude")
        return rows if self.limit is None else rows[self.offset - 1:self.offset - 1 + self.limit]


def milliseconds(text: str) -> int:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return round(moment.timestamp() * 1000)


class EventServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, catalog: Catalog, gzip_level: int, delay_ms: int):
        super().__init__(("127.0.0.1", 0), Handler)
        self.catalog, self.gzip_level, self.delay_seconds = catalog, gzip_level, delay_ms / 1000
        self.log: list[tuple[str, int, float, float, int]] = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # the head leaves with the first of the body
    server: EventServer

    def do_GET(self) -> None:
        arrival = time.monotonic()
        address = urlsplit(self.path)
        if address.path.startswith("/night/"):
            count, morning = address.path.removeprefix("/night/").split("/")
            self.server.catalog.change_in_a_night(int(count), int(morning))
            self.answer(200, b"")
        elif address.path == "/log":
            self.answer(200, json.dumps(self.server.log).encode())
        elif address.path == "/forget":
            self.server.log = []
            self.answer(200, b"")
        elif address.path in (PREFIX + "query", PREFIX + "count"):
            time.sleep(self.server.delay_seconds)
            method = address.path.removeprefix(PREFIX)
            try:
                rows = self.count(address.query) if method == "count" else self.query(address.query)
            except Refusal as refusal:
                rows = 0
                self.refuse(str(refusal))
            self.server.log.append((method, rows, arrival, time.monotonic(), self.sent))
        else:
            self.send_error(404)

    def count(self, text: str) -> int:
        query = Query(text)
        if query.form != "geojson":
            raise Refusal(f'Bad format value "{query.form}". Valid values are: "geojson".')
        count = len(query.rows(self.server.catalog))
        answer = {"count": min(count, query.limit or count), "maxAllowed": MOST_ROWS}
        if answer["count"] > MOST_ROWS:
            answer["error"] = (f"{count} matching events exceeds search limit of {MOST_ROWS}. A query using these search "
                               "parameters would fail. Modify the search to match fewer events.")
        self.answer(200, json.dumps(answer, separators=(",", ":")).encode())
        return 0

    def query(self, text: str) -> int:
        catalog, query = self.server.catalog, Query(text)
        rows = query.rows(catalog)
        count = min(len(rows), query.limit or len(rows))
        if count > MOST_ROWS:
            raise Refusal(f"{count} matching events exceeds search limit of {MOST_ROWS}. "
                          "Modify the search to match fewer events.")
        rows = query.ordered(rows, catalog)
        if query.form == "csv":
            self.send_table(rows)
            return len(rows)
        metadata = {"generated": catalog.generated, "url": "https://earthquake.usgs.gov" + self.path,
                    "title": "USGS Earthquakes", "status": 200, "api": API}
        if query.limit is not None:
            metadata |= {"limit": query.limit, "offset": query.offset}
        metadata["count"] = count
        head = b'{"type":"FeatureCollection","metadata":' + json.dumps(metadata, separators=(",", ":")).encode()
        head += b',"features":['
        tail = b'],"bbox":[-180,-80,-3,180,80,600]}' if rows else b"]}"
        self.send_collection(head, rows, tail)
        return len(rows)

    def send_collection(self, head: bytes, rows, tail: bytes) -> None:
        catalog = self.server.catalog
        packed = self.may_pack
        if not packed and isinstance(rows, range) and rows.step == 1 and rows and not catalog.changed_in(rows):
            start, end = catalog.offsets[rows.start], catalog.offsets[rows.stop] - len(SEPARATOR)
            self.send_head(200, "application/json; charset=utf-8", len(head) + end - start + len(tail))
            self.wfile.write(head)
            self.wfile.flush()
            with open(catalog.path, "rb") as file:
                self.connection.sendfile(file, start, end - start)
            self.wfile.write(tail)
            return
        self.answer(200, head + SEPARATOR.join(self.features(rows)) + tail, packed)

    def send_table(self, rows) -> None:
        table = event_csv.HEADER + b"".join(map(event_csv.row_of, self.features(rows)))
        self.answer(200, table, self.may_pack, "text/csv; charset=utf-8")

    def features(self, rows) -> list[bytes]:
        catalog = self.server.catalog
        with open(catalog.path, "rb") as file:
            return [catalog.changed.get(row) or catalog.stored(file, row) for row in rows]

    @property
    def may_pack(self) -> bool:
        return self.server.gzip_level > 0 and "gzip" in self.headers.get("Accept-Encoding", "")

    def answer(self, status: int, body: bytes, packed: bool = False,
               kind: str = "application/json; charset=utf-8") -> None:
        if packed:
            body = gzip.compress(body, self.server.gzip_level)
        self.send_head(status, kind, len(body), packed)
        self.wfile.write(body)

    def refuse(self, message: str) -> None:
        body = (f"Error 400: Bad Request\n\n{message}\n\n"
                f"Usage details are available from https://earthquake.usgs.gov/fdsnws/event/1\n\n"
                f"Request:\n{self.path}\n\nRequest Submitted:\n2026-01-15T00:00:00+00:00\n\nService version:\n{API}\n")
        self.send_head(400, "text/plain", len(body.encode()))
        self.wfile.write(body.encode())

    def send_head(self, status: int, kind: str, length: int, packed: bool = False) -> None:
        self.sent = length
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()

    def log_message(self, *arguments) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=400_000, help="how many quakes (default 400,000)")
    parser.add_argument("--span", choices=("century", "recent"), default="century")
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parent / ".data")
    parser.add_argument("--gzip", type=int, default=0, metavar="LEVEL", help="compress answers (0, the default: never)")
    parser.add_argument("--delay-ms", type=int, default=0, help="how long each answer is held back")
    options = parser.parse_args()
    options.data.mkdir(parents=True, exist_ok=True)
    server = EventServer(Catalog(options.data, options.events, options.span), options.gzip, options.delay_ms)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
