#!/usr/bin/env python3
"""Compares what `quakes summary` prints with what numpy computes from `quakes list` and `quakes changes`.

    Tests/Summary/check_summary.py QUAKES CACHE [OPTION …]

QUAKES is the program, CACHE the file of a cache. The options are filters that both commands know. Counts must be equal,
the slope and its error to 0.001. Prints each difference, and ends with status 1 if there is one.
"""

import csv
import io
import json
import math
import subprocess
import sys
from collections import Counter

import numpy


def main():
    program, cache, *options = sys.argv[1:]
    summary = json.loads(output(program, "summary", cache, options, "--format", "json"))
    fields = "id,time,mag,depth,felt,type,net,magType,status"
    text = output(program, "list", cache, options, "--format", "csv", "--fields", fields)
    quakes = list(csv.DictReader(io.StringIO(text)))
    # The least magnitude is no filter for the b-value, but its completeness.
    least = float(options[options.index("--min-mag") + 1]) if "--min-mag" in options else None
    if least is not None:
        place = options.index("--min-mag")
        options = options[:place] + options[place + 2 :]
    text = output(program, "list", cache, options, "--format", "csv", "--fields", "mag")
    everything = [float(row["mag"]) for row in csv.DictReader(io.StringIO(text)) if row["mag"]]
    expected = expectation(quakes)
    expected["gutenberg_richter"] = gutenberg_richter(numpy.array(everything), least)
    if len(sys.argv) == 3:
        changes = output(program, "changes", cache, ["--since-token", "beginning", "--no-ack"], "--format", "ndjson")
        expected["history"] = history(json.loads(line) for line in changes.splitlines())
    faults = [
        f"{name}: {found(summary, name)} instead of {value}"
        for name, value in expected.items()
        if not equal(found(summary, name), value)
    ]
    print("\n".join(faults) if faults else f"{len(quakes)} quakes: {len(expected)} values are equal")
    sys.exit(1 if faults else 0)


def output(program, command, cache, options, *more):
    return subprocess.run(
        [program, command, "--db", cache, *options, *more], check=True, capture_output=True, text=True
    ).stdout


def found(summary, name):
    """The value of the summary in the form of the expectation."""
    value = summary[name]
    if name in ("largest", "deepest", "most_felt"):
        return value and value["id"]
    if name == "times":
        return Counter({moment(entry["start"]): entry["count"] for entry in value if entry["count"]})
    if name == "history":
        return {**{reason["name"]: reason["count"] for reason in value["reasons"]},
                "moved": value["magnitude_revisions"],
                "mean_move": value["mean_magnitude_revision"]}  # fmt: skip
    if isinstance(value, list):
        return {next(iter(entry.values())): entry["count"] for entry in value}
    return value


def moment(text):
    return int(numpy.datetime64(text.rstrip("Z")).astype("datetime64[ms]").astype(int))


def equal(first, second):
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(equal(first[key], second[key]) for key in first)
    if isinstance(first, float) or isinstance(second, float):
        return first is not None and second is not None and abs(first - second) < 0.001
    return first == second


def expectation(quakes):
    times = numpy.array([moment(quake["time"]) for quake in quakes], dtype=numpy.int64)
    magnitudes = numpy.array([float(quake["mag"]) for quake in quakes if quake["mag"]])
    classes = Counter(int(value) for value in numpy.floor(magnitudes))
    if missing := len(quakes) - len(magnitudes):
        classes[None] = missing
    return {
        "count": len(quakes),
        "largest": extreme(quakes, "mag"),
        "deepest": extreme(quakes, "depth"),
        "most_felt": extreme([quake for quake in quakes if quake["felt"] not in ("", "0")], "felt"),
        "magnitudes": dict(classes),
        "types": counts(quakes, "type"),
        "networks": counts(quakes, "net"),
        "magnitude_types": counts([quake for quake in quakes if quake["mag"]], "magType"),
        "statuses": counts(quakes, "status"),
        "times": spans(times),
    }


def extreme(quakes, field):
    ranked = sorted((-float(quake[field]), quake["id"]) for quake in quakes if quake[field])
    return ranked[0][1] if ranked else None


def counts(quakes, field):
    return dict(Counter(quake[field] or None for quake in quakes))


def spans(times):
    days = times // 86_400_000
    apart = days.max() - days.min()
    unit = "h" if apart < 3 else "D" if apart < 100 else "M" if apart < 7306 else "Y"
    starts = times.astype("datetime64[ms]").astype(f"datetime64[{unit}]").astype("datetime64[ms]").astype(numpy.int64)
    return Counter(int(start) for start in starts)


def gutenberg_richter(magnitudes, least):
    bins = numpy.floor(magnitudes * 10 + 0.5).astype(int)
    keys, sizes = numpy.unique(bins, return_counts=True)
    completeness = int(keys[numpy.argmax(sizes)]) + 2
    if least is not None:
        completeness = max(completeness, math.ceil(round(least * 10, 6)))
    above = bins[bins >= completeness] / 10
    if len(above) < 50:
        count = f"only {len(above)} quake{'' if len(above) == 1 else 's'}" if len(above) else "no quakes"
        words = f"{count} at or above Mc {completeness / 10:g} (magnitudes rounded to 0.1)"
        problem = words + "; at least 50 are needed"
        return {"completeness": None, "quakes": None, "b": None, "b_error": None, "fit": None, "problem": problem}
    b = math.log10(math.e) / (above.mean() - (completeness / 10 - 0.05))
    error = math.log(10) * b * b * math.sqrt(((above - above.mean()) ** 2).sum() / (len(above) * (len(above) - 1)))
    steps = numpy.arange(completeness, bins.max() + 1)
    observed = numpy.array([(bins >= step).sum() for step in steps])
    fit = 100 - 100 * numpy.abs(observed - len(above) * 10 ** (-b * (steps - completeness) / 10)).sum() / observed.sum()
    return {"completeness": completeness / 10, "quakes": len(above), "b": b, "b_error": error, "fit": float(fit),
            "problem": None}  # fmt: skip


def history(records):
    reasons, moves = Counter(), []
    for record in records:
        if record["kind"] != "change" or record["op"] == "insert":
            continue
        reasons[record["reason"]] += 1
        if record["op"] == "update" and "mag" in record["changed"]:
            before, after = record["before"]["mag"], record["after"]["mag"]
            if before is not None and after is not None:
                moves.append(abs(after - before))
    return {**reasons, "moved": len(moves), "mean_move": round(float(numpy.mean(moves)), 2) if moves else None}


main()
