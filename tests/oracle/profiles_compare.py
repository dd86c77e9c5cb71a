#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plays random lists of activities on random platforms that change with time, with SimGrid and with `pgasim
flows`. The times at which each activity ends or fails must differ by at most 1e-6, relative.

    profiles_compare.py ORACLE PGASIM [--seed FIRST] [--cases N] [--keep FOLDER]

Cases for which SimGrid 3.32 has no defined behaviour are left out: a latency, or under a model with weight-S
a bandwidth, that changes while a transfer is in its latency phase (it then may never end there), and the
failure of a host whose own actor plays the activity. So links begin without latency, and each has at most one
change of latency.
"""
import argparse
import os
import random
import sys
import tempfile

import players

HOSTS = 4
MODELS = ["CM02", "LV08", "SMPI"]


def changes(rng, values, most):
    """The lines of a profile: times in order, then perhaps how the profile repeats."""
    times = sorted(round(rng.uniform(0, 20), 3) for _ in range(rng.randint(1, most)))
    lines = ["%g %s" % (t, values()) for t in times]
    if most > 1 and rng.random() < 0.5:
        lines.append(rng.choice(["LOOPAFTER %g" % rng.uniform(0.5, 9),
                                 "PERIODICITY %g" % (times[-1] + rng.uniform(0.5, 9))]))
    return "\n".join(lines)


class Platform:
    """A platform's text, and the files that it refers to."""

    def __init__(self, rng, name):
        self.rng, self.name, self.files, self.attributes = rng, name, {}, {}
        self.links = ["l%d" % k for k in range(HOSTS * (HOSTS - 1) // 2)]
        self.vary_all()

    def vary(self, attribute, element, values, most):
        name = "%s.%s.%s" % (self.name, element, attribute)
        self.files[name] = changes(self.rng, values, most)
        self.attributes[element] = self.attributes.get(element, "") + ' %s="%s"' % (attribute, name)

    def vary_all(self):
        rng = self.rng
        for k in range(HOSTS):
            if rng.random() < 0.7:
                self.vary("speed_file", "h%d" % k, lambda: "%g" % round(rng.uniform(0.05, 2), 3), 5)
        for link in self.links:
            if rng.random() < 0.25:
                self.vary("latency_file", link, lambda: "%g" % rng.uniform(1e-4, 0.05), 1)
            elif rng.random() < 0.5:
                self.vary("bandwidth_file", link, lambda: "%d" % rng.randint(200000, 5000000), 4)
            if rng.random() < 0.2:
                self.vary("state_file", link, lambda: "%d" % rng.randint(0, 1), 4)

    def text(self):
        late = {l for l in self.links if "latency_file" in self.attributes.get(l, "")}
        hosts = ['<host id="h%d" speed="%dMf" core="%d"%s/>' %
                 (k, self.rng.randint(50, 500), self.rng.randint(1, 3), self.attributes.get("h%d" % k, ""))
                 for k in range(HOSTS)]
        links = ['<link id="%s" bandwidth="%dkBps" latency="0"%s/>' %
                 (l, self.rng.randint(500, 4000), self.attributes.get(l, "")) for l in self.links]
        pairs = [(a, b) for a in range(HOSTS) for b in range(a)]
        # Each route has its own link and sometimes others; no bandwidth changes after a latency.
        routes = []
        for own, (a, b) in zip(self.links, pairs):
            more = [l for l in self.links if l != own and not late & {l, own} and self.rng.random() < 0.25]
            inside = "".join('<link_ctn id="%s"/>' % l for l in [own] + more)
            routes.append('<route src="h%d" dst="h%d">%s</route>' % (a, b, inside))
        return "\n".join(["<?xml version='1.0'?>",
                          '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
                          '<platform version="4.1">', '<zone id="z" routing="Full">', *hosts, *links, *routes,
                          "</zone>",
                          "</platform>", ""])

    def write(self, folder):
        for name, text in self.files.items():
            with open(os.path.join(folder, name), "w") as f:
                f.write(text + "\n")


def activities(rng):
    lines = []
    for k in range(rng.randint(3, 30)):
        at = rng.choice([0, round(rng.uniform(0, 15), 3)])
        if rng.random() < 0.5:
            lines.append("a%d exec h%d %d %g"
                         % (k, rng.randrange(HOSTS), rng.randint(1000000, 2000000000), at))
        else:
            a, b = rng.sample(range(HOSTS), 2)
            lines.append("a%d send h%d h%d %d %g" % (k, a, b, rng.randint(1, 20000000), at))
    return "\n".join(lines) + "\n"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("oracle")
    p.add_argument("pgasim")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--cases", type=int, default=200)
    p.add_argument("--keep")
    args = p.parse_args()
    differ, ends, failed, refused, worst = 0, 0, 0, 0, 0.0
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or scratch
        os.makedirs(folder, exist_ok=True)
        cases = []
        for seed in range(args.seed, args.seed + args.cases):
            rng = random.Random(seed)
            options = ["network/model:" + rng.choice(MODELS)]
            name = "profile-%d" % seed
            platform = Platform(rng, name)
            platform.write(folder)
            cases.append(players.Case.write(folder, name, (platform.text(), activities(rng), options)))
        theirs = players.play_simgrid(args.oracle, cases)
        for case in cases:
            if theirs[case.name].error:
                refused += 1
                continue
            ours = players.play_pgasim(args.pgasim, case)
            far, who = (float("inf"), ours.error) if ours.error else players.farthest(ours, theirs[case.name])
            ends += len(theirs[case.name].ends)
            failed += sum(end[0] == "failed" for end in theirs[case.name].ends.values())
            worst = max(worst, far)
            if far > players.WITHIN:
                differ += 1
                print("%s %s: %s is %s apart: %s, in SimGrid %s" % (case.name, case.options, who, far,
                      ours.ends.get(who) if ours.ends else "", theirs[case.name].ends.get(who)))
            elif args.keep:
                case.remove()
    print("seeds %d to %d: %d activities, %d failed; %d cases differ, SimGrid refused %d; at most %.3g apart"
          % (args.seed, args.seed + args.cases - 1, ends, failed, differ, refused, worst))
    sys.exit(differ > 0 or ends == 0)


if __name__ == "__main__":
    main()
