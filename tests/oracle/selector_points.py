#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what pgasim's selectors choose on random points with the tables that the libraries publish.

  selector_points.py PGASIM [--points N] [--seed N] [SELECTOR...]

The tables are in published/, in another form than pgasim's own, and are looked up in another way; decisions that
are code in the libraries are in smpi_selectors.py and library_selectors.py. Points on both sides of every limit of
a table follow. Prints the seed, and the points that differ.
"""
import argparse
import random
import subprocess
import sys

from library_selectors import Ch4, Han, Libnbc
import smpi_selectors
from smpi_selectors import rows

ALL_PARTS = ["allgatherv", "alltoallv", "reduce_scatter", "reduce_scatter_block"]  # whose count is that of all
FLAGS = ["commutative", "builtin-op", "regular", "consecutive", "uniform"]  # of a point, unless it says not


class Point:
    def __init__(self, operation, ranks, part, nodes, nonblocking, no, yes, element):
        self.operation, self.ranks, self.part, self.nodes = operation, ranks, part, nodes
        self.nonblocking, self.no, self.yes = nonblocking, no, yes
        self.total, self.count = part * ranks, part // element
        self.all_count = self.total // element
        self.in_place, self.derived = "in-place" in yes, "derived" in yes
        self.commutative, self.regular, self.consecutive = (f not in no for f in ("commutative", "regular", "consecutive"))
        self.shared = nodes < ranks
        self.per_node = 0 if "uniform" in no or ranks % nodes else ranks // nodes

    def text(self):
        words = [self.operation, "ranks=%d" % self.ranks, "nodes=%d" % self.nodes, "part=%d" % self.part]
        words += ["not " + flag for flag in self.no]
        words += ["nonblocking"] * self.nonblocking + self.yes
        words.append("count=%d" % (self.all_count if self.operation in ALL_PARTS else self.count))
        return " ".join(words)


class OpenMPI:
    """A list of rows for each operation and condition; Open MPI decides by the size of a part, but for
    reduce_scatter."""

    TOTAL, exact = ["reduce_scatter"], False  # parameters are not in its table

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

    def decide(self, point):
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

    def choose(self, point):
        """The decision gives segments no length, which makes a segmented ring a ring; that wants an element for each."""
        decided = self.decide(point)
        if point.operation == "allreduce" and decided in ("ompi:ring", "ompi:segmented_ring"):
            return "ompi:recursive_doubling" if point.count < point.ranks else "ompi:ring"
        return decided

    def ways(self):
        return [(False, operation) for operation in self.limits]


class Mpich:
    """Rows of tests that must all hold."""
    exact = True

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
            "few": p.count < smpi_selectors.below(p.ranks)}
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


def with_tuned(kind, selector="ompi-4.1"):
    return lambda _: kind(OpenMPI(selector))


SELECTORS = {
    "ompi-4.1": OpenMPI, "ompi-5.0": OpenMPI, "mpich": Mpich, "mpich-ch4": lambda _: Ch4(Mpich(_)),
    "libnbc": Libnbc, "ompi-han": with_tuned(Han, "ompi-5.0"), "mvapich2": smpi_selectors.Mvapich2,
    "impi": with_tuned(smpi_selectors.Impi), "smpi-default": with_tuned(smpi_selectors.Default),
    "smpi-ompi": with_tuned(smpi_selectors.OpenMpi), "smpi-mpich": smpi_selectors.Mpich}


def point(table, draw):
    nonblocking, operation = draw.choice(table.ways())
    ranks, part = round(2 ** draw.uniform(1, 13)), round(2 ** draw.uniform(0, 24)) - 1
    if draw.random() < 0.3:
        ranks = 1 << ranks.bit_length() - 1
    return fill(operation, ranks, part, nonblocking, draw)


def fill(operation, ranks, part, nonblocking, draw):
    each = draw.choice([1, ranks, 2, 4, 8, 16])
    if draw.random() < 0.5:
        ranks = max(2, ranks // each * each)
    no = [flag for flag in FLAGS if draw.random() < 0.25]
    yes = [flag for flag in ("in-place", "derived") if draw.random() < 0.1]
    return Point(operation, ranks, part, (ranks + each - 1) // each, nonblocking, no, yes, draw.choice([1, 1, 4, 8]))


def edges(table, draw):
    """Both sides of each limit, with the most ranks for which it holds and with one more."""
    out = []
    for nonblocking, operation in table.ways():
        for ranks, size in set(table.limits.get("i" * nonblocking + operation, [])):
            for n in (ranks, ranks + 1):
                part = table.near(operation, size, n)
                out += [fill(operation, n, max(0, part + k), nonblocking, draw) for k in (-1, 0, 1)]
    return out


def same(ours, published, exact):
    return ours == published if exact or " " in published else ours.split()[0] == published


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
    wrong = [(p, ours) for p, ours in zip(points, chosen)
             if not same(ours, table.choose(p), table.exact)]
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
