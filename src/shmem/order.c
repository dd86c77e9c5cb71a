/* SPDX-License-Identifier: BSD-3-Clause */
/* order: memory ordering, barriers and syncs (OpenSHMEM 1.6 sections 9.10, 9.12). */
#include "shmem/recorded.h"

#include <stdlib.h>

/* SHMEM_CTX_INVALID is no error here and does nothing (section 9.12). */
static void fence(shmem_ctx_t ctx, const char *call)
{
    struct shmem_pe *self = shmem_enter_issue(call);
    if (ctx != SHMEM_CTX_INVALID) {
        struct rma_ctx *c = shmem_context(self, ctx, call);
        rma_fence(c);
        if (BASE_UNLIKELY(rank_calls_traced))
            shmem_told_order(self, TRACE_ORDERED, call, c, TRACE_ANY);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_ctx(self, RECORD_SHMEM_FENCE, ctx);
    shmem_leave_ctx(self, ctx, call);
}

/* A quiet with nothing to wait for still takes time, so that a loop of them around a plain load ends. What
 * listeners are told does not depend on how long operations take. */
static void quiet(shmem_ctx_t ctx, const char *call)
{
    struct shmem_pe *self = shmem_enter(call);
    if (ctx != SHMEM_CTX_INVALID) {
        struct rma_ctx *c = shmem_context(self, ctx, call);
        bool idle = rma_ctx_idle(c);
        if (!idle || BASE_UNLIKELY(rma_is_heard(self->rank)))
            rma_quiet(c, call);
        if (idle)
            rma_poll(self->rank);
        if (BASE_UNLIKELY(rank_calls_traced))
            shmem_told_order(self, TRACE_COMPLETED, call, c, TRACE_ANY);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_ctx(self, RECORD_SHMEM_QUIET, ctx);
    shmem_leave_ctx(self, ctx, call);
}

/* The ranks that the context's PE numbers stand for are written to `ranks`. */
static struct rma_ctx *translate(const struct shmem_pe *self, shmem_ctx_t ctx, const int *pes, size_t n,
                                 uint32_t *ranks, const char *call)
{
    struct rma_ctx *c = shmem_context(self, ctx, call);
    for (size_t i = 0; i < n; i++) {
        int64_t world;
        shmem_target(self, ctx, pes[i], call, &world);
        if (ctx == SHMEM_CTX_DEFAULT)
            shmem_check_pe(self, pes[i], call);
        ranks[i] = shmem_rank(self->job, (uint32_t)world)->id;
    }
    return c;
}

static void pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes, const char *call)
{
    enum { FEW = 64 };
    struct shmem_pe *self = shmem_enter(call);
    if (ctx != SHMEM_CTX_INVALID) {
        uint32_t few[FEW], *ranks = few;
        if (npes > FEW)
            ranks = base_realloc(NULL, shmem_bytes(self, npes, sizeof *ranks, call), "target PEs");
        struct rma_ctx *c = translate(self, ctx, target_pes, npes, ranks, call);
        bool idle = rma_ctx_idle(c);
        if (!idle || BASE_UNLIKELY(rma_is_heard(self->rank)))
            rma_quiet_targets(c, ranks, npes, call);
        if (idle)
            rma_poll(self->rank);
        for (size_t i = 0; BASE_UNLIKELY(rank_calls_traced) && i < npes; i++)
            shmem_told_order(self, TRACE_COMPLETED, call, c, ranks[i]);
        if (ranks != few)
            free(ranks);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_pe_quiet(self, ctx, target_pes, npes);
    shmem_leave_ctx(self, ctx, call);
}

BASE_PUBLIC void shmem_fence(void)
{
    fence(SHMEM_CTX_DEFAULT, "shmem_fence");
}

BASE_PUBLIC void shmem_ctx_fence(shmem_ctx_t ctx)
{
    fence(ctx, "shmem_ctx_fence");
}

BASE_PUBLIC void shmem_quiet(void)
{
    quiet(SHMEM_CTX_DEFAULT, "shmem_quiet");
}

BASE_PUBLIC void shmem_ctx_quiet(shmem_ctx_t ctx)
{
    quiet(ctx, "shmem_ctx_quiet");
}

BASE_PUBLIC void shmem_pe_quiet(const int *target_pes, size_t npes)
{
    pe_quiet(SHMEM_CTX_DEFAULT, target_pes, npes, "shmem_pe_quiet");
}

BASE_PUBLIC void shmem_ctx_pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes)
{
    pe_quiet(ctx, target_pes, npes, "shmem_ctx_pe_quiet");
}

/* --- barriers and syncs --------------------------------------------------------------------------- */

BASE_PUBLIC void shmem_barrier_all(void)
{
    static const struct shmem_who world = {.team = SHMEM_TEAM_WORLD, .last = true};
    struct shmem_pe *self = shmem_enter("shmem_barrier_all");
    shmem_default_quiet(self, "shmem_barrier_all");
    shmem_core_sync(self, &world, "shmem_barrier_all");
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_call(self, RECORD_SHMEM_BARRIER_ALL, NULL);
    shmem_leave(self, "shmem_barrier_all");
}

BASE_PUBLIC void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    const struct shmem_who who = {NULL, true, PE_start, logPE_stride, PE_size, pSync, false, NULL};
    struct shmem_pe *self = shmem_enter("shmem_barrier");
    shmem_default_quiet(self, "shmem_barrier");
    shmem_core_sync(self, &who, "shmem_barrier");
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_set(self, RECORD_SHMEM_BARRIER, &who);
    shmem_leave(self, "shmem_barrier");
}

BASE_PUBLIC void shmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    const struct shmem_who who = {NULL, true, PE_start, logPE_stride, PE_size, pSync, false, NULL};
    struct shmem_pe *self = shmem_enter("shmem_sync");
    shmem_core_sync(self, &who, "shmem_sync");
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_set(self, RECORD_SHMEM_SYNC, &who);
    shmem_leave(self, "shmem_sync");
}

/* On the world team, shmem_team_sync and shmem_sync_all meet: they are the same (section 9.10,
 * shmem_sync_all). */
static void team_sync(shmem_team_t team, const char *call)
{
    const struct shmem_who who = {.team = team, .last = true};
    struct shmem_pe *self = shmem_enter(call);
    shmem_core_sync(self, &who, team == SHMEM_TEAM_WORLD ? "shmem_sync_all" : call);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_team(self, RECORD_SHMEM_TEAM_SYNC, team);
    shmem_leave(self, call);
}

BASE_PUBLIC void shmem_sync_all(void)
{
    team_sync(SHMEM_TEAM_WORLD, "shmem_sync_all");
}

BASE_PUBLIC int shmem_team_sync(shmem_team_t team)
{
    team_sync(team, "shmem_team_sync");
    return 0;
}
