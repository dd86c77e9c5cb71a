# SPDX-License-Identifier: BSD-3-Clause
"""The cases of bench/run: commands of both sides, how much work they are, what is aimed at."""
import os
import re
import statistics

import flow_lists

HERE = os.path.dirname(os.path.abspath(__file__))
CONTEXTS = ["--cfg=contexts/factory:raw", "--cfg=contexts/guard-size:0", "--cfg=contexts/stack-size:8",
            "--log=root.thres:error"]
HOSTS = {"one_host": 1, "backbone": 1024, "backbone_4096": 4096}
RING_ROUNDS, RING_RANKS = 300, 1024
SIDES = "ours", "theirs"


class Case:
    """One line of the table: a command of ours, one of theirs (or None), how much work each is, what is aimed at.

    `target` is a ratio of CPU time for one piece of work, `memory_target` one of memory, `rate_target` pieces of work
    of ours per CPU second. `once`: theirs is so slow that it runs once, however many repeats; "both": ours, too.
    `growth` names a group of cases of which the exponent of cost in work is printed.
    """

    def __init__(self, name, ours, theirs, unit, work, target, memory_target=None, *, their_work=None,
                 rate_target=None, once=False, growth=None):
        self.growth = growth
        self.name, self.commands = name, {"ours": ours, "theirs": theirs}
        self.unit, self.work = unit, {"ours": work, "theirs": their_work or work}
        self.target, self.memory_target, self.rate_target, self.once = target, memory_target, rate_target, once
        self.cpu = {who: [] for who in SIDES}
        self.memory = {who: [] for who in SIDES}

    def has(self, who):
        return self.commands[who] is not None

    def wants(self, who):
        """Whether one more run of that side is of use."""
        return self.has(who) and not (self.cpu[who] and (self.once == "both" or self.once and who == "theirs"))

    def median(self, who):
        return statistics.median(self.cpu[who])

    def rate(self, who):
        return self.work[who] / self.median(who)

    def ratio(self):
        return self.rate("ours") / self.rate("theirs") if self.work["ours"] else \
            self.median("theirs") / self.median("ours")

    def peak(self, who):
        return statistics.median(self.memory[who]) / 1024


def platform_file(name):
    return os.path.join(HERE, "platforms", name + ".xml")


class Commands:
    """How the programs in `work` are started on both sides."""

    def __init__(self, pgasim, work):
        self.pgasim = pgasim
        for where, hosts in HOSTS.items():
            with open("%s/%s.hosts" % (work, where), "w") as out:
                out.writelines("node-%d\n" % i for i in range(hosts))

    def ours(self, ranks, where, program, *options, arguments=()):
        there = ["--platform", platform_file(where)] if where else []
        return [self.pgasim, "run", "-np", str(ranks), "--quiet", "--compute=off", *there, *options,
                "./" + program + "_shmem", *map(str, arguments)]

    def theirs(self, ranks, where, program, *options, arguments=()):
        return ["smpirun", "-np", str(ranks), "-platform", platform_file(where), "-hostfile", where + ".hosts",
                *options, "--cfg=smpi/simulate-computation:no", *CONTEXTS, "./" + program + "_mpi",
                *map(str, arguments)]

    def not_private(self, ranks, where, program, *arguments):
        """Both commands, of a program whose ranks may share its globals."""
        return (self.ours(ranks, where, program, "--privatize=none", arguments=arguments),
                self.theirs(ranks, where, program, "-no-privatize", arguments=arguments))


def start_and_ring(c):
    ring = RING_ROUNDS * RING_RANKS
    return [
        Case("start and end, 8 192 ranks, private globals", c.ours(8192, "one_host", "empty"),
             c.theirs(8192, "one_host", "empty"), "ranks", 8192, 20),
        Case("start and end, 65 536 ranks, globals not private",
             c.ours(65536, "one_host", "empty", "--privatize=none", "--stack-size=16KiB"),
             c.theirs(65536, "one_host", "empty", "-no-privatize"), "ranks", 65536, 10, 3),
        Case("ring of 1 KiB, 1 024 ranks, backbone", *c.not_private(RING_RANKS, "backbone", "ring", RING_ROUNDS),
             "messages", ring, 20),
        Case("the same, private globals", c.ours(RING_RANKS, "backbone", "ring", arguments=[RING_ROUNDS]),
             c.theirs(RING_RANKS, "backbone", "ring", arguments=[RING_ROUNDS]), "messages", ring, None),
    ]


def random_access(c):
    """Words of 8 bytes at random PEs. SMPI has not created its windows after minutes at 1 024 ranks."""
    def case(name, kind, ranks, where, each, their_each=None):
        theirs = c.theirs(ranks, where, "random", "-no-privatize", arguments=[kind, their_each]) if their_each else None
        return Case(name, c.ours(ranks, where, "random", arguments=[kind, each]), theirs, "operations", ranks * each,
                    None, their_work=ranks * (their_each or each), rate_target=3e6)
    return [
        case("random puts of 8 bytes, 64 PEs, backbone", "put", 64, "backbone", 20000, 300),
        case("random fetch-adds, 64 PEs, backbone", "add", 64, "backbone", 20000, 300),
        case("random puts of 8 bytes, 1 024 PEs, backbone", "put", 1024, "backbone", 2000),
        case("random fetch-adds, 1 024 PEs, backbone", "add", 1024, "backbone", 2000),
        case("random puts of 8 bytes, 64 PEs, built-in cluster", "put", 64, None, 20000),
        case("random fetch-adds, 64 PEs, built-in cluster", "add", 64, None, 20000),
        case("random puts of 8 bytes, 1 024 PEs, built-in cluster", "put", 1024, None, 2000),
        case("random fetch-adds, 1 024 PEs, built-in cluster", "add", 1024, None, 2000),
    ]


def collectives(c):
    def case(name, ranks, where, target, *arguments, once=False):
        return Case(name, *c.not_private(ranks, where, "collective", *arguments), "calls", arguments[1], target,
                    once=once)
    return [
        case("10 barriers, 4 096 PEs, backbone", 4096, "backbone_4096", 50, "barrier", 10, once=True),
        case("10 allreduces of 8 B, 4 096 PEs, backbone", 4096, "backbone_4096", 50, "allreduce", 10, 8, once=True),
        case("alltoall of 1 KiB, 256 PEs, backbone", 256, "backbone", 20, "alltoall", 1, 1024, once=True),
    ]


def flows(pgasim, work, wanted):
    """`pgasim flows` against S4U. Without crosstraffic and with SimGrid's default model, LV08 with crosstraffic. Lists
    are made for those cases only whose name is wanted."""
    tree = platform_file("fat_tree")
    plain = ["network/model:CM02", "network/crosstraffic:0"]

    def case(name, transfers, n, target, *, settings=(), theirs=None, **more):
        def command(program, make, which):
            path = "%s/%s.%s" % (work, re.sub(r"\W", "_", name), which)
            flow_lists.write(path, make)
            return program(path)
        if not wanted(name):
            return []
        ours = command(lambda path: [pgasim, "flows", "--platform", tree, *["--cfg=" + s for s in settings], path],
                       transfers(), "ours")
        other = theirs and command(lambda path: ["./flows", tree, path, *["--cfg=" + s for s in settings], *CONTEXTS],
                                   theirs(), "theirs")
        return [Case(name, ours, other, "transfers", n, target, **more)]

    def at_once(n):
        return lambda: flow_lists.at_once(n)

    def busy():
        return flow_lists.at_once(10000, 0.02)

    def shuffled():
        return flow_lists.permutations(20, 1024)
    result = []
    for n in 2000, 5000:
        result += case("%d flows at once, fat tree of 4 096 hosts, CM02" % n, at_once(n), n, 30, settings=plain,
                       theirs=at_once(n), once=True)
    for n in 1000, 2000, 5000, 10000, 20000:
        result += case("%d flows at once, fat tree, LV08, crosstraffic" % n, at_once(n), n, None,
                       rate_target=2000 if n == 20000 else None, growth="flows at once, LV08, crosstraffic",
                       once="both" if n > 5000 else False)
    result += case("10 000 flows within 20 ms, fat tree, LV08, crosstraffic", busy, 10000, None, once="both")
    result += case("20 permutations of 1 MiB, 1 024 hosts of a fat tree, LV08", shuffled, 20480, 20, theirs=shuffled,
                   once=True)
    result += case("a million of 1 KiB, 1 024 pairs, fat tree, LV08", lambda: flow_lists.short(1024, 977), 1024 * 977,
                   None, theirs=lambda: flow_lists.short(1024, 20), their_work=1024 * 20, rate_target=2e6)
    return result


def whole_programs(pgasim, work, wanted):
    """The cases that run pgasim against smpirun and S4U."""
    c = Commands(pgasim, work)
    return start_and_ring(c) + random_access(c) + collectives(c) + flows(pgasim, work, wanted)


def large(pgasim, work):
    """Up to 65 536 PEs on the built-in cluster, 1 024 hosts of it: nobody else to compare with."""
    c = Commands(pgasim, work)

    def case(name, *arguments, ranks=65536, text="65 536 PEs"):
        command = c.ours(ranks, None, "collective", "--privatize=none", "--stack-size=16KiB", arguments=arguments)
        return Case("%s, %s" % (name, text), command, None, "calls", arguments[1], None)
    return [case("start and end", "barrier", 0), case("10 barriers", "barrier", 10),
            case("10 allreduces of 8 B", "allreduce", 10, 8), case("10 broadcasts of 8 B", "broadcast", 10, 8),
            case("10 broadcasts of 1 KiB", "broadcast", 10, 1024),
            case("alltoall of 8 B", "alltoall", 1, 8, ranks=4096, text="4 096 PEs, built-in cluster")]


def kernels():
    """The cases that run the engine and the fluid model against SimGrid's kernel."""
    def case(name, figure, unit, where="one_host", options=()):
        return Case(name, ["./micro", figure],
                    ["./kernel", platform_file(where), figure, *CONTEXTS, "--cfg=contexts/stack-size:64", *options],
                    unit, None, None)
    no_cross = ["--cfg=network/model:CM02", "--cfg=network/crosstraffic:0"]
    cross = ["--cfg=network/model:CM02", "--cfg=network/crosstraffic:1"]
    return [
        case("yields, 1 024 actors", "yields-1024", "yields"),
        case("yields, 16 384 actors", "yields-16384", "yields"),
        case("sleeps, 1 024 actors", "sleeps-1024", "sleeps"),
        case("2 000 flows at once, fat tree of 4 096 hosts", "fat-tree-2000", "flows", "fat_tree", no_cross),
        case("the same with crosstraffic", "fat-tree-cross-2000", "flows", "fat_tree", cross),
    ]


ALONE = [(name, ["./micro", what]) for name, what in [
    ("events, 1 000 pending", "events-1000"), ("flows that meet nobody, path kept", "solo-paths"),
    ("flows that meet nobody", "solo-starts"), ("1 000 flows in step over a full backbone", "steps-1000"),
    ("1 000 flows out of step over a full backbone", "backbone-1000"),
    ("1 000 flows at a time on one path", "one-path-1000"), ("256 flows at a time, fat tree of 256 hosts", "busy-256"),
    ("2 000 flows at a time, fat tree of 256 hosts", "busy-2000"),
    ("20 000 flows at once of all sizes, fat tree of 4 096 hosts", "fat-tree-sizes-20000"),
    ("the same with LV08's weights", "fat-tree-sizes-weights-20000")]]
ALONE.append(("transfers of 1 KiB between 1 024 pairs, LV08", ["./transfers"]))
