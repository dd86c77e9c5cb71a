#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what pgasim's selectors choose on random points with the tables that the libraries publish.

  selector_points.py PGASIM [--points N] [--seed N] [SELECTOR...]

The tables are in published/, in another form than pgasim's own, and are looked up in another way. Points on
both sides of every limit of a table follow. Prints the seed, and the points that differ.
"""
import argparse
import os
import random
import subprocess
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "published")
FLAGS = ["commutative", "builtin-op", "regular", "consecutive", "uniform"]  # of a point, unless it says not
MPICH = "mpich"


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [line.split() for line in f if line.strip() and not line.startswith("#")]


class Point:
    def __init__(self, operation, ranks, part, nodes, nonblocking, no, in_place):
        self.operation, self.ranks, self.part, self.nodes = operation, ranks, part, nodes
        self.nonblocking, self.no, self.in_place = nonblocking, no, in_place
        self.total = part * ranks

    def text(self):
        words = [self.operation, "ranks=%d" % self.ranks, "nodes=%d" % self.nodes, "part=%d" % self.part]
        words += ["not " + flag for flag in self.no]
        words += ["nonblocking"] * self.nonblocking + ["in-place"] * self.in_place
        return " ".join(words)


class OpenMPI:
    """A list of rows for each operation and condition; Open MPI decides by the size of a part, but for
    reduce_scatter."""

    TOTAL = ["reduce_scatter"]

    def __init__(self, selector):
        self.table, self.limits = {}, {}
        for words in rows("ompi.txt"):
            name, operation, rest = words[0], words[1], words[2:]
            conditions = []
            while rest[0] in ("disjoint", "ordered", "commutative"):
                conditions.append(rest.pop(0))
            if name in (selector, "ompi-4.1"):
                self.table.setdefault((operation,) + tuple(conditions), {})[rest[0]] = rest[1:]
        for key, classes in self.table.items():
            last = 4096
            for name, steps in classes.items():
                limit = int(name.strip("<=")) if name != "*" else 2 * last
                ranks = limit if name.startswith(("=", "<=")) else limit - 1
                pairs = [(ranks, int(word)) for word in steps[1::2]] or [(ranks, 1)]
                self.limits.setdefault(key[0], []).extend(pairs)

    def size(self, point):
        return point.total if point.operation in self.TOTAL else point.part

    def near(self, operation, limit, ranks):
        return (limit + ranks - 1) // ranks if operation in self.TOTAL else limit

    def choose(self, point):
        order = "ordered" if "commutative" in point.no else "commutative"
        keys = []
        if point.nodes == point.ranks:
            keys = [(point.operation, "disjoint", order), (point.operation, "disjoint")]
        keys += [(point.operation, order), (point.operation,)]
        classes = next(self.table[key] for key in keys if key in self.table)
        for name, steps in classes.items():
            limit = int(name.strip("<=") or 0) if name != "*" else 0
            n = point.ranks
            holds = {"<=": n <= limit, "=": n == limit, "<": n < limit, "": True}
            if holds[name.strip("0123456789*")]:
                below = sum(int(word) <= self.size(point) for word in steps[1::2])
                return "ompi:" + steps[2 * below]
        raise ValueError(point.text())

    def ways(self):
        return [(False, operation) for operation in self.limits]


class Mpich:
    """Rows of tests that must all hold."""

    def __init__(self, _):
        self.table, self.limits = {}, {}
        for words in rows("mpich.txt"):
            at = words.index("->")
            self.table.setdefault(words[0], []).append((words[1:at], " ".join(words[at + 1:])))
            for word in words[1:at]:
                if word.startswith(("part<", "total<")):
                    size = int(word.split("<")[1].strip("="))
                    self.limits.setdefault(words[0], []).extend([(7, size), (10, size), (16, size)])

    @staticmethod
    def near(operation, limit, ranks):
        whole = "gather" in operation or "reduce_scatter" in operation
        return (limit + ranks - 1) // ranks if whole else limit

    @staticmethod
    def holds(test, p):
        yes = {
            "shared": p.nodes < p.ranks, "pow2": p.ranks & (p.ranks - 1) == 0,
            "commutative": "commutative" not in p.no,
            "builtin": "builtin-op" not in p.no, "regular": "regular" not in p.no, "in-place": p.in_place,
            "blocks": 1 < p.nodes < p.ranks and "consecutive" not in p.no,
            "few": p.part < 1 << p.ranks.bit_length() - 1}
        for name, other in (("ordered", "commutative"), ("user", "builtin"), ("uneven", "regular"),
                            ("two-buffers", "in-place"), ("scattered", "blocks")):
            yes[name] = not yes[other]
        if test in yes:
            return yes[test]
        name, limit = test.split("<")
        value = {"ranks": p.ranks, "part": p.part, "total": p.total}[name]
        return value <= int(limit[1:]) if limit.startswith("=") else value < int(limit)

    def choose(self, point):
        for tests, algorithm in self.table["i" * point.nonblocking + point.operation]:
            if all(self.holds(test, point) for test in tests):
                return "mpich:" + algorithm
        raise ValueError(point.text())

    def ways(self):
        return [(name.startswith("i"), name[name.startswith("i"):]) for name in self.table]


SELECTORS = {"ompi-4.1": OpenMPI, "ompi-5.0": OpenMPI, MPICH: Mpich}


def point(table, draw):
    nonblocking, operation = draw.choice(table.ways())
    ranks, part = round(2 ** draw.uniform(1, 13)), round(2 ** draw.uniform(0, 24)) - 1
    if draw.random() < 0.3:
        ranks = 1 << ranks.bit_length() - 1
    return fill(operation, ranks, part, nonblocking, draw)


def fill(operation, ranks, part, nonblocking, draw):
    nodes = draw.choice([ranks, 1, (ranks + 3) // 4])
    no = [flag for flag in FLAGS if draw.random() < 0.25]
    return Point(operation, ranks, part, nodes, nonblocking, no, draw.random() < 0.1)


def edges(table, draw):
    """Both sides of each limit, with the most ranks for which it holds and with one more."""
    out = []
    for nonblocking, operation in table.ways():
        for ranks, size in table.limits.get("i" * nonblocking + operation, []):
            for n in (ranks, ranks + 1):
                part = table.near(operation, size, n)
                out += [fill(operation, n, max(0, part + k), nonblocking, draw) for k in (-1, 0, 1)]
    return out


def compare(pgasim, name, count, draw):
    table = SELECTORS[name](name)
    points = [point(table, draw) for _ in range(count)] + edges(table, draw)
    text = "".join(p.text() + "\n" for p in points)
    done = subprocess.run([pgasim, "info", "selectors", name, "-"], input=text, capture_output=True, text=True,
                          timeout=60)
    chosen = [line.split("\t")[0] for line in done.stdout.splitlines()]
    if done.returncode or len(chosen) != len(points):
        said = done.stderr.strip()[-300:]
        sys.exit("%s: %d answers to %d points: %s" % (name, len(chosen), len(points), said))
    # Of Open MPI, the parameters are not in its table.
    wrong = [(p, ours) for p, ours in zip(points, chosen)
             if (ours if name == MPICH else ours.split()[0]) != table.choose(p)]
    for p, ours in wrong[:10]:
        print("%s: %s: %s, the published table has %s" % (name, p.text(), ours, table.choose(p)))
    print("%s: %d points, %d differ, %d algorithms" % (name, len(points), len(wrong), len(set(chosen))))
    return len(wrong)


def main():
    plain = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    options.add_argument("pgasim")
    options.add_argument("--points", type=int, default=2000)
    options.add_argument("--seed", type=int, default=19)
    options.add_argument("selectors", nargs="*", default=list(SELECTORS))
    args = options.parse_args()
    print("seed %d" % args.seed)
    draw = random.Random(args.seed)
    sys.exit(1 if sum(compare(args.pgasim, name, args.points, draw) for name in args.selectors) else 0)


if __name__ == "__main__":
    main()
