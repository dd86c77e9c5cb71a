# SPDX-License-Identifier: BSD-3-Clause
"""What the paper says: averages and a few named values; there are no numbers of single bars. And what it
takes from elsewhere: instruction counts of libraries."""

# Figure 1: atomic instructions of all, mean over the kernels of the GAP Benchmark Suite.
ATOMIC_SHARE = 17.46
# Figure 2: remote atomics of all, by the number of PEs.
REMOTE_SHARE = {1: 0.0, 64: 98.44}
# Figure 7: latency of remote atomics against OpenSHMEM: mean, best; better than 20 %.
GAIN, BEST_GAIN = 17.61, 23.35
GAIN_ABOVE_20 = ("GATHER", "SCATTER", "STRIDEN")
# Figure 8: instructions in remote atomics against OpenSHMEM, mean.
INSTRUCTIONS_SAVED = 89.71
# Figure 10: misses of the card's cache, mean of irregular and of regular workloads.
MISSES_IRREGULAR, MISSES_REGULAR = 85.05, 0.11

# How far a mean may be off, in percentage points, to count as reproduced.
TOLERANCE = {"fig2": 0.5, "fig7": 3.0, "fig8": 3.0, "fig10": 5.0, "fig10 regular": 0.89}

# Instructions of one operation at the origin: Open MPI 4.1.4, x86-64, callgrind. The first operation of a
# process, and the slope between 100 and 1100 of them. None: not measured, or polling hides it.
SHMEM = {"add": 366, "inc": 366, "cas": 377, "band": 373, "bor": 369, "bxor": 365}
SHMEM_FIRST = {"add": 3613, "cas": 3642}
MPI = {"add": 582, "inc": 582, "bxor": 582, "max": 555}
MPI_FIRST = {"add": 2808}
# Other software paths of one addition, for the range in Figure 8.
PATHS = (("OpenSHMEM over UCX", 366), ("MPI_Fetch_and_op and flush, osc/rdma", 828),
         ("MPI_Fetch_and_op, osc/pt2pt", 1122), ("OpenSHMEM over UCX, first call", 3613))
# The xBGAS runtime library's addition of 64 bits, compiled with -O2, on RISC-V: for the first allocation.
RUNTIME = 106
