"""Tests of the completion scripts in real shells: `Scripts/test-completions` runs them with QUAKES_PROGRAM set."""
import fcntl
import json
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
# Shell code for ids, places and types, whose first part is typed: each of them runs if a shell expands it.
CODE = ["${x:-`touch${IFS}pwned`}", "${x-$(touch${IFS}pwned)}", "`touch${IFS}pwned`"]
# The same for files, whose names have no slash.
NAMES = CODE + ["$(touch pwned)", "it's; touch pwned", 'q"u o\\te', "{x,y}*"]


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
        (cls.folder / "hostile.geojson").write_text(cls.hostile_feed())
        cls.quakes("refresh", "-q", str(cls.folder / "hostile.geojson"))
        for consumer in CODE + ["mmalarm"]:
            cls.quakes("changes", "--since-token", "--consumer", consumer, "--op", "leave", "--author", "mm" + consumer)
        (cls.folder / "code").mkdir()
        for index, name in enumerate(NAMES):
            for ending in (".db", ".json"):
                (cls.folder / "code" / ("f%d" % index + name + ending)).touch()
            (cls.folder / "code" / ("g%d" % index + name + ".db")).symlink_to("nowhere")
            (cls.folder / "code" / ("d%d" % index + name)).mkdir()
            (cls.folder / "code" / ("d%d" % index + name) / "inner.json").touch()
        (cls.folder / "feeds").mkdir()
        (cls.folder / "feeds" / "inner one.geojson").touch()
        (cls.folder / "feeds" / "notes.txt").touch()
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

    @classmethod
    def hostile_feed(cls):
        """A feed whose ids, places and types are shell code."""
        feed = json.loads((FEEDS / "all_day-1.geojson").read_text())
        for index, feature in enumerate(feed["features"]):
            code, properties = "%d" % index + CODE[index % len(CODE)], feature["properties"]
            feature["id"], properties["net"], properties["code"] = "mm" + code, "mm", code
            properties["ids"], properties["sources"] = ",mm%s," % code, ",mm,"
            for name in ("place", "type", "status", "magType", "alert"):
                properties[name] = "mm" + code
        return json.dumps(feed)

    def check(self, typed, completed):
        self.assertEqual(self.shell.complete(typed), completed)

    def test_nothing_of_a_document_is_offered_or_run(self):
        self.assertIn("mm0" + CODE[0], self.quakes("list", "--ids"))
        for line in (
            "show", "details", "map --select", "changes --id", "list --place", "list --type", "list --status",
            "list --net", "list --magtype", "list --alert", "list --region", "list --near", "changes --consumer",
            "consumers --forget", "changes --author", "status --forget", "changes --since-token", "diff", "undo",
            "history", "purge --before-token", "watch", "refresh",
        ):
            # A single candidate, which bash would expand.
            typed = "quakes %s mm0" % line
            self.assertEqual(self.shell.complete(typed), typed)
            for start in ("mm", ""):
                self.assertNotIn("touch", self.shell.candidates("quakes %s %s" % (line, start)), line)
        for path in ("", "code"):
            self.assertFalse((self.folder / path / "pwned").exists())

    def test_files_whose_names_are_shell_code(self):
        for index, name in enumerate(NAMES):
            for line, start, ending in (
                ("quakes backup code/f%d", "f%d", None), ("quakes list --db code/f%d", "f%d", ".db"),
                ("quakes refresh code/f%d", "f%d", ".json"), ("quakes refresh code/d%d", "d%d", "/"),
                ("quakes backup code/g%d", "g%d", None), ("quakes refresh code/g%d", "g%d", None),
            ):
                completed = self.shell.complete(line % index)
                if ending and not (self.name == "zsh" and ending == ".db"):
                    word = completed.removeprefix(line.split("code/")[0]).strip()
                    word = word if ending != "/" else word.split("inner")[0]
                    self.assertEqual(self.unquoted(word), "code/" + start % index + name + ending, completed)
            for line in ("quakes refresh code/d%d", "quakes backup code/d%d"):
                self.shell.complete(self.shell.complete(line % index).rstrip())
        for path in self.folder.rglob("pwned"):
            self.fail("%s was made" % path)

    def test_no_cache_is_opened(self):
        self.shell.candidates("quakes show --db none.db us")
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

    def test_times_and_ends_of_the_history(self):
        self.check("quakes changes --since-token beg", "quakes changes --since-token beginning ")
        self.check("quakes list --since yes", "quakes list --since yesterday ")
        self.check("quakes list --near Ridgecr", "quakes list --near Ridgecrest ")

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
