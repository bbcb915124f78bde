"""Python: the data frames have the rows of the list and the solutions, and the ObsPy catalog has its quakes."""
import json, os, sys
import feeds
from workspace import Skipped, expect, rate

PAGE = "python.md"

CHECK = """
import json, sys
from quakes_frames import catalog, frame
listed = json.load(sys.stdin)
table = frame("list")
expected = {quake["id"]: quake for quake in listed}
assert list(table["id"]) == [quake["id"] for quake in listed], "the ids differ"
for row in table.to_dict("records"):
    quake = expected[row["id"]]
    for name in ("mag", "depth", "place", "type", "net", "status", "lat", "lon"):
        value = None if row[name] != row[name] else row[name]
        assert value == (None if quake[name] == "" else quake[name]), (row["id"], name, value, quake[name])
events = catalog()
found = {str(event.resource_id).split("eventid=")[-1].split("/")[-1]: event for event in events}
assert len(events) == len(listed), (len(events), len(listed))
for event in events:
    origin = event.preferred_origin() or event.origins[0]
    key = str(event.resource_id)
    quake = next(quake for name, quake in expected.items() if name in key)
    assert abs(origin.latitude - quake["lat"]) < 1e-9 and abs(origin.longitude - quake["lon"]) < 1e-9, key
print(len(table))
"""


def test(work):
    python = sys.executable
    try:
        import pandas, obspy  # noqa: F401
    except ImportError as error:
        raise Skipped(str(error))
    work.hostile_cache()

    def check():
        listed = work.run("quakes", "list", "--format", "json").stdout
        return int(work.run(python, "-c", CHECK, input=listed, PYTHONPATH=work.folder).stdout)

    count = check()
    work.run(python, "example.py", PYTHONPATH=work.folder)
    work.unharmed()
    return f"{count} rows and events equal"
