"""NATS JetStream: the stream has each change once, also after everything was published twice."""
import asyncio, json, sys
from workspace import Skipped, expect, rate

PAGE = "nats.md"


async def stored(address):
    """The messages of the stream, in order."""
    import nats
    client = await nats.connect(address)
    subscription = await client.jetstream().subscribe("quakes.changes", ordered_consumer=True)
    count = (await client.jetstream().stream_info("quakes")).state.messages
    found = [json.loads((await subscription.next_msg(timeout=10)).data) for _ in range(count)]
    await client.close()
    return found


def test(work):
    work.need("nats-server")
    try:
        import nats
    except ImportError:
        raise Skipped("nats-py (PyPI) is missing") from None
    port = work.port()
    address = work.environment["NATS_URL"] = f"nats://127.0.0.1:{port}"
    with open(work.path("nats.conf"), "w") as file:
        file.write(f'listen: "127.0.0.1:{port}"\njetstream {{ store_dir: "{work.folder}" }}\n')
    work.environment["PYTHONPATH"] = ":".join(sys.path)
    changes = work.hostile_cache()
    work.refused("send", "nats")
    process = work.start("nats-server", "-c", "nats.conf", port=port)
    work.command("send")
    expect(asyncio.run(stored(address)) == changes, "the messages differ from the changes")
    work.unharmed()

    before = len(changes)
    changes = work.bulk_cache(5_000)
    seconds = work.timed("send")
    expect(asyncio.run(stored(address)) == changes, "the messages differ from the changes")
    work.quakes("changes", "--consumer", "nats", "--ack", "beginning")
    lost = work.loses(process, "send", "nats")
    work.start("nats-server", "-c", "nats.conf", port=port)
    kills = work.killed("send")
    work.command("send")
    expect(asyncio.run(stored(address)) == changes, "what was published twice is in the stream twice")
    return f"{len(changes):,} changes, {kills} kills, {lost:d} lost server, each kept once, {rate(len(changes) - before, seconds)}"
