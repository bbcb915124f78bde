"""Looks at what a program left behind: a fast wrong answer is no answer."""

import csv
import json
import subprocess
from collections import Counter
from itertools import zip_longest
from typing import Iterable

from bench.files import DATA
from bench.measure import WrongResult

PROPERTIES = ("mag", "place", "time", "updated", "status", "felt", "sig", "nst", "rms", "magType", "types", "lon", "lat", "depth")


def same_quakes(found: dict[str, dict], expected: dict[str, dict]) -> None:
    """Every quake is there, none besides, and the values are the feed's."""
    if found.keys() != expected.keys():
        raise WrongResult(f"{len(found)} quakes, {len(found.keys() & expected.keys())} of {len(expected)} expected ones")
    for id, quake in expected.items():
        for name in PROPERTIES:
            if not same_value(found[id][name], quake[name]):
                raise WrongResult(f"{id}: {name} is {found[id][name]!r}, not {quake[name]!r}")


def same_operations(found: Counter, **expected: int) -> None:
    """The history holds as many inserts and updates as there were."""
    if found != Counter(expected):
        raise WrongResult(f"history holds {dict(found)}, not {expected}")


def same_rows(found: Iterable[list], expected: Iterable[list]) -> None:
    """Two listings hold the same rows in the same order."""
    count = 0
    for count, (row, wanted) in enumerate(zip_longest(found, expected, fillvalue=[]), start=1):
        if row == wanted:
            continue
        for column, (value, wanted_value) in enumerate(zip_longest(row, wanted, fillvalue="nothing"), start=1):
            if not same_value(value, wanted_value):
                raise WrongResult(f"row {count}, column {column} is {value!r}, not {wanted_value!r}")
    if count == 0:
        raise WrongResult("no rows")


def same_value(found, expected) -> bool:
    """Equal as numbers where both are numbers, as sets where both are lists such as `,us,ak,`."""
    found, expected = plain(found), plain(expected)
    return found == expected or (number(found) is not None and number(found) == number(expected))


def plain(value):
    if value is None or value == "":
        return None
    if isinstance(value, list):
        return frozenset(value)
    if isinstance(value, str) and value.startswith(","):
        return frozenset(value.strip(",").split(","))
    return value


def number(value) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def csv_rows(name: str, has_header: bool) -> Iterable[list]:
    with open(DATA / name, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        if has_header:
            next(rows)
        yield from rows


def ndjson_rows(name: str) -> Iterable[list]:
    with open(DATA / name, encoding="utf-8") as file:
        for line in file:
            yield list(json.loads(line).values())


def sqlite_json_rows(name: str) -> Iterable[list]:
    """The shell's -json: one array, an object a line."""
    with open(DATA / name, encoding="utf-8") as file:
        for line in file:
            yield list(json.loads(line.strip().lstrip("[").rstrip(",]").strip()).values())


def output_of(argv: list[str], name: str) -> str:
    """Runs a program once with its output in a file of DATA, named in return."""
    with open(DATA / name, "wb") as file:
        subprocess.run(argv, cwd=DATA, stdout=file, check=True)
    return name
