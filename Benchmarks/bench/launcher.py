"""Starts the measured programs and reports what each one used.

A process of its own, because on Linux a program starts with the peak memory of the process that
started it: this one imports next to nothing and stays small. Requests and replies are lines; a request is the
files for standard input, output and error and then the program with its arguments, separated by 0x1f; a reply is
wall and CPU nanoseconds, peak kilobytes and exit status. Ends when its standard input does.

CPU time covers every process of a run. wait4 counts a program together with the children it waited for. A child that
outlives its parent becomes a child of this process, which measure.py marks as a subreaper, and is waited for here.
"""

import os
import sys
from time import monotonic_ns

WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def measure(stdin: str, stdout: str, stderr: str, argv: list[str]) -> str:
    files = [
        (os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, stdout, WRITE, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, stderr, WRITE, 0o600),
    ]
    start = monotonic_ns()
    try:
        pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=files)
    except OSError:
        return "0 0 0 127"
    cpu, peak = 0.0, 0
    try:
        while True:  # until no child is left; the program itself need not be the last to end
            ended, status, usage = os.wait4(-1, 0)
            cpu += usage.ru_utime + usage.ru_stime
            peak = max(peak, usage.ru_maxrss)
            if ended == pid:
                wall, exit_status = monotonic_ns() - start, os.waitstatus_to_exitcode(status)
    except ChildProcessError:
        return f"{wall} {round(cpu * 1e9)} {peak} {exit_status}"


for request in sys.stdin:
    files_and_argv = request.rstrip("\n").split("\x1f")
    print(measure(*files_and_argv[:3], files_and_argv[3:]), flush=True)
