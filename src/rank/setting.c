/* SPDX-License-Identifier: BSD-3-Clause */
/* setting: the parameters of ranks, with their defaults and sources. */
#include "rank/rank.h"

const struct base_setting rank_setting_table[] = {
    {"on-failure", BASE_TEXT, "abort",
     "when a host or link fails under ranks: abort (a report, status 6) or kill-rank (the others go on)",
     "what MPI's and OpenSHMEM's launchers do"},
    {"fold/stacks", BASE_TEXT, "auto",
     "own: each rank has a stack; shared: ranks that wait have their frames kept aside; auto: by their "
     "number",
     "docs/performance.md"},
    {"fold/shared-stack-ranks", BASE_UINT, "4096", "from so many ranks on fold/stacks=auto shares",
     "docs/performance.md"},
    {"fold/shallow-stack-ranks", BASE_UINT, "1024",
     "the same if the first rank that waits has at most 4 KiB on its stack",
     "measured: docs/decisions/0009-shared-stacks.md"},
    {"fold/stall-after", BASE_TIME, "10s",
     "CPU time that one rank computes without a call, while all others wait, before a warning; 0: none",
     "a choice: docs/limitations.md"},
    {"compute/host-speed", BASE_SPEED, "0",
     "speed of a core of this machine, for --compute=measured; 0: that of the platform's first host",
     "a core here is taken to be as fast as one there unless told"},
};
const size_t rank_setting_count = BASE_LENGTH(rank_setting_table);
