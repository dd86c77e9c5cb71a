#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs random programs on files under pgasim and under Open MPI: every rank must be told and read the same.

  files_compare.py BUILD [--programs N] [--seed S] [--steps N] [--only NAME] [--sanitize]

A program is a seed of files_random.c on 2 to 6 ranks. Its log has what calls return, the bytes read, positions, sizes, and
what the real files hold after each write. Open MPI has two implementations of files, and each makes mistakes of its
own; a program leaves out what the one with which it is compared does wrong (FLAVORS; README.md). Where it does not
agree with itself from run to run, one of its runs must be ours, to the last line. --sanitize
compiles for AddressSanitizer and UndefinedBehaviorSanitizer, and runs under pgasim alone, without leaving out anything.
"""
import argparse
import glob
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = sorted(glob.glob(HERE + "/files_*.c"))
BATCH, PATIENCE = 10, 90  # programs of a run, seconds
TRIALS = 24  # of a program on which Open MPI differs
# What is left out, in words of enum without of files_random.h.
FLAVORS = {
    "ompio": (["--mca", "io", "ompio"], ["INTERNAL", "MISTAKES", "SHARED_REQUESTS", "ORDERED_SPLIT", "PREALLOCATE",
                                         "SEEK_END", "SEEKS_BEFORE", "END"]),
    "romio": (["--mca", "io", "romio321"], ["INTERNAL", "SOME_MISTAKES", "LOWER_BOUNDS", "EXTERNAL", "ALL_REQUESTS",
                                            "EMPTY", "END"]),
}
OURS = [], ["--map-by", "host"], ["--privatize=swap"]
OTHERS = {"OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def bits():
    """{name: value} of enum without."""
    with open(HERE + "/files_random.h", encoding="utf-8") as file:
        return {name: 1 << int(bit) for name, bit in re.findall(r"WITHOUT_(\w+) = 1 << (\d+)", file.read())}


def logs(command, words):
    """The lines of all ranks, as (seed, rank, step, text); and what went wrong, or "". """
    room = "/dev/shm" if os.path.isdir("/dev/shm") else None  # without a device that is waited for
    with tempfile.TemporaryDirectory(dir=room) as folder:
        command = ["timeout", "-k", "3", str(PATIENCE)] + command + [folder] + [str(word) for word in words]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, **OTHERS))
        failure = "" if done.returncode == 0 else "status %d: %s\n%s" % (
            done.returncode, " ".join(command), done.stderr[-3000:])
        lines = []
        for path in sorted(glob.glob(folder + "/log.*")):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    seed, step, text = line.rstrip("\n").split(" ", 2)
                    lines.append((int(seed), int(path.rsplit(".", 1)[1]), int(step), text))
        return lines, failure


def show(seed, ranks, mine, theirs):
    """Where two logs of a program differ first."""
    for a, b in itertools.zip_longest(mine, theirs):
        if a != b:
            print("seed %d, %d ranks: rank %d, step %d\n    pgasim: %s\n    other:  %s" % (
                seed, ranks, *(a or b)[1:3], a and a[3], b and b[3]))
            return


def of_seed(lines, seed):
    """The log of one program."""
    return [line for line in lines if line[0] == seed]


def agrees_later(command, seed, words, mine):
    """Whether some run of Open MPI has our log; only then it can differ from itself."""
    for _ in range(TRIALS):
        theirs, failure = logs(command, [seed, 1] + words)
        if not failure and theirs == mine:
            print("seed %d: Open MPI's own runs differ; one of them is ours" % seed)
            return True
    return False


def compared(args, ranks, options, seeds, other):
    """The seeds that differ; prints where."""
    ours = [args.build + "/bin/pgasim", "run", "--quiet", "--compute=off", "-np", str(ranks), *options,
            args.folder + "/ours"]
    library, left_out = other
    words = [args.steps, sum(bits()[name] for name in left_out)]
    mine, failure = logs(ours, [seeds[0], len(seeds)] + words)
    theirs, command = mine, ["mpirun.openmpi", *library, "-n", str(ranks), args.folder + "/theirs"] if library else None
    if not failure and library:
        theirs, failure = logs(command, [seeds[0], len(seeds)] + words)
    if failure:
        print(failure)
    wrong = []
    for seed in seeds:
        of = [of_seed(lines, seed) for lines in (mine, theirs)]
        if of[0] and not failure and of[0] != of[1] and agrees_later(command, seed, words, of[0]):
            continue
        if of[0] != of[1] or not of[0] or failure:
            wrong.append(seed)
            show(seed, ranks, *of)
    return wrong


def build(args):
    """Compiles the program for both sides."""
    sanitize = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"] if args.sanitize else []
    subprocess.run([args.build + "/bin/wrappers/mpicc", "-O1", *sanitize, "-o", args.folder + "/ours", *SOURCES],
                   check=True)
    if not args.sanitize:
        subprocess.run(["mpicc.openmpi", "-O1", "-o", args.folder + "/theirs", *SOURCES], check=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build")
    options.add_argument("--programs", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--steps", type=int, default=30)
    options.add_argument("--only", metavar="NAME", choices=FLAVORS)
    options.add_argument("--sanitize", action="store_true")
    args = options.parse_args()
    args.build = os.path.abspath(args.build)
    if not args.sanitize and not (shutil.which("mpicc.openmpi") and shutil.which("mpirun.openmpi")):
        print("skipped: no mpicc.openmpi and mpirun.openmpi are installed")
        return 77
    flavors = {"sanitized": (None, [])} if args.sanitize else FLAVORS
    if args.only:
        flavors = {args.only: FLAVORS[args.only]}
    wrong = []
    with tempfile.TemporaryDirectory() as args.folder:
        build(args)
        for turn, first in enumerate(range(args.seed, args.seed + args.programs, BATCH)):
            seeds = range(first, min(first + BATCH, args.seed + args.programs))
            name, again = list(flavors)[turn % len(flavors)], turn // len(flavors)
            found = compared(args, 2 + again % 5, OURS[again % len(OURS)], seeds, flavors[name])
            wrong += [(name, seed) for seed in found]
    print("%d programs from seed %d: %d differ%s" % (args.programs, args.seed, len(wrong),
                                                    "".join("; %s: %d" % line for line in wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
