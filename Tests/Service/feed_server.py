"""A server of feeds on 127.0.0.1 that answers, asks for a pause, stalls in the middle of an answer, or is gone."""
import http.server, json, pathlib, threading, time

FEEDS = pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "feeds"


def current(name):
    """A feed with all its times moved as if it had been generated now: the data of an old one would be stale."""
    document = json.loads((FEEDS / f"{name}.geojson").read_bytes())
    age = time.time_ns() // 1_000_000 - document["metadata"]["generated"]
    document["metadata"]["generated"] += age
    for quake in document["features"]:
        quake["properties"]["time"] += age
        quake["properties"]["updated"] += age
    return json.dumps(document).encode()


class FeedServer:
    """The month has 24 quakes, the hour some of them. `behavior`, good or pause, may change at any time."""

    def __init__(self):
        self.behavior, self.quakes = "good", 24
        hour, day = current("all_hour"), current("all_day-1")
        self.documents = {"/all_hour.geojson": hour, "/all_month.geojson": day.replace(b"/all_day.", b"/all_month.", 1)}
        self.requests = 0
        self.stalled, self.released = threading.Event(), threading.Event()
        self.server = None
        self.open(0)

    def publish(self):
        """The hour has one new quake of magnitude 5."""
        document = json.loads(self.documents["/all_hour.geojson"])
        now = time.time_ns() // 1_000_000
        quake = document["features"][0]
        quake["id"], quake["properties"]["code"], quake["properties"]["ids"] = "ci49999999", "49999999", ",ci49999999,"
        quake["properties"] |= {"mag": 5, "time": now - 60_000, "updated": now}
        document["features"] = [quake]
        document["metadata"] |= {"generated": now, "count": 1}
        self.documents["/all_hour.geojson"] = json.dumps(document).encode()
        self.quakes += 1

    def stall(self):
        """Answers stop after their first bytes, which sets `stalled`, until `go_on()`."""
        self.stalled.clear()
        self.released.clear()
        self.behavior = "stall"

    def go_on(self):
        self.behavior = "good"
        self.released.set()

    def open(self, port):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        server.daemon_threads, server.feeds = True, self
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.server, self.port = server, server.server_port

    def close(self):
        """Refuses connections from now on; `open(port)` ends that."""
        self.released.set()
        self.server.shutdown()
        self.server.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        feeds = self.server.feeds
        feeds.requests += 1
        if feeds.behavior == "pause":
            self.send_response(503)
            self.send_header("Retry-After", "1")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = feeds.documents[self.path]
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if feeds.behavior == "stall":
            self.wfile.write(body[:1000])
            self.wfile.flush()
            feeds.stalled.set()
            feeds.released.wait()
            return
        self.wfile.write(body)

    def log_message(self, *_): pass
