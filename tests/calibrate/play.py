#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The player of traces (runtime/calibrate/play), simulated: it must take as long as `pgasim replay` of the same trace.

    play.py --build DIR [--at-least N] [--verbose] FILE...

Each FILE is a program of the end-to-end tests. Its cases are recorded (--record-ti), replayed, and played by the player under
`pgasim run` with the same options. Those are left out that the player refuses. Reading the clock is free here, as the
player does it and a replay does not. The number of cases that agree must be at least N.
"""
import argparse
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
from driver import TOP, Failure, Tree, read_spec, show
from replayed import DROPPED, OTHER, concerned, simulated

SETTINGS = "--set rdma/poll-cost=0 --set smpi/wtime=0"
CLOCK = 10e-9  # seconds: the player's clock and sleeps have a resolution of 1 ns
REFUSED = re.compile(r"can be played on a real MPI|cannot be played|expected an object|a number of 32 bits")


def play(tree, case, player):
    """The times of the replay and of the player; a text: why the case is left out."""
    options, _, arguments = case.text.partition(" -- ")
    options = DROPPED.sub("", options + " ").strip()
    if case.kind != "run" or case.single["status"] or "varies" in case.single or OTHER.search(f" {options} "):
        return "none of ours"
    figures, trace = os.path.join(tree.work, "play.json"), os.path.join(tree.work, "calls")
    status, out, err = tree.sh(f"$PGASIM run --quiet --compute=off {SETTINGS} --record-ti {trace} {options} $EXE {arguments}")
    if status:
        raise Failure(f"run: status {status}: {show(out)}{show(err)}")
    status, out, err = tree.sh(f"$PGASIM run --quiet --compute=off {SETTINGS} {options} {player} -speed 1e9 {trace}")
    if status and REFUSED.search(show(err)):
        return next(line for line in show(err).splitlines() if REFUSED.search(line))
    if status:
        raise Failure(f"play: status {status}: {show(out)}{show(err)}")
    played = re.search(rb"^time (\S+) s$", out, re.MULTILINE)
    status, out, err = tree.sh(f"$PGASIM replay --quiet --json {figures} {SETTINGS} {options} {trace}")
    if status or not played:
        raise Failure(f"replay: status {status}: {show(out)}{show(err)}")
    return simulated(figures), float(played.group(1))


def compare(path, build, player, verbose):
    """How many cases of a file agree."""
    agree, work = 0, tempfile.mkdtemp(prefix="play-")
    try:
        builds, cases = read_spec(path)
        tree = Tree(build, path, work)
        tree.prepare(builds)
        for case in cases:
            where = f"{os.path.basename(path)}:{case.line}"
            try:
                times = play(tree, case, player)
            except Failure as e:
                raise Failure(f"{where}: {case.text}: {e}") from None
            if verbose:
                print(where, times)
            if isinstance(times, str):
                continue
            if abs(times[0] - times[1]) > 1e-6 * times[0] + CLOCK:
                raise Failure(f"{where}: {case.text}: a replay ends at {times[0]!r} s, the player at {times[1]!r} s")
            agree += 1
    finally:
        shutil.rmtree(work)
    return agree


def main():
    """Builds the player, compares."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", required=True)
    options.add_argument("--at-least", type=int, default=1)
    options.add_argument("--verbose", action="store_true")
    options.add_argument("files", nargs="+")
    given = options.parse_args()
    agree, wrong, folder = 0, 0, tempfile.mkdtemp(prefix="play-")
    try:
        tree = Tree(os.path.abspath(given.build), given.files[0], folder)
        tree.prepare([f"{os.path.join(TOP, 'runtime', 'calibrate', 'build.sh')} $MPICC $W"])
        for path in filter(concerned, given.files):
            try:
                agree += compare(path, os.path.abspath(given.build), os.path.join(folder, "play"), given.verbose)
            except Failure as e:
                print(f"WRONG: {e}")
                wrong += 1
    finally:
        shutil.rmtree(folder)
    print(f"{agree} cases end at the same time, {wrong} programs do not")
    return 1 if wrong or agree < given.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
