# SPDX-License-Identifier: BSD-3-Clause
"""Time and memory against ranks, from 2^10 to 2^20 in factors of 4."""
from case import Case

RANKS = [1 << k for k in range(10, 21, 2)]
GROUPS = [("start and end", "collective", ["barrier", 0]), ("one barrier", "collective", ["barrier", 1]),
          ("one allreduce of 8 B", "collective", ["allreduce", 1, 8]),
          ("ring, 2 rounds of 1 KiB", "ring", [2])]


def cases(c):
    return [Case("%s, 2^%d" % (group, ranks.bit_length() - 1),
                 c.ours(ranks, None, program, arguments=arguments),
                 growth=(group, ranks), point=True)
            for group, program, arguments in GROUPS for ranks in RANKS]
