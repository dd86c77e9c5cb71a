# SPDX-License-Identifier: BSD-3-Clause
"""The engine, the fluid model and the fabric, against SimGrid's kernel and alone: programs that time
themselves."""
from case import Case, grouped
from commands import CONTEXTS

NO_CROSS = "--cfg=network/model:CM02", "--cfg=network/crosstraffic:0"
WITH_CROSS = "--cfg=network/model:CM02", "--cfg=network/crosstraffic:1"


def compared(c):
    def kernel(where, figure, *options):
        return ["./kernel", c.platform(where), figure, *CONTEXTS, "--cfg=contexts/stack-size:64", *options]

    def actors(name, figure):
        return Case(name, ["./micro", figure], kernel("one_host", figure), reports=True)

    def pairs(name, figure):
        return Case(name, ["./pairs", c.platform("pairs"), figure], kernel("pairs", figure), reports=True)

    def flows(name, figure, options):
        return Case(name, ["./micro", figure], kernel("fat_tree", figure, *options), reports=True)
    return [
        pairs("communications, 1 pair of actors", "pairs-1"),
        pairs("communications, 1 024 pairs", "pairs-1024"),
        actors("yields, 1 actor", "yields-1"), actors("yields, 1 024 actors", "yields-1024"),
        actors("yields, 16 384 actors", "yields-16384"), actors("sleeps, 1 024 actors", "sleeps-1024"),
        flows("2 000 flows at once, fat tree of 4 096 hosts", "fat-tree-2000", NO_CROSS),
        flows("the same with crosstraffic", "fat-tree-cross-2000", WITH_CROSS),
    ]


ALONE = [("events, 1 000 pending", "events-1000"), ("flows that meet nobody, path kept", "solo-paths"),
         ("flows that meet nobody", "solo-starts"),
         ("1 000 flows in step over a full backbone", "steps-1000"),
         ("1 000 flows out of step over a full backbone", "backbone-1000"),
         ("1 000 flows at a time on one path", "one-path-1000"),
         ("256 flows at a time, fat tree of 256 hosts", "busy-256"),
         ("2 000 flows at a time, fat tree of 256 hosts", "busy-2000"),
         ("20 000 flows at once of all sizes, fat tree of 4 096 hosts", "fat-tree-sizes-20000"),
         ("the same with LV08's weights", "fat-tree-sizes-weights-20000")]


def messages(c, ranks, where):
    """Two-sided messages between ranks that are plain functions."""
    return Case("messages of 1 KiB in a ring, %s ranks, SMPI's model" % grouped(ranks),
                ["./messages", str(ranks), c.platform(where)], reports=True)


def alone(c):
    return [Case(name, ["./micro", what], reports=True) for name, what in ALONE] + \
           [Case("transfers of 1 KiB between 1 024 pairs, LV08", ["./transfers"], reports=True)] + \
           [messages(c, 64, "backbone"), messages(c, 1024, "backbone"), messages(c, 4096, "backbone_4096")]
