#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records a program that uses files with real MPIs by `pgasim record`. The calls are those that `pgasim run --record-ti`
records of the same program, and the trace's replay on a platform with disks moves the bytes that the program moves, by file.
Calls that start processes are counted, named, and in the trace."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from record import ENVIRONMENT, HERE, RANKS, calls, compare, lines_of, recorded, run, unrolled

# What the program reads and writes in each file, as its source says: ints of each rank.
READ = RANKS * 4 * (100 + 50 + 100 + 10 + 10 + 1000 + 3 + 2 + 10)
WRITTEN = RANKS * 4 * (1000 + 1000 + 10 + 1000 + 100 + 25 + 5)
OWN = 4 * 77
PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <prop id="storage/pfs/servers" value="s"/>
    <prop id="storage/pfs/mount" value="%s"/>
    <prop id="storage/pfs/read_bw" value="50MBps"/>
    <prop id="storage/pfs/write_bw" value="50MBps"/>
    <host id="a" speed="1Gf"/>
    <host id="s" speed="1Gf"/>
    <link id="net" bandwidth="1GBps" latency="10us" sharing_policy="FATPIPE"/>
    <route src="a" dst="s"><link_ctn id="net"/></route>
  </zone>
</platform>
"""


def remove(folder):
    for name in ["data"] + ["own-%d" % k for k in range(RANKS)]:
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))


def check_bytes(cc, pgasim, folder, environment):
    run([pgasim, "replay", "-q", "-platform", "disks.xml", "-host", "a", "--trace", "played.pgt", "trace"], folder, environment)
    files = json.loads(run([pgasim, "profile", "--json", "played.pgt"], folder, environment))["files"]
    got = {x["path"]: (x["read"]["bytes"], x["written"]["bytes"]) for x in files}
    expected = {os.path.join(folder, "own-%d" % k): (0, OWN) for k in range(RANKS)}
    expected[os.path.join(folder, "data")] = (READ, WRITTEN)
    if got != expected:
        sys.exit("%s: bytes read and written by file: expected %s, got %s" % (cc, expected, got))
    if any(os.path.exists(path) for path in got):
        sys.exit("%s: the replay has made a file" % cc)


def check_processes(cc, start, pgasim, folder, environment):
    """The process that is started does not touch the trace of those that started it."""
    alone = subprocess.run([start, "-np", "2", "./real", "start"], cwd=folder, env=environment, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    if alone.returncode:
        print("%s: starts no processes here, also without the recorder" % cc)
        return
    text = run([pgasim, "record", "--mpicc", cc, "-o", "starts", start, "-np", "2", "./real", "start"], folder, environment)
    if text.count("pgasim record: calls that the trace cannot tell of, of all ranks: MPI_Comm_spawn 2\n") != 1:
        sys.exit("%s: MPI_Comm_spawn of two ranks: %s" % (cc, text))
    if [sum(x.split()[1] == "unrecorded_MPI_Comm_spawn" for x in lines) for lines in recorded(folder, "starts")] != [1, 1]:
        sys.exit("%s: expected a line of each rank: %s" % (cc, recorded(folder, "starts")))
    info = json.loads(run([pgasim, "trace-info", "--json", "starts"], folder, environment))
    row = [x for x in info["calls"] if x["name"] == "unrecorded_MPI_Comm_spawn"]
    if info["ranks"] != 2 or len(row) != 1 or row[0]["count"] != 2 or row[0]["played"]:
        sys.exit("%s: trace-info: %s" % (cc, info))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--mpi", nargs=2, action="append", metavar=("CC", "RUN"), default=[])
    arguments = parser.parse_args()
    if not arguments.mpi or not shutil.which("zstd"):
        print("skipped: expected an MPI whose mpicc and mpirun CMake has found, and zstd")
        sys.exit(77)
    pgasim = os.path.join(os.path.abspath(arguments.build), "bin", "pgasim")
    program = os.path.join(HERE, "record_files.c")
    with tempfile.TemporaryDirectory() as link:
        folder = os.path.realpath(link)
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"), **ENVIRONMENT)
        with open(os.path.join(folder, "disks.xml"), "w", encoding="utf-8") as f:
            f.write(PLATFORM % folder)
        run([pgasim, "cc", "-O1", "-o", "simulated", program], folder, environment)
        run([pgasim, "run", "-np", str(RANKS), "-q", "--record-ti", "calls", "simulated"], folder, environment)
        # Who has started a process is of no use in the trace of a real one, whose processes count apart.
        lines = [x for x in lines_of(os.path.join(folder, "calls")) if not x.startswith("#") and
                 "MPI_Comm_get_parent" not in x]
        expected = [calls(unrolled([x for x in lines if x.split()[0] == str(rank)])) for rank in range(RANKS)]
        for cc, start in arguments.mpi:
            remove(folder)
            run([cc, "-O1", "-w", "-o", "real", program], folder, environment)
            run([pgasim, "record", "--mpicc", cc, "-o", "trace", start, "-np", str(RANKS), "./real"], folder, environment)
            compare(cc, expected, [calls(x) for x in recorded(folder, "trace")])
            remove(folder)
            check_bytes(cc, pgasim, folder, environment)
            check_processes(cc, start, pgasim, folder, environment)
            print("%s: %d calls of rank 0 as simulated" % (cc, len(expected[0])))


if __name__ == "__main__":
    main()
