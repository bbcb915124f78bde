"""Sites: each quake near a site sounds the siren of the nearest one, once; quakes elsewhere sound none."""
import feeds
from workspace import expect

PAGE = "sites.md"


def quake(number, magnitude, latitude, longitude, place="1 km N of Town"):
    made = feeds.feature(f"7000zs{number:03}", magnitude, place, feeds.START - 1000 * number, feeds.START - 1000)
    made["geometry"]["coordinates"][:2] = [longitude, latitude]
    return made


def log(work):
    with open(work.path("sirens.log"), encoding="utf-8") as file: return sorted(file.read().splitlines())


def test(work):
    work.apply(feeds.document([quake(1, 5.0, 35.8, -117.5)], feeds.START))
    work.quakes("changes", "--consumer", "sites", "--ack", "now")
    later = [
        quake(1, 5.0, 35.8, -117.5), quake(2, 4.5, 35.8, -117.5, feeds.HOSTILE_PLACES[0]), quake(3, 6.0, 19.5, -155.3),
        quake(4, 3.9, 19.5, -155.3), quake(5, 7.0, 0, 0), quake(6, 4.0, 19.3, -155.2)]
    work.apply(feeds.document(later, feeds.START + 60_000))
    work.edit("siren", "set -euo pipefail", "exit 1; set -euo pipefail")
    before = work.position("sites")
    work.command("send", allowed=(1,))
    expect(work.position("sites") == before, "the token has moved")
    work.edit("siren", "exit 1; set -euo pipefail", "set -euo pipefail")
    work.command("send")
    work.unharmed()
    announced = [line.split(",")[0] for line in log(work)]
    expected = ["Kilauea observatory: M 4", "Kilauea observatory: M 6", "Ridgecrest plant: M 4.5"]
    expect(announced == expected, f"announced {log(work)}")
    work.command("send")
    expect(len(log(work)) == 3, "a quake was announced twice")
    return "3 of 6 quakes near 2 sites, after a failure"
