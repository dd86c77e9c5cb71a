#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Packs random datatypes under pgasim and under another MPI library, and compares bytes, sizes and bounds.

  types_compare.py BUILD [--types N] [--seed S] [--mpicc mpicc.openmpi] [--mpirun mpirun.openmpi]

Each type is a seed of run/programs/mpi_type_random.c, which compares the library that it is compiled for with a naive
walk of the type map. Under pgasim every difference is a failure. What the other library has otherwise is counted:
Open MPI 4.1 refuses some arrays, and has other bounds for types with empty blocks, so that some seeds make another
type there. The test fails if fewer than eight types in ten could be compared, or if the packed bytes of more than
one in a thousand are not those of the walk.
"""
import argparse
import collections
import os
import subprocess
import sys
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../run/programs/mpi_type_random.c")


def lines(command, folder):
    """Seed and verdict of each type."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit("status %d: %s\n%s" % (done.returncode, " ".join(command), done.stderr[-2000:]))
    return dict(line.split(" ", 1) for line in done.stdout.splitlines() if line[:1].isdigit())


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build")
    options.add_argument("--types", type=int, default=10000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--mpicc", default="mpicc.openmpi")
    options.add_argument("--mpirun", default="mpirun.openmpi")
    args = options.parse_args()
    build, count = os.path.abspath(args.build), [str(args.types), str(args.seed)]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([build + "/bin/wrappers/mpicc", "-O1", "-o", folder + "/ours", SOURCE], check=True)
        subprocess.run([args.mpicc, "-O1", "-DOTHER_LIBRARY", "-o", folder + "/theirs", SOURCE], check=True)
        mine = lines([build + "/bin/pgasim", "run", "--quiet", "--compute=off", "-np", "1", "./ours"] + count, folder)
        theirs = lines([args.mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "1", "./theirs"] + count, folder)
    found = collections.Counter()
    for seed, verdict in mine.items():
        other = theirs.get(seed, "nothing")
        hashed = len(other) == 16 and all(c in "0123456789abcdef" for c in other)
        found["equal" if other == verdict else "another type is made" if hashed else other] += 1
        if other.startswith("the data"):
            print("seed %s: %s differs from the type map in the other library" % (seed, other))
    for what, times in found.most_common():
        print("%6d %s" % (times, what))
    packed = sum(times for what, times in found.items() if what.startswith("the data"))
    return 1 if len(mine) != args.types or found["equal"] < 0.8 * args.types or packed > args.types / 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
