/* SPDX-License-Identifier: BSD-3-Clause */
/* slots: where ranks that a job's ranks start may be: as the entry places the job itself. */
#include "rank/rank.h"
#include "record/record.h"
#include "replay/jobs/jobs.h"

#include <stdlib.h>

static uint32_t cores_of(const struct platform *p, uint32_t host)
{
    return (uint32_t)platform_host(p, host)->cores;
}

/* By turns, as its ranks are; a host that is named twice has its cores once. */
static int on_hosts(const struct replay_list *l, const struct replay_entry *e, const struct platform *p,
                    struct rank_slots *out, struct base_status *st)
{
    uint32_t *host = replay_entry_hosts(l, e, p, st);
    if (!host)
        return -1;
    BASE_ARRAY(uint32_t) slots = {0};
    uint32_t *taken = base_zalloc(platform_host_count(p) * sizeof *taken, "slots of a job");
    for (size_t before = SIZE_MAX; slots.n != before;) {
        before = slots.n;
        for (size_t k = 0; k < e->hosts.n; k++)
            if (taken[host[k]] < cores_of(p, host[k]) && slots.n < RECORD_RANKS_MOST) {
                taken[host[k]]++;
                BASE_ARRAY_PUSH(&slots, host[k]);
            }
    }
    free(taken);
    free(host);
    *out = (struct rank_slots){slots.at, (uint32_t)slots.n};
    return 0;
}

static int by_hostfile(const struct replay_entry *e, const struct platform *p, struct rank_slots *out,
                       struct base_status *st)
{
    struct platform_placement placed;
    uint32_t first;
    if (platform_place(p, 1, e->hostfile, PLATFORM_MAP_CORE, &first, &placed, st))
        return -1;
    uint32_t n = placed.slots < RECORD_RANKS_MOST ? (uint32_t)placed.slots : RECORD_RANKS_MOST;
    uint32_t *host = base_alloc(n * sizeof *host, "slots of a job");
    *out = (struct rank_slots){host, n};
    return platform_place(p, n, e->hostfile, PLATFORM_MAP_CORE, host, &placed, st);
}

int replay_entry_slots(const struct replay_list *l, const struct replay_entry *e, const struct platform *p,
                       struct rank_slots *out, struct base_status *st)
{
    if (e->placement == REPLAY_ON_HOSTS)
        return on_hosts(l, e, p, out, st);
    return e->placement == REPLAY_BY_HOSTFILE ? by_hostfile(e, p, out, st) : 0;
}
