#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The kernels of examples/rae print the checksums of the sequential programs in oracle.py.

    kernels.py graph                   the generated graph has the GAP Benchmark Suite's numbers
    kernels.py local CC                one PE, compiled for this machine
    kernels.py shmem PGASIM            6 PEs of OpenSHMEM
    kernels.py cores PGASIM [all]      simulated cores, by each path, at several sizes and numbers of cores;
                                       status 77 without a cross compiler
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


def check_all(starter, pes, made, sizes):
    """`made` has the paths of the programs; `sizes` are words, iterations and stride of the arrays, and the
    scale of the graph."""
    words, iterations, stride, scale = sizes
    for kernel in ATOMICS:
        for way in ("add", "cas"):
            expected = oracle.atomics(pes, kernel, way, words, iterations, stride, pes)
            compare([*starter, made["atomics"], kernel, way, "-m", str(words), "-i", str(iterations), "-s",
                     str(stride), "-r", str(pes)], expected)
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


# Numbers of cores, with sizes; what is long with `all` only.
SOME = {1: (33, 50, 2, 4), 2: (96, 200, 5, 5), 6: (200, 300, 7, 6)}
MORE = {3: (1, 9, 1, 3), 7: (1000, 1000, 999, 7), 16: (512, 700, 9, 8), 64: (64, 100, 3, 9),
        100: (70, 30, 1, 6)}
# Paths of figures/workloads.py: the same program, other settings.
PATHS = {"rae": (), "getput": (), "software": ("rdma/profile=software", "software/library=oshmem"),
         "library": ("software/library=mpi-pt2pt",), "retain": ("card/policy=retain",)}


def cores(pgasim, folder, everything):
    """All paths with 6 cores, the extension with other numbers."""
    if not shutil.which("riscv64-unknown-elf-gcc"):
        sys.exit(77)
    made = build.build_for_cores(pgasim, folder, ("atomics", "graphs", "scatter"), build.BACKENDS,
                                 ("ATOMICS_WORDS=1024",))

    def check(path, pes, sizes):
        platform = ("--platform", "rae-table1") if pes <= 6 else ()
        settings = [word for setting in PATHS[path] for word in ("--set", setting)]
        backend = path if path in build.BACKENDS else "rae"
        check_all([pgasim, "riscv", "--quiet", "-np", str(pes), *platform, *settings], pes,
                  {p: made[p, backend] for p in ("atomics", "graphs", "scatter")}, sizes)
    for pes, sizes in {**SOME, **(MORE if everything else {})}.items():
        check("rae", pes, sizes)
    for path in PATHS:
        if path != "rae":
            check(path, 6, SOME[6] if everything else (64, 60, 7, 4))


def main(what, *args):
    with tempfile.TemporaryDirectory() as folder:
        if what == "cores":
            cores(args[0], folder, args[1:] == ("all",))
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
            check_all([], 1, made, (512, 700, 7, 10))
            refusals([], made)
        else:
            check_all([args[0], "run", "--quiet", "--compute=off", "-np", "6"], 6, made, (512, 700, 7, 8))


if __name__ == "__main__":
    main(*sys.argv[1:])
