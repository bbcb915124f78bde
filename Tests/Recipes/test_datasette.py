"""Datasette: its JSON equals the list, its page escapes names, and refreshes go on beside it."""
import json, os, time, urllib.error, urllib.parse, urllib.request
import feeds
from workspace import expect, rate

PAGE = "datasette.md"


def test(work):
    work.need("datasette")
    port = work.port()
    work.environment["PORT"] = str(port)
    work.hostile_cache()
    process = work.start("bash", "-c", work.page.commands["serve"], port=port)

    def get(path, **query):
        address = f"http://127.0.0.1:{port}/{path}?{urllib.parse.urlencode(query)}"
        return urllib.request.urlopen(address, timeout=20).read().decode()

    def places():
        listed = work.records("list")
        shown = {row["id"]: row["place"] for row in json.loads(get("quakes/quakes_v1.json", _shape="array", _size="max"))}
        expect(shown == {quake["id"]: quake["place"] for quake in listed[:1000]}, "the rows differ from the list")
        return len(shown)

    count = places()
    page = get("quakes/quakes_v1", _size="max")
    expect("<script>alert(1)" not in page and "&lt;script&gt;alert(1)" in page, "a name is not escaped")
    try:
        get("quakes.json", sql="DELETE FROM quakes")
        expect(False, "Datasette lets a DELETE through")
    except urllib.error.HTTPError as error:
        expect(error.code == 400, f"a DELETE got {error.code}")
    work.apply(feeds.generation(1, 500))
    after = places()
    expect(after == count + 500, f"{after} rows after a refresh")
    begin = time.monotonic()
    for _ in range(20): get("quakes/quakes_v1.json", _shape="array", _size=50)
    seconds = time.monotonic() - begin
    work.stop(process)
    work.unharmed()
    expect(not os.path.exists(work.path("quakes.db-wal")), "a log is left behind")
    return f"{after} rows equal, refreshed beside it, {rate(20, seconds)} answers of 50 rows"
