#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plays several random traces at once with pgasim and with SMPI: each job's end agrees to 1e-6.

  jobs_compare.py BUILD ORACLE [--lists N] [--seed S]

ORACLE is jobs_smpi.cpp. A list has two to four jobs of random traces (replay_compare.py), which start at different times
on random hosts: some share hosts, cores and links. Rings wait for all requests at once: SMPI's replayer keeps requests by
the numbers of actors, and looks for them by ranks, so that a `wait` for one finds nothing in all jobs but the first.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

from replay_compare import COLLECTIVES, platforms, random_trace

TOLERANCE = 1e-6
RING_WAYS = 2


def make_job(draw, folder, k, names):
    """Its entry in pgasim's list, and its line in SMPI's."""
    ranks = draw.choice([2, 3, 4, 5, 8])
    trace = random_trace(draw, ranks, ["ring", "fan"] + draw.sample(COLLECTIVES, 4), "default", RING_WAYS)
    prefix = os.path.join(folder, "job%d" % k)
    for rank, lines in enumerate(trace.lines):
        with open("%s.%d" % (prefix, rank), "w", encoding="utf-8") as f:
            f.write("".join("%d %s\n" % (rank, line) for line in lines + ["finalize"]))
    with open(prefix, "w", encoding="utf-8") as f:
        f.write("".join("%s.%d\n" % (prefix, rank) for rank in range(ranks)))
    hosts = draw.sample(names, min(ranks, draw.choice([2, 4, len(names)])))
    start = draw.choice([0, 0, 0.25, 3.5])
    placed = [hosts[rank % len(hosts)] for rank in range(ranks)]
    return ({"name": "job%d" % k, "trace": prefix, "start": start, "hosts": hosts},
            " ".join(["job%d" % k, str(start), prefix] + placed))


def ends_of_smpi(oracle, platform, lines, folder, settings):
    path = os.path.join(folder, "list")
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in lines))
    done = subprocess.run([oracle, platform, path, "--cfg=network/optim:Full", "--cfg=surf/precision:1e-13",
                           "--log=root.thres:critical"] + settings, capture_output=True, text=True, timeout=300)
    if done.returncode:
        return None
    return dict((line.split()[0], float(line.split()[1])) for line in done.stdout.splitlines() if line.startswith("job"))


def ends_of_pgasim(build, platform, entries, folder, settings):
    path = os.path.join(folder, "list.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(entries, f)
    done = subprocess.run([build + "/bin/pgasim", "replay", "--quiet", "-platform", platform, "--jobs", path, "--json",
                           os.path.join(folder, "run.json")] + settings, capture_output=True, text=True, timeout=300)
    if done.returncode:
        print("FAILED with status %d: %s" % (done.returncode, done.stderr[:300]))
        return None
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
        return dict((j["name"], j["end_seconds"]) for j in json.load(f)["jobs"])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build")
    options.add_argument("oracle")
    options.add_argument("--lists", type=int, default=40)
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    draw, wrong, failing, most = random.Random(args.seed), 0, 0, 0.0
    settings = ["--cfg=smpi/grow-injected-times:no", "--cfg=network/model:SMPI"]
    selector = ["--cfg=smpi/coll-selector:default"]  # SMPI's own, which it knows by that name only within smpirun
    with tempfile.TemporaryDirectory() as folder:
        files = platforms(os.path.abspath(args.build), folder)
        for k in range(args.lists):
            platform, hosts = draw.choice(files)
            names = ["node-%d" % h for h in range(hosts)]
            jobs = [make_job(draw, folder, j, names) for j in range(draw.choice([2, 3, 4]))]
            theirs = ends_of_smpi(args.oracle, platform, [line for _, line in jobs], folder, settings)
            ours = ends_of_pgasim(os.path.abspath(args.build), platform, [entry for entry, _ in jobs], folder,
                                   settings + selector)
            if theirs is None and ours is not None:  # its replayer's buffers are too small, or lists are missing
                failing += 1
                continue
            far = max((abs(ours[j] - theirs[j]) / theirs[j] for j in theirs), default=1.0) if ours else 1.0
            most = max(most, far)
            if far > TOLERANCE:
                wrong += 1
                print("DIFFER: list %d on %s: pgasim %s, SMPI %s" % (k, os.path.basename(platform), ours, theirs))
    print("%d lists from seed %d: %d differ; the largest difference is %.1e; SMPI fails at %d" %
          (args.lists, args.seed, wrong, most, failing))
    return 1 if wrong or failing > 0.6 * args.lists else 0


if __name__ == "__main__":
    sys.exit(main())
