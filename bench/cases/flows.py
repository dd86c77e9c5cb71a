# SPDX-License-Identifier: BSD-3-Clause
"""`pgasim flows` against S4U, without crosstraffic and with SimGrid's default: LV08 with crosstraffic."""
import os
import re

import flow_lists
from case import Case, grouped
from commands import CONTEXTS

PLAIN = "network/model:CM02", "network/crosstraffic:0"
CROSS = "flows at once, LV08, crosstraffic"


class Maker:
    """Cases on the fat tree of 4 096 hosts. A case's lists are written when it is first run."""

    def __init__(self, commands):
        self.c, self.tree = commands, commands.platform("fat_tree")

    def case(self, name, transfers, n, *, theirs=None, settings=(), their_n=None, **more):
        lists = [os.path.join(self.c.work, re.sub(r"\W", "_", name) + "." + which)
                 for which in ("ours", "theirs")]
        options = ["--cfg=" + s for s in settings]

        def prepare():
            flow_lists.write(lists[0], transfers())
            if theirs:
                flow_lists.write(lists[1], theirs())
        return Case(name, [self.c.pgasim, "flows", "--platform", self.tree, *options, lists[0]],
                    theirs and ["./flows", self.tree, lists[1], *options, *CONTEXTS], work=n,
                    their_work=their_n,
                    unit="transfers", prepare=prepare, **more)

    def at_once(self, n, settings, compared, **more):
        def make():
            return flow_lists.at_once(n)
        model = "CM02" if settings else "LV08, crosstraffic"
        return self.case("%s flows at once, fat tree of 4 096 hosts, %s" % (grouped(n), model), make, n,
                         settings=settings,
                         theirs=make if compared else None, growth=None if settings else (CROSS, n), **more)


def cases(c):
    m = Maker(c)

    def shuffled():
        return flow_lists.permutations(20, 1024)
    return [
        *(m.at_once(n, PLAIN, True, aims={"ratio": 30}) for n in (1000, 2000, 5000)),
        *(m.at_once(n, (), True) for n in (1000, 2000)), m.at_once(5000, (), True, large="theirs"),
        m.at_once(10000, (), False), m.at_once(20000, (), False, aims={"seconds": 1.5}),
        m.case("10 000 flows within 20 ms, LV08, crosstraffic", lambda: flow_lists.at_once(10000, 0.02),
               10000),
        m.case("20 permutations of 1 MiB, 1 024 hosts of a fat tree, LV08", shuffled, 20480, theirs=shuffled,
               aims={"ratio": 20}),
        m.case("a million of 1 KiB, 1 024 pairs, LV08", lambda: flow_lists.short(1024, 977), 1024 * 977,
               theirs=lambda: flow_lists.short(1024, 20), their_n=1024 * 20, aims={"rate": 2e6}),
    ]
