# SPDX-License-Identifier: BSD-3-Clause
"""What is run for the figures. The paper names five of its eight kernels (PR, PTRCHASE, SCATTER, GATHER,
STRIDE), speaks of hot spots (CENTRAL), and gives no sizes. BFS and SSSP complete the eight here. The other
kernels are shown, but are in no average."""
from dataclasses import dataclass

from runs import Run

IRREGULAR = ("PR", "PTRCHASE", "SCATTER", "GATHER", "BFS", "SSSP")
REGULAR = ("STRIDEN", "CENTRAL")
EIGHT = IRREGULAR + REGULAR
OTHERS = ("RAND", "STRIDE1", "SG", "CC", "BC", "TC")
GRAPHS = ("BFS", "SSSP", "CC", "PR", "BC", "TC")

# Of the eight: the latency is fitted to the first, tested on the others.
FITTED = ("PTRCHASE", "CENTRAL", "BFS", "GATHER")
TESTED = tuple(name for name in EIGHT if name not in FITTED)

# Ways to have an atomic executed: a back end of remote.h, and settings. Cores and network are the same.
PATHS = {
    "card": ("rae", ()),
    "served by the host": ("rae", (("rdma/profile", "software"), ("software/library", "oshmem"))),
    "library, then the card": ("rae", (("software/library", "oshmem"),)),
    "xBGAS runtime, then the card": ("rae", (("software/library", "xbrtime"),)),
    "get, modify, put": ("getput", ()),
}


@dataclass(frozen=True)
class Sizes:
    """`words` is the footprint of the arrays on each node. With 428 KiB, uniform accesses miss a card's cache
    of 64 KiB in 85 of 100 cases."""
    words: int = 428 * 1024 // 8
    iterations: int = 8000
    scale: int = 8             # graphs of 2^scale vertices
    rounds: int = 3            # of PageRank
    small: int = 7168          # words of the regular kernels of Figure 10: 56 KiB, which the cache can hold
    repeated: int = 1 << 17    # their iterations, in many passes
    scattered: int = 200000    # atomics of Figure 2, of all PEs
    sample: int = 10000        # requests of Figure 9


FULL = Sizes()
# Shows that everything works; the numbers mean less.
QUICK = Sizes(words=2048, iterations=300, scale=5, rounds=1, small=512, repeated=1 << 10, scattered=4096,
              sample=500)


def run_of(sizes, name, path="card", settings=()):
    """One workload; with additions, where it may have either."""
    backend, own = PATHS[path]
    settings = own + settings
    if name in GRAPHS:
        return Run("graphs", backend, (name, "-g", sizes.scale, "-n", sizes.rounds), settings=settings)
    # PTRCHASE's table has as many words as there are iterations.
    iterations = sizes.words if name == "PTRCHASE" else sizes.iterations
    return Run("atomics", backend, (name, "add", "-m", sizes.words, "-i", iterations), settings=settings)


def mean(values):
    values = list(values)
    return sum(values) / len(values)
