"""Starts the measured programs and reports what each one used.

A process of its own, because on Linux a program starts with the peak memory of the process that
started it: this one imports next to nothing and stays small. Requests and replies are lines; a request is the
files for standard input, output and error and then the program with its arguments, apart by 0x1f; a reply is
wall and CPU nanoseconds, peak kilobytes and exit status. Ends when its standard input does.
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
    _, status, usage = os.wait4(pid, 0)
    wall = monotonic_ns() - start
    cpu = round((usage.ru_utime + usage.ru_stime) * 1e9)
    return f"{wall} {cpu} {usage.ru_maxrss} {os.waitstatus_to_exitcode(status)}"


for request in sys.stdin:
    files_and_argv = request.rstrip("\n").split("\x1f")
    print(measure(*files_and_argv[:3], files_and_argv[3:]), flush=True)
