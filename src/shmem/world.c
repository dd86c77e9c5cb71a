/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world: which ranks are PEs together. A run of programs has one world, of all ranks, which the first initialization
 * makes. Players of a list of jobs have one for each job: it is there before its ranks begin, and gives its memory back
 * when all of them have come to its end. Nothing that is still on its way refers to it then: a PE's operations are over
 * before it leaves.
 */
#include "shmem/collective.h"

#include "base/sanitizer.h"
#include "shmem/ctx.h"
#include "shmem/recorded.h"
#include "shmem/team.h"

#include <stdlib.h>

static void describe_meeting(const void *arg, char *buf, size_t size)
{
    const struct shmem_job *job = arg;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < job->n; i++)
        waiting += job->pes[i].meeting != NULL;
    snprintf(buf, size, "%u of %u PEs have not come", job->n - job->gone - waiting, job->n);
}

/* --- making --------------------------------------------------------------------------------------- */

static struct shmem_run *run_of(struct rank_job *ranks)
{
    struct shmem_run *run = rank_part(ranks, &shmem_slot);
    if (run)
        return run;
    run = base_zalloc(sizeof *run, "OpenSHMEM's part of a run");
    run->teams = shmem_teams_create();
    run->puts = coll_put_create(ranks, &shmem_coll_hooks);
    rank_set_part(ranks, &shmem_slot, run);
    if (shmem_recording)
        rma_causes_record(ranks);
    return run;
}

static struct shmem_job *create(struct shmem_run *run, struct rank_job *ranks,
                                const struct coll_group *members, bool own)
{
    struct shmem_job *job = base_zalloc(sizeof *job, "a world of PEs");
    job->job = ranks;
    job->n = members->size;
    job->puts = run->puts;
    job->teams = run->teams;
    job->init.why = (struct engine_reason){"shmem_init", describe_meeting, job};
    job->finalize.why = (struct engine_reason){"shmem_finalize", describe_meeting, job};
    base_pool_init(&job->apart, SHMEM_APART, "PEs that wait");
    shmem_teams_open(job, members, own);
    return job;
}

static void open_world(struct shmem_job *job)
{
    job->pes = base_reserve(job->n * sizeof *job->pes, "PEs");
    base_fill(job->pes, job->n * sizeof *job->pes);
    job->bases = base_reserve(job->n * sizeof *job->bases, "PEs");
    shmem_region_reserve(job);
}

struct shmem_job *shmem_job_opened(struct rank *r)
{
    struct shmem_run *run = run_of(r->job);
    if (!run->of && !run->job) {
        /* Ranks that are started later have no PE. */
        const struct coll_group all = {.stride = 1, .size = rank_job_config(r->job)->ranks};
        run->job = create(run, r->job, &all, false);
    }
    struct shmem_job *job = shmem_job_of(r);
    BASE_ASSERT("P6", job);
    if (!job->pes)
        open_world(job);
    return job;
}

/* --- the end -------------------------------------------------------------------------------------- */

static void drop_tables(struct shmem_job *job)
{
    for (uint32_t i = 0; i < job->n && (job->sharing || job->with_contexts || job->with_locks); i++)
        if (job->pes[i].job) {
            shmem_peers_drop(&job->pes[i]);
            shmem_contexts_drop(&job->pes[i]);
            shmem_locks_drop(&job->pes[i]);
        }
}

static void destroy(struct shmem_job *job)
{
    drop_tables(job);
    shmem_teams_close(job);
    shmem_checked_release(job);
    base_pool_release(&job->apart);
    shmem_psyncs_release(job);
    if (job->pes) {
        shmem_heap_release(&job->heap);
        shmem_folded_release(job);
        shmem_layouts_release(job);
        if (!base_sanitizer.valgrind) /* it looks for pointers at the very end */
            base_unreserve(job->reservation, job->reserved);
        base_unreserve(job->pes, job->n * sizeof *job->pes);
        base_unreserve(job->bases, job->n * sizeof *job->bases);
    }
    free(job);
}

void shmem_run_end(struct rank_job *ranks)
{
    struct shmem_run *run = rank_part(ranks, &shmem_slot);
    if (!run)
        return;
    for (uint32_t k = 0; run->of && k < rank_count(ranks); k++) /* of a run that was stopped */
        if (run->of[k])
            shmem_world_end(rank_at(ranks, k));
    if (run->job)
        destroy(run->job);
    shmem_teams_destroy(run->teams);
    coll_put_destroy(run->puts);
    if (run->of)
        base_unreserve(run->of, rank_count(ranks) * sizeof *run->of);
    free(run);
    rank_set_part(ranks, &shmem_slot, NULL);
}

/* --- worlds of a list ----------------------------------------------------------------------------- */

void shmem_world_begin(struct rank_job *ranks, const struct coll_group *members)
{
    struct shmem_run *run = run_of(ranks);
    BASE_ASSERT("P6", !run->job);
    if (!run->of) {
        run->of = base_reserve(rank_count(ranks) * sizeof *run->of, "worlds of PEs");
        base_fill(run->of, rank_count(ranks) * sizeof *run->of);
    }
    struct shmem_job *job = create(run, ranks, members, true);
    for (uint32_t pe = 0; pe < job->n; pe++) {
        struct rank *r = shmem_rank(job, pe);
        BASE_ASSERT("P6", !run->of[r->id]);
        run->of[r->id] = job;
    }
}

void shmem_world_leave(struct rank *r)
{
    struct shmem_pe *self = rank_kept(r, &shmem_slot);
    if (self)
        shmem_leave_early(self);
}

void shmem_world_end(struct rank *r)
{
    const struct shmem_run *run = rank_part(r->job, &shmem_slot);
    struct shmem_job *job = run && run->of ? run->of[r->id] : NULL;
    if (!job)
        return;
    for (uint32_t pe = 0; pe < job->n; pe++) {
        struct rank *member = shmem_rank(job, pe);
        rank_keep(member, &shmem_slot, NULL);
        run->of[member->id] = NULL;
    }
    destroy(job);
}

/* --- memory --------------------------------------------------------------------------------------- */

static void tell_roots(const struct shmem_job *job, rank_root_fn root)
{
    if (job->dense_slot)
        root((const void *)job->dense, job->dense_slot * job->n);
    for (uint32_t pe = 0; pe < job->n && job->heap.high_water > job->dense_end; pe++)
        root((const void *)(job->region + pe * job->slot + job->dense_end),
             job->heap.high_water - job->dense_end);
}

/* Programs keep pointers in their symmetric memory; players do not. */
void shmem_roots(struct rank_job *ranks, rank_root_fn root)
{
    const struct shmem_run *run = rank_part(ranks, &shmem_slot);
    if (run && run->job)
        tell_roots(run->job, root);
}

size_t shmem_heaps_of(const struct rank *r, uintptr_t *first)
{
    const struct shmem_job *job = shmem_job_of(r);
    if (!job || !job->pes)
        return 0;
    *first = job->dense;
    return job->heaps;
}
