# SPDX-License-Identifier: BSD-3-Clause
"""Collectives of MPI with the same algorithm or selector on both sides; then large ones of ours."""
from case import Case, grouped

FOLDED = ["--set", "coll/leave-folded=yes"]
# Operation, program's word, bytes, algorithm, rounds with 512 and with 4 096 ranks (0: takes SMPI too long).
COMPARED = [
    ("allreduce", "allreduce", 8, "rdb", 20, 3),
    ("allreduce", "allreduce", 8, "selector ompi", 20, 3),
    ("allreduce", "allreduce", 8192, "rab_rdb", 20, 3),
    ("bcast", "broadcast-folded", 70000, "binomial_tree", 50, 5),
    ("bcast", "broadcast", 70000, "binomial_tree", 50, 5),
    ("bcast", "broadcast", 70000, "ompi_split_bintree", 20, 2),
    ("bcast", "broadcast", 70000, "scatter_LR_allgather", 1, 0),
    ("bcast", "broadcast", 70000, "selector mpich", 20, 0),
    ("allgather", "allgather-folded", 64, "rdb", 10, 1),
    ("allgather", "allgather-folded", 1024, "NTSLR", 1, 0),
    ("alltoall", "alltoall-folded", 64, "bruck", 10, 1),
    ("alltoall", "alltoall-folded", 1024, "basic_linear", 1, 0),
    ("alltoall", "alltoall-folded", 1024, "ring", 1, 0),
    ("reduce_scatter", "reduce-scatter", 8, "mpich_rdb", 10, 1),
    ("reduce_scatter", "reduce-scatter", 8, "ompi_basic_recursivehalving", 10, 1),
]


def compared(c):
    """Algorithms and selectors by SMPI's names. The start of a run is in all figures."""
    result = []
    for op, word, size, name, few, many in COMPARED:
        selector = name.removeprefix("selector ") if name.startswith("selector ") else None
        for ranks, where, rounds in (512, "backbone", few), (4096, "backbone_4096", many):
            if not rounds:
                continue
            arguments = [word, rounds, size]
            chosen = "--cfg=smpi/%s:%s" % ("coll-selector" if selector else op, selector or name)
            folds = FOLDED if word.endswith("folded") else []
            result.append(Case("%s of %s B, %s, %s ranks" % (op, grouped(size), name, grouped(ranks)),
                               c.ours_mpi(ranks, where, "collective", "--privatize=none", chosen, *folds,
                                          arguments=arguments),
                               c.theirs(ranks, where, "collective", "-no-privatize", chosen, arguments=arguments),
                               work=rounds, aims={"ratio": 20}))
    return result


def many(c):
    """On the built-in cluster. With basic_linear all messages are under way at once."""
    def case(name, ranks, *arguments, options=(), **more):
        return Case("%s, %s ranks" % (name, grouped(ranks)),
                    c.ours_mpi(ranks, None, "collective", "--privatize=none", "--stack-size=16KiB", *options,
                               arguments=arguments), **more)

    def alltoall(name, ranks, **more):
        return case("alltoall of 1 KiB, " + name, ranks, "alltoall-folded", 1, 1024,
                    options=["--set", "coll/alltoall=" + name, *FOLDED], **more)
    return [case("allreduce of 8 B", 65536, "allreduce", 1, 8, aims={"seconds": 4}),
            case("allreduce of 8 B", 1 << 20, "allreduce", 1, 8, aims={"seconds": 15, "mib": 4096}),
            alltoall("linear", 4096, aims={"seconds": 20}),
            alltoall("smpi:basic_linear", 1024),
            alltoall("smpi:basic_linear", 4096, aims={"seconds": 20}, large=True)]
