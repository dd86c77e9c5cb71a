# SPDX-License-Identifier: BSD-3-Clause
"""Messages: rings, permutations; one-sided: words of 8 bytes at random PEs."""
from case import Case, grouped

MIB = 1 << 20


def ring(c, ranks, where, rounds):
    return Case("ring of 1 KiB, %s ranks, backbone" % grouped(ranks),
                *c.not_private(ranks, where, "ring", rounds),
                work=ranks * rounds, unit="messages", aims={"ratio": 20})


def private_ring(c, ranks, where, rounds):
    return Case("the same with private globals, %s ranks" % grouped(ranks),
                c.ours(ranks, where, "ring", arguments=[rounds]),
                c.theirs(ranks, where, "ring", arguments=[rounds]),
                work=ranks * rounds, unit="messages", aims={"ratio": 20})


def permutation(c, ranks, where, rounds, text, aims=()):
    return Case("%s of 1 MiB, %s ranks, fat tree" % (text, grouped(ranks)),
                *c.not_private(ranks, where, "permutation", rounds, MIB), work=ranks * rounds,
                unit="messages",
                aims=aims)


def cases(c):
    sizes = ((64, "backbone", 3000), (1024, "backbone", 300), (4096, "backbone_4096", 25))
    return [
        *(ring(c, *size) for size in sizes), *(private_ring(c, *size) for size in sizes),
        permutation(c, 1024, "tree_1024", 20, "20 random permutations", {"ratio": 15}),
        permutation(c, 4096, "fat_tree", 1, "random permutation"),
    ]


def random_access(c, name, kind, ranks, where, each, their_each=None):
    """With 1 024 ranks, SMPI did not create its windows within minutes."""
    theirs = their_each and c.theirs(ranks, where, "random", "-no-privatize", arguments=[kind, their_each])
    place = "backbone" if where else "built-in cluster"
    return Case("%s, %s PEs, %s" % (name, grouped(ranks), place),
                c.ours(ranks, where, "random", arguments=[kind, each]), theirs,
                work=ranks * each, their_work=theirs and ranks * their_each, unit="operations",
                aims={} if kind == "flush" else {"rate": 3e6})


def one_sided(c):
    puts, flushed, adds = "puts flushed by 100", "put and flush", "fetch-add and flush"
    return [
        random_access(c, flushed, "flush", 64, "backbone", 5000, 300),
        random_access(c, adds, "add", 64, "backbone", 20000, 300),
        random_access(c, puts, "put", 64, "backbone", 20000, 300),
        random_access(c, puts, "put", 1024, "backbone", 2000),
        random_access(c, adds, "add", 1024, "backbone", 2000),
        random_access(c, puts, "put", 64, None, 20000), random_access(c, adds, "add", 64, None, 20000),
        random_access(c, puts, "put", 1024, None, 2000), random_access(c, adds, "add", 1024, None, 2000),
    ]
