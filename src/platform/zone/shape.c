/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shape: parsing shared by all texts of topo_parameters.
 */
#include "platform/zone/regular.h"

#include <ctype.h>

enum { MOST_NUMBER = 1 << 24 }; /* as PLATFORM_HOST_LIMIT; products of two such numbers fit a uint64_t */
/* Limit for switches and cables with this many hosts: far more than a real machine has. */
static uint64_t most_cables(uint64_t hosts)
{
    return 64 * hosts + 65536;
}

static void skip_space(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
}

static int one_number(const char **at, uint32_t *out)
{
    uint32_t number = 0;
    skip_space(at);
    if (!isdigit((unsigned char)**at))
        return -1;
    for (; isdigit((unsigned char)**at); ++*at) {
        number = number * 10 + (uint32_t)(**at - '0');
        if (number > MOST_NUMBER)
            return -1;
    }
    skip_space(at);
    *out = number;
    return number ? 0 : -1;
}

int platform_shape_list(const char **at, char end, uint32_t *out, unsigned most)
{
    unsigned n = 0;
    do {
        if (n == most || one_number(at, &out[n++]))
            return -1;
    } while (**at == ',' && ++*at);
    if (**at != end)
        return -1;
    *at += end != 0;
    return (int)n;
}

int platform_shape_times(uint64_t *product, uint64_t factor, uint64_t most)
{
    if (factor && *product > most / factor)
        return -1;
    *product *= factor;
    return 0;
}

int platform_shape_counts(struct platform_shape *out, uint64_t hosts, uint64_t switches, uint64_t cables,
                          uint32_t most_hosts, struct base_status *st)
{
    if (hosts > most_hosts)
        return base_fail(st, "more than %u hosts", most_hosts);
    if (switches + cables > most_cables(hosts))
        return base_fail(st, "more than %llu switches and cables for %llu hosts",
                         (unsigned long long)most_cables(hosts), (unsigned long long)hosts);
    out->hosts = (uint32_t)hosts;
    out->switches = (uint32_t)switches;
    out->cables = (uint32_t)cables;
    return 0;
}
