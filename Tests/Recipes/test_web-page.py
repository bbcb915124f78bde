"""web-page: a server sends the old page or the new one, never half of one, and the page holds what was refreshed."""
import contextlib, http.server, re, sys, threading, urllib.request
import feeds
from workspace import expect

PAGE = "web-page.md"


class FeedServer(http.server.ThreadingHTTPServer):
    """Answers every request with the feed of the moment, under the name that was asked for."""
    feed = b""

    class RequestHandlerClass(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.rpartition("/")[2].removesuffix(".geojson")
            feed = self.server.feed.replace(b"all_day", name.encode())
            self.send_response(200)
            self.send_header("Content-Type", "application/geo+json")
            self.send_header("Content-Length", str(len(feed)))
            self.end_headers()
            self.wfile.write(feed)

        def log_message(self, *_): pass

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.RequestHandlerClass)


def test(work):
    command = work.page.commands["write"]
    override = work.page.files["override.conf"]
    written = re.search(r"&& (quakes map .*)", command).group(1)
    expect(f"ExecStartPost=/usr/bin/{written}\n" in override, "the unit and the cron line write different pages")
    work.run("mkdir", "-p", "site/quakes")
    work.page.commands["write"] = command.replace("/var/www/html", work.path("site"))
    port = work.port()
    work.start(sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", "site", str(port), port=port)
    seen, broken, ended = set(), [], threading.Event()

    def read():
        while not ended.is_set():
            # Until the first page is written there is none.
            with contextlib.suppress(urllib.error.HTTPError):
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/quakes/index.html", timeout=20) as answer:
                    text = answer.read().decode()
                found = re.search(r'"asOf":(\d+)', text)
                if found and text.endswith("</html>\n"): seen.add(found.group(1))
                else: broken.append(text[-80:])

    with FeedServer() as server, contextlib.ExitStack() as stack:
        stack.callback(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        reader = threading.Thread(target=read)
        reader.start()
        stack.callback(reader.join)
        stack.callback(ended.set)
        work.environment["QUAKES_BASE_URL"] = f"http://127.0.0.1:{server.server_port}"
        server.feed = feeds.hostile()
        work.command("write")
        page = open(work.path("site/quakes/index.html")).read()
        expect('"reload":300,' in page and '"replay":{' in page, "the page does not load itself anew, or has no replay")
        for number in range(4):
            server.feed = feeds.generation(number, 400)
            # What the server may be asked again is decided by its own answer's age.
            work.apply(server.feed)
            work.command("write")
        page = open(work.path("site/quakes/index.html")).read()
        expect(page.count('"us000') + page.count('"ci000') >= 400, "the newest page lacks quakes")
    expect(not broken, f"{len(broken)} pages were not whole: {broken[:1]}")
    expect(len(seen) >= 2, f"the reader saw {len(seen)} versions")
    work.unharmed()
    return f"{len(seen)} of 5 versions read, each whole"
