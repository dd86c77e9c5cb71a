#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs of tudasc/MPI-CorrBench under a check, and scores.

    run.py --build BUILD SUITE [--with "check --seeds 5"] [--filter PATTERN] [--jobs N] [--show]

SUITE is a copy of that repository, which is not part of this one. A program of the folders coll, pt2pt, rma and
usertypes, and of conflo/, is wrong, and found if the check's status is not 0. Its name tells which call is wrong
(ArgError-MPIGet-rank.c). It is found at the right line if the report names a line of the program with that call,
or with a counterpart by which one learns of it (COUNTERPARTS). Programs of correct/, which are MPICH's tests, must
end with status 0; what else they report is listed with --show. The status is 1 if a program does not build or end.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from process import finish

SECONDS = 300
BASE = "micro-benches/0-level"
WRONG = ["rma", "pt2pt", "coll", "usertypes"]
CORRECT = ["rma", "pt2pt", "coll", "datatype"]

# What a file's name says, where it is not the name of a function.
CALLS = {"irecv": "irecv", "isend": "isend", "ibcast": "ibcast", "fence": "win_fence"}
# Other calls at which the error may be shown: the other end of a message or a collective, the call that misses
# one before or after it, and, where the name's call is not in the program, the one that is meant.
COUNTERPARTS = {
    "wait": ["isend", "irecv", "request_free"],
    "test": ["irecv"],
    "recv": ["send", "irecv"],
    "irecv": ["isend", "send", "recv"],
    "send": ["recv", "isend"],
    "isend": ["irecv", "recv", "send"],
    "finalize": ["init"],
    "barrier": ["reduce", "gather", "bcast"],
    "put": ["get"],
    "win_fence": ["put", "get", "win_free"],
    "win_create": ["win_free", "win_fence", "put", "get"],
    "win_free": ["put", "get"],
    "win_lock": ["put", "get", "win_unlock", "win_fence"],
    "type_commit": ["send", "recv"],
    "type_create_struct": ["send", "recv"],
    "type_create_hvector": ["send", "recv", "type_create_hvector"],
    "type_vector": ["send", "recv"],
    "type_contiguous": ["send", "recv"],
}


def call_of(name):
    """The function that a program's name is about: "ArgError-MPIWinCreate-size.c" -> "win_create"."""
    word = re.search(r"-MPI(\w+)", name).group(1)
    if word.lower() in CALLS:
        return CALLS[word.lower()]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).lower()


def lines_of(path, call):
    """The numbers of the program's lines with that call or a counterpart."""
    words = [call] + COUNTERPARTS.get(call, [])
    pattern = re.compile(r"\bmpi_(" + "|".join(words) + ")", re.IGNORECASE)
    with open(path, encoding="utf-8", errors="replace") as f:
        return {k for k, line in enumerate(f, 1) if pattern.search(line)}


def judge(path, wrong, status, out):
    """(verdict, right line)"""
    if status is None:
        return "no end", False
    if not wrong:
        return ("silent" if status == 0 else "alarm"), False
    if status == 0:
        return "missed", False
    name = re.escape(os.path.basename(path))
    named = {int(n) for n in re.findall(name + r":(\d+)", out)}
    return "found", bool(named & lines_of(path, call_of(os.path.basename(path))))


def check(args, folder, path, work):
    """Builds, runs and judges one program: (folder, path, verdict, right line, output)."""
    wrong = not folder.startswith("correct/")
    own = tempfile.mkdtemp(dir=work)
    env = dict(os.environ, LC_ALL="C", CPATH=os.path.join(args.suite, BASE, "correct/include"))
    wrapper = os.path.join(args.build, "bin", "wrappers", "mpicc")
    status, out = finish([wrapper, "--check", "-g", "-w", path, "-lm", "-o", "program"], own, env, SECONDS)
    if status != 0:
        return folder, path, "build", False, out
    words = args.words.split()
    pgasim = os.path.join(args.build, "bin", "pgasim")
    command = [pgasim, words[0], "-np", str(args.ranks), *words[1:], "./program"]
    status, out = finish(command, own, env, SECONDS)
    verdict, right = judge(path, wrong, status, out)
    return folder, path, verdict, right, out


def programs(args):
    """(folder, path) of all programs."""
    base = os.path.join(args.suite, BASE)
    folders = WRONG + ["conflo/" + f for f in WRONG] + ["correct/" + f for f in CORRECT]
    for folder in folders:
        for name in sorted(os.listdir(os.path.join(base, folder))):
            if name.endswith(".c") and fnmatch.fnmatch(folder + "/" + name, args.filter):
                yield folder, os.path.join(base, folder, name)


def show_bad(folder, path, verdict, right, out, whole):
    """Says what is not as it should be."""
    if verdict == "silent" or (verdict == "found" and right):
        return
    where = ", wrong line" if verdict == "found" else ""
    print(f"{folder}/{os.path.basename(path)}: {verdict}{where}", flush=True)
    if whole:
        print("    " + out.strip().replace("\n", "\n    "))


def show_table(results):
    """Counts of each folder."""
    rows = collections.OrderedDict()
    for folder, _, verdict, right, _ in results:
        row = rows.setdefault(folder, collections.Counter())
        row.update([verdict, "all"])
        row["line"] += right
    print(f"{'folder':18} {'all':>4} {'found':>6} {'line':>5} {'alarm':>6} {'other':>6}")
    for folder, row in rows.items():
        other = row["build"] + row["no end"]
        print(f"{folder:18} {row['all']:4} {row['found']:6} {row['line']:5} {row['alarm']:6} {other:6}")


def main():
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=os.path.abspath)
    parser.add_argument("--build", required=True, type=os.path.abspath)
    parser.add_argument("--with", dest="words", default="check --seeds 5 --parallel 1")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--filter", default="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="the output of what is not as it should be")
    args = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for result in pool.map(lambda p: check(args, *p, work), programs(args)):
            results.append(result)
            show_bad(*result, args.show)
    show_table(results)
    return any(r[2] in ("build", "no end") for r in results)


if __name__ == "__main__":
    sys.exit(main())
