"""Desktop: a notification service on a bus of its own gets each text as it is."""
import re
from workspace import Skipped, expect, rate

PAGE = "desktop.md"
PYTHON = "/usr/bin/python3"


def service(work):
    """Starts a bus and a mock of the notification service; returns how to read what it was asked to show."""
    bus, log = work.path("bus"), work.path("service.log")
    work.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={bus}"
    process = work.start("dbus-daemon", "--session", "--nofork", "--address=unix:path=" + bus)
    listing = ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
               "org.freedesktop.DBus.ListNames"]
    work.wait(lambda: work.run(*listing, allowed=(0, 1)).returncode == 0, "the bus does not answer", process)
    process = work.start(PYTHON, "-m", "dbusmock", "--template", "notification_daemon", "-l", log)
    name = b"org.freedesktop.Notifications"
    work.wait(lambda: name in work.run(*listing).stdout, "the notification service is not there", process)

    def shown():
        with open(log, encoding="utf-8") as file: text = file.read()
        return re.findall(r'Notify "quakes" 0 "" "(.*)" "" \[\] {"urgency": (\d)', text)
    return shown


def test(work):
    work.need("notify-send", "dbus-daemon", "dbus-send", PYTHON)
    if work.run(PYTHON, "-c", "import dbusmock", allowed=(0, 1)).returncode:
        raise Skipped("python3-dbusmock is missing")
    work.hostile_cache()
    work.refused("send", "desktop", DBUS_SESSION_BUS_ADDRESS="unix:path=" + work.path("nowhere"))
    shown = service(work)
    filters = ["--min-mag", "4.5", "--op", "new,enter", "--max-origin-age", "30d"]
    headlines = work.quakes("changes", *filters, "--template", "{headline}").split("\n")[:-1]
    seconds = work.timed("send")
    work.unharmed()
    work.wait(lambda: len(shown()) >= len(headlines), "notifications are missing")
    expect([text.rsplit(", ", 1)[0] for text, _ in shown()] == headlines, "the texts differ from the headlines")
    expect({urgency for _, urgency in shown()} == {"1"}, "an M 5 is critical")
    work.run("./to-desktop", input=b"6.2\tM 6.2 - Sea, now\n")
    work.wait(lambda: shown()[-1] == ("M 6.2 - Sea, now", "2"), f"an M 6.2 is not critical: {shown()[-1]}")
    return f"{len(headlines)} notifications as published, {rate(len(headlines), seconds)}"
