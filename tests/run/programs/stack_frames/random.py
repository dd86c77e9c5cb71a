#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Frames of random sizes, touched in part, at random ranks: a rank that needs more than its stack is named, and
no other rank's memory changes.

    random.py PROGRAM SEED RUNS, with RUN in the environment: `pgasim run` with options
"""
import os
import random
import re
import subprocess
import sys

FOREIGN = (300000, 536576, 9437184, 52428800)  # frames of dig.c
SURE = 24 << 10  # what a call into the simulator may use


def one(program, rng):
    """One run; returns what was wrong with it, or nothing."""
    ranks, stack = rng.choice((2, 3, 17, 64)), rng.choice((64, 128, 512, 1024)) << 10
    options = f"-np {ranks} --stack-size {stack}"
    if rng.random() < 0.3:
        options += " --set fold/stacks=shared"
    sizes = [int(2 ** rng.uniform(4, 24)) for _ in range(rng.randint(1, 4))]
    leaf = rng.choice((0, 0) + FOREIGN)
    who = rng.randrange(ranks)
    command = f"$RUN --quiet {options} {program} chain {who} {leaf} {' '.join(map(str, sizes))}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=100)
    used = sum(sizes) + leaf
    wrong = []
    if done.returncode not in (0, 139):
        wrong.append(f"status {done.returncode}")
    if used > stack and done.returncode != 139:
        wrong.append("no overflow")
    if used + SURE < stack and done.returncode:
        wrong.append("an overflow")
    if done.returncode and not re.search(rf"error: rank {who} .*stack overflow", done.stderr):
        wrong.append("another report")
    if "changed" in done.stdout:
        wrong.append("memory has changed")
    return wrong and f"{'; '.join(wrong)}: {command}\n{done.stdout}{done.stderr}"


def main():
    """The status is 1 if a run was wrong."""
    program, seed, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    for number in range(runs):
        wrong = one(program, rng)
        if wrong:
            sys.exit(f"seed {seed}, run {number}: {wrong}")
    print("all right")


if __name__ == "__main__":
    os.environ.setdefault("RUN", "pgasim run")
    main()
