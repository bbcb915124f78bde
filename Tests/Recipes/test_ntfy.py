"""ntfy: each message has the title, the priority and the link of its quake."""
import json
from http_sink import Sink
from workspace import expect, rate

PAGE = "ntfy.md"


def test(work):
    work.need("curl", "jq")
    changes = work.hostile_cache()
    work.environment |= {"NTFY_TOPIC": "secret", "QUAKES_HOME": "35.75,-117.48"}
    work.refused("send", "phone", NTFY_SERVER="http://[/")
    filters = ["--min-mag", "4.5", "--op", "new,enter", "--max-origin-age", "30d"]
    headlines = work.quakes("changes", *filters, "--template", "{headline}").split("\n")[:-1]
    with Sink(lambda number: 503 if number == 5 else 200) as sink:
        work.environment["NTFY_SERVER"] = sink.address
        seconds = work.timed("send")
        messages = [json.loads(body) for _, body in sink.posts]
        expect([message["title"] for message in messages] == headlines, "the titles differ from the headlines")
        pages = ["https://earthquake.usgs.gov/earthquakes/eventpage/" + record["id"] for record in changes]
        expect([message["click"] for message in messages] == pages, "the links differ")
        expect(all(message["topic"] == "secret" and message["priority"] == 3 for message in messages), "wrong priority")
        expect(all("of home, " in message["message"] for message in messages), "a distance is missing")
        work.unharmed()
        work.run("./to-ntfy", input=b"6.2\tM 6.2 - Sea\t1 km, now\tus1\n\tM ? - Land\t, now\tus2\n")
        priorities = [json.loads(body)["priority"] for _, body in sink.posts[-2:]]
        expect(priorities == [5, 3], f"priorities {priorities}")
    return f"{len(messages)} messages, one after a failure, {rate(len(messages), seconds)}"
