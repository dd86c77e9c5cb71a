#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `pgasim record` costs: a command runs with and without it in turns, and the medians are compared, of the time by the
clock and of the processors' time, user and system, of all its processes (docs/recording.md).

    bench/record_overhead.py build -- mpirun -np 4 ./lu.W.4"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def measure(command):
    """(seconds by the clock, seconds of the processors)"""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    ended, after = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit("%s: status %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return ended - began, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--mpicc", default="mpicc")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    pgasim = os.path.join(os.path.abspath(arguments.build), "bin", "pgasim")
    with tempfile.TemporaryDirectory() as folder:
        recorded = [pgasim, "record", "--mpicc", arguments.mpicc, "-o", os.path.join(folder, "trace")] + arguments.command
        measure(recorded)  # builds the library, and reads all files once
        plain, with_it = [], []
        for _ in range(arguments.runs):
            plain.append(measure(arguments.command))
            with_it.append(measure(recorded))
    for k, what in enumerate(("clock", "processors")):
        a, b = [statistics.median(x[k] for x in runs) for runs in (plain, with_it)]
        low, high = [100 * (max if side else min)(x[k] for x in plain) / a - 100 for side in range(2)]
        print("%-10s  without %.3f s (%+.0f%% to %+.0f%%), with %.3f s, median of %d: %+.1f%%"
              % (what, a, low, high, b, arguments.runs, 100 * b / a - 100))


if __name__ == "__main__":
    main()
