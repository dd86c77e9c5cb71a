#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs random programs on random platforms with watts under pgasim and under SMPI with its energy plug-ins: the joules
of every host and link agree to 1e-6, and so does what programs that change pstates are told of their hosts.

  energy_compare.py BUILD --smpi PROGRAM [--cases N] [--first K] [--seed S] [--verbose]

PROGRAM is energy_random.c compiled by smpicc. Case K is a platform, ranks on its hosts and a program, drawn from S and
K; a case that differs is named by these. SimGrid prints joules with six digits after the point.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from random_case import Random

TOLERANCE = 1e-6
LAST_DIGIT = 1e-6  # of a printed figure
HEAD = ('<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        '<platform version="4.1">\n')


def watts(rnd, entries):
    """wattage_per_state: two or three values an entry. Idle is the same in all: under SMPI a host counts as in its
    first pstate until it first computes, because SMPI makes the plug-in's record a second time."""
    out, idle = [], rnd.spread(1, 100)
    for _ in range(entries):
        values = [idle, idle + rnd.spread(1, 50), idle + rnd.spread(50, 300)]
        if rnd.yes(0.3):
            del values[1]
        out.append(":".join("%.6g" % v for v in values))
    return ", ".join(out)


def prop(key, value):
    return '<prop id="%s" value="%s"/>' % (key, value)


def link(rnd, name):
    policy, inside = rnd.one(["SHARED", "FATPIPE", "SPLITDUPLEX"]), ""
    if rnd.yes(0.8) and policy != "SPLITDUPLEX":  # SimGrid does not find the properties of its halves
        inside = prop("wattage_range", "%.6g:%.6g" % (rnd.spread(1, 20), rnd.spread(20, 200)))
    return '<link id="%s" bandwidth="%.6gBps" latency="%.6gs" sharing_policy="%s">%s</link>' % (
        name, rnd.spread(1e6, 1e9), rnd.spread(1e-6, 1e-3), policy, inside)


def host(rnd, name):
    speeds = ["%.6gf" % rnd.spread(1e8, 1e10) for _ in range(rnd.between(1, 3))]
    inside = prop("wattage_per_state", watts(rnd, len(speeds))) if rnd.yes(0.9) else ""
    inside += prop("wattage_off", "5") if rnd.yes(0.3) else ""
    return '<host id="%s" speed="%s" pstate="%d" core="%d">%s</host>' % (
        name, ",".join(speeds), rnd.below(len(speeds)), rnd.between(1, 4), inside)


def full(rnd):
    """A zone with a route between each pair of hosts. Returns its text and the hosts' names."""
    names = ["h%d" % k for k in range(rnd.between(2, 5))]
    lines = [host(rnd, name) for name in names]
    links = ["l%d" % k for k in range(rnd.between(1, 5))]
    made = [link(rnd, name) for name in links]
    for a, left in enumerate(names):
        for right in names[a + 1:]:
            crossed = ""
            for name, text in zip(links, made):
                if rnd.yes(0.5):
                    crossed += '<link_ctn id="%s"%s/>' % (name, ' direction="UP"' if "SPLITDUPLEX" in text else "")
            if not crossed:
                crossed = '<link_ctn id="%s"%s/>' % (links[0], ' direction="UP"' if "SPLITDUPLEX" in made[0] else "")
            made.append('<route src="%s" dst="%s">%s</route>' % (left, right, crossed))
    return '<zone id="z" routing="Full">%s</zone>' % "\n".join(lines + made), names


def cluster(rnd):
    shape, parameters, n = rnd.one([("FLAT", "", rnd.between(2, 8)), ("TORUS", "3,2", 6),
                                    ("FAT_TREE", "2;2,4;1,2;1,1", 8), ("DRAGONFLY", "2,1;1,1;2,1;2", 8)])
    speeds = ["%.6gf" % rnd.spread(1e8, 1e10) for _ in range(rnd.between(1, 3))]
    text = ('<cluster id="c" prefix="n" suffix="" radical="0-%d" speed="%s" core="%d" bw="%.6gBps" lat="%.6gs" '
            'loopback_bw="1e9Bps" loopback_lat="1e-7s"%s topology="%s" topo_parameters="%s">%s</cluster>'
            % (n - 1, ",".join(speeds), rnd.between(1, 4), rnd.spread(1e6, 1e9), rnd.spread(1e-6, 1e-3),
               ' bb_bw="%.6gBps" bb_lat="1e-6s"' % rnd.spread(1e6, 1e9) if shape == "FLAT" and rnd.yes() else "",
               shape, parameters, prop("wattage_per_state", watts(rnd, len(speeds)))))
    return text, ["n%d" % k for k in range(n)]


def make_case(seed, folder):
    """Writes platform and hostfile; returns (ranks, words of the program, options). If all hosts have watts,
    the program changes pstates and asks for joules, which SimGrid knows of such hosts alone."""
    rnd = Random(seed)
    text, names = full(rnd) if rnd.yes(0.7) else cluster(rnd)
    ranks = rnd.between(2, 2 * len(names))
    with open(os.path.join(folder, "platform.xml"), "w", encoding="utf-8") as f:
        f.write(HEAD + text + "\n</platform>\n")
    with open(os.path.join(folder, "hosts"), "w", encoding="utf-8") as f:
        f.write("".join(rnd.one(names) + "\n" for _ in range(ranks)))
    options = ["--cfg=network/crosstraffic:" + rnd.one(["yes", "no"])]
    if rnd.yes(0.3):
        options.append("--cfg=smpi/async-small-thresh:65536")
    words = [str(1 + rnd.below(10 ** 9)), str(rnd.between(1, 12))]
    pstates = len(re.findall(r"<host ", text)) == len(re.findall(r'<host [^>]*><prop id="wattage_per_state"', text))
    return ranks, words + ["1" if pstates else "0"], options


def told(text):
    """What the ranks print of their hosts: (rank and moment, quantity) to number."""
    found = re.findall(r"^told (\d+ \w+) (\w+) (\S+)$", text, re.MULTILINE)
    return {("rank " + who, what): float(value) for who, what, value in found}


def smpi(args, folder, case):
    ranks, words, options = case
    command = ["smpirun", "-np", str(ranks), "-platform", "platform.xml", "-hostfile", "hosts",
               "--cfg=plugin:host_energy", "--cfg=plugin:link_energy", "--cfg=network/optim:Full",
               "--cfg=smpi/simulate-computation:no", "--cfg=surf/precision:1e-13", "--log=root.thresh:error",
               "--log=host_energy.thresh:info", "--log=link_energy.thresh:info"]
    done = subprocess.run(command + options + [args.smpi] + words, cwd=folder, capture_output=True,
                          text=True, timeout=100, stdin=subprocess.DEVNULL)
    found = re.findall(r"Energy consumption of (host|link) '?([^':]+)'?: (\S+) Joules", done.stderr + done.stdout)
    return {**{(what, name): float(joules) for what, name, joules in found}, **told(done.stdout)}, command, done


def pgasim(args, folder, case, program):
    ranks, words, options = case
    command = [args.build + "/bin/pgasim", "run", "--quiet", "--compute=off", "-np", str(ranks), "-platform",
               "platform.xml", "-hostfile", "hosts", "--map-by", "host", "--cfg=network/model:SMPI", "--json",
               "run.json"]
    done = subprocess.run(command + options + [program] + words, cwd=folder, capture_output=True,
                          text=True, timeout=100, stdin=subprocess.DEVNULL)
    if done.returncode:
        return {}, command, done
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as f:
        energy = json.load(f).get("energy", {"hosts": [], "links": []})
    joules = {(what[:-1], item["name"]): item["joules"] for what in ("hosts", "links") for item in energy[what]}
    return {**joules, **told(done.stdout)}, command, done


def compare(args, number, program):
    """Differences of a case, as text, and how many figures were compared."""
    with tempfile.TemporaryDirectory() as folder:
        case = make_case(args.seed * 100000 + number, folder)
        theirs, their_command, their_run = smpi(args, folder, case)
        ours, our_command, our_run = pgasim(args, folder, case, program)
        if their_run.returncode or our_run.returncode or not theirs:
            return ["a run failed:\n  %s\n%s\n  %s\n%s" % (" ".join(their_command), their_run.stderr[-1000:],
                                                       " ".join(our_command), our_run.stderr[-1000:])], 0
        different, nonzero = [], 0
        for key, joules in sorted(theirs.items()):
            mine = ours.get(key, 0.0)
            nonzero += joules > 0
            if abs(mine - joules) > TOLERANCE * abs(joules) + LAST_DIGIT:
                different.append("%s %s: SimGrid %.9g, pgasim %.9g" % (*key, joules, mine))
        missing = [key for key in ours if key not in theirs]
        return different + ["%s %s: not in SimGrid" % key for key in missing if "__loopback__" not in key[1]], nonzero


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--smpi", required=True)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    args.build, args.smpi = os.path.abspath(args.build), os.path.abspath(args.smpi)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "energy_random.c")
    failed = figures = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "energy_random")
        subprocess.run([args.build + "/bin/pgasim", "cc", "-O1", "-o", program, source], check=True)
        for number in range(args.first, args.first + args.cases):
            different, nonzero = compare(args, number, program)
            figures += nonzero
            if different:
                failed += 1
                print("case %d of seed %d differs:\n  %s" % (number, args.seed, "\n  ".join(different)))
            elif args.verbose:
                print("case %d: %d figures agree" % (number, nonzero))
    print("%d of %d cases differ; %d figures of joules were compared" % (failed, args.cases, figures))
    if not figures:
        print("nothing was compared")
    return 1 if failed or not figures else 0


if __name__ == "__main__":
    sys.exit(main())
