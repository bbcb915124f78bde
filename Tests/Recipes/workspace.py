"""A folder for one recipe: its scripts, a cache, and the servers it starts, which end with it."""
import contextlib, json, os, random, shutil, signal, socket, subprocess, sys, tempfile, time
import feeds

# Where Debian has servers; not in the PATH of a user.
SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"]


class Skipped(Exception):
    """The recipe cannot be tested here, because something is not installed."""


class Failed(Exception):
    """The recipe does not do what its page promises."""


def expect(condition, message):
    if not condition: raise Failed(message)


class Workspace(contextlib.ExitStack):
    """Temporary folder with the files of `page`. The programs it runs see `environment` and start in `folder`."""

    def __init__(self, program, page, long=False):
        super().__init__()
        self.page, self.long = page, long
        self.draw = random.Random(os.environ.get("RECIPES_SEED", "1"))
        self.folder = tempfile.mkdtemp(prefix="quakes-recipe-")
        self.callback(shutil.rmtree, self.folder, ignore_errors=True)
        os.chmod(self.folder, 0o755)
        tools = os.path.join(self.folder, "bin")
        os.mkdir(tools)
        os.symlink(program, os.path.join(tools, "quakes"))
        path = [tools, os.path.join(sys.prefix, "bin"), *os.environ["PATH"].split(":")]
        self.environment = {
            "PATH": ":".join(path + SYSTEM_FOLDERS), "HOME": self.folder, "LANG": "C.UTF-8", "TMPDIR": self.folder,
            "QUAKES_DB": os.path.join(self.folder, "quakes.db"), "QUAKES_BASE_URL": "http://127.0.0.1:9"}
        page.write(self.folder)
        feeds.begin()

    def path(self, *names): return os.path.join(self.folder, *names)

    def need(self, *programs):
        """Skips the recipe if one of `programs` is missing; returns the path of the last."""
        for name in programs:
            found = shutil.which(name, path=self.environment["PATH"])
            if not found: raise Skipped(f"{name} is missing")
        return found

    # Running

    def run(self, *arguments, input=None, allowed=(0,), timeout=120, **environment):
        """Runs a program to its end. A status that is not `allowed` fails the recipe."""
        process = subprocess.Popen(
            arguments, cwd=self.folder, env={**self.environment, **environment}, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, errors = process.communicate(input, timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        done = subprocess.CompletedProcess(arguments, process.returncode, output, errors)
        if done.returncode not in allowed:
            raise Failed(f"{arguments[0]} {arguments[-1]!r:.60} ended with {done.returncode}: "
                         f"{done.stderr.decode(errors='replace').strip()[-400:]}")
        return done

    def quakes(self, *arguments, **options):
        return self.run("quakes", *arguments, **options).stdout.decode()

    def records(self, *arguments):
        return json_lines(self.quakes(*arguments, "--format", "ndjson"))

    def command(self, name, **options):
        """Types a command of the page into bash."""
        return self.run("bash", "-c", self.page.commands[name], **options)

    def edit(self, name, old, new):
        """Replaces a text of a file of the page."""
        with open(self.path(name)) as file: text = file.read()
        expect(old in text, f"{name} has no {old}")
        with open(self.path(name), "w") as file: file.write(text.replace(old, new))

    # Caches

    def apply(self, feed):
        self.quakes("refresh", "-q", "-", input=feed)

    def hostile_cache(self):
        """A cache whose place names attack. Returns its changes."""
        self.apply(feeds.hostile())
        changes = [record for record in self.records("changes") if record["kind"] == "change"]
        expect(len(changes) > 30, f"the hostile feed has only {len(changes)} quakes")
        return changes

    def bulk_cache(self, changes=None):
        """Adds `changes` changes to the cache, and returns all that it has."""
        changes = changes or (50_000 if self.long else 10_000)
        for number in range(10): self.apply(feeds.generation(number, changes // 10))
        return [record for record in self.records("changes") if record["kind"] == "change"]

    def position(self, consumer):
        """The last transaction that a consumer has read; 0 if it has read nothing."""
        known = {item["name"]: item["read_through"] for item in json.loads(self.quakes("consumers", "--format", "json"))}
        return known.get(consumer) or 0

    def refused(self, name, consumer, **environment):
        """The page's command fails while nothing listens, and the consumer has read nothing."""
        self.command(name, allowed=(1,), **environment)
        expect(self.position(consumer) == 0, f"{consumer}'s token has moved")

    def loses(self, server, name, consumer):
        """Ends the server at a random moment of the page's command. The command ends too, and if it fails, the token
        stays. Returns whether it failed."""
        before = self.position(consumer)
        process = self.launch(name)
        with contextlib.suppress(subprocess.TimeoutExpired): process.wait(self.draw.uniform(0.3, 1))
        server.kill()
        server.wait(20)
        status = process.wait(60)
        expect(status == 0 or self.position(consumer) == before, f"{consumer}'s token has moved")
        return status != 0

    def timed(self, name, **options):
        """Runs the page's command and returns how many seconds it took."""
        begin = time.monotonic()
        self.command(name, **options)
        return time.monotonic() - begin

    def launch(self, name):
        """Starts the page's command in a process group of its own."""
        return subprocess.Popen(
            ["bash", "-c", self.page.commands[name]], cwd=self.folder, env=self.environment, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def killed(self, name, times=3):
        """Starts the page's command `times` times and kills it, with all that it started, at a random moment. Returns
        how often it was still running."""
        count = 0
        for _ in range(times):
            process = self.launch(name)
            try:
                process.wait(self.draw.uniform(0.2, 1.2))
            except subprocess.TimeoutExpired:
                count += 1
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(20)
        return count

    def unharmed(self):
        """No place name ran as a command, and the cache is as it was."""
        expect(not os.path.exists(self.path("pwned")), "a place name was run as a command")
        self.quakes("verify", "-q")

    # Servers

    def port(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def start(self, *arguments, port=None, user=None, log=None, stdout=None):
        """Starts a server that ends with this workspace, or with this process. Waits until it answers at `port`."""
        with open(self.path(log or os.path.basename(arguments[0]) + ".log"), "ab") as output:
            process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *arguments], cwd=self.folder, env=self.environment, user=user,
                group=user, extra_groups=[] if user else None, stdin=subprocess.DEVNULL, stdout=stdout or output,
                stderr=output)
        self.callback(self.stop, process)
        if port: self.wait(lambda: answers(port), f"{arguments[0]} does not answer", process)
        return process

    def stop(self, process, grace=10):
        if process.poll() is None: process.terminate()
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(grace)

    def wait(self, condition, message, process=None, seconds=20):
        end = time.monotonic() + seconds
        while not condition():
            if process and process.poll() is not None: raise Failed(f"{message}: it ended with {process.returncode}")
            expect(time.monotonic() < end, f"{message} after {seconds} s")
            time.sleep(0.02)


def json_lines(text):
    """The values of newline-delimited JSON. `splitlines` would also split at characters within a text."""
    return [json.loads(line) for line in text.split("\n") if line]


def answers(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def rate(count, seconds):
    """`12,300/s`, to three digits."""
    value = count / seconds
    digits = max(0, len(str(int(value))) - 3)
    return f"{round(value, -digits):,.0f}/s"
