/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setting: the parameters of ranks, with their defaults and sources. Keys of the form fold/... apply to ranks
 * of every provider; users know them under that prefix.
 */
#include "rank/rank.h"

const struct base_setting rank_setting_table[] = {
    {"on-failure", BASE_TEXT, "abort", "abort or kill-rank",
     "what to do when a host or link fails under ranks: abort (with a report and status 6) or kill-rank (the "
     "others go on)",
     "what MPI's and OpenSHMEM's launchers do"},
    {"fold/stacks", BASE_TEXT, "auto", "own, shared or auto",
     "own: each rank has a stack; shared: ranks share one, and the frames of waiting ranks are kept aside; "
     "auto: by the number of ranks",
     "docs/performance.md"},
    {"fold/shared-stack-ranks", BASE_UINT, "4096", "0 to 4294967295",
     "number of ranks from which fold/stacks=auto means shared", "docs/performance.md"},
    {"fold/shallow-stack-ranks", BASE_UINT, "1024", "0 to 4294967295",
     "the same if the first rank that waits has at most 4 KiB on its stack",
     "measured: docs/decisions/0009-shared-stacks.md"},
    {"fold/stall-after", BASE_TIME, "10s", BASE_TIMES,
     "a rank that computes this long (CPU time) without a call while all others wait causes a warning; 0: "
     "never",
     "a choice: docs/limitations.md"},
    {"spawn/most", BASE_UINT, "65536", "0 to 16777216",
     "processes that a job may start while it runs (MPI_Comm_spawn), at most; those of programs that do not call it: 0, "
     "unless this is given",
     "a choice: they cost addresses"},
    {"spawn/time", BASE_TIME, "10ms", BASE_TIMES,
     "time from a call of MPI_Comm_spawn until its processes begin, and until it returns", "a choice: docs/processes.md"},
    {"spawn/time-process", BASE_TIME, "100us", BASE_TIMES, "more of it for each process that the call starts",
     "a choice: docs/processes.md"},
    {"compute/host-speed", BASE_SPEED, "0", "0 or 1e-3f to 1e30f",
     "speed of a core of this machine, for --compute=measured; 0: the speed of the platform's first host",
     "assumption: a core of this machine is as fast as one of the platform"},
};
const size_t rank_setting_count = BASE_LENGTH(rank_setting_table);
