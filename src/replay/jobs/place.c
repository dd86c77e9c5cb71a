/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place: the hosts of the ranks of a list's jobs. Cores that a job has are taken, so that jobs that do not name hosts
 * get cores of their own as long as there are enough; then all are free again.
 */
#include "replay/jobs/jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct places {
    const struct platform *platform;
    uint32_t hosts;
    uint64_t cores, left;
    uint32_t *free; /* cores of each host */
};

static void free_all(struct places *p)
{
    p->cores = 0;
    for (uint32_t h = 0; h < p->hosts; h++) {
        p->free[h] = (uint32_t)platform_host(p->platform, h)->cores;
        p->cores += p->free[h];
    }
    p->left = p->cores;
}

static void take(struct places *p, uint32_t host)
{
    if (!p->free[host])
        return;
    p->free[host]--;
    p->left--;
}

/* --- by name ------------------------------------------------------------------------------------------ */

uint32_t *replay_entry_hosts(const struct replay_list *l, const struct replay_entry *e,
                             const struct platform *p, struct base_status *st)
{
    BASE_ASSERT("an entry on hosts has some", e->hosts.n > 0);
    uint32_t *host = base_alloc(e->hosts.n * sizeof *host, "hosts of a job");
    for (size_t k = 0; k < e->hosts.n; k++)
        if (platform_host_find(p, e->hosts.at[k], &host[k])) {
            base_fail(st, "%s:%" PRIu32 ": job %.80s: unknown host '%.80s': expected a host of the platform",
                      l->path, e->line, e->name, e->hosts.at[k]);
            free(host);
            return NULL;
        }
    return host;
}

static int on_hosts(const struct replay_list *l, const struct replay_entry *e, const struct places *p,
                    uint32_t *rank_host, struct base_status *st)
{
    uint32_t *host = replay_entry_hosts(l, e, p->platform, st);
    for (uint32_t k = 0; k < e->ranks && host; k++)
        rank_host[k] = host[k % e->hosts.n];
    free(host);
    return host ? 0 : -1;
}

/* --- on free cores ------------------------------------------------------------------------------------ */

static void pack(struct places *p, uint32_t ranks, uint32_t *rank_host)
{
    for (uint32_t k = 0, h = 0; k < ranks; h++)
        for (uint32_t n = p->free[h]; n && k < ranks; n--)
            rank_host[k++] = h;
}

static void deal(struct places *p, uint32_t ranks, uint32_t *rank_host)
{
    for (uint32_t k = 0, round = 0; k < ranks; round++)
        for (uint32_t h = 0; h < p->hosts && k < ranks; h++)
            if (p->free[h] > round)
                rank_host[k++] = h;
}

/* Any `ranks` of the free cores, in any order. */
static void draw(struct places *p, uint32_t ranks, uint64_t seed, uint32_t *rank_host)
{
    struct base_random random;
    uint32_t *core = base_alloc(p->left * sizeof *core, "cores of a job");
    uint64_t n = 0;
    base_random_seed(&random, seed, 0);
    for (uint32_t h = 0; h < p->hosts; h++)
        for (uint32_t c = 0; c < p->free[h]; c++)
            core[n++] = h;
    for (uint32_t k = 0; k < ranks; k++) {
        uint64_t other = k + base_random_below(&random, n - k);
        uint32_t host = core[other];
        core[other] = core[k];
        rank_host[k] = host;
    }
    free(core);
}

/* At most as many as there are free cores. */
static void place_some(struct places *p, const struct replay_entry *e, uint64_t round, uint32_t ranks,
                       uint32_t *rank_host)
{
    if (e->placement == REPLAY_PACKED)
        pack(p, ranks, rank_host);
    else if (e->placement == REPLAY_ROUND_ROBIN)
        deal(p, ranks, rank_host);
    else
        draw(p, ranks, e->seed + round, rank_host);
}

static void place_free(struct places *p, const struct replay_entry *e, uint32_t *rank_host)
{
    if (p->left < e->ranks)
        free_all(p);
    for (uint32_t done = 0, n; done < e->ranks; done += n) {
        n = e->ranks - done < p->left ? e->ranks - done : (uint32_t)p->left;
        place_some(p, e, done, n, rank_host + done);
        if (done + n < e->ranks) /* more ranks than cores */
            free_all(p);
    }
}

/* --- a list ------------------------------------------------------------------------------------------- */

static int place_entry(const struct replay_list *l, size_t k, struct places *p, uint32_t *rank_host,
                       size_t *crowded, struct base_status *st)
{
    const struct replay_entry *e = &l->at.at[k];
    struct platform_placement placed;
    switch (e->placement) {
    case REPLAY_ON_HOSTS:
        return on_hosts(l, e, p, rank_host, st);
    case REPLAY_BY_HOSTFILE:
        return platform_place(p->platform, e->ranks, e->hostfile, PLATFORM_MAP_CORE, rank_host, &placed, st);
    default:
        if (p->left < e->ranks && *crowded == l->at.n)
            *crowded = k;
        place_free(p, e, rank_host);
        return 0;
    }
}

int replay_list_place(const struct replay_list *l, const struct platform *platform, uint32_t *rank_host,
                      size_t *crowded, struct base_status *st)
{
    struct places p = {.platform = platform, .hosts = platform_host_count(platform)};
    int rc = 0;
    p.free = base_alloc(p.hosts * sizeof *p.free, "free cores");
    free_all(&p);
    *crowded = l->at.n;
    for (size_t k = 0; k < l->at.n && !rc; k++) {
        rc = place_entry(l, k, &p, rank_host, crowded, st);
        for (uint32_t r = 0; r < l->at.at[k].ranks && !rc; r++)
            take(&p, rank_host[r]);
        rank_host += l->at.at[k].ranks;
    }
    free(p.free);
    return rc;
}
