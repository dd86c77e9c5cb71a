#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Asks the installed Open MPI and MPICH which algorithms they choose.

  library_choices.py [--libraries NAME,...] [--operations NAME,...] [--ranks N,...] [--check FILE]

Prints a line for each point: library, operation, ranks, bytes (as coll_operations.h counts them; root 0),
algorithm and, for Open MPI, the algorithm's parameters. With --check, the answers must be those of a file.

Open MPI's component "tuned" calls its algorithms by name, which a preloaded library reads (choice_watch.c).
MPICH's names are hidden: the functions that are being called at each message are compared with those of runs
in which its variables force an algorithm. It is told that every rank has a node of its own
(MPIR_CVAR_NOLOCAL).
"""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
VECTOR, PART = [8, 1000, 2048, 20000, 70000, 1048576], [8, 80, 256, 1000, 20000, 70000]
OPERATIONS = ["barrier", "bcast", "reduce", "allreduce", "reduce_scatter", "allgather", "allgatherv", "alltoall",
              "alltoallv", "gather", "scatter"]
FORCED = {  # MPICH 4.0.2: the values of MPIR_CVAR_<OPERATION>_INTRA_ALGORITHM
    "barrier": ["dissemination", "smp"],
    "bcast": ["binomial", "smp", "scatter_recursive_doubling_allgather", "scatter_ring_allgather"],
    "reduce": ["binomial", "smp", "reduce_scatter_gather"],
    "allreduce": ["smp", "recursive_doubling", "reduce_scatter_allgather"],
    "reduce_scatter": ["noncommutative", "pairwise", "recursive_doubling", "recursive_halving"],
    "allgather": ["brucks", "recursive_doubling", "ring"],
    "allgatherv": ["brucks", "recursive_doubling", "ring"],
    "alltoall": ["brucks", "pairwise", "pairwise_sendrecv_replace", "scattered"],
    "alltoallv": ["pairwise_sendrecv_replace", "scattered"],
    "gather": ["binomial"],
    "scatter": ["binomial"],
}
SENDERS = ["barrier", "bcast", "scatter"]  # where rank 0 sends; elsewhere rank 1 certainly does


def sizes(operation):
    vector = operation.startswith(("bcast", "reduce", "allreduce"))
    return [0] if operation == "barrier" else VECTOR if vector else PART


def lines_of(command, environment):
    """What the watched rank tells on stderr: {bytes: [line, ...]}, of second calls; None: the run failed."""
    done = subprocess.run(command, env=dict(os.environ, **environment), capture_output=True, text=True,
                          timeout=120, stdin=subprocess.DEVNULL)
    if done.returncode:
        return None
    out, told = {}, None
    for line in done.stderr.splitlines():
        words = line.split()
        if words[:1] == ["call"]:
            told = out[int(words[2])] = []
        elif told is not None and words[:1] in (["algorithm"], ["message"]):
            told.append(words[1:])
    return out


def open_mpi(folder, operation, ranks):
    environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "WATCHED_RANK": "0"}
    command = ["mpirun.openmpi", "--oversubscribe", "-np", str(ranks), "-x", "WATCHED_RANK", "-x",
               "LD_PRELOAD=%s/choice_watch.so" % folder, folder + "/coll_times_openmpi", operation, "-", "0"]
    told = lines_of(command + [str(s) for s in sizes(operation)], environment) or {}
    for size, lines in told.items():
        if lines:
            yield size, lines[0][0].split("_intra_")[1], [int(w) for w in lines[0][1:]]


def mpich_run(folder, operation, ranks, forced):
    watched = "0" if operation in SENDERS else "1"
    command = ["mpirun.mpich", "-np", str(ranks), "-env", "LD_PRELOAD", folder + "/choice_watch.so", "-env",
               "WATCHED_RANK", watched, "-env", "MPIR_CVAR_NOLOCAL", "1", "-env",
               "MPIR_CVAR_COLLECTIVE_FALLBACK", "error"]
    if forced:
        command += ["-env", "MPIR_CVAR_%s_INTRA_ALGORITHM" % operation.upper(), forced]
    command += [folder + "/coll_times_mpich", operation, "-", "0"]
    out = lines_of(command + [str(s) for s in sizes(operation)], {})
    if out is None:  # the algorithm does not hold for one of them, which ends the run
        each = {size: lines_of(command + [str(size)], {}) for size in sizes(operation)}
        out = {size: told[size] for size, told in each.items() if told and told.get(size)}
    return out


def bare(messages, without):
    return [[f for f in m if f not in without] for m in messages]


def mpich(folder, operation, ranks):
    chosen = mpich_run(folder, operation, ranks, None)
    forced = {name: mpich_run(folder, operation, ranks, name) for name in FORCED[operation]}
    everywhere = [set(f for m in told for f in m) for told in chosen.values()]
    of_forced = [set(f for m in told for f in m) for by_size in forced.values() for told in by_size.values()]
    choosers = set().union(*everywhere) - set().union(*of_forced)  # called only where MPICH chooses itself
    for size, messages in chosen.items():
        mine = bare(messages, choosers)
        names = [name for name, by_size in forced.items()
                 if size in by_size and bare(by_size[size], choosers) == mine]
        yield size, "|".join(names) or "?", []


def build(folder, libraries):
    sources = [HERE + "/coll_times.c", HERE + "/coll_operations.c"]
    for library in libraries:
        program = "%s/coll_times_%s" % (folder, library)
        subprocess.run(["mpicc." + library, "-O1", "-DREAL_LIBRARY", "-o", program] + sources, check=True)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", folder + "/choice_watch.so", HERE + "/choice_watch.c",
                    "-ldl"], check=True)


def answers(args):
    """(library, operation, ranks, bytes) and what is chosen there, as words."""
    with tempfile.TemporaryDirectory() as folder:
        build(folder, args.libraries.split(","))
        for library in args.libraries.split(","):
            ask = {"openmpi": open_mpi, "mpich": mpich}[library]
            for operation in args.operations.split(","):
                for ranks in [int(n) for n in args.ranks.split(",")]:
                    for size, name, parameters in ask(folder, operation, ranks):
                        yield (library, operation, str(ranks), str(size)), [name] + [str(p) for p in parameters]


def check(path, found):
    with open(path, encoding="utf-8") as f:
        rows = [line.split() for line in f if line.strip() and not line.startswith("#")]
    known = {tuple(row[:4]): row[4:] for row in rows}
    same = sum(known.get(point) == choice for point, choice in found)
    for point, choice in found:
        if known.get(point) != choice:
            expected = " ".join(known.get(point, ["?"]))
            print("DIFFER: %s: %s, expected %s" % (" ".join(point), " ".join(choice), expected))
    print("%d choices, %d as in %s" % (len(found), same, os.path.basename(path)))
    return 0 if found and same == len(found) else 1


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--libraries", default="openmpi,mpich")
    options.add_argument("--operations", default=",".join(OPERATIONS))
    options.add_argument("--ranks", default="2,4,5,8,13,16")
    options.add_argument("--check")
    args = options.parse_args()
    if args.check:
        return check(args.check, list(answers(args)))
    for point, choice in answers(args):
        print(" ".join(list(point) + choice))
    return 0


if __name__ == "__main__":
    sys.exit(main())
