/* SPDX-License-Identifier: BSD-3-Clause */
/* place: the hosts of the ranks. Parts of the command line that name hosts are placed by themselves. */
#include <stdlib.h>

#include "base/output.h"
#include "check/check.h"
#include "cli/run/run.h"

enum { SLOTS_MOST = 1 << 24 };

static bool hosts_by_part(const struct run_options *o)
{
    for (size_t k = 0; k < o->parts.n; k++)
        if (o->parts.at[k].hosts)
            return true;
    return false;
}

static int place(const struct run *r, uint32_t first, uint32_t ranks, const char *hosts,
                 struct platform_placement *placed, struct base_status *st)
{
    const struct run_options *o = &r->options;
    struct platform_where where = {.hostfile = o->hostfile,
                                   .hosts = hosts,
                                   .map = o->by_host ? PLATFORM_MAP_HOST : PLATFORM_MAP_CORE,
                                   .per_host = o->per_host};
    return platform_place_where(r->platform, ranks, &where, r->rank_host + first, placed, st);
}

/* The user has said where the ranks are to be. */
static bool is_placed(const struct run_options *o, bool by_part)
{
    return by_part || o->hostfile || o->rankfile || o->per_host || o->by_host;
}

int run_place_by_options(struct run *r, struct base_status *st)
{
    const struct run_options *o = &r->options;
    struct platform_placement placed = {0};
    uint32_t ranks = (uint32_t)o->ranks, first = 0;
    bool apart = hosts_by_part(o);
    r->rank_host = base_alloc(ranks * sizeof *r->rank_host, "hosts of the ranks");
    for (size_t k = 0; k < (apart ? o->parts.n : 1); k++) {
        const struct run_part *p = &o->parts.at[k];
        uint32_t n = apart ? (uint32_t)p->ranks : ranks;
        if (place(r, first, n, p->hosts, &placed, st))
            return -1;
        first += n;
    }
    if (o->rankfile && platform_place_rankfile(r->platform, ranks, o->rankfile, r->rank_host, st))
        return -1;
    if (!is_placed(o, apart))
        check_place(r->rank_host, ranks, platform_host_count(r->platform));
    if (placed.crowded && !o->quiet && !o->rankfile && !r->kind)
        base_info("on %u of %u hosts, the ranks outnumber the cores and share them", placed.crowded,
                  placed.hosts);
    return 0;
}

/* The hostfile's or the platform's. Where parts of the command line name their hosts, there are all of the platform's. */
int run_place_slots(struct run *r, struct base_status *st)
{
    const struct run_options *o = &r->options;
    struct platform_where where = {.hostfile = o->hostfile,
                                   .hosts = o->parts.n == 1 ? o->parts.at[0].hosts : NULL,
                                   .map = o->by_host ? PLATFORM_MAP_HOST : PLATFORM_MAP_CORE,
                                   .per_host = o->per_host};
    struct platform_placement placed;
    uint32_t first;
    if (!r->later)
        return 0;
    if (platform_place_where(r->platform, 1, &where, &first, &placed, st))
        return -1;
    r->slots.n = placed.slots < SLOTS_MOST ? (uint32_t)placed.slots : SLOTS_MOST;
    r->slots.host = r->slot_host = base_alloc(r->slots.n * sizeof *r->slot_host, "hosts of slots");
    return platform_place_where(r->platform, r->slots.n, &where, r->slot_host, &placed, st);
}

int run_place(struct run *r, struct base_status *st)
{
    return r->kind && r->kind->place ? r->kind->place(r, st) : run_place_by_options(r, st);
}
