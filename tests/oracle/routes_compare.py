#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares hosts, links and routes of platforms with SimGrid's.

    routes_compare.py ROUTES COMPARE PGASIM [--seed FIRST] [--cases N] [--keep FOLDER]
    routes_compare.py ROUTES COMPARE PGASIM --folder FOLDER

ROUTES prints SimGrid's view of a file (platform_routes.cpp), and COMPARE compares it with pgasim's platform
(platform_compare.c). The first form makes random platforms. The second takes every file NAME.xml below a
folder, such as examples/platforms of SimGrid's sources: each must load, or the report must name a feature
that docs/limitations.md lists. A file that the installed SimGrid refuses must still load.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import random_case

# Features of files that pgasim does not model: words of the report, and of the line in docs/limitations.md.
NOT_MODELLED = [r"wi-?fi", r"ns-?3", r"virtual machine", r"energy"]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300)
    return done.returncode, done.stdout, done.stderr


def random_platforms(args):
    wrong = routes = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.cases):
            path = os.path.join(folder, "platform-%d.xml" % seed)
            text = random_case.make(seed)[0]
            with open(path, "w") as f:
                f.write(text)
            status, out, err = run(args.compare, args.routes, "0", "0", path)
            found = re.search(r"(\d+) routes, \d+ differences", out)
            routes += int(found.group(1)) if found else 0
            if status:
                wrong += 1
                print("seed %d:\n%s"
                      % (seed, "\n".join((out + err).replace(folder + "/", "").splitlines()[-8:])))
                os.makedirs(args.keep, exist_ok=True)
                with open(os.path.join(args.keep, os.path.basename(path)), "w") as f:
                    f.write(text)
            os.remove(path)
    print("seeds %d to %d: %d platforms, %d routes, %d platforms differ"
          % (args.seed, args.seed + args.cases - 1, args.cases, routes, wrong))
    return wrong > 0


def listed_feature(report):
    """The feature that a report names, if docs/limitations.md lists it."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    with open(os.path.join(top, "docs", "limitations.md"), encoding="utf-8") as f:
        limitations = f.read()
    for word in NOT_MODELLED:
        if re.search(word, report, re.I) and re.search(word, limitations, re.I):
            return word
    return None


def file_verdict(args, path):
    """(passed, what to say)."""
    status, _, said = run(args.pgasim, "platform", "show", path)
    if status:
        feature = listed_feature(said.replace(path, ""))
        return feature is not None, "%s: %s" % (feature or "REFUSED", said.strip())
    refused, _, reason = run(args.routes, path, "--log=root.thres:critical")
    if refused:
        return True, "loads (the installed SimGrid refuses it: %s)" % " ".join(reason.split())[:160]
    status, out, err = run(args.compare, args.routes, "0", "0", path)
    lines = (out + err).strip().splitlines()
    return status == 0, "\n    ".join([lines[-1] if lines else "nothing", *lines[:6 if status else 0]])


def folder_of_platforms(args):
    wrong = n = 0
    for folder, _, names in sorted(os.walk(args.folder)):
        for name in sorted(names):
            if not name.endswith(".xml"):
                continue
            path = os.path.join(folder, name)
            right, text = file_verdict(args, path)
            n += 1
            wrong += not right
            print("%s %s: %s" % ("ok   " if right else "WRONG", os.path.relpath(path, args.folder),
                                 text.replace(path + ": ", "")), flush=True)
    print("%d files, %d wrong" % (n, wrong))
    return wrong > 0 or n == 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("routes")
    p.add_argument("compare")
    p.add_argument("pgasim")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--cases", type=int, default=100)
    p.add_argument("--keep", default=tempfile.gettempdir(), help="folder for platforms that differ")
    p.add_argument("--folder")
    args = p.parse_args()
    for name in ("routes", "compare", "pgasim", "keep", "folder"):
        if getattr(args, name):
            setattr(args, name, os.path.abspath(getattr(args, name)))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # a platform's <config> may make SimGrid write traces
        sys.exit(folder_of_platforms(args) if args.folder else random_platforms(args))


if __name__ == "__main__":
    main()
