"""Kafka: every change arrives, each quake's in their order; without a broker the token stays."""
import json, os, subprocess, sys
from workspace import Skipped, expect, json_lines, rate

PAGE = "kafka.md"


def cluster(work):
    """Starts the mock cluster; returns its process and puts its address into the environment."""
    process = work.start(
        sys.executable, os.path.join(os.path.dirname(__file__), "mock_kafka.py"), stdout=subprocess.PIPE, log="mock.log")
    work.environment["KAFKA"] = process.stdout.readline().decode().strip()
    expect(work.environment["KAFKA"], "the mock cluster did not start")
    return process


def messages(work):
    """All messages of the topic, each partition's in its order: partition, key and record."""
    output = work.run("kcat", "-C", "-b", work.environment["KAFKA"], "-t", "quakes", "-e", "-q", "-J").stdout
    envelopes = sorted(json_lines(output.decode()), key=lambda item: (item["partition"], item["offset"]))
    return [(item["partition"], item["key"], json.loads(item["payload"])) for item in envelopes]


def check(found, changes):
    """Every change is there, with the right key, and those of a quake are in one partition in their order."""
    expect(all(key == str(record["quake"]) for _, key, record in found), "a message has a wrong key")
    partitions = {(key, partition) for partition, key, _ in found}
    expect(len(partitions) == len({key for key, _ in partitions}), "a quake is in two partitions")
    seen, last = set(), {}
    for _, key, record in found:
        if record["change_id"] in seen: continue
        seen.add(record["change_id"])
        expect(record["change_id"] > last.get(key, 0), f"the changes of quake {key} are out of order")
        last[key] = record["change_id"]
    expect(all(changes[record["change_id"]] == record for _, _, record in found), "a message differs from its change")


def sent(work):
    """How many messages the topic got."""
    from confluent_kafka import Consumer, TopicPartition
    consumer = Consumer({"bootstrap.servers": work.environment["KAFKA"], "group.id": "test"})
    partitions = consumer.list_topics("quakes", timeout=10).topics["quakes"].partitions
    ends = [consumer.get_watermark_offsets(TopicPartition("quakes", number), timeout=10)[1] for number in partitions]
    consumer.close()
    return sum(ends)


def test(work):
    work.need("kcat", "jq")
    try:
        import confluent_kafka
    except ImportError:
        raise Skipped("confluent-kafka (PyPI) is missing") from None
    changes = {record["change_id"]: record for record in work.hostile_cache()}
    work.stop(cluster(work))
    work.refused("send", "kafka")
    cluster(work)
    work.command("send")
    found = messages(work)
    check(found, changes)
    expect(len(found) == len(changes), f"{len(found)} messages for {len(changes)} changes")
    work.unharmed()

    before = len(changes)
    changes = {record["change_id"]: record for record in work.bulk_cache(5_000)}
    seconds = work.timed("send")
    check(messages(work), changes)
    expect(sent(work) == len(changes), f"{sent(work)} messages for {len(changes)} changes")

    work.quakes("changes", "--consumer", "kafka", "--ack", "beginning")
    lost = work.loses(cluster(work), "send", "kafka")
    cluster(work)
    if not lost: work.quakes("changes", "--consumer", "kafka", "--ack", "beginning")
    kills = work.killed("send")
    work.command("send")
    found = messages(work)
    check(found, changes)
    expect({record["change_id"] for _, _, record in found} == changes.keys(), "after the kills changes are missing")
    return f"{len(changes):,} changes in order by quake, {kills} kills, {lost:d} lost cluster, {rate(len(changes) - before, seconds)}"
