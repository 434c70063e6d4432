"""Starts a command and tells what it cost: `launch.py PROGRAM WORDS…` ends standard error with a line of figures.

A process of its own, and a small one: the memory of whoever starts a command is counted as the command's too.
"""

import os
import sys
import time


def main(command):
    started = time.perf_counter()
    _, status, used = os.wait4(os.posix_spawn(command[0], command, os.environ), 0)
    wall = time.perf_counter() - started
    peak = used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)  # macOS counts bytes, Linux kilobytes
    print(f"\n{os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime} {wall} {peak}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
