/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * link: joules of links. As in SimGrid, a link's load is looked at when a transfer over it starts and ends, and
 * taken for that of all the time since it was last looked at: a change in between, such as the end of a
 * transfer's latency, is seen late. With energy/links=carried, each byte that has crossed the link counts
 * instead, which is the integral of the load.
 */
#include "energy/internal.h"

#include <math.h>

/* Part of the bandwidth in use up to now, not counting what begins now. */
static double load_of(const struct energy *e, uint32_t link)
{
    fluid_resource id = e->first_link + link;
    return fluid_resource_taken(e->fluid, id) / fluid_resource_capacity(e->fluid, id);
}

static void sample(struct energy *e, uint32_t link)
{
    struct energy_link *l = &e->link[link];
    double now = engine_now(e->engine);
    if (!l->known || !(now > l->sampled))
        return;
    double load = l->kept_at == now ? l->kept : load_of(e, link);
    l->joules += (l->idle + (l->busy - l->idle) * load) * (now - l->sampled);
    l->sampled = now;
}

void energy_links_sample(struct energy *e, const uint32_t *links, uint32_t n)
{
    for (uint32_t k = 0; e->link && k < n; k++)
        sample(e, links[k]);
}

void energy_links_keep(struct energy *e, const uint32_t *links, uint32_t n)
{
    double now = engine_now(e->engine);
    for (uint32_t k = 0; e->link && k < n; k++) {
        struct energy_link *l = &e->link[links[k]];
        if (!l->known || l->kept_at == now || !(now > l->sampled))
            continue;
        l->kept = load_of(e, links[k]);
        l->kept_at = now;
    }
}

void energy_links_carry(struct energy *e, const uint32_t *links, uint32_t n, double bytes)
{
    for (uint32_t k = 0; e->link && k < n; k++) {
        struct energy_link *l = &e->link[links[k]];
        if (l->known)
            l->joules +=
                (l->busy - l->idle) * bytes / fluid_resource_capacity(e->fluid, e->first_link + links[k]);
    }
}

bool energy_links_are_carried(const struct energy *e)
{
    return e->carried;
}

double energy_of_link(struct energy *e, uint32_t link)
{
    if (!energy_link_has_watts(e, link))
        return 0;
    if (!e->carried)
        sample(e, link);
    return e->link[link].joules + (engine_now(e->engine) - e->link[link].sampled) * e->link[link].idle;
}

bool energy_link_has_watts(const struct energy *e, uint32_t link)
{
    return e->link && e->link[link].known;
}
