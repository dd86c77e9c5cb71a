#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The kernels of examples/rae print the checksums of the sequential programs in oracle.py.

    kernels.py graph                   the generated graph has the GAP Benchmark Suite's numbers
    kernels.py local CC                one PE, compiled for this machine
    kernels.py shmem PGASIM            6 PEs of OpenSHMEM
    kernels.py cores PGASIM            6 simulated cores, by each back end; status 77 without a cross compiler
"""
import os
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, "examples", "rae"), os.path.join(TOP, "examples", "rae", "figures")]
sys.dont_write_bytecode = True
import build  # noqa: E402
import oracle  # noqa: E402

ATOMICS = ("RAND", "STRIDE1", "STRIDEN", "PTRCHASE", "CENTRAL", "SG", "SCATTER", "GATHER")
GRAPHS = ("BFS", "SSSP", "CC", "PR", "BC", "TC")
# The suite's own results for its Kronecker graph of 2^10 vertices.
KNOWN = {"edges": 10496, "components": 128, "largest": 896, "reached": 896, "arcs reached": 20990,
         "triangles": 74720}


def said(command):
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def compare(command, expected):
    """The words of the line that a program prints; its checksum is as expected."""
    words = said(command).split()
    found = int(words[words.index("checksum") + 1], 16)
    if found != expected:
        sys.exit(f"{' '.join(command)}: checksum {found:016x}, the sequential program has {expected:016x}")
    return words


def check_all(starter, pes, made, scale=8):
    """`made` has the paths of the programs."""
    for kernel in ATOMICS:
        for way in ("add", "cas"):
            expected = oracle.atomics(pes, kernel, way, 512, 700, 7, 3)
            compare([*starter, made["atomics"], kernel, way, "-m", "512", "-i", "700", "-s", "7", "-r", "3"],
                    expected)
    for kernel in GRAPHS:
        compare([*starter, made["graphs"], kernel, "-g", str(scale), "-n", "5", "-r", "2"],
                oracle.graphs(kernel, scale, 5, 2))
    words = compare([*starter, made["scatter"], "-i", "1000"], oracle.scatter(pes, 1000))
    remote = int(words[words.index("remote") + 1]) / int(words[words.index("atomics") + 1])
    if abs(remote - (pes - 1) / pes) > .02:
        sys.exit(f"{pes} PEs: {remote} of the atomics are remote, which is far from {(pes - 1) / pes}")


def refusals(starter, made):
    """What is wrong is said, once, with status 2."""
    for args, text in ((["NOSUCH", "add"], "KERNEL add|cas"), (["RAND", "add", "-q", "1"], "-q"),
                       (["RAND", "add", "-m", "0"], "-m needs a number"),
                       (["RAND", "add", "-i", "100000"], "at most 65536 iterations"),
                       (["STRIDEN", "add", "-m", "4", "-s", "5"], "a stride of 5")):
        done = subprocess.run([*starter, made["atomics"], *args], check=False, capture_output=True, text=True)
        if done.returncode != 2 or text not in done.stderr:
            sys.exit(f"{args}: status {done.returncode}, said {done.stderr!r}: expected 2 and {text!r}")


def cores(pgasim, folder):
    """Each back end; the software path with both ways to serve a request."""
    if not shutil.which("riscv64-unknown-elf-gcc"):
        sys.exit(77)
    made = build.build_for_cores(pgasim, folder, ("atomics", "graphs", "scatter"))
    starter = [pgasim, "riscv", "--quiet", "-np", "6", "--platform",
               os.path.join(TOP, "examples", "rae", "table1.xml")]
    for backend in build.BACKENDS:
        check_all(starter, 6, {p: made[p, backend] for p in ("atomics", "graphs", "scatter")}, 6)
    served = [*starter, "--set", "rdma/profile=software"]
    check_all(served, 6, {p: made[p, "software"] for p in ("atomics", "graphs", "scatter")}, 6)


def main(what, *args):
    with tempfile.TemporaryDirectory() as folder:
        if what == "cores":
            cores(args[0], folder)
            return
        if what == "graph":
            found = oracle.facts(10)
            if found != KNOWN:
                sys.exit(f"the graph has {found}, expected {KNOWN}")
            return
        compiler = {"local": list(args), "shmem": [args[0], "cc"]}[what]
        made = {p: build.compile_with(compiler, p, os.path.join(folder, p), [f"REMOTE_{what.upper()}"])
                for p in ("atomics", "graphs", "scatter")}
        if what == "local":
            check_all([], 1, made, 10)
            refusals([], made)
        else:
            check_all([args[0], "run", "--quiet", "--compute=off", "-np", "6"], 6, made)


if __name__ == "__main__":
    main(*sys.argv[1:])
