# SPDX-License-Identifier: BSD-3-Clause
"""Programs that only start and end: MPI_Init and MPI_Finalize, shmem_init and shmem_finalize."""
from case import Case, grouped


def cases(c):
    def shared(ranks, **more):
        return Case("start and end, %s ranks" % grouped(ranks),
                    c.ours(ranks, "one_host", "empty", "--privatize=none", "--stack-size=16KiB"),
                    c.theirs(ranks, "one_host", "empty", "-no-privatize"), **more)

    def million(kind, *size, **more):
        return Case("1 048 576 ranks, private globals, with one %s" % kind,
                    c.ours(1 << 20, None, "collective", arguments=[kind, 1, *size]), **more)
    return [
        Case("start and end, 8 192 ranks, private globals", c.ours(8192, "one_host", "empty"),
             c.theirs(8192, "one_host", "empty"), aims={"ratio": 20}),
        shared(16384), shared(65536, aims={"ratio": 10, "memory": 3}), shared(262144),
        # Theirs takes 35 to 54 s and 9.5 to 13 GB.
        shared(1048576, large="theirs", aims={"seconds": 4, "mib": 3072}),
        million("barrier", aims={"seconds": 3, "mib": 2048}),
        million("allreduce", 8, aims={"seconds": 15, "mib": 4096}),
    ]
