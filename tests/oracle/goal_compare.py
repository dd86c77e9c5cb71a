#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plays schedules in GOAL with pgasim's LogGP model and with LogGOPSim: ends that agree to 1e-9, and the same deadlocks.

  goal_compare.py BUILD [--loggopsim LOGGOPSIM] [--txt2bin TXT2BIN] [--clock CLOCK] [--schedules N] [--seed S]

Schedules are patterns of collectives and random graphs (goal_schedules.py), with several models' parameters; pgasim
reads text or LogGOPSim's binary form, compressed or not. With CLOCK, a library that shows LogGOPSim a chosen time as it
seeds its random numbers with that, some are played with recorded interruptions. Without LogGOPSim, whose home is
https://github.com/spcl/LogGOPSim, nothing is compared, and the exit status is 77.
"""
import argparse
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import goal_schedules

TOLERANCE = 1e-9
SKIPPED = 77
# L, o, g, G, O, S
PARAMETERS = [(2500, 1500, 1000, 6, 0, 65535), (1000, 200, 5, 1, 2, 1 << 20), (0, 0, 0, 0, 0, 65535),
              (300, 700, 9000, 3, 0, 100), (1, 1, 1, 1, 1, 0)]
# What a trace of interruptions needs to be: LogGOPSim has no answer for an operation that is as long as its trace.
LONGER_THAN_ANY = 1 << 40
KEYS = ["latency", "overhead", "gap", "byte-gap", "byte-overhead"]


class Noise:
    """Interruptions in a file, and where ranks are in it."""

    def __init__(self, draw, path):
        self.path, self.seed, self.together = path, draw.randrange(1, 1 << 31), draw.random() < 0.3
        at, longest = 0, draw.choice([10, 2000, 100000])
        with open(path, "w", encoding="utf-8") as f:
            f.write("# begin and duration in nanoseconds\n")
            for _ in range(draw.randrange(2, 400)):
                f.write("%d\t%d\n" % (at, draw.randrange(longest)))
                at += draw.choice([0, 1, draw.randrange(20 * longest)])
            f.write("%d\t0\n" % (at + LONGER_THAN_ANY))

    def theirs(self):
        return ["--noise-trace=" + self.path] + ["--noise-cosched"] * self.together

    def ours(self):
        return ["--set", "loggp/noise-trace=" + self.path, "--set", "noise/seed=%d" % self.seed,
                "--set", "loggp/noise-together=" + ("yes" if self.together else "no")]


def theirs(args, binary, parameters, noise):
    """The last end, in seconds; None: not all came to their end."""
    words = ["-%s%d" % (name, value) for name, value in zip("LogGOS", parameters)]
    env = dict(os.environ, LD_PRELOAD=args.clock, CLOCK=str(noise.seed)) if noise else None
    done = subprocess.run([args.loggopsim, "-b", "-f", binary] + words + (noise.theirs() if noise else []),
                          capture_output=True, text=True, timeout=300, check=False, env=env)
    found = re.search(r"Maximum finishing time at host \d+: (\d+)", done.stdout)
    return int(found.group(1)) * 1e-9 if found else None


def ours(args, path, parameters, folder, noise):
    out = os.path.join(folder, "figures.json")
    settings = [word for key, value in zip(KEYS, parameters) for word in ("--set", "loggp/%s=%dns" % (key, value))]
    settings += noise.ours() if noise else []
    done = subprocess.run([args.build + "/bin/pgasim", "replay", "--quiet", "--json", out, "--set", "replay/model=LogGP",
                           "--set", "loggp/rendezvous=%d" % parameters[5]] + settings + [path],
                          capture_output=True, text=True, timeout=300, check=False)
    if done.returncode == 3 or (done.returncode == 0 and "never received" in done.stderr):
        return None
    if done.returncode:
        return done.stderr.strip() or "status %d" % done.returncode
    with open(out, encoding="utf-8") as f:
        return float(json.load(f)["simulated_seconds"])


def form_of(draw, text, binary):
    path = draw.choice([text, binary])
    if draw.random() < 0.3:
        with open(path, "rb") as f, gzip.open(path + ".gz", "wb") as g:
            g.write(f.read())
        return path + ".gz"
    return path


def schedules(draw, n):
    yield from goal_schedules.patterns()
    for k in range(n):
        yield "random %d" % k, goal_schedules.random_schedule(draw)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build")
    options.add_argument("--loggopsim", default=shutil.which("LogGOPSim"))
    options.add_argument("--txt2bin", default=shutil.which("txt2bin"))
    options.add_argument("--clock")
    options.add_argument("--schedules", type=int, default=150)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", help="a folder for the schedules that differ")
    args = options.parse_args()
    if not args.loggopsim or not args.txt2bin:
        print("skipped: LogGOPSim and its txt2bin are not installed")
        return SKIPPED
    args.build, args.clock = os.path.abspath(args.build), args.clock and os.path.abspath(args.clock)
    draw, wrong, stuck, played, noisy, most = random.Random(args.seed), 0, 0, 0, 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        text, binary = os.path.join(folder, "s.goal"), os.path.join(folder, "s.bin")
        for name, schedule in schedules(draw, args.schedules):
            schedule.write(text)
            if os.path.exists(binary):
                os.remove(binary)
            subprocess.run([args.txt2bin, "-i", text, "-o", binary], check=True, capture_output=True)
            parameters = draw.choice(PARAMETERS)
            noise = Noise(draw, os.path.join(folder, "noise")) if args.clock and draw.random() < 0.5 else None
            wanted = theirs(args, binary, parameters, noise)
            got = ours(args, form_of(draw, text, binary), parameters, folder, noise)
            noisy += noise is not None
            played, stuck = played + 1, stuck + (wanted is None)
            same = got is None if wanted is None else isinstance(got, float) and \
                abs(got - wanted) <= TOLERANCE * max(wanted, 1e-9)
            if same and wanted:
                most = max(most, abs(got - wanted) / wanted)
            if not same:
                wrong += 1
                print("DIFFER: %s with %s: pgasim %s, LogGOPSim %s" % (name, parameters, got, wanted))
                if args.keep:
                    shutil.copytree(folder, os.path.join(args.keep, "%d-%d" % (args.seed, played)))
    print("%d schedules from seed %d, %d of them with noise: %d differ; the largest difference is %.1e; "
          "%d do not come to their end" % (played, args.seed, noisy, wrong, most, stuck))
    return 1 if wrong or stuck > played / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
