# SPDX-License-Identifier: BSD-3-Clause
"""What is run for the figures. The paper names five of its eight kernels (PR, PTRCHASE, SCATTER, GATHER,
STRIDE), speaks of hot spots (CENTRAL), and gives no sizes. BFS and SSSP complete the eight here. The other
kernels are shown, but are in no average."""
from runs import Run

# The footprint is 428 KiB for each node: uniform accesses to it miss a card's cache of 64 KiB in 85 of 100
# cases.
WORDS = 428 * 1024 // 8
ITERATIONS = 8000
ARRAYS = ("-m", WORDS, "-i", ITERATIONS)
SMALL = ("-m", 8192)  # 64 KiB, as large as the card's cache

IRREGULAR = ("PR", "PTRCHASE", "SCATTER", "GATHER", "BFS", "SSSP")
REGULAR = ("STRIDEN", "CENTRAL")
EIGHT = IRREGULAR + REGULAR
OTHERS = ("RAND", "STRIDE1", "SG", "CC", "BC", "TC")
GRAPHS = ("BFS", "SSSP", "CC", "PR", "BC", "TC")

# Of the eight: the latency is fitted to the first, tested on the others.
FITTED = ("PTRCHASE", "CENTRAL", "BFS", "GATHER")
TESTED = tuple(name for name in EIGHT if name not in FITTED)


def run_of(name, backend, settings=()):
    """One workload; with additions, where it may have either."""
    if name in GRAPHS:
        return Run("graphs", backend, (name, "-g", 8, "-n", 3), settings=settings)
    # PTRCHASE's table has as many words as there are iterations.
    sizes = ("-i", WORDS) if name == "PTRCHASE" else ARRAYS
    return Run("atomics", backend, (name, "add", *sizes), settings=settings)


def mean(values):
    values = list(values)
    return sum(values) / len(values)
