#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plays random lists of reads and writes of several hosts' disks, with transfers and computations among them, with
SimGrid and with `pgasim flows`. Each end must agree within 1e-6, relative.

    disks_compare.py ORACLE PGASIM [--seed FIRST] [--cases N]

SimGrid's disks move whole bytes: at each event of any disk, what an access has done since the last one is rounded.
The lists have accesses of a gigabyte or more, so that this is far below 1e-6.
"""
import argparse
import os
import sys
import tempfile

import players
import random_case


def bandwidth(rnd):
    return rnd.one(["100MBps", "1GBps", "80MiBps"]) if rnd.yes() else "%dBps" % int(rnd.spread(1e7, 1e10))


def platform(rnd):
    """(XML, [(host, disk)])"""
    hosts, disks, text = rnd.between(1, 4), [], ""
    for h in range(hosts):
        inside = ""
        for d in range(rnd.between(1, 3)):
            inside += '<disk id="d%d" read_bw="%s" write_bw="%s"/>' % (d, bandwidth(rnd), bandwidth(rnd))
            disks.append(("h%d" % h, "d%d" % d))
        text += '<host id="h%d" speed="1Gf">%s</host>\n' % (h, inside)
    links = '<link id="l" bandwidth="1GBps" latency="10us"/>\n' if hosts > 1 else ""
    for a in range(hosts):
        for b in range(a + 1, hosts):
            links += '<route src="h%d" dst="h%d"><link_ctn id="l"/></route>\n' % (a, b)
    head = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
    return (head + '<platform version="4.1"><zone id="z" routing="Full">\n' + text + links
            + "</zone></platform>\n"), disks, hosts


def activities(rnd, disks, hosts):
    start = rnd.one(["zero", "grid", "any"])
    equal = int(rnd.spread(1e9, 1e11)) if rnd.yes(0.3) else 0
    lines = []
    for k in range(int(rnd.spread(1, 60))):
        at = {"zero": 0, "grid": rnd.below(8) * 0.5, "any": 20 * rnd.unit()}[start]
        amount = equal or int(rnd.spread(1e9, 1e11))
        if rnd.yes(0.1):
            lines.append("a%d exec h%d %d %.9g" % (k, rnd.below(hosts), amount, at))
        elif hosts > 1 and rnd.yes(0.1):
            a = rnd.below(hosts)
            lines.append("a%d send h%d h%d %d %.9g" % (k, a, (a + 1) % hosts, amount, at))
        else:
            host, disk = rnd.one(disks)
            lines.append("a%d %s %s %s %d %.9g" % (k, rnd.one(["read", "write"]), host, disk, amount, at))
    return "\n".join(lines) + "\n"


def make(seed):
    rnd = random_case.Random(seed)
    text, disks, hosts = platform(rnd)
    return text, activities(rnd, disks, hosts), ["network/model:CM02"]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("oracle")
    p.add_argument("pgasim")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--cases", type=int, default=200)
    args = p.parse_args()
    differ, compared, worst = 0, 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        cases = [players.Case.write(folder, str(s), make(s)) for s in range(args.seed, args.seed + args.cases)]
        theirs = players.play_simgrid(args.oracle, cases)
        for case in cases:
            want, got = theirs[case.name], players.play_pgasim(args.pgasim, case)
            if want.error or got.error:
                print("seed %s: SimGrid: %s; pgasim: %s" % (case.name, want.error, got.error))
                differ += 1
                continue
            apart, who = players.farthest(want, got)
            compared += len(want.ends)
            worst = max(worst, apart)
            if apart > players.WITHIN:
                differ += 1
                print("seed %s: %s ends at %s, in SimGrid at %s" % (case.name, who, got.ends[who], want.ends[who]))
                if differ == 1:
                    print(case.texts()[0] + case.texts()[1])
    print("seeds %d to %d: %d activities compared, at most %.2g apart; %d cases differ"
          % (args.seed, args.seed + args.cases - 1, compared, worst, differ))
    sys.exit(differ > 0 or compared < 2 * args.cases)


if __name__ == "__main__":
    main()
