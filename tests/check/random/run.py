#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs random programs, right ones and spoiled ones, under a checker.

    run.py --build BUILD [--programs N] [--seed S] [--phases N] [--api shmem,mpi] [--compilers gcc,clang] [--opt O1]
    run.py --build BUILD --spoil ...           with one synchronization left out: a race must be reported
    run.py --build BUILD --nasty N ...         right programs under N adversarial seeds: the same results
    run.py --build BUILD --plain ...           without the checker
    run.py --mpich ...                         MPI programs with the host's MPICH instead of pgasim

A program is a seed of mpi_phases or shmem_phases, on 2 to 6 ranks; programs have the seeds S, S+1, ... A right
program must end with status 0, print a hash, and nothing that begins with `pgasim: race:`; under an adversary, it
must print the hash that it prints without one. A spoiled one must report a race and end with status 7. The seed
and the command of what fails are printed; the status is 1 then.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 120
RACE = re.compile(r"^pgasim: race:", re.MULTILINE)
HASH = re.compile(r"^seed \d+: ([0-9a-f]+)$", re.MULTILINE)


def build(args, api, compiler, opt, folder):
    """Compiles one of the two programs; its path."""
    env = dict(os.environ, PGASIM_CC=compiler)
    wrapper = os.path.join(args.build, "bin", "wrappers", {"mpi": "mpicc", "shmem": "oshcc"}[api])
    checker = [] if args.plain else args.compile_with.split()
    if args.mpich:  # its MPI_STATUSES_IGNORE is null, and declared as an array
        checker = ["-Wno-stringop-overflow"]
    exe = os.path.join(folder, f"{api}-{compiler}-{opt}")
    subprocess.run(["mpicc.mpich" if args.mpich else wrapper, "-g", "-" + opt, "-Wall", "-Werror", *checker,
                    os.path.join(HERE, f"{api}_phases.c"), "-o", exe], env=env, check=True)
    return exe


def run(args, exe, seed, checker):
    """Runs a program: (command, status, output)."""
    ranks = str(2 + seed % 5)
    if args.mpich:
        command = ["mpiexec.mpich", "-n", ranks]
    else:
        command = [os.path.join(args.build, "bin", "pgasim"), "run", "-q", "--compute=off", "-np", ranks] + checker
    command += [exe, str(seed), str(args.phases)] + (["spoil"] if args.spoil else [])
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    return command, done.returncode, done.stdout + done.stderr


def judge(args, exe, seed):
    """What is wrong with a program, as (word, command, output); the word is ok if nothing is."""
    plain = args.plain or args.mpich
    command, status, out = run(args, exe, seed, [] if plain else args.run_with.split())
    races, found = len(RACE.findall(out)), HASH.search(out)
    if args.spoil:
        bad = "no end" if status < 0 else "missed" if not plain and not races else ""
        if not bad and not plain and status != 7:
            bad = "status"
    else:
        bad = "false alarm" if races else "failed" if status != 0 or not found else ""
    for nasty in range(1, args.nasty + 1):
        if bad:
            break
        command, status, out = run(args, exe, seed, args.nasty_with.format(seed=nasty).split())
        again = HASH.search(out)
        if status != 0 or not again or again.group(1) != found.group(1):
            bad = "other result"
    return bad or "ok", command, out


def options():
    """The command line."""
    parser = argparse.ArgumentParser(description="run random right and spoiled programs under a checker")
    parser.add_argument("--build", default="")
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--phases", type=int, default=8)
    parser.add_argument("--api", default="shmem,mpi")
    parser.add_argument("--compilers", default="gcc")
    parser.add_argument("--opt", default="O1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--spoil", action="store_true")
    parser.add_argument("--nasty", type=int, default=0)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--mpich", action="store_true")
    parser.add_argument("--compile-with", default="--check")
    parser.add_argument("--run-with", default="--check=races")
    parser.add_argument("--nasty-with", default="--check=nasty --seed {seed}")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    if args.mpich:
        args.api = "mpi"
    return args


def main():
    """Runs what was asked for."""
    args = options()
    count, ways = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="phases-") as folder:
        programs = [build(args, api, compiler, opt, folder) for api in args.api.split(",")
                    for compiler in args.compilers.split(",") for opt in args.opt.split(",")]
        jobs = [(exe, seed) for exe in programs for seed in range(args.seed, args.seed + args.programs)]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for word, command, out in pool.map(lambda job: judge(args, *job), jobs):
                count[word] += 1
                way = re.search(r"^spoiled: phase \d+, (.*)$", out, re.MULTILINE)
                ways[way.group(1) if way else "", word] += 1
                if word != "ok":
                    print(f"{word.upper()}: {shlex.join(command)}\n{out[:1500]}", flush=True)
    if args.spoil:
        for (way, word), number in sorted(ways.items()):
            print(f"{number:6} {word:12} {way}")
    print(f"programs: {sum(count.values())}, " + ", ".join(f"{word}: {n}" for word, n in sorted(count.items())))
    sys.exit(0 if set(count) <= {"ok"} else 1)


if __name__ == "__main__":
    main()
