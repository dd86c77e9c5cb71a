#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `pgasim convert --to ti` writes, SMPI's replayer takes.

  convert_compare.py BUILD [--smpirun SMPIRUN] [--traces N] [--seed S]

Random traces (replay_compare.py) are converted to calls and back: SMPI's time of the result is that of the trace. And a
program is recorded, its calls are converted, and what SMPI makes of the result is compared with pgasim's time of it.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

from replay_compare import COLLECTIVES, TOLERANCE, platforms, random_trace, simulated

# Blocking and nonblocking messages in all ways to complete them, collectives with and without counts, derived types,
# persistent requests, a duplicate of the world.
PROGRAM = r"""
#include <mpi.h>
#include <stdlib.h>
enum { STEPS = 5, COUNT = 3000 };
static double sent[4 * COUNT], received[4 * COUNT];
int main(int argc, char **argv)
{
    int rank, ranks, which, flag, counts[64], places[64];
    MPI_Request q[3];
    MPI_Datatype column;
    MPI_Comm twin;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Type_vector(100, 1, 3, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int k = 0; k < ranks; k++) {
        counts[k] = 10 * (k + 1);
        places[k] = 5 * k * (k + 1);
    }
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    for (int step = 0; step < STEPS; step++) {
        MPI_Irecv(received, COUNT, MPI_DOUBLE, from, step, twin, &q[0]);
        MPI_Irecv(received + COUNT, 1, column, to, 50, MPI_COMM_WORLD, &q[1]);
        MPI_Isend(sent, COUNT, MPI_DOUBLE, to, step, twin, &q[2]);
        MPI_Send(sent, 1, column, from, 50, MPI_COMM_WORLD);
        MPI_Waitany(3, q, &which, MPI_STATUS_IGNORE);
        MPI_Test(&q[1], &flag, MPI_STATUS_IGNORE);
        MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
        MPI_Sendrecv(sent, 10, MPI_INT, to, 3, received, 10, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast(sent, 100, MPI_FLOAT, step % ranks, MPI_COMM_WORLD);
        MPI_Gatherv(sent, counts[rank], MPI_INT, received, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Allgatherv(sent, counts[rank], MPI_INT, received, counts, places, MPI_INT, twin);
        MPI_Allreduce(MPI_IN_PLACE, sent, 20, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Alltoall(sent, 7, MPI_INT, received, 7, MPI_INT, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Send_init(sent, 4, MPI_INT, to, 9, MPI_COMM_WORLD, &q[0]);
    MPI_Recv_init(received, 4, MPI_INT, from, 9, MPI_COMM_WORLD, &q[1]);
    for (int step = 0; step < STEPS; step++) {
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
"""


class Compare:
    def __init__(self, args, folder):
        self.args, self.folder, self.wrong = args, folder, 0
        self.settings = ["--cfg=" + s for s in ("smpi/grow-injected-times:no", "smpi/coll-selector:default",
                                                    "network/model:SMPI")]

    def pgasim(self, *words):
        done = subprocess.run([self.args.build + "/bin/pgasim"] + list(words), cwd=self.folder, capture_output=True, text=True,
                              timeout=100, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            sys.exit("FAILED with status %d: %s\n%s" % (done.returncode, " ".join(words), done.stderr))
        return done.stdout + done.stderr

    def smpi(self, platform, ranks, trace):
        with open(os.path.join(self.folder, "names"), "w", encoding="utf-8") as f:
            f.write(trace + "\n")
        return simulated([self.args.smpirun, "-np", str(ranks), "-platform", platform, "-hostfile", "hosts", "-replay", "names",
                          "--cfg=network/optim:Full", "--cfg=surf/precision:1e-13"] + self.settings, self.folder,
                         r"Simulation time ([0-9.]+)")

    def ours(self, platform, trace):
        return simulated([self.args.build + "/bin/pgasim", "replay", "-platform", platform, "-hostfile", "hosts", "--map-by",
                          "host", "--json", "/dev/stdout"] + self.settings + [trace], self.folder,
                         r'"simulated_seconds": ([0-9.e+-]+)')

    def expect(self, what, a, b):
        if a is None or b is None or abs(a - b) - 5e-7 > TOLERANCE * max(b, 1e-9):
            self.wrong += 1
            print("DIFFER: %s: %s and %s" % (what, a, b))

    def hosts(self, draw, hosts):
        with open(os.path.join(self.folder, "hosts"), "w", encoding="utf-8") as f:
            f.write("".join("node-%d\n" % h for h in draw.sample(range(hosts), hosts)))

    def random(self, draw, k, platform, hosts):
        """Whether SMPI plays the trace itself."""
        ranks = draw.choice([2, 3, 5, 8, 13])
        trace = random_trace(draw, ranks, ["ring", "fan"] + COLLECTIVES, "default")
        given = trace.write(self.folder)
        self.hosts(draw, hosts)
        with open(os.path.join(self.folder, "all.txt"), "w", encoding="utf-8") as f:
            f.write("".join("%d %s\n" % (r, line) for r, lines in enumerate(trace.lines) for line in lines))
        theirs = self.smpi(platform, ranks, "all.txt")
        self.pgasim("convert", given, "x.calls.gz")
        said = self.pgasim("convert", "x.calls.gz", "x.ti")
        if said:
            self.wrong += 1
            print("UNSAID: trace %d: %s" % (k, said))
        if theirs is not None:
            self.expect("trace %d, SMPI, before and after" % k, self.smpi(platform, ranks, "x.ti"), theirs)
        return theirs is not None

    def program(self, draw, platform, hosts):
        self.hosts(draw, hosts)
        with open(os.path.join(self.folder, "program.c"), "w", encoding="utf-8") as f:
            f.write(PROGRAM)
        self.pgasim("cc", "-o", "program", "program.c")
        self.pgasim("run", "-np", "7", "-platform", platform, "--compute=off", "--record-ti", "program.calls", "./program")
        self.pgasim("convert", "program.calls", "program.ti")
        self.expect("the program, SMPI and pgasim", self.smpi(platform, 7, "program.ti"), self.ours(platform, "program.ti"))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build")
    options.add_argument("--smpirun", default="smpirun")
    options.add_argument("--traces", type=int, default=12)
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    args.build = os.path.abspath(args.build)
    draw = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        compare = Compare(args, folder)
        files = platforms(args.build, folder)
        played = sum(compare.random(draw, k, *draw.choice(files)) for k in range(args.traces))
        compare.program(draw, *files[0])
    print("%d traces from seed %d, of which SMPI plays %d, and a program: %d wrong" %
          (args.traces, args.seed, played, compare.wrong))
    return 1 if compare.wrong or 2 * played < args.traces else 0


if __name__ == "__main__":
    sys.exit(main())
