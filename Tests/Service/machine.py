"""A Debian in a folder that is booted by systemd-nspawn, with the network of this system."""
import contextlib, os, pathlib, re, signal, subprocess, time

# Nothing here takes longer, unless it hangs.
LONGEST = 60


class Failed(Exception):
    """The package does not do what its documents promise."""


def wait_until(condition, message, longest=LONGEST):
    """Asks again until `condition()` is true, and returns what it gave."""
    end = time.monotonic() + longest
    while not (outcome := condition()):
        if time.monotonic() > end: raise Failed(f"{message}, after {longest} s")
        time.sleep(0.1)
    return outcome


class Machine:
    """`root` is changed by what happens inside."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.container, self.leader, self.log = None, None, None

    def boot(self):
        """Returns when systemd has started everything."""
        # Where no systemd runs there is nobody to make a scope; systemd-nspawn stays where it is.
        scope = [] if os.path.isdir("/run/systemd/system") else ["--keep-unit"]
        self.log = open(self.root.parent / "boot.log", "ab")
        self.container = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--register=no", *scope, "--link-journal=no", "--console=pipe", "--boot",
             "--directory", self.root], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.leader = wait_until(lambda: self.is_on() and self.find_leader(), "systemd was not started")
        # Fails until there is a bus, and ends with 1 if any unit has failed, which is asked for below where it matters.
        wait_until(lambda: self.is_on() and self.run("systemctl", "is-system-running", "--wait", allowed=None).stdout
                   .strip() in ("running", "degraded"), "the machine has not booted")

    def find_leader(self):
        """The child of systemd-nspawn that is process 1 inside; an earlier one only prepares."""
        for child in self.children():
            try:
                status = pathlib.Path(f"/proc/{child}/status").read_text()
            except FileNotFoundError:
                continue
            if re.search(r"^Name:\tsystemd$.*^NSpid:[\t\d]+\t1$", status, re.MULTILINE | re.DOTALL): return child
        return None

    def children(self):
        container = self.container.pid
        return pathlib.Path(f"/proc/{container}/task/{container}/children").read_text().split()

    def is_on(self):
        if self.container.poll() is not None: raise Failed(f"systemd-nspawn ended: {self.boot_log()}")
        return True

    def boot_log(self): return (self.root.parent / "boot.log").read_text(errors="replace")[-2000:]

    def power_off(self):
        self.run("systemctl", "poweroff")
        self.container.wait(LONGEST)
        self.log.close()
        self.container, self.leader = None, None

    def kill(self):
        """For the end of a test that failed."""
        if self.container is None: return
        # systemd would outlive systemd-nspawn.
        while self.container.poll() is None and (children := self.children()):
            for child in children:
                with contextlib.suppress(ProcessLookupError): os.kill(int(child), signal.SIGKILL)
            time.sleep(0.1)
        self.container.kill()
        self.container.wait()

    def run(self, *command, user=None, allowed=(0,), namespaces=("--all",), process=None):
        """Runs a command inside. `allowed` are its good statuses; None allows all."""
        if user: command = ("runuser", "-u", user, "--", *command)
        outcome = subprocess.run(
            ["nsenter", "--target", str(process or self.leader), *namespaces, "--", "env", "-i",
             "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *command],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=3 * LONGEST, cwd="/")
        if allowed is not None and outcome.returncode not in allowed:
            raise Failed(f"{' '.join(command)}: status {outcome.returncode}\n{outcome.stdout}{outcome.stderr}")
        return outcome

    def property(self, unit, name): return self.run("systemctl", "show", "--value", "-p", name, unit).stdout.strip()
