/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * birth: ranks that are started while the job runs. Their records lie behind those of the ranks before them, in room that
 * was reserved when the job was made (decision 0048), so that no record ever moves. Each has a host with a free slot.
 *
 * Invariants
 *  N16  There are never more than rank_room ranks; a rank's number is never given again.
 */
#include "rank/internal.h"

#include <stdlib.h>
#include <string.h>

static void (*on_started)(void *arg, struct rank_job *job, uint32_t first, uint32_t n);
static void *on_started_arg;

void rank_on_started(void (*fn)(void *arg, struct rank_job *job, uint32_t first, uint32_t n), void *arg)
{
    on_started = fn;
    on_started_arg = arg;
}

/* --- slots --------------------------------------------------------------------------------------- */

uint32_t rank_slots_take(const struct rank_job *job, const struct rank_slots *s, uint32_t wanted,
                         uint32_t *host, uint32_t *taken)
{
    const struct fabric *f = job->public.fabric;
    uint32_t hosts = platform_host_count(fabric_platform(f)), n = 0;
    uint32_t *seen = base_zalloc(hosts * sizeof *seen, "slots of hosts");
    uint32_t *before = base_alloc(hosts * sizeof *before, "slots of hosts");
    memcpy(before, taken, hosts * sizeof *before);
    for (uint32_t k = 0; k < s->n && n < wanted; k++) {
        uint32_t h = s->host[k];
        if (seen[h]++ < job->host_live[h] + before[h] || !fabric_host_on(f, h))
            continue;
        host[n++] = h;
        taken[h]++;
    }
    free(before);
    free(seen);
    return n;
}

/* --- starting ------------------------------------------------------------------------------------ */

static int check_room(const struct rank_job *job, uint64_t n, struct base_status *st)
{
    uint32_t left = job->public.room - job->public.ranks, actors = engine_actor_room(job->public.engine);
    if (n > left)
        return base_fail(st, "%llu more processes: the job has room for %u more (--set spawn/most=N)",
                         (unsigned long long)n, left);
    if (n > actors)
        return base_fail(st, "%llu more processes: there are %u stacks for them (--set thread/most=N)",
                         (unsigned long long)n, actors);
    return 0;
}

static void make(struct rank_job *job, const struct rank_start *start, size_t n, double when)
{
    for (size_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < start[k].ranks; i++) {
            struct rank *r = rank_make(job, job->public.ranks++, start[k].host[i]);
            r->ahead_until = when;
            r->world = job->worlds + 1;
        }
}

/* None of them has begun, and nobody knows them. */
static void unmake(struct rank_job *job, uint32_t first)
{
    while (job->public.ranks > first)
        rank_unmake(job, rank_at(job, --job->public.ranks));
}

int rank_start_others(struct rank *by, const struct rank_start *start, size_t n, double when, uint32_t *first,
                      struct base_status *st)
{
    struct rank_job *job = by->job;
    uint32_t before = job->public.ranks;
    uint64_t total = 0;
    for (size_t k = 0; k < n; k++)
        total += start[k].ranks;
    if (!by->provider->life->start)
        return base_fail(st, "ranks that are no native programs cannot start others");
    if (check_room(job, total, st))
        return -1;
    make(job, start, n, when);
    BASE_ASSERT("N16", job->public.ranks <= job->public.room);
    if (by->provider->life->start(by, start, n, before, st)) {
        unmake(job, before);
        return -1;
    }
    job->worlds++;
    if (on_started)
        on_started(on_started_arg, job, before, (uint32_t)total);
    for (uint32_t k = before; k < job->public.ranks; k++) {
        struct rank *r = rank_at(job, k);
        BASE_ASSERT("N10", r->provider);
        r->actor = engine_actor_spawn(r->engine, rank_body, r, r);
    }
    *first = before;
    return 0;
}
