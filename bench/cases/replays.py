# SPDX-License-Identifier: BSD-3-Clause
"""`pgasim replay` against SMPI's replayer, on the same time-independent traces: rings of messages and computation.
And what 2^20 ranks take, each with a few actions."""
import os

from case import Case, grouped
from commands import CONTEXTS


def write_ring(path, ranks, rounds):
    """Six actions a rank and round: receive from one neighbour, send to the other one, wait, compute."""
    with open(path, "w", encoding="utf-8") as f:
        f.writelines("%d init\n" % r for r in range(ranks))
        for _ in range(rounds):
            for r in range(ranks):
                to, source = (r + 1) % ranks, (r - 1) % ranks
                f.write("%d irecv %d 0 1000 6\n%d send %d 0 1000 6\n%d wait %d %d 0\n%d compute 10000\n" %
                        (r, source, r, to, r, source, r, r))
        f.writelines("%d finalize\n" % r for r in range(ranks))


def write_collectives(path, ranks):
    with open(path, "w", encoding="utf-8") as f:
        for r in range(ranks):
            f.write("%d init\n%d compute 1e6\n%d allreduce 1 0 0\n%d compute 1e6\n%d bcast 100 0 6\n%d finalize\n" %
                    ((r,) * 6))


def write_schedules(path, ranks):
    """In GOAL: between two calculations a rank has two sends and two receives open at once."""
    with open(path, "w", encoding="utf-8") as f:
        f.write("num_ranks %d\n" % ranks)
        for r in range(ranks):
            after, before = (r + 1) % ranks, (r - 1) % ranks
            f.write("rank %d {\na: calc 1000\nb: send 64b to %d tag 1\nc: send 64b to %d tag 2\n"
                    "d: recv 64b from %d tag 1\ne: recv 64b from %d tag 2\nf: calc 500\n" %
                    (r, after, before, before, after))
            f.writelines("%s requires a\nf requires %s\n" % (m, m) for m in "bcde")
            f.write("}\n")


def cases(c):
    def case(name, ranks, machine, actions, write, *, compared=True, **more):
        trace = os.path.join(c.work, "replay_%d_%s" % (ranks, write.__name__))

        def prepare():
            write(trace)
            with open(trace + ".list", "w", encoding="utf-8") as f:
                f.write(trace + "\n")
        theirs = ["smpirun", "-np", str(ranks), "-platform", c.platform(machine), "-hostfile", c.hosts(machine), "-replay",
                  trace + ".list", *CONTEXTS] if compared else None
        return Case("%s, %s ranks" % (name, grouped(ranks)),
                    [c.pgasim, "replay", "--quiet", "--platform", c.platform(machine), "--map-by", "host",
                     "--cfg=network/model:SMPI", trace], theirs, work=actions, unit="actions", prepare=prepare, **more)

    def ring(ranks, machine, rounds, **more):
        def write(path):
            write_ring(path, ranks, rounds)
        return case("ring of messages", ranks, machine, ranks * (4 * rounds + 2), write, **more)

    def short(path):
        write_collectives(path, 1 << 20)
    schedules = os.path.join(c.work, "replay_schedules.goal")
    return [
        ring(64, "tree_256", 4000, aims={"ratio": 10, "rate": 3e6}),
        ring(1024, "tree_1024", 250, aims={"ratio": 10, "rate": 2e6}),
        ring(65536, "tree_65536", 4, aims={"rate": 1e6}, compared=False),
        case("six actions, two collectives", 1 << 20, "tree_65536", 6 << 20, short, compared=False,
             aims={"mib": 2048}, large=True),
        Case("schedules, four messages at once, 1 048 576 ranks", [c.pgasim, "replay", "--quiet", schedules],
             work=6 << 20, unit="actions", prepare=lambda: write_schedules(schedules, 1 << 20), aims={"mib": 2048},
             large=True),
    ]
