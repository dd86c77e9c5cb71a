/* SPDX-License-Identifier: BSD-3-Clause */
/* race_completions: what completes and orders one-sided operations, and calls with buffers. */
#ifndef PGASIM_TESTS_CHECK_RACE_COMPLETIONS_H
#define PGASIM_TESTS_CHECK_RACE_COMPLETIONS_H

#include "check/race_operations.h"

/* --- completion ---------------------------------------------------------------------------------------------- */

/* The targets of a call; all of them: NULL. */
static inline uint32_t some_targets(struct rma_sync *s, uint32_t *list)
{
    uint32_t set = in(2) ? 7 : 1 + below(7);
    s->n = 0;
    for (uint32_t k = 0; k < MODEL_RANKS; k++)
        if (set >> k & 1)
            list[s->n++] = k;
    s->targets = set == 7 && in(2) ? NULL : list;
    return set;
}

static inline void complete(uint32_t strand, uint32_t context, uint32_t targets, struct rma_sync *s)
{
    uint32_t stream = 2 * rank_of(strand) + context;
    touch_all(stream, targets);
    as(strand);
    s->rank = rank_current;
    s->context = context;
    s->call = "completion";
    s->limit = play.operations + 1;
    race_synchronized(play.race, s);
    model_complete(strand, stream, targets, s->kind == RMA_SYNC_QUIET);
}

static inline void event_completion(uint32_t strand)
{
    uint32_t list[MODEL_RANKS];
    struct rma_sync s = {.kind = in(3) ? RMA_SYNC_LOCAL : RMA_SYNC_QUIET};
    uint32_t targets = some_targets(&s, list);
    event_begins(strand);
    complete(strand, below(2), targets, &s);
    event_ends(strand);
}

static inline void fence(uint32_t strand, uint32_t context)
{
    uint32_t stream = 2 * rank_of(strand) + context;
    event_begins(strand);
    race_synchronized(play.race, &(struct rma_sync){.kind = RMA_SYNC_FENCE,
                                                    .rank = rank_current,
                                                    .context = context,
                                                    .limit = ++play.fences[stream]});
    model_fence(strand, stream);
    event_ends(strand);
}

/* A request is over, which a strand can wait for that knows of it. */
static inline void event_request(uint32_t strand)
{
    uint32_t k = below(model.ops + 1);
    struct model_op *o = &model.op[k];
    uint64_t bit = UINT64_C(1) << o->event;
    if (k == model.ops || !o->alone || o->stream / 2 != rank_of(strand) || !(model.know[strand].done & bit))
        return;
    event_begins(strand);
    touch(o);
    as(strand);
    race_synchronized(play.race, &(struct rma_sync){.kind = RMA_SYNC_OPERATION,
                                                    .rank = rank_current,
                                                    .context = o->stream % 2,
                                                    .call = "request",
                                                    .limit = o->number});
    o->alone = false;
    model_over(&model.know[strand], o, !o->ordered);
    event_ends(strand);
}

/* complete at the origin, wait at the target (MPI-5.0 12.5.2). */
static inline void event_post(uint32_t strand)
{
    uint32_t target = below(MODEL_RANKS), context = below(2), stream = 2 * rank_of(strand) + context,
             there = target ? 2 * target - below(2) : 0;
    uint64_t all = 0, flushed = 0;
    for (uint32_t k = 0; k < model.ops; k++)
        if (!model.op[k].action && model.op[k].stream == stream && model.op[k].target == target) {
            all |= UINT64_C(1) << model.op[k].event;
            flushed |= model.op[k].at_target;
        }
    if (there == strand || all & ~model.know[strand].done || flushed) /* no epoch has flushes, too */
        return;
    event_begins(strand);
    complete(strand, context, 1U << target,
             &(struct rma_sync){.kind = RMA_SYNC_LOCAL, .targets = &target, .n = 1});
    rank_moment told = rank_order_release(rank_current);
    struct rank *origin = rank_current;
    event_ends(strand);
    as(there);
    rank_order_acquire(rank_current, told);
    rank_order_forget(told);
    race_synchronized(play.race, &(struct rma_sync){.kind = RMA_SYNC_DELIVERED,
                                                    .rank = rank_current,
                                                    .origin = origin,
                                                    .context = context,
                                                    .call = "wait",
                                                    .limit = play.operations + 1});
    learn(&model.know[there], &model.know[strand]);
    model.know[there].remote |= all;
    for (uint32_t k = 0; k < model.ops; k++)
        model.op[k].at_target |= all >> model.op[k].event & 1;
}

/* A wait of OpenSHMEM sees bytes of its own. */
static inline void wait_for(uint32_t strand, uint32_t first, uint32_t size)
{
    uint32_t region = open_region(rank_of(strand));
    event_begins(strand);
    uintptr_t low = address_of(region, first);
    race_synchronized(
        play.race,
        &(struct rma_sync){
            .kind = RMA_SYNC_MEMORY, .rank = rank_current, .call = "wait", .low = low, .high = low + size});
    for (uint32_t k = first / SHADOW_CELL; k * SHADOW_CELL < first + size; k++) {
        learn(&model.know[strand], &model.word[region][k]);
        model.know[strand].remote |= model.in_word[region][k];
    }
    event_ends(strand);
}

static inline void event_wait(uint32_t strand)
{
    uint32_t size = in(2) ? 4 : 8, first = (play.low + below(play.span)) / size * size % (MODEL_BYTES - 7);
    wait_for(strand, first, size);
}

/* Data and a flag, which a fence may put in this order; the target waits for the flag, and uses its memory. */
static inline void event_flag(uint32_t strand)
{
    uint32_t target = below(MODEL_RANKS), there = target ? 2 * target - below(2) : 0, context = below(2);
    if (there == strand || play.scale > 1)
        return;
    operation(strand, below(2) ? PUT : SIGNAL, context, target);
    if (!in(3))
        fence(strand, context);
    operation(strand, below(2) ? POST : SIGNAL, context, target);
    struct model_op *flag = &model.op[model.ops - 1];
    touch(flag);
    wait_for(there, flag->first / 4 * 4, 8);
    event_plain(there);
}

/* --- calls with buffers --------------------------------------------------------------------------------------- */

static inline void event_action(uint32_t strand)
{
    struct model_op o = {.action = true, .event = play.event, .stream = 2 * rank_of(strand)};
    event_begins(strand);
    o.handle = rank_action_begin(rank_current, "call");
    for (uint32_t k = 0, first = 0; k < 1 + below(2); k++) {
        uint32_t n = 1 + below(8),
                 region = in(2) ? own_region(rank_current->id) : open_region(rank_current->id);
        first = k ? 20 + below(12) : below(12);
        enum rank_use how = in(2) ? RANK_READS : RANK_WRITES;
        struct model_access a =
            access_by(strand, region, bits(first, n), how == RANK_WRITES ? RACE_WRITE : RACE_READ);
        a.over = WHEN_LOCAL;
        rank_action_uses(o.handle, rank_current, address_of(region, first), (size_t)n * play.scale, how);
        model_access(&a);
    }
    model.op[model.ops++] = o;
    event_ends(strand);
}

static inline void event_action_end(uint32_t strand)
{
    uint32_t k = below(model.ops + 1);
    struct model_op *o = &model.op[k];
    if (k == model.ops || !o->handle || o->stream / 2 != rank_of(strand) ||
        !(model.know[strand].done >> o->event & 1))
        return;
    event_begins(strand);
    rank_action_end(rank_current, o->handle);
    o->handle = 0;
    model.know[strand].local |= UINT64_C(1) << o->event;
    event_ends(strand);
}

#endif
