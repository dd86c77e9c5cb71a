/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vary: links and hosts that change while the simulation runs: what of the fabric follows. When they change is
 * change.c's business, or the caller's.
 */
#include "fabric/parts.h"

#include <stdlib.h>

/* --- links ------------------------------------------------------------------------------------------- */

static double bandwidth_of(const struct fabric *f, uint32_t link)
{
    return fluid_resource_capacity(f->fluid, f->first_link + link);
}

void fabric_link_bandwidth_set(struct fabric *f, uint32_t link, double bytes_per_second)
{
    double before = bandwidth_of(f, link), s = f->network.weight_s;
    fluid_resource_set_capacity(f->fluid, f->first_link + link, bytes_per_second);
    f->links[link].per_byte = 1 / bytes_per_second;
    f->version++;
    if (s > 0)
        fabric_transfers_bandwidth(f, link, s / bytes_per_second - s / before);
}

void fabric_link_latency_set(struct fabric *f, uint32_t link, double seconds)
{
    uint32_t n = platform_link_count(f->platform);
    if (!f->latency_change)
        f->latency_change = base_zalloc(n * sizeof *f->latency_change, "changes of latencies");
    double before = platform_link(f->platform, link)->latency + f->latency_change[link];
    f->latency_change[link] = seconds - platform_link(f->platform, link)->latency;
    f->version++;
    fabric_paths_relate(f);
    fabric_transfers_latency(f, link, seconds - before);
}

void fabric_link_fails(struct fabric *f, uint32_t link)
{
    if (f->links[link].off)
        return;
    f->links[link].off = true;
    f->links_off++;
    fabric_transfers_fail_link(f, link);
}

void fabric_link_returns(struct fabric *f, uint32_t link)
{
    f->links_off -= f->links[link].off;
    f->links[link].off = false;
}

bool fabric_link_on(const struct fabric *f, uint32_t link)
{
    return !f->links[link].off;
}

/* --- hosts ------------------------------------------------------------------------------------------- */

void fabric_host_speed_set(struct fabric *f, uint32_t host, double factor)
{
    const struct platform_host *h = platform_host(f->platform, host);
    fabric_cpu_at(f, host)->factor = factor;
    if (factor > 0)
        fluid_resource_set_capacity(f->fluid, fabric_cpu(f, host), h->speed * factor * h->cores);
    fabric_execs_renew(f, host);
}

void fabric_host_fails(struct fabric *f, uint32_t host)
{
    struct fabric_cpu *cpu = fabric_cpu_at(f, host);
    if (cpu->off)
        return;
    cpu->off = true;
    f->hosts_off++;
    fabric_execs_fail(f, host);
    fabric_transfers_fail_host(f, host);
}

void fabric_host_returns(struct fabric *f, uint32_t host)
{
    struct fabric_cpu *cpu = fabric_cpu_at(f, host);
    f->hosts_off -= cpu->off;
    cpu->off = false;
}

bool fabric_host_on(const struct fabric *f, uint32_t host)
{
    return !f->cpus || !f->cpus[host].off;
}
