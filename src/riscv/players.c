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

void riscv_players_begin(struct rank_job *ranks, double compute_scale)
{
    uint32_t n = rank_count(ranks);
    struct cast *x = base_zalloc(sizeof *x + n * sizeof x->of[0], "players of cores");
    x->job.job = ranks;
    x->job.compute_scale = compute_scale;
    x->job.effects = rma_effects_create(n);
    riscv_barriers_begin(&x->job);
    riscv_calls_register();
    rank_set_part(ranks, &riscv_slot, &x->job);
    for (uint32_t id = 0; id < n; id++) {
        struct riscv_rank *k = &x->of[id];
        k->job = &x->job;
        k->rank = rank_at(ranks, id);
        k->process.ctx = k;
        k->process.core.owner = &k->process;
        k->frequency = riscv_frequency_of(k->rank);
        rank_keep(k->rank, &riscv_slot, k);
    }
    rma_mark_listen(ranks, rma_effects_told, x->job.effects);
}

void riscv_players_end(struct rank_job *ranks)
{
    struct riscv_job *job = riscv_job_of(ranks);
    if (!job || !job->effects)
        return;
    for (uint32_t id = 0; id < rank_count(ranks); id++)
        rank_keep(rank_at(ranks, id), &riscv_slot, NULL);
    rank_set_part(ranks, &riscv_slot, NULL);
    riscv_barriers_end(job);
    rma_effects_destroy(job->effects);
    free(job);
}

/* --- waits ---------------------------------------------------------------------------------------- */

/* On the heap: others look at it while the core waits. */
struct seen {
    const struct riscv_job *job;
    const int64_t *cause; /* core and operation, by turns */
    int64_t n;
};

static bool all_are(const struct seen *s)
{
    for (int64_t k = 0; k + 1 < s->n; k += 2)
        if (!rma_effect_is(s->job->effects, s->cause[k], s->cause[k + 1]))
            return false;
    return true;
}

static bool are_there(struct rank *r, void *arg)
{
    (void)r;
    return all_are(arg);
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct seen *s = arg;
    for (int64_t k = 0; k + 1 < s->n; k += 2)
        if (!rma_effect_is(s->job->effects, s->cause[k], s->cause[k + 1])) {
            snprintf(buf, size, "what it saw in the recorded run, operation %lld of core %lld, has not come",
                     (long long)s->cause[k + 1], (long long)s->cause[k]);
            return;
        }
}

static void await(struct riscv_rank *k, const char *what, const struct record_part *causes)
{
    struct seen *s = base_alloc(sizeof *s, "causes of a wait");
    *s = (struct seen){k->job, causes->at, causes->n};
    riscv_wait_for(k, what, &(struct rma_condition){are_there, s, 0, UINTPTR_MAX}, describe);
    free(s);
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
    const struct seen s = {k->job, part[0].at, part[0].n};
    bool waits = !all_are(&s);
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
    struct rank_job *ranks = k->job->job;
    if (part[0].at[0] >= rank_count(ranks))
        return false;
    struct riscv_remote a = {.kind = (uint8_t)(function - RECORD_RISCV_LOAD),
                             .address = (uint64_t)part[1].at[0],
                             .bytes = (uint8_t)part[2].at[0]};
    riscv_access(k, rank_at(ranks, (uint32_t)part[0].at[0]), &a);
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
    riscv_leave(riscv_rank_of(r));
}
