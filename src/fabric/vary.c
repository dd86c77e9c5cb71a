/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vary: applies changes of links and hosts during the simulation to the fabric. change.c, or the caller,
 * decides when they change.
 */
#include "fabric/parts.h"

/* --- links ------------------------------------------------------------------------------------------- */

static double bandwidth_of(const struct fabric *f, uint32_t link)
{
    return fluid_resource_capacity(f->fluid, f->first_link + link);
}

/* What a link adds to weights. A nearly stopped link (a profile's 0) would swamp all other digits. */
static double weight_of(const struct fabric *f, double bandwidth)
{
    return f->network.weight_s / fmax(bandwidth, 1);
}

void fabric_link_bandwidth_set(struct fabric *f, uint32_t link, double bytes_per_second)
{
    double change = weight_of(f, bytes_per_second) - weight_of(f, bandwidth_of(f, link));
    fluid_resource_set_capacity(f->fluid, f->first_link + link, bytes_per_second);
    f->links[link].per_byte = 1 / bytes_per_second;
    f->version++;
    /* Even by 0: from here on penalties count. Of which link is a route's narrowest, later transfers learn. */
    if (f->network.weight_s > 0 && !f->network.weight_narrowest)
        fabric_transfers_bandwidth(f, link, change);
}

void fabric_link_latency_set(struct fabric *f, uint32_t link, double seconds)
{
    uint32_t n = platform_link_count(f->platform);
    if (!f->latency_change)
        f->latency_change = base_zalloc(n * sizeof *f->latency_change, "changes of latencies");
    double given = platform_link_unnamed(f->platform, link)->latency,
           before = given + f->latency_change[link];
    f->latency_change[link] = seconds - given;
    f->links[link].latency = seconds;
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
    fabric_ops_fail(f, (struct fabric_failure){FABRIC_LINK, link});
}

void fabric_link_returns(struct fabric *f, uint32_t link)
{
    f->links_off -= f->links[link].off;
    f->links[link].off = false;
}

/* Gives the link of hosts to themselves the bandwidth and latency of network/loopback-.... */
void fabric_loopback_set(struct fabric *f)
{
    const struct fabric_network *n = &f->network;
    if (n->loopback_latency == 0 && n->loopback_bandwidth == 10e9)
        return;
    uint32_t loopback = platform_loopback_link(f->platform);
    if (loopback == UINT32_MAX)
        return;
    fabric_link_bandwidth_set(f, loopback, n->loopback_bandwidth);
    fabric_link_latency_set(f, loopback, n->loopback_latency);
}

/* Gives all links their bandwidths in this run (noise/bandwidth). */
void fabric_bandwidths_draw(struct fabric *f)
{
    const struct noise *x = fabric_noise(f);
    for (uint32_t k = 0; x && x->bandwidth && k < platform_link_count(f->platform); k++)
        fabric_link_bandwidth_set(f, k, bandwidth_of(f, k) * fabric_noise_bandwidth(f, k));
}

/* --- hosts ------------------------------------------------------------------------------------------- */

/* Its computations go on at its new speed. */
static void renew(struct fabric *f, uint32_t host)
{
    double speed = fabric_host_speed(f, host);
    fabric_cpu_at(f, host)->varies = true;
    if (speed > 0)
        fluid_resource_set_capacity(f->fluid, fabric_cpu(f, host),
                                    speed * platform_host(f->platform, host)->cores);
    fabric_execs_renew(f, host);
}

void fabric_host_speed_set(struct fabric *f, uint32_t host, double factor)
{
    fabric_cpu_at(f, host)->factor = factor;
    renew(f, host);
}

void fabric_host_pstate_set(struct fabric *f, uint32_t host, uint32_t pstate)
{
    struct fabric_cpu *cpu = fabric_cpu_at(f, host);
    if (cpu->pstate == pstate)
        return;
    cpu->pstate = pstate;
    cpu->peak = platform_host_pstate_speed(f->platform, host, pstate);
    if (f->energy)
        energy_host_pstate(f->energy, host, pstate);
    renew(f, host);
}

uint32_t fabric_host_pstate(const struct fabric *f, uint32_t host)
{
    uint32_t pstate;
    if (f->cpus)
        return f->cpus[host].pstate;
    (void)platform_host_pstates(f->platform, host, &pstate);
    return pstate;
}

bool fabric_host_varies(const struct fabric *f, uint32_t host)
{
    return f->cpus && f->cpus[host].varies;
}

void fabric_host_fails(struct fabric *f, uint32_t host)
{
    struct fabric_cpu *cpu = fabric_cpu_at(f, host);
    if (cpu->off)
        return;
    cpu->off = true;
    f->hosts_off++;
    if (f->energy)
        energy_host_off(f->energy, host, true);
    if (f->on_host_failure)
        f->on_host_failure(f->on_host_failure_ctx, host);
    fabric_execs_fail(f, host);
    fabric_transfers_fail_host(f, host);
    fabric_ops_fail(f, (struct fabric_failure){FABRIC_HOST, host});
}

void fabric_host_returns(struct fabric *f, uint32_t host)
{
    struct fabric_cpu *cpu = fabric_cpu_at(f, host);
    f->hosts_off -= cpu->off;
    cpu->off = false;
    if (f->energy)
        energy_host_off(f->energy, host, false);
}

void fabric_profiles_note(struct fabric *f)
{
    for (uint32_t k = 0; k < platform_profile_count(f->platform); k++) {
        const struct platform_profile *p = platform_profile_at(f->platform, k);
        if (p->trait == PLATFORM_SPEED)
            fabric_cpu_at(f, p->id)->varies = true;
    }
    for (uint32_t h = 0, pstate; h < f->hosts; h++)
        if (platform_host_pstates(f->platform, h, &pstate) > 1)
            fabric_cpu_at(f, h)->varies = true;
}
