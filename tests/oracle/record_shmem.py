#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records a program with real OpenSHMEMs by `pgasim record --oshcc`. The lines are those that `pgasim run --record-ti` writes
of the same program, with what ended its waits, but for times and where static data is; and the trace is played."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is left in the source folder
from record import ENVIRONMENT, lines_of, recorded, run, unrolled

RANKS = 4
HERE = os.path.dirname(os.path.abspath(__file__))
WAITS = ("shmem_wait_until", "shmem_test", "shmem_signal_fetch")


def calls(lines):
    """The calls of one rank: static data, contexts and teams numbered in the order in which they come; causes of waits apart."""
    out, numbers = [], {}
    for line in lines:
        action = re.sub(r" @-?\d+\+\d+$", "", line).split(" ", 1)[1]
        if not action.startswith("shmem_"):
            continue
        if action.startswith("shmem_init"):
            action = action.split(" [")[0]
        causes = None
        if action.split()[0] in WAITS:
            action, text = action.rsplit(" ", 1)
            numbers_of = re.findall(r"\d+", text)
            causes = set(zip(numbers_of[::2], numbers_of[1::2])) if text != "null" else None
        for what in re.findall(r"\bstatic\d*:\d+|\b[px]\d+\b", action):
            kind = re.match("[a-z]+", what).group(0)
            known = numbers.setdefault(kind, {})
            action = re.sub(r"\b%s\b" % what, "%s#%d" % (kind, known.setdefault(what, len(known))), action)
        out.append((action, causes))
    return out


def compare(what, expected, got):
    """Of several additions the simulator names the one that ended a wait, the recorder all."""
    for rank in range(RANKS):
        for k in range(max(len(expected[rank]), len(got[rank]))):
            pair = [x[rank][k] if k < len(x[rank]) else ("nothing", None) for x in (expected, got)]
            waits = pair[0][1] is not None
            if pair[0][0] != pair[1][0] or (waits and (pair[1][1] is None or not check_causes(*[x[1] for x in pair]))):
                sys.exit("%s: rank %d, call %d: simulated: %s\nrecorded: %s" % (what, rank, k, pair[0], pair[1]))


def check_causes(simulated, real):
    return simulated == real or (simulated and simulated < real)


def works(cc, start, folder, environment):
    """Why the OpenSHMEM itself does not run the program here; None: it does."""
    for command in ([cc, "-w", "-O2", "-DONLY_14", "-o", "real", os.path.join(HERE, "record_shmem_program.c")],
                    [start, "-np", str(RANKS), "./real"]):
        try:
            done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return "%s takes more than a minute" % " ".join(command)
        if done.returncode:
            return "%s: status %d: %s" % (" ".join(command), done.returncode, done.stdout[-300:])
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--shmem", nargs=2, action="append", metavar=("CC", "RUN"), default=[])
    arguments = parser.parse_args()
    pgasim = os.path.join(os.path.abspath(arguments.build), "bin", "pgasim")
    tested = 0
    with tempfile.TemporaryDirectory() as folder:
        # Open MPI 4.1 may crash in its own end with the component osc/rdma.
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"), SHMEM_SYMMETRIC_SIZE="64m",
                           OMPI_MCA_osc="^rdma", **ENVIRONMENT)
        run([pgasim, "cc", "-O2", "-DONLY_14", "-o", "simulated", os.path.join(HERE, "record_shmem_program.c")], folder, environment)
        run([pgasim, "run", "-np", str(RANKS), "-q", "--compute=off", "--record-ti", "calls", "simulated"], folder, environment)
        lines = [x for x in lines_of(os.path.join(folder, "calls")) if not x.startswith("#")]
        expected = [calls(unrolled([x for x in lines if x.split()[0] == str(rank)])) for rank in range(RANKS)]
        for cc, start in arguments.shmem:
            why = works(cc, start, folder, environment)
            if why:
                print("%s: %s" % (cc, why))
                continue
            run([pgasim, "record", "--oshcc", cc, "--library"], folder, environment)
            run([pgasim, "record", "--oshcc", cc, "-o", "trace", start, "-np", str(RANKS), "./real"], folder, environment)
            compare(cc, expected, [calls(x) for x in recorded(folder, "trace")])
            left = [x for x in os.listdir(os.path.join(folder, "trace_files")) if not re.fullmatch(r"rank-\d+(\.zst|\.gz)?", x)]
            if left:
                sys.exit("%s: the recorder has left %s behind" % (cc, left))
            played = run([pgasim, "replay", "trace"], folder, environment)
            if "21 waits for values end by the operations" not in played or "warning" in played:
                sys.exit("%s: the replay: %s" % (cc, played))
            print("%s: %d calls of PE 0 as simulated" % (cc, len(expected[0])))
            tested += 1
    if not tested:
        print("skipped: no OpenSHMEM is installed that runs %d PEs here" % RANKS)
        sys.exit(77)


if __name__ == "__main__":
    main()
