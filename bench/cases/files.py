# SPDX-License-Identifier: BSD-3-Clause
"""Files and processes of MPI. Writes are compared with a loop of pwrite that writes the same bytes into a file."""
from case import Slowdown, grouped

BLOCK = 4096


class Beside(Slowdown):
    """What MPI's calls take, as a multiple of what the system takes for the bytes."""

    heads = "pgasim", "pwrite"


def cases(c):
    def mpi(ranks, *arguments):
        return c.ours_mpi(ranks, None, "files", "--privatize=none", "--stack-size=64KiB", arguments=arguments)

    def pwrites(ranks, count):
        return ["./pwrites", str(ranks), str(count)]

    def alone(ranks, count, **more):
        return Beside("writes of 4 KiB, %s ranks" % grouped(ranks), mpi(ranks, "alone", count), pwrites(ranks, count),
                      work=ranks * count, unit="writes", **more)

    def together(ranks, mib, **more):
        return Beside("collective write of %s MiB, %s ranks" % (grouped(mib), grouped(ranks)),
                      mpi(ranks, "together", mib), pwrites(ranks, mib * 1024 * 1024 // BLOCK // ranks), **more)
    return [
        alone(64, 2000, aims={"most": 3}), alone(1024, 125),
        together(1024, 1024, aims={"more": 5}),
        Beside("open and close, 65 536 ranks", mpi(65536, "open"), aims={"seconds": 5}),
        Beside("spawn of 1 024 ranks", mpi(1, "spawn", 1024), aims={"seconds": 1}),
    ]
