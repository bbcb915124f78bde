"""A feed server on loopback, in a process of its own: python3 -m bench.server FEED [FEED...]

Behaves as the real one does: gzip when the client allows it (packed beforehand), ETag, Last-Modified,
Cache-Control, 304 for validators that still hold. Every address under /earthquakes/ answers with the feed chosen
last by /choose/NUMBER/DELAY, at first with number 0. The first byte of an answer leaves DELAY milliseconds after the
request, which stands for the way to a real server and back. /answers tells how many 200 and 304 were sent.
Prints its port, and ends when its standard input does.
"""

import gzip
import json
import sys
import threading
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FIRST_MODIFIED = 1_768_435_200


class Feed:
    def __init__(self, number: int, path: str):
        self.plain = Path(path).read_bytes()
        self.packed = gzip.compress(self.plain, 6, mtime=0)
        self.etag = f'"feed-{number}-{len(self.plain)}"'
        self.modified = formatdate(FIRST_MODIFIED + 300 * number, usegmt=True)


class FeedServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, paths: list[str]):
        super().__init__(("127.0.0.1", 0), Handler)
        self.feeds = [Feed(number, path) for number, path in enumerate(paths)]
        self.chosen = self.feeds[0]
        self.delay_seconds = 0.0
        self.answers = {"200": 0, "304": 0}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # headers and body leave together
    server: FeedServer

    def do_GET(self) -> None:
        if self.path.startswith("/choose/"):
            number, delay = self.path.removeprefix("/choose/").split("/")
            self.server.chosen = self.server.feeds[int(number)]
            self.server.delay_seconds = int(delay) / 1000
            self.answer(b"")
        elif self.path == "/answers":
            self.answer(json.dumps(self.server.answers).encode())
        elif self.path.startswith("/earthquakes/"):
            self.answer_feed(self.server.chosen)
        else:
            self.send_error(404)

    def answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_feed(self, feed: Feed) -> None:
        if self.server.delay_seconds:
            time.sleep(self.server.delay_seconds)
        unchanged = self.still_holds(feed)
        self.server.answers["304" if unchanged else "200"] += 1
        self.send_response(304 if unchanged else 200)
        self.send_header("ETag", feed.etag)
        self.send_header("Last-Modified", feed.modified)
        self.send_header("Cache-Control", "public, max-age=60")
        self.send_header("Vary", "Accept-Encoding")
        body = b""
        if not unchanged:
            packed = "gzip" in self.headers.get("Accept-Encoding", "")
            body = feed.packed if packed else feed.plain
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            if packed:
                self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def still_holds(self, feed: Feed) -> bool:
        etags = self.headers.get("If-None-Match")
        if etags is not None:
            return feed.etag in etags
        return self.headers.get("If-Modified-Since") == feed.modified

    def log_message(self, *arguments) -> None:
        pass


def main() -> None:
    server = FeedServer(sys.argv[1:])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
