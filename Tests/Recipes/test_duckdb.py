"""DuckDB: the Parquet file has the rows of the list."""
import json
import feeds
from workspace import expect, rate

PAGE = "duckdb.md"


def test(work):
    work.need("duckdb")
    work.hostile_cache()

    def check():
        listed = work.records("list", "--fields", "id,mag,place,lat,lon,depth,sig")
        query = "SELECT id, mag, place, lat, lon, depth, sig FROM 'quakes.parquet'"
        rows = json.loads(work.run("duckdb", "-json", "-c", query).stdout)
        expect(sorted(rows, key=lambda row: row["id"]) == sorted(listed, key=lambda row: row["id"]),
               "the rows differ from the list")
        return len(rows)

    work.command("export")
    check()
    work.unharmed()
    work.apply(feeds.generation(1, 20_000))
    seconds = work.timed("export")
    count = check()
    groups = json.loads(work.command("query").stdout)
    expect(sum(group["quakes"] for group in groups) == count, "the query does not count every quake")
    return f"{count:,} rows equal, {rate(count, seconds)} into Parquet"
