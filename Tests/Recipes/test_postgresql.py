"""PostgreSQL: after kills at random the table equals `quakes list`, and the token in the database what it holds."""
import collections, datetime, glob, json, os, random, signal, subprocess, time
import feeds
from workspace import Skipped, expect, json_lines, rate

PAGE = "postgresql.md"


def server(work):
    """A cluster of its own, with the durability of the default settings. The server refuses to run as root."""
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"), key=lambda path: float(path.split("/")[4]))
    if not programs: raise Skipped("postgresql is missing")
    work.need("psql")
    user = "postgres" if os.getuid() == 0 else None
    folder, port = work.path("data"), work.port()
    os.mkdir(folder)
    if user: subprocess.run(["chown", user, folder], check=True)
    subprocess.run(
        [os.path.join(os.path.dirname(programs[-1]), "initdb"), "-D", folder, "-U", "postgres", "-A", "trust",
         "-E", "UTF8", "--locale=C.UTF-8"], user=user, cwd=folder, env=work.environment, check=True, timeout=60,
        stdout=subprocess.DEVNULL)
    work.environment |= {"PGHOST": "127.0.0.1", "PGPORT": str(port), "PGUSER": "postgres", "PGDATABASE": "postgres"}
    call = [programs[-1], "-D", folder, "-p", str(port), "-c", "listen_addresses=127.0.0.1",
            "-c", "unix_socket_directories=" + folder]

    def start():
        process = work.start(*call, user=user)
        work.wait(lambda: work.run("psql", "-Xqc", "", allowed=(0, 2)).returncode == 0, "no connection", process)
        return process
    return start


def rows(work):
    """The table in the form of `quakes list --format ndjson`, by id."""
    text = work.run("psql", "-XAqt", "-c", "SET timezone = 'UTC'; SELECT to_json(quakes) FROM quakes").stdout.decode()
    table = {}
    for row in json_lines(text):
        for name in "time", "updated":
            if row[name]:
                moment = datetime.datetime.fromisoformat(row[name])
                row[name] = moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"
        table[row["id"]] = row
    return table


def compare(work):
    """Fails unless table and cache hold the same quakes with the same values; NUL is U+FFFD in the table."""
    listed = {quake["id"]: quake for quake in json_lines(work.quakes("list", "--format", "ndjson"))}
    for quake in listed.values():
        for name in "place", "title": quake[name] = quake[name] and quake[name].replace("\0", "\ufffd")
    table = rows(work)
    for row in table.values(): del row["quake"]
    differing = [key for key in listed.keys() | table.keys() if listed.get(key) != table.get(key)]
    expect(not differing, f"{len(differing)} of {len(listed)} quakes differ from the table: {sorted(differing)[:3]}")
    return len(listed)


def kill(process, draw, postmaster):
    """Ends all of the script, or one of its programs, or the server, as a power cut would."""
    victim = draw.choice(["script", "script", "quakes", "psql", "server"])
    if victim == "server":
        postmaster.send_signal(signal.SIGQUIT)
        postmaster.wait(30)
    elif victim == "script":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        listing = subprocess.run(["ps", "-o", "pid=,comm=", "-g", str(process.pid)], capture_output=True, text=True)
        for line in listing.stdout.splitlines():
            number, name = line.split(maxsplit=1)
            if name == victim: os.kill(int(number), signal.SIGKILL)
    return victim


def fill(work, changes):
    """Makes a cache with at least so many changes, with renames, purges and quakes that came back."""
    for number in range(50):
        work.apply(feeds.generation(number, changes // 50))
        if number % 10 == 9: work.quakes("purge", "-q", "--min-mag", "7")
    count = json.loads(work.quakes("status", "--format", "json"))["changes"]
    expect(count >= changes, f"there are only {count} changes")
    return count


def read_with_kills(work, kills, longest, start, postmaster):
    """Runs the script until `kills` of its runs were killed within `longest` seconds, and once to its end."""
    draw = random.Random(os.environ.get("RECIPES_SEED", "1"))
    done = collections.Counter()
    number = 50
    while done.total() < kills:
        process = subprocess.Popen(
            ["./to-postgresql"], cwd=work.folder, env=work.environment, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(draw.uniform(0, longest))
            # It was faster than the kill: more to read for the next.
            work.apply(feeds.generation(number := number + 1, 1000))
        except subprocess.TimeoutExpired:
            done[kill(process, draw, postmaster)] += 1
            process.wait(60)
        if postmaster.poll() is not None: postmaster = start()
    work.run("./to-postgresql", timeout=2400)
    return done


def clean_run(work):
    """Fills the empty table without a kill; returns the seconds that it took."""
    work.run("psql", "-Xqc", "TRUNCATE quakes; UPDATE quakes_position SET token = 'beginning'")
    begin = time.monotonic()
    work.run("./to-postgresql", timeout=600)
    seconds = time.monotonic() - begin
    compare(work)
    return seconds


def test(work):
    start = server(work)
    postmaster = start()
    work.command("create")
    work.hostile_cache()
    work.run("./to-postgresql")
    compare(work)
    work.unharmed()

    # Another cache: the table is emptied and filled again.
    os.remove(work.path("quakes.db"))
    work.apply(feeds.generation(0, 10))
    work.run("./to-postgresql")
    compare(work)

    os.remove(work.path("quakes.db"))
    wanted, kills = (1_000_000, 20) if work.long else (10_000, 3)
    changes = fill(work, wanted)
    # From the beginning, or the token of the other cache would skip the history.
    work.run("psql", "-Xqc", "TRUNCATE quakes; UPDATE quakes_position SET token = 'beginning'")
    begin = time.monotonic()
    killed = read_with_kills(work, kills, 10 if work.long else 2, start, postmaster)
    figures = f"{rate(changes, time.monotonic() - begin)} with them"
    count = compare(work)
    work.run("./to-postgresql")
    compare(work)
    kinds = ", ".join(f"{name} {times}" for name, times in sorted(killed.items()))
    if not work.long:
        figures += f", {rate(changes, clean_run(work))} without"
        work.edit("to-postgresql", "--limit 20000", "--coalesce")
        figures += f", {rate(changes, clean_run(work))} coalesced"
    return f"{changes:,} changes, {kills} kills ({kinds}), {count:,} quakes equal, {figures}"
