"""Uses the service as an administrator does, under a booted systemd: test_service.py ROOT PACKAGE.

ROOT is a Debian with systemd and an older version of the package. It is changed. PACKAGE is a path in it.
"""
import pathlib, re, signal, sys, textwrap, time
from feed_server import FeedServer
from machine import Failed, Machine, wait_until

SERVICE, TIMER, WATCH, ALARM = "quakes-refresh.service", "quakes-refresh.timer", "quakes-watch.service", "quakes-alarm.service"
FOLDER = "/var/lib/quakes"
CACHE = FOLDER + "/quakes.db"
checks = 0


def check(name, condition, detail=""):
    global checks
    if not condition: raise Failed(f"{name}: {detail}")
    checks += 1
    print(f"  ok: {name}", flush=True)


def equals(name, found, wanted, more=lambda: ""):
    check(name, found == wanted, f"{found!r} instead of {wanted!r}\n{more()}" if found != wanted else "")


class Administrator:
    """What somebody does who has just installed the package."""

    def __init__(self, machine, feeds):
        self.machine, self.feeds, self.run = machine, feeds, machine.run
        # The test starts the service more often than systemd allows by default.
        self.test_settings = (f"[Unit]\nStartLimitIntervalSec=0\n"
                              f"[Service]\nEnvironment=QUAKES_BASE_URL=http://127.0.0.1:{feeds.port}\n")

    def write(self, path, text, mode=0o644):
        file = self.machine.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
        file.chmod(mode)

    def edit(self, unit, text):
        """As `systemctl edit`, which wants a terminal."""
        self.write(f"/etc/systemd/system/{unit}.d/override.conf", text)
        self.run("systemctl", "daemon-reload")

    def start(self, outcome="success", name="a refresh by hand"):
        """Starts the service and waits for its end; `outcome` is what systemd calls it."""
        status = self.run("systemctl", "start", SERVICE, allowed=None).returncode
        equals(f"{name}: {outcome}",
               (self.property("Result"), status == 0), (outcome, outcome == "success"), self.journal)

    def property(self, name): return self.machine.property(SERVICE, name)
    def state(self, unit): return self.run("systemctl", "is-active", unit, allowed=None).stdout.strip()
    def enabled(self, unit): return self.run("systemctl", "is-enabled", unit, allowed=None).stdout.strip()
    def journal(self, *options): return self.run("journalctl", "-u", "quakes-refresh", "-o", "cat", *options).stdout
    def own_lines(self): return self.journal("SYSLOG_IDENTIFIER=quakes", "SYSLOG_IDENTIFIER=quakes-fetch")
    def mode(self): return self.run("stat", "-c", "%U:%G %a", CACHE).stdout.strip()
    def processes(self):
        return self.run("find", "/proc", "-maxdepth", "1", "-user", "quakes", "-name", "[0-9]*", allowed=(0, 1)).stdout
    def as_owner(self, *command, **options):
        return self.run("env", f"QUAKES_DB={CACHE}", *command, user="quakes", **options)
    def carol(self, *command, **options):
        return self.run("env", "HOME=/home/carol", *command, user="carol", **options)

    def watch_started_after(self, process):
        """Whether the watch runs as another process than `process`."""
        return self.state(WATCH) == "active" and self.machine.property(WATCH, "MainPID") not in ("0", process)

    def wait_for_requests(self, count, message):
        before = self.feeds.requests
        wait_until(lambda: self.feeds.requests >= before + count, message)


def first_refresh(admin):
    print("Booted for the first time, started by hand …")
    equals("the service does not run", admin.state(SERVICE), "inactive")
    equals("the timer is off", (admin.state(TIMER), admin.enabled(TIMER)), ("inactive", "disabled"))
    equals("the watch is off", (admin.state(WATCH), admin.enabled(WATCH)), ("inactive", "disabled"))
    admin.edit(SERVICE, admin.test_settings)
    admin.start()
    equals("one request was sent", admin.feeds.requests, 1)
    equals("everybody may read the cache", admin.mode(), "quakes:quakes 644")
    journal = admin.journal()
    check("the journal says that the refresh was finished",
          f"Finished {SERVICE} - Refresh the system earthquake cache." in journal, journal)
    equals("and the programs add nothing", admin.own_lines(), "")
    admin.run("useradd", "--create-home", "carol")
    equals("another user lists it", admin.carol("quakes", "list", "--count").stdout, f"{admin.feeds.quakes}\n")
    status = admin.carol("quakes", "status").stdout
    check("and sees in `quakes status` which cache it is", CACHE in status.splitlines()[0], status)
    equals("its owner alone writes beside it", admin.run("find", FOLDER, "!", "-user", "quakes").stdout, "")


def stopped(admin):
    print("Stopped in the middle of a download …")
    admin.feeds.stall()
    admin.run("systemctl", "start", "--no-block", SERVICE)
    wait_until(admin.feeds.stalled.is_set, "no download began")
    process = admin.property("MainPID")
    facts = dict(line.split(":\t", 1) for line in admin.run("cat", f"/proc/{process}/status").stdout.splitlines())
    number = admin.run("id", "-u", "quakes").stdout.strip()
    equals("it runs as the user quakes", set(facts["Uid"].split()), {number})
    equals("without capabilities, with a filter of system calls",
           (int(facts["CapBnd"], 16), facts["NoNewPrivs"], facts["Seccomp"]), (0, "1", "2"))

    # What root may do there, the service may not do either: this is about the file systems alone.
    def there(*command):
        return admin.run("nsenter", "--target", process, "--mount", "--", *command, allowed=None)
    check("it sees no home directory", not there("ls", "-A", "/home").stdout, "")
    for place in "/etc", "/usr", "/var", "/home":
        check(f"it cannot write to {place}", there("touch", f"{place}/written").returncode != 0)
    equals("it can write to its folder", there("touch", f"{FOLDER}/written").returncode, 0)
    admin.run("rm", f"{FOLDER}/written")

    equals("a reader does not wait", admin.carol("quakes", "list", "--count").stdout, f"{admin.feeds.quakes}\n")
    began = time.monotonic()
    admin.run("systemctl", "stop", SERVICE)
    seconds = time.monotonic() - began
    check("systemctl stop ends it at once", seconds < 5, f"{seconds:.1f} s")
    equals("which is no failure", (admin.state(SERVICE), admin.property("Result")), ("inactive", "success"))
    equals("and leaves no process", admin.processes(), "")
    admin.feeds.go_on()
    admin.start()


def unwell_server(admin):
    print("A server that is not well …")
    admin.feeds.behavior = "pause"
    admin.start(name="a server that asks for a pause")
    equals("the journal is spared what a later run resolves", admin.own_lines(), "")
    status = admin.carol("quakes", "status").stdout
    check("quakes status names the pause", "asked clients to wait until" in status, status)
    admin.feeds.go_on()
    before = admin.feeds.requests

    def asked_again():
        admin.run("systemctl", "start", SERVICE)
        return admin.feeds.requests > before
    wait_until(asked_again, "the server was not asked after its pause")
    check("it is asked again after its pause", True)

    port = admin.feeds.port
    admin.feeds.close()
    admin.start("exit-code", "a server that is gone")
    equals("the unit has failed, with status 69",
           (admin.state(SERVICE), admin.property("ExecMainStatus")), ("failed", "69"))
    status = admin.run("systemctl", "status", SERVICE, allowed=(3,)).stdout
    check("systemctl status says why", "Cannot connect to 127.0.0.1" in status, status)
    check("so does the journal", "Cannot connect to 127.0.0.1" in admin.journal(), admin.journal())
    equals("the cache can still be read", admin.carol("quakes", "list", "--count").stdout, f"{admin.feeds.quakes}\n")
    admin.feeds.open(port)
    admin.start()
    equals("the next run mends it", admin.state(SERVICE), "inactive")


def takes_too_long(admin):
    print("A run that exceeds its time …")
    admin.feeds.stall()
    admin.edit(SERVICE, admin.test_settings + "TimeoutStartSec=2s\n")
    admin.start("timeout", "a run that takes more than TimeoutStartSec")
    equals("leaves no process", admin.processes(), "")
    admin.edit(SERVICE, admin.test_settings)
    admin.feeds.go_on()
    admin.start()


def timer(admin):
    print("The timer …")
    admin.edit(TIMER, """\
        [Timer]
        OnCalendar=
        OnCalendar=*:*:0/2
        RandomizedDelaySec=0
        """)
    admin.run("systemctl", "enable", "--now", TIMER)
    admin.wait_for_requests(3, "the timer did not start the service three times")
    check("starts the service, again and again", True)
    equals("stays on", (admin.state(TIMER), admin.enabled(TIMER)), ("active", "enabled"))
    machine = admin.machine
    machine.power_off()
    before = admin.feeds.requests
    machine.boot()
    equals("stays on after a restart of the machine", (admin.state(TIMER), admin.enabled(TIMER)), ("active", "enabled"))
    wait_until(lambda: admin.feeds.requests > before, "the timer did not start the service after the restart")
    check("and starts the service", True)


def watch(admin):
    print("The watch instead of the timer …")
    admin.edit(WATCH, admin.test_settings + "RestartSec=1s\n")
    before = admin.feeds.requests
    admin.run("systemctl", "disable", "--now", TIMER)
    admin.run("systemctl", "enable", "--now", WATCH)
    wait_until(lambda: admin.feeds.requests > before, "the watch did not refresh")
    equals("refreshes, and runs on", admin.state(WATCH), "active")
    first = admin.machine.property(WATCH, "MainPID")
    admin.run("systemctl", "kill", "--signal=KILL", "--kill-who=main", WATCH)
    wait_until(lambda: admin.watch_started_after(first), "the watch was not started again")
    check("is started again when it is killed", True)
    admin.run("systemctl", "stop", WATCH)
    equals("systemctl stop is no failure",
           (admin.state(WATCH), admin.machine.property(WATCH, "Result")), ("inactive", "success"))
    equals("and leaves no process", admin.processes(), "")
    equals("everybody may read the cache", admin.mode(), "quakes:quakes 644")


def documented():
    """The files that service.md shows, and the one command that is marked."""
    text = (pathlib.Path(__file__).resolve().parents[2] / "Documentation/service.md").read_text()
    files = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", text, re.DOTALL))
    return files, re.search(r"<!-- command: skip -->\n```sh\n(.*?)```", text, re.DOTALL).group(1)


def acts(admin):
    print("What service.md says about acting on what is new …")
    files, skip = documented()
    for path, text in files.items():
        # The override would replace that which names the server.
        if path.endswith("override.conf"): path = path.replace("override", "alarm")
        admin.write(path, text)
    admin.write("/usr/local/bin/alarm.sh", """\
        #!/bin/sh
        set -e
        cat > records
        [ ! -e /srv/broken ]
        grep '"kind":"change"' records >> /srv/alarms/list || true
        """, mode=0o755)
    admin.write("/usr/local/bin/quakes-metrics", """\
        #!/bin/sh
        quakes status --output /srv/quakes.prom
        """, mode=0o755)
    admin.edit(SERVICE, admin.test_settings + "ExecStopPost=+/usr/local/bin/quakes-metrics\n")
    admin.run("install", "-d", "-o", "quakes", "/srv/alarms")
    admin.as_owner("sh", "-c", skip.replace("sudo -u quakes ", ""))
    admin.run("touch", "/srv/broken")
    admin.feeds.publish()
    admin.start()
    wait_until(lambda: admin.state(ALARM) == "failed", "the alarm has not failed")
    equals("an alarm that fails does not fail the refresh", admin.state(SERVICE), "inactive")
    admin.run("rm", "/srv/broken")
    admin.start()
    alarms = wait_until(lambda: admin.run("cat", "/srv/alarms/list", allowed=None).stdout, "there was no alarm")
    equals("it gets the same change again, and nothing that was skipped", alarms.count('"op":"insert"'), 1)

    def finished(): return admin.run("journalctl", "-u", ALARM, "-o", "cat").stdout.count(f"Finished {ALARM}")
    before = wait_until(finished, "the alarm did not finish")
    admin.start()
    wait_until(lambda: finished() > before, "the alarm was not started again")
    equals("once", admin.run("cat", "/srv/alarms/list").stdout, alarms)
    check("metrics are written outside the sandbox",
          "quakes_cache_last_success_timestamp_seconds" in admin.run("cat", "/srv/quakes.prom").stdout)
    equals("the owner alone writes beside the cache", admin.run("find", FOLDER, "!", "-user", "quakes").stdout, "")
    admin.edit(SERVICE, admin.test_settings)


def maintenance(admin):
    print("Maintenance …")
    compact = ("quakes", "purge", "--history", "--older-than", "90d", "--compact")
    admin.as_owner(*compact)
    admin.carol("quakes", "backup", "/home/carol/copy.db")
    check("the owner purges, another user makes a backup", True)
    changes = ("quakes", "changes", "--token-file", "/home/carol/quakes.token", "--min-mag", "5", "--format", "ndjson")
    check("another user reads changes", '"kind":"change"' in admin.carol(*changes).stdout)
    check("once", '"kind":"change"' not in admin.carol(*changes).stdout)
    admin.run("groupadd", "seismo")
    admin.run("useradd", "--create-home", "--groups", "seismo", "bob")
    admin.run("sh", "-c", f"chgrp seismo {CACHE}* && chmod 640 {CACHE}*")
    for moment, step in (("before", lambda: None), ("after a refresh", admin.start),
                         ("after a purge", lambda: admin.as_owner(*compact))):
        step()
        bob = admin.run("env", "HOME=/home/bob", "quakes", "list", "--count", user="bob")
        equals(f"a member of the group reads {moment}", (bob.stdout, bob.stderr), (f"{admin.feeds.quakes}\n", ""))
        refused = admin.carol("quakes", "list", "--count", allowed=None)
        check("and nobody else", refused.returncode != 0 and not refused.stdout, refused.stdout + refused.stderr)
    equals("the cache keeps its mode", admin.mode(), "quakes:seismo 640")
    admin.run("sh", "-c", f"chgrp quakes {CACHE}* && chmod 644 {CACHE}*")


def replaced(admin, package):
    print("Upgraded and removed while the timer and the watch are on …")
    admin.run("systemctl", "enable", "--now", TIMER, WATCH)
    old = admin.machine.property(WATCH, "MainPID")
    admin.run("apt-get", "install", "-y", "--no-install-recommends", package)
    equals("an upgrade leaves the timer on", (admin.state(TIMER), admin.enabled(TIMER)), ("active", "enabled"))
    wait_until(lambda: admin.watch_started_after(old), "the watch still runs the old program")
    equals("and restarts the watch with the new program", admin.enabled(WATCH), "enabled")
    equals("the new units are in force", admin.machine.property(TIMER, "Description"),
           "Refresh the system earthquake cache every five minutes")
    admin.wait_for_requests(2, "the timer did not start the service after the upgrade")
    admin.feeds.stall()
    wait_until(admin.feeds.stalled.is_set, "no download began")
    admin.run("apt-get", "remove", "-y", "quakes")
    admin.feeds.go_on()
    equals("apt remove stops the timer and the watch", (admin.state(TIMER), admin.state(WATCH)), ("inactive", "inactive"))
    equals("and the service in the middle of a download", (admin.state(SERVICE), admin.processes()), ("inactive", ""))
    equals("nothing has failed", admin.run("systemctl", "list-units", "--failed", "--plain", "--no-legend").stdout, "")
    admin.run("test", "-s", CACHE)
    admin.run("apt-get", "purge", "-y", "quakes")
    equals("apt purge deletes the cache", admin.run("find", FOLDER, allowed=(1,)).stdout, "")


def main():
    root, package = sys.argv[1:]
    feeds, machine = FeedServer(), Machine(root)
    admin = Administrator(machine, feeds)
    for number in signal.SIGTERM, signal.SIGHUP: signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        # As in an image for many machines. The first boot turns on what no preset turns off.
        (machine.root / "etc/machine-id").write_text("uninitialized\n")
        machine.boot()
        first_refresh(admin)
        stopped(admin)
        takes_too_long(admin)
        unwell_server(admin)
        timer(admin)
        watch(admin)
        acts(admin)
        maintenance(admin)
        replaced(admin, package)
        machine.power_off()
    except Failed as failure:
        print(f"FAILED: {failure}", file=sys.stderr, flush=True)
        sys.exit(1)
    finally:
        machine.kill()
        feeds.close()
    print(f"{checks} checks passed.")


main()
