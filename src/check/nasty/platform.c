/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform: another machine for each seed. Latencies, bandwidths and speeds change by powers of two, for all
 * links and for each; ranks that nobody has placed go to other hosts.
 */
#include "check/nasty/parts.h"

#include <math.h>

/* 2^-down to 2^up */
static double factor(struct base_random *r, unsigned down, unsigned up)
{
    return ldexp(1, (int)base_random_below(r, down + up + 1) - (int)down);
}

static void vary_links(struct fabric *f, struct base_random *r)
{
    const struct platform *p = fabric_platform(f);
    double latency = factor(r, 3, 7), bandwidth = factor(r, 5, 2);
    for (uint32_t k = 0; k < platform_link_count(p); k++) {
        const struct platform_link *l = platform_link_unnamed(p, k);
        fabric_link_latency_set(f, k, l->latency * latency * factor(r, 1, 2));
        fabric_link_bandwidth_set(f, k, l->bandwidth * bandwidth * factor(r, 1, 1));
    }
}

static void vary_hosts(struct fabric *f, struct base_random *r)
{
    for (uint32_t k = 0; k < platform_host_count(fabric_platform(f)); k++)
        fabric_host_speed_set(f, k, factor(r, 3, 1));
}

void nasty_platform_vary(struct nasty *n)
{
    struct nasty_key k = {NASTY_PLATFORM, 0, 0};
    struct base_random r = nasty_random(n, k);
    if (nasty_chance(&r, 1, 4) || !nasty_may(n, k, &(struct nasty_about){0}, "latencies, bandwidths, speeds"))
        return;
    vary_links(rank_fabric(n->job), &r);
    vary_hosts(rank_fabric(n->job), &r);
}

void nasty_platform_place(struct nasty *n, uint32_t *rank_host, uint32_t ranks, uint32_t hosts)
{
    struct nasty_key k = {NASTY_PLACE, 0, 0};
    struct base_random r = nasty_random(n, k);
    uint32_t most = ranks < hosts ? ranks : hosts, used = most;
    bool two = nasty_chance(&r, 1, 2), mixed = nasty_chance(&r, 1, 2);
    if (two && most > 2)
        used = 2;
    if (most < 2 || nasty_chance(&r, 1, 3) ||
        !nasty_may(n, k, &(struct nasty_about){0}, "ranks on %u hosts", used))
        return;
    for (uint32_t id = 0; id < ranks; id++)
        rank_host[id] = mixed ? (uint32_t)base_random_below(&r, used) : id % used;
}
