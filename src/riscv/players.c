/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * players: what cores did, without their programs. A player has a core's record, but no instructions and no memory: its
 * cycles are those of the trace, and all else is what a core does: remote accesses, fences, barriers, waits. So it takes the
 * same time. Its waits end by the operations that ended them in the recorded run.
 */
#include "riscv/internal.h"

#include <math.h>
#include <stdlib.h>

/* All cores of a job of players. */
struct cast {
    struct riscv_job job; /* first */
    struct riscv_rank of[];
};

void riscv_players_begin(struct rank_job *ranks, const struct riscv_cores *cores, double compute_scale)
{
    struct cast *x = base_zalloc(sizeof *x + cores->n * sizeof x->of[0], "players of cores");
    x->job.job = ranks;
    x->job.cores = *cores;
    x->job.compute_scale = compute_scale;
    x->job.plays = true;
    riscv_barriers_begin(&x->job);
    riscv_calls_register();
    for (uint32_t me = 0; me < cores->n; me++) {
        struct riscv_rank *k = &x->of[me];
        k->job = &x->job;
        k->rank = riscv_core_rank(&x->job, me);
        k->me = me;
        k->process.ctx = k;
        k->process.core.owner = &k->process;
        k->frequency = riscv_frequency_of(k->rank);
        rank_keep(k->rank, &riscv_slot, k);
    }
    rma_causes_play(ranks);
}

void riscv_players_end(struct rank *r)
{
    struct riscv_job *job = riscv_plays(r) ? riscv_rank_of(r)->job : NULL;
    if (!job || !job->plays)
        return;
    for (uint32_t me = 0; me < job->cores.n; me++)
        rank_keep(riscv_core_rank(job, me), &riscv_slot, NULL);
    riscv_barriers_end(job);
    free(job);
}

/* --- waits ---------------------------------------------------------------------------------------- */

static void await(struct riscv_rank *k, const char *what, const struct record_part *causes)
{
    double from = riscv_begin_wait(k, what);
    rma_causes_await(k->rank, what, causes->at, causes->n, 0, UINTPTR_MAX);
    riscv_end_wait(k, what, from);
}

static bool wait(struct riscv_rank *k, const struct record_part *part)
{
    uint64_t begin = k->process.core.cycle, turn = (uint64_t)part[0].at[0];
    await(k, turn ? "local loop" : "wfi", &part[1]);
    if (turn)
        riscv_end_turn(k, begin, turn);
    return true;
}

/* In the recorded run it was there. */
static bool see(struct riscv_rank *k, const struct record_part *part)
{
    bool waits = !rma_causes_done(k->rank, part[0].at, part[0].n);
    if (waits)
        await(k, "local loop", &part[0]);
    return waits;
}

/* --- the rest ------------------------------------------------------------------------------------- */

static uint64_t scaled(const struct riscv_rank *k, int64_t cycles)
{
    double scale = k->job->compute_scale;
    return scale == 1 ? (uint64_t)cycles : (uint64_t)llround((double)cycles * scale);
}

static void compute(struct riscv_rank *k, const struct record_part *cycles)
{
    for (int64_t n = 0; n < cycles->n; n++) {
        k->process.core.cycle += scaled(k, cycles->at[n]);
        if (n + 1 < cycles->n)
            riscv_catch_up(k);
    }
}

static bool reach(struct riscv_rank *k, uint32_t function, const struct record_part *part)
{
    if (part[0].at[0] >= k->job->cores.n)
        return false;
    struct riscv_remote a = {.kind = (uint8_t)(function - RECORD_RISCV_LOAD),
                             .address = (uint64_t)part[1].at[0],
                             .bytes = (uint8_t)part[2].at[0]};
    riscv_access(k, riscv_core_rank(k->job, (uint32_t)part[0].at[0]), &a);
    return true;
}

bool riscv_plays(const struct rank *r)
{
    return riscv_rank_of(r) != NULL;
}

bool riscv_play(struct rank *r, uint32_t function, const struct record_part *part, bool *waited)
{
    struct riscv_rank *k = riscv_rank_of(r);
    *waited = false;
    switch (function) {
    case RECORD_RISCV_CYCLES:
        compute(k, &part[0]);
        return true;
    case RECORD_RISCV_FENCE:
        riscv_fence(&k->process.core);
        return true;
    case RECORD_RISCV_BARRIER:
        riscv_barrier(k);
        return true;
    case RECORD_RISCV_SLEEP:
        riscv_world.sleep(k, (uint64_t)part[0].at[0]);
        return true;
    case RECORD_RISCV_WAIT:
        *waited = wait(k, part);
        return true;
    case RECORD_RISCV_SEEN:
        *waited = see(k, part);
        return true;
    default:
        return reach(k, function, part);
    }
}

void riscv_played(struct rank *r)
{
    struct riscv_rank *k = riscv_rank_of(r);
    riscv_leave(k);
    if (k->ctx)
        rma_ctx_destroy(k->ctx);
    k->ctx = NULL;
}
