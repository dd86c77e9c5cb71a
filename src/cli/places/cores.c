/* SPDX-License-Identifier: BSD-3-Clause */
/* cores: how many runs at a time use this machine well. */
#include <sched.h>

#include "cli/places/places.h"

uint32_t cli_cores(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return n < 1 ? 1 : (uint32_t)n;
}
