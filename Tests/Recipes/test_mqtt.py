"""MQTT: a subscriber gets every change, a later one the newest quake, and Home Assistant's templates its values."""
import json, tempfile
from workspace import Skipped, expect, json_lines, rate

PAGE = "mqtt.md"


def broker(work, port):
    with open(work.path("mosquitto.conf"), "w") as file:
        file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\nmax_queued_messages 0\n")
    return work.start("mosquitto", "-c", "mosquitto.conf", port=port)


def subscriber(work, topic):
    """A subscriber that has subscribed; returns how to read the records it has received."""
    client = ("-p", work.environment["MQTT_PORT"], "-q", "1")
    descriptor, name = tempfile.mkstemp(dir=work.folder)
    with open(descriptor, "wb") as output:
        work.start("mosquitto_sub", *client, "-t", topic, "-t", "ready", "-F", "%j", stdout=output)

    def lines():
        with open(name) as file: return json_lines(file.read().rpartition("\n")[0])

    work.run("mosquitto_pub", *client, "-r", "-t", "ready", "-m", "1")
    work.wait(lambda: any(line["topic"] == "ready" for line in lines()), "the subscriber is not ready")
    return lambda: [(line["retain"], json.loads(line["payload"])) for line in lines() if line["topic"] != "ready"]


def test(work):
    work.need("mosquitto", "mosquitto_pub", "mosquitto_sub", "jq")
    try:
        import jinja2
    except ImportError:
        raise Skipped("Jinja2 (PyPI) is missing") from None
    port = work.port()
    work.environment |= {"MQTT_PORT": str(port), "QUAKES_HOME": "35,-117.5"}
    work.hostile_cache()
    nearby = ["changes", "--near", "35,-117.5", "--radius", "300km", "--max-origin-age", "10m"]
    changes = work.records(*nearby)[:-1]
    work.refused("send", "mqtt")
    process = broker(work, port)
    received = subscriber(work, "quakes/changes")
    work.command("discover")
    work.command("send")
    work.wait(lambda: len(received()) >= len(changes), "changes are missing")
    expect([record for _, record in received()] == changes, "the messages differ from the changes")
    work.unharmed()

    # What Home Assistant sees when it starts: both messages are retained.
    (kept, sensor), = subscriber(work, "homeassistant/sensor/quakes_nearby/config")()
    (kept_too, quake), = subscriber(work, sensor["state_topic"])()
    expect(kept == kept_too == 1, "a message is not retained")
    newest = work.records("list", "--near", "35,-117.5", "--radius", "300km", "--limit", "1")[0]
    expect(quake == {**newest, "latitude": newest["lat"], "longitude": newest["lon"]}, "it is not the newest quake")
    state = jinja2.Template(sensor["value_template"]).render(value_json=quake)
    expect(float(state) == newest["mag"], f"the sensor shows {state}")
    expect(sensor["json_attributes_topic"] == sensor["state_topic"], "the attributes are elsewhere")

    before = len(changes)
    work.bulk_cache()
    numbers = [record["change_id"] for record in work.records(*nearby)[:-1]]
    seconds = work.timed("send")
    work.wait(lambda: len(received()) >= len(numbers), "changes are missing")
    expect([record["change_id"] for _, record in received()] == numbers, "changes are repeated or out of order")

    work.quakes("changes", "--consumer", "mqtt", "--ack", "beginning")
    work.edit("to-mqtt", "timeout 300", "timeout 5")
    lost = work.loses(process, "send", "mqtt")
    work.edit("to-mqtt", "timeout 5", "timeout 300")
    broker(work, port)
    if not lost: work.quakes("changes", "--consumer", "mqtt", "--ack", "beginning")
    received = subscriber(work, "quakes/changes")
    kills = work.killed("send")
    work.command("send")
    work.wait(lambda: numbers[-1] in [record["change_id"] for _, record in received()], "changes are missing")
    again = dict.fromkeys(record["change_id"] for _, record in received())
    expect(list(again) == numbers, "after the kills changes are missing or out of order")
    return f"{len(numbers):,} changes in order, {kills} kills, {lost:d} lost broker, {rate(len(numbers) - before, seconds)}"
