# SPDX-License-Identifier: BSD-3-Clause
"""The same MPI programs on both sides."""
from case import Case, grouped


def cases(c):
    def both(ranks, where, program, *arguments):
        return (c.ours_mpi(ranks, where, program, "--privatize=none", arguments=arguments),
                c.theirs(ranks, where, program, "-no-privatize", arguments=arguments))

    def ring(ranks, rounds):
        return Case("ring of 1 KiB, %s ranks" % grouped(ranks), *both(ranks, "backbone_4096", "ring", rounds),
                    work=ranks * rounds, unit="messages", aims={"ratio": 15})

    def collective(name, *arguments):
        return Case("10 %s, 4 096 ranks" % name, *both(4096, "backbone_4096", "collective", *arguments), work=10,
                    aims={"ratio": 20})

    def onesided(what, ranks, kind, rounds, peer_rounds=None, **aims):
        """With the other side where that ends in reasonable time, on fewer operations."""
        program = dict(ours=c.ours_mpi(ranks, "backbone_4096", "onesided", "--privatize=none",
                                       arguments=[kind, rounds]))
        if peer_rounds:
            program.update(theirs=c.theirs(ranks, "backbone_4096", "onesided", "-no-privatize",
                                           arguments=[kind, peer_rounds]), their_work=ranks * peer_rounds)
        return Case("window: %s, %s ranks" % (what, grouped(ranks)), **program, work=ranks * rounds,
                    unit="operations", aims=aims)

    def million(what, program, *arguments, **more):
        return Case("1 048 576 ranks, %s" % what,
                    c.ours_mpi(1 << 20, None, program, "--stack-size=16KiB", arguments=arguments), **more)
    return [
        ring(64, 2000), ring(1024, 100), ring(4096, 20),
        collective("barriers", "barrier", 10), collective("allreduces of 8 B", "allreduce", 10, 8),
        Case("start and end, 65 536 ranks",
             c.ours_mpi(65536, "one_host", "empty", "--privatize=none", "--stack-size=16KiB"),
             c.theirs(65536, "one_host", "empty", "-no-privatize"), aims={"ratio": 10}),
        onesided("puts of 8 B, flushed by 100", 64, "puts", 20000, 200, ratio=30, rate=3e6),
        onesided("puts of 8 B, flushed by 100", 1024, "puts", 2000, rate=2e6),
        onesided("puts of 8 B, flushed by 100", 16384, "puts", 200, rate=1e6),
        onesided("fetch-and-op and flush", 64, "fetches", 20000, 200, ratio=30, rate=3e6),
        onesided("fetch-and-op and flush", 1024, "fetches", 2000, rate=2e6),
        onesided("fetch-and-op and flush", 16384, "fetches", 200, rate=1e6),
        onesided("lock, put, unlock", 64, "locks", 10000, 200, ratio=30, rate=0.7e6),
        Case("10 fences, 4 096 ranks", c.ours_mpi(4096, "backbone_4096", "onesided", "--privatize=none",
                                                  arguments=["fences", 10]), work=10),
        million("start and end", "empty", aims={"seconds": 4, "mib": 2560}),
        million("one split by colour, one barrier", "split", aims={"seconds": 10, "mib": 4096}),
        *(Case("%s unexpected messages, received in reverse" % grouped(n), *both(2, "backbone", "unexpected", n),
               work=n, unit="messages") for n in (1000, 10000)),
        # SMPI takes minutes for these.
        Case("100 000 unexpected messages, received in reverse", c.ours_mpi(2, "backbone", "unexpected",
                                                                           arguments=[100000]),
             work=100000, unit="messages"),
    ]
