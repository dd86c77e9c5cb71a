#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plays random time-independent traces with pgasim and with SMPI: simulated times that agree to 1e-6.

  replay_compare.py BUILD [--smpirun SMPIRUN] [--traces N] [--seed S]

A trace is a few rounds, each of one pattern of messages or one collective of all ranks, with computation between. It is
written as one file or as one for each rank, and for pgasim sometimes compressed. Platforms are slow, as SMPI prints
times in microseconds. Times of tests do not grow, as SMPI lets them grow for all ranks together.
"""
import argparse
import gzip
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

TOLERANCE = 1e-6
SLOW = ["--bw", "100kBps", "--lat", "10ms", "--loopback-bw", "1MBps", "--loopback-lat", "1ms"]
SHAPES = [["cluster", "--hosts", "20"], ["fat-tree", "--hosts", "16"], ["torus", "--hosts", "16"]]
SELECTORS = ["default", "ompi", "mpich", "mvapich2", "impi"]
PROTOCOLS = [
    [],
    ["smpi/async-small-thresh:1024", "smpi/send-is-detached-thresh:4096"],
    ["smpi/os:0:1e-3:1e-6;4096:3e-3:2e-7", "smpi/ois:0:5e-4:1e-6", "smpi/or:0:2e-3:5e-7"],
]
COLLECTIVES = ["barrier", "bcast", "reduce", "allreduce", "alltoall", "gather", "allgather", "scatter", "gatherv",
               "allgatherv", "scatterv", "alltoallv", "reducescatter", "scan", "exscan"]
# What SMPI does otherwise, or not at all, by operation and selector: coll_algorithms.txt says why.
LEFT_OUT = {("bcast", "impi"), ("reducescatter", "mvapich2"), ("reducescatter", "impi"), ("reducescatter", "ompi"),
            ("allgatherv", "mpich"), ("alltoall", "mpich"), ("gather", "mvapich2")}
TYPES = {0: 8, 1: 4, 2: 1, 3: 2, 5: 4, 6: 1, 14: 16}


class Trace:
    """The lines of each rank."""

    def __init__(self, draw, ranks, patterns, selector, ways):
        self.draw, self.n, self.ways = draw, ranks, ways
        self.names = [p for p in patterns if p in COLLECTIVES and (p, selector) not in LEFT_OUT]
        self.rounds = [r for p, r in (("ring", self.ring), ("fan", self.fan)) if p in patterns]
        self.rounds += [self.collective] * (min(len(self.names), 2))
        self.lines = [["init"] for _ in range(ranks)]
        self.tag = self.collectives = 0

    def add(self, rank, *words):
        self.lines[rank].append(" ".join(str(w) for w in words))

    def count(self):
        return self.draw.choice([1, 7, 100, 5000, 70000])

    def compute(self):
        for rank in range(self.n):
            if self.draw.random() < 0.6:
                self.add(rank, self.draw.choice(["compute %d" % self.draw.randrange(1, 10**9), "compute 2.5e8",
                                                 "sleep 0.%d" % self.draw.randrange(1, 999)]))

    def ring(self):
        """Everyone sends to a neighbour and receives from the other one, in one of several ways."""
        step, how = self.draw.randrange(1, max(2, self.n)), self.draw.randrange(self.ways)
        kind, count = self.draw.choice(list(TYPES)), self.count()
        self.tag += 1
        for rank in range(self.n):
            to, source = (rank + step) % self.n, (rank - step) % self.n
            if how == 0:
                self.add(rank, "sendRecv", count, to, count, source, kind, kind)
                continue
            self.add(rank, "irecv", source, self.tag, -1 if how == 3 and self.n > 1 and False else count, kind)
            self.add(rank, "isend", to, self.tag, count, kind)
            if how == 1:
                self.add(rank, "waitall")
                continue
            if how == 3:
                self.add(rank, "compute", 1000000)
                self.add(rank, "test", source, rank, self.tag)
            self.add(rank, "wait", source, rank, self.tag)
            self.add(rank, "wait", rank, to, self.tag)

    def fan(self):
        """One receives from all the others, blocking, in some order."""
        root, kind = self.draw.randrange(self.n), self.draw.choice(list(TYPES))
        others = [r for r in range(self.n) if r != root]
        self.draw.shuffle(others)
        self.tag += 1
        for rank in others:
            count = self.count()
            self.add(rank, "send", root, self.tag, count, kind)
            self.add(root, "recv", rank, self.tag, self.draw.choice([count, -1]), kind)

    def collective(self):
        draw, n = self.draw, self.n
        kind, count, root = draw.choice(list(TYPES)), self.count(), draw.randrange(n)
        flops = draw.choice([0, 1000000])
        counts = [draw.choice([1, 3, 500, 20000]) for _ in range(n)]
        name = draw.choice(self.names)
        self.collectives += 1
        square = [[draw.choice([1, 4, 300, 6000]) for _ in range(n)] for _ in range(n)]
        for rank in range(n):
            words = {
                "barrier": [], "bcast": [count, root, kind], "reduce": [count, flops, root, kind],
                "allreduce": [count, flops, kind], "scan": [count, flops, kind], "exscan": [count, flops, kind],
                "alltoall": [count, count, kind, kind], "allgather": [count, count, kind, kind],
                "gather": [count, count, root, kind, kind], "scatter": [count, count, root, kind, kind],
                "gatherv": [counts[rank]] + counts + [root, kind, kind],
                "scatterv": counts + [counts[rank], root, kind, kind],
                "allgatherv": [counts[rank]] + counts + [kind, kind] + [sum(counts[:k]) for k in range(n)],
                "alltoallv": [sum(square[rank])] + square[rank] + [sum(square[k][rank] for k in range(n))] +
                             [square[k][rank] for k in range(n)] + [kind, kind],
                "reducescatter": counts + [flops, kind],
            }[name]
            self.add(rank, name, *words)

    def write(self, folder):
        """As SMPI's list of files, and as what pgasim is given."""
        for lines in self.lines:
            lines.append("finalize")
        names = []
        if self.draw.random() < 0.5:
            queues = [[("%d " % r) + line for line in lines] for r, lines in enumerate(self.lines)]
            names.append("all.txt")
            with open(os.path.join(folder, "all.txt"), "w", encoding="utf-8") as f:
                while any(queues):
                    f.write(self.draw.choice([q for q in queues if q]).pop(0) + "\n")
        else:
            for rank, lines in enumerate(self.lines):
                names.append("rank%d.txt" % rank)
                with open(os.path.join(folder, names[-1]), "w", encoding="utf-8") as f:
                    f.write("# rank %d\n" % rank if False else "")
                    f.write("".join("%d %s\n" % (rank, line) for line in lines))
        with open(os.path.join(folder, "list"), "w", encoding="utf-8") as f:
            f.write("".join(name + "\n" for name in names))
        if self.draw.random() < 0.5:
            return "list" if len(names) > 1 or self.draw.random() < 0.5 else names[0]
        packed = []
        for name in names:
            path = os.path.join(folder, name)
            if shutil.which("zstd") and self.draw.random() < 0.5:
                subprocess.run(["zstd", "-q", "-f", path, "-o", path + ".zst"], check=True)
                packed.append(name + ".zst")
            else:
                with open(path, "rb") as f, gzip.open(path + ".gz", "wb") as g:
                    g.write(f.read())
                packed.append(name + ".gz")
        with open(os.path.join(folder, "packed"), "w", encoding="utf-8") as f:
            f.write("".join(name + "\n" for name in packed))
        return "packed"


def random_trace(draw, ranks, patterns, selector, ways=4):
    """`ways`: of exchanges in a ring, the first ones of them."""
    trace = Trace(draw, ranks, patterns, selector, ways)
    for _ in range(draw.randrange(2, 7)):
        trace.compute()
        (draw.choice(trace.rounds) if trace.rounds else trace.compute)()
    trace.compute()
    return trace


def platforms(build, folder):
    out = []
    for k, words in enumerate(SHAPES):
        path = os.path.join(folder, "platform%d.xml" % k)
        with open(path, "w", encoding="utf-8") as f:
            subprocess.run([build + "/bin/pgasim", "platform", "generate"] + words + SLOW, check=True, stdout=f)
        out.append((path, int(words[words.index("--hosts") + 1])))
    return out


def simulated(command, folder, pattern):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    found = re.search(pattern, done.stdout + done.stderr)
    if (done.returncode or not found) and "smpirun" in command[0]:
        return None
    if done.returncode or not found:
        said = [line for line in done.stderr.splitlines() if "INFO" not in line]
        print("FAILED with status %d: %s\n%s" % (done.returncode, " ".join(command), "\n".join(said[:2])))
        return None
    return float(found.group(1))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build")
    options.add_argument("--smpirun", default="smpirun")
    options.add_argument("--traces", type=int, default=40)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--patterns", default=",".join(["ring", "fan"] + COLLECTIVES))
    options.add_argument("--keep", help="a folder for the traces that differ")
    args = options.parse_args()
    args.build = os.path.abspath(args.build)
    draw, wrong, failing, most = random.Random(args.seed), 0, 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        files = platforms(args.build, folder)
        for k in range(args.traces):
            path, hosts = draw.choice(files)
            ranks, selector, protocol = draw.choice([2, 3, 4, 5, 8, 13, 16]), draw.choice(SELECTORS), draw.choice(PROTOCOLS)
            trace = random_trace(draw, ranks, args.patterns.split(","), selector)
            if trace.collectives:
                protocol = [p for p in protocol if "thresh" in p]
            given = trace.write(folder)
            with open(os.path.join(folder, "hosts"), "w", encoding="utf-8") as f:
                f.write("".join("node-%d\n" % h for h in draw.sample(range(hosts), hosts)))
            settings = ["--cfg=" + s for s in protocol + ["smpi/grow-injected-times:no", "smpi/coll-selector:" + selector,
                                                          "network/model:SMPI"]]
            theirs = simulated([args.smpirun, "-np", str(ranks), "-platform", path, "-hostfile", "hosts", "-replay", "list",
                                "--cfg=network/optim:Full", "--cfg=surf/precision:1e-13"] + settings, folder,
                               r"Simulation time ([0-9.]+)")
            ours = simulated([args.build + "/bin/pgasim", "replay", "-platform", path, "-hostfile", "hosts", "--map-by",
                              "host", "--json", "/dev/stdout"] + settings + [given], folder,
                             r'"simulated_seconds": ([0-9.e+-]+)')
            far = abs(ours - theirs) - 5e-7 if ours is not None and theirs is not None else None
            far = far / max(theirs, 1e-9) if far is not None else None
            most = max(most, far or 0)
            if theirs is None and ours is not None: # its replayer's buffers are too small, or lists are missing
                failing += 1
                continue
            if far is None or far > TOLERANCE:
                wrong += 1
                print("DIFFER: trace %d, %d ranks, %s, %s, %s: pgasim %s, SMPI %s" %
                      (k, ranks, os.path.basename(path), selector, " ".join(protocol), ours, theirs))
                if args.keep:
                    shutil.copytree(folder, os.path.join(args.keep, "%d-%d" % (args.seed, k)))
    print("%d traces from seed %d: %d differ; the largest difference is %.1e; SMPI fails at %d" %
          (args.traces, args.seed, wrong, most, failing))
    return 1 if wrong or failing > 0.6 * args.traces else 0


if __name__ == "__main__":
    sys.exit(main())
