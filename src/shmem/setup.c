/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setup: start and end of the library (OpenSHMEM 1.6 sections 9.1, 9.2): the job's and the PEs' parts, the
 * meetings of all PEs, and what a rank that ends without shmem_finalize leaves behind.
 *
 * Life of a PE
 *   state          what holds                              left by
 *   (none)         upper[] is NULL, never initialized      the first initialization
 *   initialized    P1, depth > 0                           the last shmem_finalize, or its end (start_pes)
 *   finalized      upper[] is NULL                         another initialization, its end
 *   gone           ended while initialized: counts as finalized, so that the others' shmem_finalize ends
 *
 * Start and end cost no simulated time: a launcher's work outside the network is not modelled. What a
 * finalize does wait for are the caller's outstanding operations and the last PE's arrival.
 */
#include "shmem/collective.h"

#include "base/sanitizer.h"
#include "shmem/ctx.h"
#include "shmem/recorded.h"
#include "shmem/team.h"

#include <stdlib.h>
#include <string.h>

const struct base_setting shmem_settings[] = {
    {"shmem/symmetric-size", BASE_SIZE, "256MiB", "0 to 1EiB",
     "symmetric heap of each PE; the environment's SHMEM_SYMMETRIC_SIZE overrides the default",
     "Open MPI's default"},
    {"shmem/dense-ranks", BASE_UINT, "4096", "0 to 4294967295",
     "from this many PEs on, the first bytes of their symmetric heaps lie side by side",
     "docs/decisions/0014-heaps-side-by-side.md"},
};
const size_t shmem_settings_count = BASE_LENGTH(shmem_settings);

/* --- the job's and the PEs' parts --------------------------------------------------------------- */

static void describe_meeting(const void *arg, char *buf, size_t size)
{
    const struct shmem_job *job = arg;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < job->n; i++)
        waiting += job->pes[i].meeting != NULL;
    snprintf(buf, size, "%u of %u PEs have not come", job->n - job->gone - waiting, job->n);
}

static struct shmem_job *job_create(struct rank_job *ranks)
{
    struct shmem_job *job = base_zalloc(sizeof *job, "OpenSHMEM's part of a job");
    job->job = ranks;
    job->n = rank_job_config(ranks)->ranks; /* those that are started later have no PE */
    job->pes = base_reserve(rank_room(ranks) * sizeof *job->pes, "PEs");
    base_fill(job->pes, job->n * sizeof *job->pes);
    job->bases = base_reserve(rank_room(ranks) * sizeof *job->bases, "PEs");
    job->init.why = (struct engine_reason){"shmem_init", describe_meeting, job};
    job->finalize.why = (struct engine_reason){"shmem_finalize", describe_meeting, job};
    shmem_region_reserve(job);
    shmem_teams_create(job);
    job->puts = coll_put_create(ranks, &shmem_coll_hooks);
    base_pool_init(&job->apart, SHMEM_APART, "PEs that wait");
    rank_set_part(ranks, &shmem_slot, job);
    if (shmem_recording)
        rma_causes_record(ranks);
    return job;
}

static struct shmem_job *job_of(const struct rank *r)
{
    struct shmem_job *job = rank_part(r->job, &shmem_slot);
    return job ? job : job_create(r->job);
}

/* Programs keep pointers in their symmetric memory. */
static void roots(struct rank_job *ranks, rank_root_fn root)
{
    const struct shmem_job *job = rank_part(ranks, &shmem_slot);
    if (!job)
        return;
    if (job->dense_slot)
        root((const void *)job->dense, job->dense_slot * job->n);
    for (uint32_t pe = 0; pe < job->n && job->heap.high_water > job->dense_end; pe++)
        root((const void *)(job->region + pe * job->slot + job->dense_end),
             job->heap.high_water - job->dense_end);
}

static void job_end(struct rank_job *ranks)
{
    struct shmem_job *job = rank_part(ranks, &shmem_slot);
    if (!job)
        return;
    for (uint32_t i = 0; i < job->n && (job->sharing || job->with_contexts || job->with_locks); i++)
        if (job->pes[i].job) {
            shmem_peers_drop(&job->pes[i]);
            shmem_contexts_drop(&job->pes[i]);
            shmem_locks_drop(&job->pes[i]);
        }
    shmem_teams_release(job);
    shmem_checked_release(job);
    coll_put_destroy(job->puts);
    base_pool_release(&job->apart);
    shmem_psyncs_release(job);
    shmem_heap_release(&job->heap);
    shmem_folded_release(job);
    shmem_layouts_release(job);
    if (!base_sanitizer.valgrind) /* it looks for pointers at the very end */
        base_unreserve(job->reservation, job->reserved);
    base_unreserve(job->pes, rank_room(ranks) * sizeof *job->pes);
    base_unreserve(job->bases, rank_room(ranks) * sizeof *job->bases);
    free(job);
    rank_set_part(ranks, &shmem_slot, NULL);
}

/* --- meetings ----------------------------------------------------------------------------------- */

/* Called when a PE arrives or is gone for good. */
static bool disperse(struct shmem_job *job, struct shmem_meeting *m)
{
    if (!m->here || m->here + job->gone < job->n)
        return false;
    m->here = 0;
    for (uint32_t i = 0; i < job->n; i++)
        if (job->pes[i].meeting) {
            engine_wake(job->pes[i].rank->engine, job->pes[i].meeting);
            job->pes[i].meeting = NULL;
            if (m == &job->init && rank_may_go(job->pes[i].rank)) /* nothing follows there */
                rank_let_go(job->pes[i].rank);
        }
    return true;
}

static void meet(struct shmem_pe *self, struct shmem_meeting *m)
{
    BASE_ASSERT("P2", !self->meeting);
    m->here++;
    shmem_checked_come(self, m);
    if (!disperse(self->job, m)) {
        self->meeting = engine_current(self->rank->engine);
        while (self->meeting)
            engine_block(self->rank->engine, &m->why);
    }
    shmem_checked_go(self, m);
}

/* --- start -------------------------------------------------------------------------------------- */

/* The first PE of a new beginning (all others are finalized by now) starts with an empty heap. */
static void begin_anew(struct shmem_job *job)
{
    if (job->init.here || (!job->log.calls && !job->folded))
        return;
    size_t high_water = job->heap.high_water, size = job->heap.size;
    shmem_heap_release(&job->heap);
    shmem_heap_init(&job->heap, size);
    job->heap.high_water = high_water;
    job->dense_end = job->dense_slot;
    memset(&job->log, 0, sizeof job->log);
    shmem_folded_begin_anew(job);
}

struct rma_ctx *shmem_default_make(const struct shmem_pe *self)
{
    struct shmem_pe *mine = &self->job->pes[self->me];
    return mine->ctx = rma_ctx_create(mine->rank, &shmem_rma_names);
}

/* Not inlined, as a million PEs wait at the end of initialize. */
static __attribute__((noinline)) void begin(struct shmem_job *job, struct rank *r, int level, bool implicit)
{
    struct shmem_pe *self = &job->pes[r->id];
    begin_anew(job);
    self->job = job;
    self->rank = r;
    self->me = r->id;
    self->heap = job->region + r->id * job->slot;
    self->heap_calls = 0;
    self->folded_calls = 0;
    self->main = engine_current(r->engine);
    self->inside = 0;
    self->level = (uint8_t)level;
    self->implicit = implicit;
    shmem_tell_start(self);
    shmem_checked_areas(self, true);
    rank_keep(r, &shmem_slot, self);
    rank_api_opened(r);
}

static void initialize(struct rank *r, int level, bool implicit)
{
    struct shmem_job *job = job_of(r);
    struct shmem_pe *self = &job->pes[r->id];
    if (r->id >= job->n)
        rank_program_error(r, "shmem_init", "a process that was started by MPI_Comm_spawn is no PE");
    if (!self->depth++) {
        begin(job, r, level, implicit);
        meet(self, &job->init);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_init(self);
}

BASE_PUBLIC void shmem_init(void)
{
    struct rank *r = rank_enter("shmem_init");
    initialize(r, SHMEM_THREAD_SINGLE, false);
    rank_leave(r, "shmem_init");
}

/* What was asked for is granted. The level of the first initialization stays (section 9.2). */
BASE_PUBLIC int shmem_init_thread(int requested, int *provided)
{
    struct rank *r = rank_enter("shmem_init_thread");
    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) {
        int nearest = requested < SHMEM_THREAD_SINGLE ? SHMEM_THREAD_SINGLE : SHMEM_THREAD_MULTIPLE;
        base_warn("misuse/no-thread-level", "shmem_init_thread: %d is not a thread level; %d is granted",
                  requested, nearest);
        requested = nearest;
    }
    initialize(r, requested, false);
    *provided = shmem_pe_of(r, "shmem_init_thread")->level;
    rank_leave(r, "shmem_init_thread");
    return 0;
}

/* Calling it again has no effect (section 9.1, start_pes). */
BASE_PUBLIC void start_pes(int npes)
{
    struct rank *r = rank_enter("start_pes");
    (void)npes;
    if (!rank_kept(r, &shmem_slot))
        initialize(r, SHMEM_THREAD_SINGLE, true);
    rank_leave(r, "start_pes");
}

BASE_PUBLIC void shmem_query_initialized(int *initialized)
{
    struct rank *r = rank_enter("shmem_query_initialized");
    *initialized = rank_kept(r, &shmem_slot) != NULL;
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_question(r, RECORD_SHMEM_QUERY_INITIALIZED);
    rank_leave(r, "shmem_query_initialized");
}

/* --- end ---------------------------------------------------------------------------------------- */

static void let_go(struct shmem_pe *self)
{
    if (self->ctx)
        rma_ctx_destroy(self->ctx);
    self->ctx = NULL;
    self->depth = 0;
    self->finalized = true;
    shmem_peers_drop(self);
    shmem_locks_drop(self);
    shmem_checked_areas(self, false);
    rank_keep(self->rank, &shmem_slot, NULL);
    rank_api_closed(self->rank);
}

static void finalize(struct shmem_pe *self)
{
    shmem_thread_finalize(self, "shmem_finalize");
    shmem_locks_check(self, "shmem_finalize");
    shmem_checked_end(self, "shmem_finalize");
    shmem_default_quiet(self, "shmem_finalize");
    shmem_contexts_release(self, "shmem_finalize");
    if (self->job->finalize.here + self->job->gone + 1 == self->job->n)
        shmem_check_unfinished(self);
    meet(self, &self->job->finalize);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_call(self, RECORD_SHMEM_FINALIZE, NULL);
    shmem_tell_end(self);
    let_go(self);
}

BASE_PUBLIC void shmem_finalize(void)
{
    struct rank *r = rank_enter("shmem_finalize");
    if (!rank_kept(r, &shmem_slot)) {
        base_notice("misuse/finalize",
                    "shmem_finalize: OpenSHMEM is not initialized, or was finalized before");
        rank_leave(r, "shmem_finalize");
        return;
    }
    struct shmem_pe *self = shmem_pe_of(r, "shmem_finalize");
    if (self->depth > 1) {
        shmem_barrier_in(self, "shmem_finalize");
        self->depth--;
        if (BASE_UNLIKELY(shmem_recording))
            shmem_record_call(self, RECORD_SHMEM_FINALIZE, NULL);
    } else {
        finalize(self);
    }
    shmem_leave(self, "shmem_finalize");
}

BASE_PUBLIC void shmem_global_exit(int status)
{
    struct rank *r = rank_enter("shmem_global_exit");
    char where[RANK_WHERE_SIZE];
    if (rank_kept(r, &shmem_slot))
        shmem_pe_of(r, "shmem_global_exit");
    else
        base_notice("misuse/global-exit", "shmem_global_exit: OpenSHMEM is not initialized");
    if (status & 0xff)
        base_error("%s called shmem_global_exit(%d)", rank_where(where, r), status);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_question(r, RECORD_SHMEM_GLOBAL_EXIT);
    rank_job_exit(r->job, status & 0xff);
}

/* The PE ends without its finalize: what it sent still arrives, and nobody waits for it at the end. */
static void leave_early(struct shmem_pe *self)
{
    struct shmem_job *job = self->job;
    base_warn("misuse/no-finalize", "the PE ended without shmem_finalize");
    shmem_contexts_release(self, "exit");
    let_go(self);
    job->gone++;
    disperse(job, &job->finalize);
    disperse(job, &job->init);
}

/* A rank that exits with nonzero status before its finalize ends the job (rank/), so it waits for nobody. */
static void leave_rank(struct rank *r, int code)
{
    struct shmem_pe *self = rank_kept(r, &shmem_slot);
    if (!self)
        return;
    if (self->peers)
        shmem_peers_touch(self);
    if (self->implicit)
        finalize(self);
    else if (code == 0)
        leave_early(self);
}

void shmem_register(void)
{
    static const struct rank_front front = {.name = "shmem", .job_end = job_end, .rank_exit = leave_rank};
    rank_slot_register(&shmem_slot, sizeof(struct shmem_pe *));
    trace_calls_register(shmem_calls, shmem_calls_count);
    rank_front_register(&front);
    rank_on_address(shmem_address_explain);
    rank_on_roots(roots);
}
