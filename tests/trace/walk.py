#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""walk.py BUILD SOURCE PART/PARTS: runs programs of tests/run without a trace and twice with one. Output,
simulated time and the bytes of the two traces must be the same. trace_walk must find its way from the end to
the beginning, and the events asked for must be there."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
part, parts = (int(n) for n in sys.argv[3].split("/"))

THREADS = ["pthread_mutex_lock", "pthread_cond_wait", "pthread_join"]
# Program, ranks, options of `pgasim run`, and waits, besides sleeps, that may end by themselves.
CASES = [
    ("shmem_rma", 6, [], []),
    ("shmem_atomic", 6, ["--map-by", "host"], []),
    ("shmem_lock", 7, ["--map-by", "host"], []),
    ("shmem_wait", 6, [], []),
    ("shmem_signal", 6, ["--map-by", "host"], []),
    ("shmem_ctx", 5, ["--map-by", "host"], []),
    ("shmem_collective", 6, ["--map-by", "host"], []),
    ("shmem_in_place", 9, ["--map-by", "host"], []),
    ("shmem_scan", 6, [], []),
    ("shmem_team_split", 6, [], []),
    ("collective_algorithms", 12, ["--map-by", "host"], []),
    ("collective_algorithms", 8, ["--set", "coll/broadcast=chain", "--set", "coll/alltoall=bruck",
                                  "--set", "coll/reduce=recursive-doubling", "--map-by", "host"], []),
    ("shmem_threads", 4, [], THREADS),
    ("shmem_team_threads", 4, ["--map-by", "host"], THREADS),
    ("shmem_rma", 6,
     ["--map-by", "host", "--set", "rdma/profile=software", "--set", "software/progress=calls"], []),
    ("shmem_atomic", 6,
     ["--map-by", "host", "--set", "rdma/profile=software", "--set", "software/progress=thread"], []),
    ("shmem_signal", 4, ["--map-by", "host", "--set", "rdma/packet=0"], []),
    ("shmem_rma", 6, ["--map-by", "host", "--privatize=swap"], []),
    ("shmem_rma", 6, ["--trace-kinds", "all"], []),
    ("mpi_win_sync", 5, [], []),
    ("mpi_win_sync", 9, ["--map-by", "host"], []),
    ("mpi_win_sync", 5, ["--map-by", "host", "--set", "rdma/profile=software"], []),
    ("mpi_win", 6, ["--map-by", "host"], []),
    ("mpi_coll_moves", 7, ["--map-by", "host"], ["MPI_Wait"]),
]
# walk's counts of the events that are off by default: all of them are 0, or none is.
UNASKED = re.compile(r"sync (\d+) memory (\d+) addresses (\d+)")


def run(folder, name, program, ranks, options):
    """The figures and the output of a run."""
    figures = folder / f"{name}.json"
    done = subprocess.run([str(build / "bin/pgasim"), "run", "-q", "--compute=off", "--json", str(figures),
                           "-np",
                           str(ranks), *options, str(program)], capture_output=True, text=True, timeout=200,
                          check=False)
    if done.returncode:
        return None, done.stderr
    return json.loads(figures.read_text(encoding="utf-8"))["simulated_seconds"], done.stdout


def check(folder, case):
    """The error, or an empty text."""
    name, ranks, options, causeless = case
    program, traces = folder / name, [folder / "a.pgt", folder / "b.pgt"]
    if not program.exists():
        programs = source / "tests/run/programs"
        subprocess.run([str(build / "bin/wrappers" / ("mpicc" if name.startswith("mpi_") else "oshcc")), "-O1", "-w", f"-I{programs}", "-o", str(program),
                        str(programs / f"{name}.c"), "-lpthread"], check=True)
    plain = run(folder, "plain", program, ranks, options)
    if plain[0] is None:
        return f"it failed: {plain[1]}"
    for trace in traces:
        traced = run(folder, "traced", program, ranks, [*options, "--trace", str(trace)])
        if traced != plain:
            return f"with a trace {traced}, without {plain}"
    # With kinds that are off by default, addresses differ.
    if "--trace-kinds" not in options and traces[0].read_bytes() != traces[1].read_bytes():
        return "two runs give different traces"
    walked = subprocess.run([str(build / "bin/trace_walk"), str(traces[0]), "sleep", "usleep", "nanosleep",
                             *causeless],
                            capture_output=True, text=True, timeout=100, check=False)
    print(f"{name} of {ranks}: {walked.stdout.strip()}")
    counts = UNASKED.search(walked.stdout)
    if not walked.returncode and {n != "0" for n in counts.groups()} != {"--trace-kinds" in options}:
        return f"events that are not there unasked: {counts.group()}"
    return walked.stderr if walked.returncode else ""


def main():
    failed = 0
    os.environ.pop("PGASIM_COMPUTE", None)
    with tempfile.TemporaryDirectory() as name:
        for case in CASES[part - 1::parts]:
            wrong = check(pathlib.Path(name), case)
            if wrong:
                failed += 1
                print(f"{case[0]} of {case[1]} {' '.join(case[2])}: {wrong}", file=sys.stderr)
    return failed != 0


sys.exit(main())
