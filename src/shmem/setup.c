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
    uint32_t me = shmem_number(job, r->id);
    struct shmem_pe *self = &job->pes[me];
    begin_anew(job);
    self->job = job;
    self->rank = r;
    self->me = me;
    self->heap = job->region + me * job->slot;
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
    struct shmem_job *job = shmem_job_opened(r);
    struct shmem_pe *self = shmem_pe_known(r);
    if (!self)
        rank_program_error(r, "shmem_init", "a process that was started by MPI_Comm_spawn is no PE");
    else if (!self->depth++) {
        begin(job, r, level, implicit);
        meet(self, &job->init);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_init(self);
}

void shmem_init_of(int64_t heap)
{
    struct rank *r = rank_enter("shmem_init");
    shmem_played_heap = (uint64_t)heap;
    initialize(r, SHMEM_THREAD_SINGLE, false);
    rank_leave(r, "shmem_init");
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
void shmem_leave_early(struct shmem_pe *self)
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
        shmem_leave_early(self);
}

void shmem_register(void)
{
    static const struct rank_front front = {
        .name = "shmem", .job_end = shmem_run_end, .rank_exit = leave_rank};
    rank_slot_register(&shmem_slot, sizeof(struct shmem_pe *));
    trace_calls_register(shmem_calls, shmem_calls_count);
    rank_front_register(&front);
    rank_on_address(shmem_address_explain);
    rank_on_roots(shmem_roots);
}
