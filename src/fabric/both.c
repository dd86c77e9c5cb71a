/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * both: what the flows of both directions between two hosts share besides links (network/bidirectional). Each pair of
 * hosts has a resource of the capacity of its narrowest link; a flow whose size has the factor x takes 1 / x of its
 * rate there, so that both directions together carry x times what one does. Links that are FATPIPE bound single flows
 * and do not count.
 */
#include "fabric/parts.h"

void fabric_both_init(struct fabric *f)
{
    base_table_init(&f->both, BASE_NUMBERS, sizeof(fluid_resource), "pairs of hosts that share directions");
}

void fabric_both_release(struct fabric *f)
{
    base_table_release(&f->both);
}

/* Of the links that flows share, bytes/s; infinite: there is none, or no route. */
static double narrowest(struct fabric *f, uint32_t from, uint32_t to)
{
    struct platform_route route;
    double least = INFINITY;
    if (platform_route(f->platform, from, to, &route, NULL))
        return least;
    for (uint32_t k = 0; k < route.n_links; k++)
        if (platform_link_unnamed(f->platform, route.links[k])->policy != PLATFORM_FATPIPE)
            least = fmin(least, fluid_resource_capacity(f->fluid, f->first_link + route.links[k]));
    return least;
}

uint32_t fabric_both_find(struct fabric *f, uint64_t key)
{
    uint32_t from = (uint32_t)(key >> 32), to = (uint32_t)key;
    uint64_t pair = from < to ? key : key << 32 | key >> 32;
    if (!f->network.bidirectional || from == to)
        return FABRIC_NOT_BOTH;
    double capacity = fmin(narrowest(f, from, to), narrowest(f, to, from));
    if (!isfinite(capacity))
        return FABRIC_NOT_BOTH;
    fluid_resource *known = base_table_find(&f->both, pair);
    if (!known) {
        fluid_resource made = fluid_resource_add(f->fluid, capacity, FLUID_SHARED);
        *(fluid_resource *)base_table_add(&f->both, pair, NULL) = made;
        return made;
    }
    if (fluid_resource_capacity(f->fluid, *known) != capacity)
        fluid_resource_set_capacity(f->fluid, *known, capacity);
    return *known;
}
