# SPDX-License-Identifier: BSD-3-Clause
"""What the paper says: averages and a few named values; there are no numbers of single bars."""

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

# When a figure counts as reproduced.
ACCEPTED = {1: "within 3 points", 2: "within 0.5 points of (P - 1)/P", 3: "a tenth or less of each path",
            7: "within 3 points; with calibration: of the kernels that were not fitted", 8: "within 3 points",
            9: "nine of ten requests go to another line than the one before",
            10: "one policy: irregular within 5 points, regular below 1 %"}
# How far a mean may be off, in percentage points, to count as reproduced.
TOLERANCE = {"fig1": 3.0, "fig2": 0.5, "fig7": 3.0, "fig8": 3.0, "fig10": 5.0, "fig10 regular": 0.89}

# What the paper's simulator, SST, takes by default for a round trip through its network card (firefly) and
# one switch, in ns: to the card 150; each way sending 50, two links of 40, the switch 100, matching 100.
SST_ROUND_TRIP = 150 + 2 * (50 + 40 + 40 + 50 + 50 + 100)

# Operations of Figure 3 for which the libraries of `software/library` were measured.
MEASURED = {"oshmem": ("add", "inc", "cas", "band", "bor", "bxor"), "oshmem-first": ("add", "inc", "cas"),
            "mpi-rdma": ("add", "inc", "bxor", "min", "max"), "mpi-rdma-first": ("add", "inc"),
            "mpi-pt2pt": ("add", "inc", "cas"), "xbrtime": ("add", "inc")}
