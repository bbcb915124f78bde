"""Tests of the completion scripts in real shells: `make test-completions` runs them with QUAKES_PROGRAM set."""
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

PROGRAM = os.environ["QUAKES_PROGRAM"]
FEEDS = pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "feeds"
HOSTILE = ["$(touch pwned)", "`touch pwned`", "it's; touch pwned", 'q"u o\\te', "~root", "a:b", "{x,y}*"]


class Terminal:
    """A shell at a terminal of its own."""

    def __init__(self, command, environment, folder):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            # So large that everything that is offered is shown.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 200, 200, 0, 0))
            os.chdir(folder)
            os.execvpe(command[0], command, environment)

    def read(self, until, limit=20):
        """What the shell writes, up to what `until` finds in it."""
        text, end = "", time.monotonic() + limit
        while not re.search(until, text):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise AssertionError("no %r in %r" % (until, text))
            text += os.read(self.terminal, 65536).decode(errors="replace")
        return text

    def write(self, text):
        os.write(self.terminal, text.encode())

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)


class LineShell:
    """A shell in whose line editor Tab is pressed, then a key that prints the line."""

    terminal = "dumb"

    def __init__(self, environment, folder):
        self.shell = Terminal(self.command, environment, folder)
        self.shell.write(self.setup + "\necho rea''dy\n")
        self.shell.read("ready\r\n")

    def lines(self, line, tabs=1):
        """The line after Tab was pressed, and everything the terminal showed."""
        self.shell.write(line + "\t" * tabs + "\x18")
        shown = self.shell.read(r"<<<.*?>>>")
        self.shell.write("\x15")
        return re.search(r"<<<(.*?)>>>", shown, re.S).group(1), shown

    def complete(self, line):
        return self.lines(line)[0]

    def candidates(self, line):
        return self.lines(line, tabs=2)[1]

    def close(self):
        self.shell.close()


class Bash(LineShell):
    command = ["bash", "--norc", "--noprofile", "-i"]
    setup = (
        "source ./script; bind 'set bell-style none' 'set page-completions off' 'set completion-query-items 0'; "
        "show() { printf '<<<%s>>>\\n' \"$READLINE_LINE\"; }; bind -x '\"\\C-x\": show'"
    )


class Zsh(LineShell):
    command = ["zsh", "-f", "-i"]
    setup = (
        "autoload -U compinit; compinit -u -D; source ./script; unsetopt beep; LISTMAX=10000; "
        "show() { print -r -- \"<<<$BUFFER>>>\"; }; zle -N show; bindkey '^X' show; bindkey '^U' kill-whole-line"
    )


class Fish(LineShell):
    command = ["fish", "--no-config", "-i"]
    # With less of a terminal, fish shows no menu.
    terminal = "xterm"
    setup = (
        "source ./script; function fish_prompt; echo '> '; end; "
        "function show; echo; echo '<<<'(commandline)'>>>'; end; bind \\cx show; bind \\cu 'commandline \"\"'; set -g fish_autosuggestion_enabled 0"
    )


class Completions:
    """What every shell must do. `quote` writes a word as the shell does after Tab."""

    @classmethod
    def setUpClass(cls):
        if shutil.which(cls.name) is None:
            raise unittest.SkipTest(cls.name + " is not installed")
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="quakes-completions-"))
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin" / "quakes").symlink_to(PROGRAM)
        cls.environment = {
            "PATH": "%s:%s" % (cls.folder / "bin", os.environ["PATH"]), "HOME": str(cls.folder),
            "XDG_CONFIG_HOME": str(cls.folder / "bin"), "XDG_DATA_HOME": str(cls.folder / "bin"), "TERM": cls.kind.terminal,
            "LC_ALL": "C.UTF-8", "QUAKES_DB": str(cls.folder / "quakes.db"), "PS1": "> ",
        }
        for cache, feed in (("quakes.db", "all_day-1"), ("my other.db", "significant_month")):
            cls.quakes("refresh", "-q", "--db", str(cls.folder / cache), str(FEEDS / (feed + ".geojson")))
        for consumer in HOSTILE + ["alarm"]:
            cls.quakes("changes", "--since-token", "--consumer", consumer, "--op", "leave")
        (cls.folder / "feeds").mkdir()
        (cls.folder / "feeds" / "inner one.geojson").touch()
        (cls.folder / "feeds" / "notes.txt").touch()
        (cls.folder / "broken.db").write_bytes(b"x" * 5000)
        (cls.folder / "script").write_text(cls.quakes("--generate-completion-script", cls.name))
        cls.before = sorted(path.name for path in cls.folder.iterdir())
        cls.shell = cls.kind(cls.environment, cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.shell.close()
        shutil.rmtree(cls.folder)

    @classmethod
    def quakes(cls, *arguments):
        return subprocess.run([PROGRAM, *arguments], env=cls.environment, check=True, capture_output=True, text=True).stdout

    def ids(self, cache, *arguments):
        return self.quakes("list", "--db", str(self.folder / cache), "--ids", *arguments).split()

    def check(self, typed, completed):
        self.assertEqual(self.shell.complete(typed), completed)

    def test_an_id_is_completed_from_the_cache(self):
        newest = self.ids("quakes.db")[0]
        self.check("quakes show " + newest[:-1], "quakes show %s " % newest)
        self.check("quakes map --select " + newest[:-1], "quakes map --select %s " % newest)
        self.check("quakes changes --id us1,%s" % newest[:-1], "quakes changes --id us1,%s " % newest)

    def test_every_id_is_offered(self):
        shown = self.shell.candidates("quakes show ")
        for known in self.ids("quakes.db"):
            self.assertIn(known, shown)

    def test_the_cache_that_the_line_names_is_asked(self):
        only = sorted(set(self.ids("my other.db")) - set(self.ids("quakes.db")))[0]
        self.check("quakes show " + only, "quakes show %s%s" % (only, ""))
        for path in ("my\\ other.db", "'my other.db'", "~/my\\ other.db"):
            line = "quakes show --db %s %s" % (path, only[:-1])
            self.assertIn(only, self.shell.complete(line) + self.shell.candidates(line), path)

    def test_a_cache_that_cannot_be_read_is_silent(self):
        for cache in ("none.db", "broken.db", "feeds", "none/none.db"):
            line = "quakes show --db %s us" % cache
            self.check(line, line)
            self.assertNotIn("quakes:", self.shell.candidates(line))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), self.before)

    def test_feeds_and_files(self):
        self.check("quakes refresh 4.5_m", "quakes refresh 4.5_month ")
        self.assertEqual(self.shell.complete("quakes refresh all_day fee").rstrip(), "quakes refresh all_day feeds/")
        self.check("quakes refresh feeds/i", "quakes refresh feeds/%s " % self.quote("inner one.geojson"))
        self.assertNotIn("notes", self.shell.candidates("quakes refresh feeds/"))

    def check_option(self, typed, option):
        """An option is completed: with a space, or in zsh with an equals sign that goes when a space is typed."""
        self.assertIn(self.shell.complete(typed), [option + " ", option + "=", option])

    def test_fields_formats_and_words(self):
        self.check("quakes list --fields time,pl", "quakes list --fields time,place ")
        self.check_option("quakes list --fo", "quakes list --format")
        self.check("quakes list --format geo", "quakes list --format geojson ")
        self.check("quakes consu", "quakes consumers ")
        self.assertIn("backfill", self.shell.candidates("quakes "))
        self.check("quakes changes --op insert,en", "quakes changes --op insert,enter ")
        self.check("quakes changes --changed book", "quakes changes --changed bookkeeping ")
        self.check("quakes list --status auto", "quakes list --status automatic ")
        self.check("quakes list --type quarry", "quakes list --type %s " % self.quote("quarry blast"))
        self.check("quakes list --sort dis", "quakes list --sort distance ")

    def test_templates(self):
        typed = "quakes list --template '{mag} {pla"
        self.assertIn(self.shell.complete(typed), [typed + "ce}", typed + "ce}' ", typed[:24] + "{mag} {place} "])

    def test_tokens_and_transactions(self):
        self.check("quakes changes --since-token beg", "quakes changes --since-token beginning ")
        token = self.quakes("token").strip()
        self.check("quakes diff beginning q1.", "quakes diff beginning %s " % token)
        self.check("quakes undo 1", "quakes undo 1 ")
        self.assertIn("1", self.shell.candidates("quakes history "))

    def test_consumers_are_offered_and_none_is_executed(self):
        self.check("quakes consumers --forget al", "quakes consumers --forget alarm ")
        shown = self.shell.candidates("quakes consumers --forget ")
        for name in HOSTILE:
            self.assertTrue(name in shown or self.quote(name) in shown, "%s: %s" % (name, shown))
        for name, start in (("it's; touch pwned", "it"), ("{x,y}*", "\\{")):
            completed = self.shell.complete("quakes consumers --forget " + start)
            self.assertEqual(self.unquoted(completed.removeprefix("quakes consumers --forget ").rstrip()), name)
        self.assertFalse((self.folder / "pwned").exists())

    def unquoted(self, word):
        return subprocess.run([self.name, "-c", "printf %s " + word], capture_output=True, text=True).stdout

    def quote(self, word):
        return re.sub(r"([^\w@%+=:,./-])", r"\\\1", word)


class BashCompletions(Completions, unittest.TestCase):
    name, kind = "bash", Bash


class ZshCompletions(Completions, unittest.TestCase):
    name, kind = "zsh", Zsh


class FishCompletions(Completions, unittest.TestCase):
    name, kind = "fish", Fish


if __name__ == "__main__":
    unittest.main(verbosity=2, argv=sys.argv)
