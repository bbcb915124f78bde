"""An HTTP server on 127.0.0.1 that keeps what is posted to it, and fails some requests."""
import http.server, threading


class Sink(http.server.ThreadingHTTPServer):
    """`answer(number)` is the status for the `number`-th request. `posts` are the headers and bodies that got a 200."""

    def __init__(self, answer=lambda number: 200):
        self.answer, self.requests, self.posts = answer, 0, []
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self): return f"http://127.0.0.1:{self.server_port}/"

    def __exit__(self, *error):
        self.shutdown()
        super().__exit__(*error)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests += 1
        status = self.server.answer(self.server.requests)
        if status == 200: self.server.posts.append((self.headers, body))
        self.send_response(status)
        if status == 429: self.send_header("Retry-After", "1")
        self.end_headers()

    def log_message(self, *arguments): pass
