"""Webhook: requests that fail are repeated, and by its key each change arrives once."""
import json
from http_sink import Sink
from workspace import expect, rate

PAGE = "webhook.md"


def received(sink):
    return [(headers["Idempotency-Key"], json.loads(body)) for headers, body in sink.posts]


def key(record): return f"{record['id']}/{record['op']}/{record['values']['updated']}"


def test(work):
    work.need("curl", "jq")
    changes = work.hostile_cache()
    # An address that curl does not accept fails at once, without the 31 s of repetitions.
    work.refused("send", "webhook", WEBHOOK="http://[/")

    failures = {2: 500, 3: 503, 9: 429, 20: 404}
    with Sink(lambda number: failures.get(number, 200)) as sink:
        work.environment["WEBHOOK"] = sink.address
        seconds = work.timed("send")
        expect(received(sink) == [(key(record), record) for record in changes], "the requests differ from the changes")
        expect(sink.requests == len(changes) + len(failures), "a failed request was not repeated once")
    work.unharmed()

    # The server is gone for good after 10 requests; the next run starts with the first of them again.
    work.quakes("changes", "--consumer", "webhook", "--ack", "beginning")
    with Sink(lambda number: 200 if number <= 10 else 500) as sink:
        work.edit("to-webhook", "--retry 5", "--retry 1")
        work.command("send", allowed=(1,), WEBHOOK=sink.address)
        first = received(sink)
    with Sink() as sink:
        begin = work.timed("send", WEBHOOK=sink.address)
        second = received(sink)
    expect(len(first) == 10 and len(second) == len(changes), f"{len(first)} and then {len(second)} requests")
    headlines = [change["values"]["title"].removesuffix(" - ") for change in changes]
    texts = {
        "slack": lambda message: message["blocks"][0]["text"]["text"], "discord": lambda message: message["content"],
        "matrix": lambda message: message["text"]}
    for name, text in texts.items():
        work.quakes("changes", "--consumer", "chat", "--ack", "beginning")
        with Sink() as sink:
            work.command(name, WEBHOOK=sink.address)
            messages = [json.loads(body) for _, body in sink.posts]
        expect([text(message) for message in messages] == headlines, f"{name}: the texts differ from the titles")
    work.unharmed()

    once = dict(first + second)
    expect(list(once.values()) == changes, "by their keys the requests are not the changes")
    return f"{len(changes)} changes, {len(failures)} failures repeated in {seconds:.0f} s, {rate(len(changes), begin)}"
