"""Tests the recipes of Documentation/recipes: run.py PROGRAM [NAME…]; see Scripts/test-recipes."""
import importlib, os, pathlib, signal, sys, time, traceback
from pages import Page
from workspace import Failed, Skipped, Workspace

# A recipe that takes longer than this has failed.
SECONDS = 2700 if os.environ.get("RECIPES_LONG") else 240


def check(module, program):
    """Runs one recipe. Returns its outcome, and its figures or what is wrong."""
    signal.alarm(SECONDS)
    try:
        with Workspace(program, Page(module.PAGE), long=bool(os.environ.get("RECIPES_LONG"))) as work:
            return "passed", module.test(work)
    except Skipped as reason:
        return "skipped", str(reason)
    except Failed as reason:
        return "failed", str(reason)
    except Exception:
        return "failed", traceback.format_exc()
    finally:
        signal.alarm(0)


def interrupt(number, _):
    raise TimeoutError(f"not done after {SECONDS} s") if number == signal.SIGALRM else SystemExit(128 + number)


def main():
    program, wanted = os.path.realpath(sys.argv[1]), sys.argv[2:]
    for number in signal.SIGALRM, signal.SIGTERM, signal.SIGHUP: signal.signal(number, interrupt)
    names = sorted(path.stem.removeprefix("test_") for path in pathlib.Path(__file__).parent.glob("test_*.py"))
    if unknown := set(wanted) - set(names):
        sys.exit(f"There is no recipe {', '.join(unknown)}. There are: {' '.join(names)}")
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name in wanted or names:
        begin = time.monotonic()
        outcome, words = check(importlib.import_module("test_" + name), program)
        counts[outcome] += 1
        print(f"{name:12} {outcome}: {words} ({time.monotonic() - begin:.1f} s)", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    sys.exit(counts["failed"] > 0)


main()
