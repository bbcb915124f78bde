"""Redis: the stream has each change once, also after everything was sent twice and after the server died."""
import json
from workspace import expect, json_lines, rate

PAGE = "redis.md"


def entries(work):
    """The entries of the stream as (id, record)."""
    reply = work.run("redis-cli", "-p", work.environment["REDIS_PORT"], "--json", "XRANGE", "quakes", "-", "+").stdout
    return [(identifier, json.loads(fields[1])) for identifier, fields in json.loads(reply)]


def check(work, changes):
    found = entries(work)
    expect([identifier for identifier, _ in found] == [f"{item['change_id']}-0" for item in changes],
           f"{len(found)} entries for {len(changes)} changes")
    expect([record for _, record in found] == changes, "a record differs")


def server(work):
    port = work.environment["REDIS_PORT"]
    process = work.start("redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", work.folder,
                         "--appendonly", "yes", "--appendfsync", "always", "--save", "", port=int(port))
    work.wait(lambda: work.run("redis-cli", "-p", port, "PING").stdout == b"PONG\n", "it is still loading", process)
    return process


def test(work):
    work.need("redis-server", "redis-cli", "jq")
    work.environment["REDIS_PORT"] = str(work.port())
    changes = work.hostile_cache()
    work.refused("send", "redis")
    process = server(work)
    work.command("send")
    check(work, changes)
    work.unharmed()

    before = len(changes)
    changes = work.bulk_cache()
    seconds = work.timed("send")
    check(work, changes)
    work.run("redis-cli", "-p", work.environment["REDIS_PORT"], "DEL", "quakes")
    work.quakes("changes", "--consumer", "redis", "--ack", "beginning")
    lost = work.loses(process, "send", "redis")
    server(work)
    kills = work.killed("send")
    work.command("send")
    check(work, changes)
    work.quakes("changes", "--consumer", "redis", "--ack", "beginning")
    work.command("send")
    check(work, changes)

    # A token of another cache: the stream starts again with every quake.
    work.quakes("changes", "--consumer", "redis", "--ack", "now")
    work.quakes("purge", "-q", "--history", "--all", "--force")
    work.quakes("purge", "-q", "--min-mag", "7")
    listing = work.records("changes", "--since-token", "q1.0000000000000.1.00000000")
    output = json_lines(work.quakes("list", "--format", "ndjson"))
    work.run("bash", "-c", "quakes changes --since-token q1.0000000000000.1.00000000 --exec ./to-redis")
    found = [record for _, record in entries(work)]
    expect(found == listing[:-1] and len(found) == len(output) + 1, "the stream did not start again with every quake")
    return f"{len(changes):,} changes, {kills} kills, {lost:d} lost server, each kept once, {rate(len(changes) - before, seconds)}"
