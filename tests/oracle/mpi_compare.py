#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs random MPI programs under pgasim and under SMPI: the same results, and simulated times that agree to 1e-6.

  mpi_compare.py BUILD --smpi PROGRAM [--programs N] [--rounds N] [--seed S]

PROGRAM is mpi_random.c compiled by smpicc. A program is a seed of mpi_random on a platform, a number of ranks and
protocol settings, all drawn from S. Full solving is asked of SimGrid: its lazy default deviates from it. Left out
are rounds of persistent messages, at which SMPI sometimes hangs, and, with protocols that charge ranks for messages,
rounds that wait for many requests at once: SMPI charges them in an order of its own.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

TOLERANCE = 1e-6
SHAPES = [
    ["cluster", "--hosts", "8"],
    ["cluster", "--hosts", "16", "--speed", "1Gf"],
    ["fat-tree", "--hosts", "16"],
    ["torus", "--hosts", "16"],
    ["dragonfly", "--hosts", "32"],
]
LOOPBACK = ["--loopback-bw", "10GBps", "--loopback-lat", "100ns"]
PROTOCOLS = [
    [],
    ["smpi/async-small-thresh:65536"],
    ["smpi/async-small-thresh:1024", "smpi/send-is-detached-thresh:4096"],
    ["smpi/os:0:1e-6:1e-9;4096:3e-6:2e-10", "smpi/ois:0:5e-7:1e-9", "smpi/or:0:2e-6:5e-10"],
    ["smpi/async-small-thresh:2000", "smpi/or:0:1e-6:1e-9;10000:4e-6:1e-10"],
]


PERSISTENT, EXCHANGES = 1 << 5, 1 << 0 | 1 << 1


def left_out(protocol):
    """The patterns of mpi_random that are not compared, as it takes them."""
    charged = any(setting.startswith(("smpi/os", "smpi/ois", "smpi/or")) for setting in protocol)
    return PERSISTENT | (EXCHANGES if charged else 0)


def platforms(build, folder):
    """(platform file, number of hosts) of each shape."""
    out = []
    for k, words in enumerate(SHAPES):
        path = os.path.join(folder, "platform%d.xml" % k)
        made = subprocess.run([build + "/bin/pgasim", "platform", "generate"] + words + LOOPBACK, check=True,
                              capture_output=True, text=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(made.stdout)
        out.append((path, int(words[words.index("--hosts") + 1])))
    return out


def output(command, folder):
    """The lines of a run, sorted; None if it failed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    lines = [line.split() for line in done.stdout.splitlines() if line[:1].isdigit()]
    if done.returncode or not lines:
        print("FAILED with status %d: %s\n%s" % (done.returncode, " ".join(command), done.stderr[-2000:]))
        return None
    return sorted((int(rank), int(turn), int(pattern), float(time)) for rank, turn, pattern, time in lines)


def commands(args, case, ours):
    """The commands of one random program: under SMPI, and under pgasim."""
    path, ranks, protocol, seed = case
    hosts = os.path.join(os.path.dirname(path), "hosts")
    settings = ["--cfg=smpi/wtime:0", "--cfg=smpi/grow-injected-times:no"] + ["--cfg=" + p for p in protocol]
    rest = [str(seed), str(args.rounds), str(left_out(protocol))]
    smpi = ["smpirun", "-np", str(ranks), "-platform", path, "-hostfile", hosts, "--cfg=network/optim:Full",
            "--cfg=smpi/simulate-computation:no", "--cfg=surf/precision:1e-13",
            "--log=root.thresh:error"] + settings + [args.smpi] + rest
    pgasim = [args.build + "/bin/pgasim", "run", "--quiet", "--compute=off", "-np", str(ranks), "-platform", path,
              "-hostfile", hosts, "--map-by", "host", "--cfg=network/model:SMPI"] + settings + [ours] + rest
    return smpi, pgasim


def worst(a, b):
    """The largest relative difference of times; None when anything else differs."""
    if [row[:3] for row in a] != [row[:3] for row in b]:
        return None
    return max(abs(x[3] - y[3]) / max(x[3], y[3], 1e-12) for x, y in zip(a, b))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build")
    options.add_argument("--smpi", required=True)
    options.add_argument("--programs", type=int, default=25)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    args.build, args.smpi = os.path.abspath(args.build), os.path.abspath(args.smpi)
    draw, wrong, most = random.Random(args.seed), 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        ours = os.path.join(folder, "mpi_random")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mpi_random.c")
        subprocess.run([args.build + "/bin/wrappers/mpicc", "-O1", "-o", ours, source], check=True)
        files = platforms(args.build, folder)
        for _ in range(args.programs):
            path, hosts = draw.choice(files)
            case = (path, draw.choice([1, 2, 3, 4, 5, 8, 13, 16]), draw.choice(PROTOCOLS),
                    draw.randrange(1 << 30))
            names = ["node-%d" % k for k in range(hosts)]
            draw.shuffle(names)
            with open(os.path.join(folder, "hosts"), "w", encoding="utf-8") as f:
                f.write("".join(name + "\n" for name in names))
            smpi, pgasim = commands(args, case, ours)
            theirs, mine = output(smpi, folder), output(pgasim, folder)
            far = worst(theirs, mine) if theirs and mine else None
            most = max(most, far or 0)
            if far is None or far > TOLERANCE:
                wrong += 1
                print("DIFFER by %s: seed %d, %d ranks, %s %s" % (far, case[3], case[1], os.path.basename(case[0]),
                                                                 " ".join(case[2])))
    print("%d programs from seed %d: %d differ; the largest difference of the others is %.1e" %
          (args.programs, args.seed, wrong, most if not wrong else min(most, TOLERANCE)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
