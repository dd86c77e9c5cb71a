# SPDX-License-Identifier: BSD-3-Clause
"""Collectives compared with SMPI's, and on up to 65 536 PEs, where there is nothing to compare with."""
from case import Case, grouped

MANY = ["--privatize=none", "--stack-size=16KiB"]
HOURS = 4 * 3600


def compared(c):
    def case(name, ranks, where, aim, *arguments, **more):
        return Case(name, *c.not_private(ranks, where, "collective", *arguments), work=arguments[1],
                    aims={"ratio": aim}, **more)
    big = ("backbone", "backbone_4096"), ("fat tree", "fat_tree"), ("torus", "torus_4096")
    small = ("backbone", "backbone"), ("fat tree", "tree_256")
    return ([case("10 barriers, 4 096 PEs, " + text, 4096, where, 50, "barrier", 10) for text, where in big] +
            [case("10 allreduces of 8 B, 4 096 PEs, " + text, 4096, where, 50, "allreduce", 10, 8)
             for text, where in big] +
            [case("alltoall of 1 KiB, 256 PEs, " + text, 256, where, 20, "alltoall", 1, 1024)
             for text, where in small] +
            # SMPI took more than 182 s when measured.
            [case("alltoall of 1 KiB, 256 PEs, torus", 256, "torus_256", 20, "alltoall", 1, 1024,
                  large="theirs",
                  limit=1800)])


def on_machine(c, pes, text, kind):
    def case(what, *arguments, options=(), **more):
        return Case("%s, %s PEs, %s" % (what, grouped(pes), text),
                    c.ours(pes, "%s_%d" % (kind, pes), "collective", *MANY, *options, arguments=arguments),
                    work=arguments[1], **more)
    def alltoall(algorithm, **more):
        options = ["--set", "coll/leave-folded=yes", "--set", "coll/alltoall=" + algorithm]
        return case("alltoall of 1 KiB, " + algorithm, "alltoall-folded", 1, 1024, options=options, **more)
    rounds = 10 if pes < 65536 else 2
    yield case("%d barriers" % rounds, "barrier", rounds)
    yield case("%d allreduces of 8 B" % rounds, "allreduce", rounds, 8)
    yield case("%d broadcasts of 1 KiB" % rounds, "broadcast", rounds, 1024)
    yield alltoall("bruck")
    if pes == 16384:
        yield alltoall("linear", large=True, limit=HOURS)


def many(c):
    """Source and dest of the large alltoalls are folded memory, whose bytes are not moved, because 1 KiB for
    every pair does not fit into the machine. For 1 KiB `auto` chooses linear, with one message per pair:
    4.3e9 for 65 536 PEs."""
    machines = ("fat tree", "tree"), ("torus", "torus"), ("dragonfly", "dragonfly")
    result = [Case("alltoall of 1 KiB, 1 024 PEs, " + text,
                   c.ours(1024, kind + "_1024", "collective", *MANY, arguments=["alltoall", 1, 1024]),
                   work=1024 * 1023, unit="messages") for text, kind in machines]
    for pes in 16384, 65536:
        for text, kind in machines:
            result += on_machine(c, pes, text, kind)
    return result
