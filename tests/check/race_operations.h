/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * race_operations: one-sided operations as rma tells of them (rma/listen.h). When an operation touches memory, and in
 * which order, is drawn at random, within what fences and completions allow.
 */
#ifndef PGASIM_TESTS_CHECK_RACE_OPERATIONS_H
#define PGASIM_TESTS_CHECK_RACE_OPERATIONS_H

#include "check/race_events.h"

static const struct rma_stream streams[2] = {{.domain = 1, .ops = RMA_ANY_OPS},
                                             {.domain = 1, .ops = RMA_SAME_OP_NO_OP}};

/* --- delivery ----------------------------------------------------------------------------------------------- */

static inline void touch_one(struct model_op *o)
{
    if (o->touched)
        return;
    o->touched = true;
    rank_current = NULL;
    race_listener.touched(play.race, &(struct rma_touch){.operation = o->number, .step = o->step});
    model_touch(o);
    race_listener.completed(play.race, &(struct rma_completion){.operation = o->number});
}

/* What fences put before it comes first. */
static inline void touch(struct model_op *o)
{
    for (struct model_op *a = model.op; a < o; a++)
        if (!a->action && a->ordered && o->ordered && a->stream == o->stream && a->target == o->target &&
            o->told.fenced >> a->event & 1)
            touch_one(a);
    touch_one(o);
}

static inline void touch_all(uint32_t stream, uint32_t targets)
{
    for (uint32_t k = 0; k < model.ops; k++)
        if (!model.op[k].action && model.op[k].stream == stream && targets >> model.op[k].target & 1)
            touch(&model.op[k]);
}

static inline void event_delivery(void)
{
    struct model_op *o = model.ops ? &model.op[below(model.ops)] : NULL;
    if (o && !o->action)
        touch(o);
}

/* --- issue --------------------------------------------------------------------------------------------------- */

/* An area, for both. */
static inline void area(struct rma_issue *i, enum rma_step step, enum rma_access how, uint32_t region,
                        uint32_t first, uint32_t bytes)
{
    bool here = step == RMA_SOURCE || step == RMA_AT_ORIGIN;
    i->area[i->areas++] = (struct rma_area){.rank = here ? i->origin : i->target,
                                            .address = address_of(region, first),
                                            .bytes = (uint64_t)bytes * play.scale,
                                            .step = step,
                                            .access = how};
}

static inline void model_areas(uint32_t strand, const struct rma_issue *i, const struct model_op *o)
{
    for (uint32_t k = 0; k < i->areas; k++) {
        const struct rma_area *a = &i->area[k];
        bool here = a->step == RMA_SOURCE || a->step == RMA_AT_ORIGIN, updates = a->access == RMA_UPDATES;
        enum race_kind kind = updates                  ? (i->op == TYPES_NO_OP ? RACE_FETCH : RACE_UPDATE)
                              : a->access == RMA_READS ? RACE_READ
                                                       : RACE_WRITE;
        uint32_t region = here ? own_region(a->rank->id) : open_region(a->rank->id);
        uint32_t first = (uint32_t)((a->address - play.base[region]) / play.scale);
        uint64_t bytes = bits(first, (uint32_t)(a->bytes / play.scale));
        if (a->items) /* of 2 bytes each, 4 apart */
            bytes = (bits(0, 2) | bits(4, 2) | bits(8, 2)) << first;
        struct model_access m = access_by(strand, region, bytes, kind);
        m.over = i->blocks && (here || i->fetches) ? AT_ONCE : here ? WHEN_LOCAL : WHEN_REMOTE;
        m.stream = o->stream;
        m.target = o->target;
        m.ordered = o->ordered;
        if (updates) {
            m.unit = (struct unit){2, i->type, (uint8_t)(a->address % i->element), i->stream->domain};
            bool any = i->stream->ops == RMA_ANY_OPS || i->op == TYPES_NO_OP || i->op >= TYPES_OPS;
            m.only = i->signals || !any ? i->op : -1;
        }
        model_access(&m);
    }
}

static inline void issue(uint32_t strand, struct rma_issue *i, struct model_op *o)
{
    static const struct rma_items items = {.count = 1};
    static const struct rma_names names = {.completion = "quiet"};
    i->call = "operation";
    i->names = &names;
    i->operation = o->number = ++play.operations;
    i->context = o->stream % 2;
    i->stream = &streams[i->context];
    i->fences = o->fences = play.fences[o->stream];
    i->alone = o->alone;
    i->blocks = o->blocks;
    i->fetches = o->fetches;
    struct rma_items strided = items;
    strided.layout = play.strided;
    for (uint32_t k = 0; k < i->areas; k++)
        if (i->area[k].items)
            i->area[k].items = &strided;
    race_listener.issued(play.race, i);
    model_areas(strand, i, o);
    o->event = play.event;
    model.op[model.ops++] = *o;
    struct model_op *kept = &model.op[model.ops - 1];
    event_ends(strand);
    model_tell(kept, strand);
}

enum { PUT, GET, SIGNAL, POST, FETCH, FETCH_LATER, ACCUMULATE, GET_ACCUMULATE, SWAP, KINDS };

/* An update: of 4 or 8 bytes, seldom at a place in between. */
static inline void updated(struct rma_issue *i, struct model_op *o, enum rma_step step, uint32_t elements)
{
    static const uint8_t ops[] = {TYPES_SUM, TYPES_SUM, TYPES_REPLACE, TYPES_NO_OP};
    i->element = o->element = in(2) ? 4 : 8;
    i->type = o->element == 4 ? TYPES_UINT32 : in(6) ? TYPES_INT64 : TYPES_UINT64;
    i->op = ops[below(o->fetches ? 4 : 3)];
    o->elements = elements;
    o->step = step;
    o->first = (play.low + below(play.span)) / o->element * o->element;
    if (in(8))
        o->first += in(2) ? 4 : 1 + below(3);
    if (o->first + elements * o->element > MODEL_BYTES)
        o->first = MODEL_BYTES - elements * o->element;
    area(i, step, RMA_UPDATES, open_region(o->target), o->first, elements * o->element);
    o->changes = i->op != TYPES_NO_OP;
    o->sets = i->op == TYPES_REPLACE && !o->fetches;
    o->ordered = true;
}

static inline void atomic_kind(struct rma_issue *i, struct model_op *o, uint32_t what)
{
    uint32_t here = own_region(rank_current->id), elements = 1;
    o->fetches = what == FETCH || what == FETCH_LATER || what == GET_ACCUMULATE || what == SWAP;
    o->blocks = what == POST || what == FETCH;
    if (what == ACCUMULATE || what == GET_ACCUMULATE) {
        elements = 1 + below(2);
        area(i, RMA_SOURCE, RMA_READS, here, below(4), 4 * elements);
    }
    updated(i, o, elements > 1 ? RMA_IN_UNIT : RMA_AT_TARGET, elements);
    if (what == SWAP) {
        i->op = RMA_COMPARE_SWAP;
        o->changes = true;
        o->sets = false;
        area(i, RMA_SOURCE, RMA_READS, here, below(4), o->element);
    }
    if (o->fetches && !o->blocks)
        area(i, RMA_AT_ORIGIN, RMA_WRITES, here, 20 + below(4), elements * o->element);
}

static inline void signal_kind(struct rma_issue *i, struct model_op *o, uint32_t n)
{
    uint32_t first = some_first(n) % (24 - n);
    area(i, RMA_SOURCE, RMA_READS, own_region(rank_current->id), below(20 - n), n);
    area(i, RMA_AT_TARGET, RMA_WRITES, open_region(o->target), first, n);
    i->signals = true;
    i->element = o->element = 8;
    i->type = TYPES_UINT64;
    i->op = in(2) ? TYPES_SUM : TYPES_REPLACE;
    o->elements = 1;
    o->first = in(2) ? 24 : 32;
    o->step = RMA_IN_UNIT;
    area(i, RMA_IN_UNIT, RMA_UPDATES, open_region(o->target), o->first, 8);
    o->changes = true;
    o->sets = i->op == TYPES_REPLACE;
    o->ordered = true;
}

static inline void put_kind(struct rma_issue *i, struct model_op *o, uint32_t n)
{
    uint32_t first = some_first(n);
    bool strided = play.scale == 1 && n >= 10 && in(2);
    area(i, RMA_SOURCE, RMA_READS, own_region(rank_current->id), below(MODEL_BYTES - n), n);
    area(i, RMA_AT_TARGET, RMA_WRITES, open_region(o->target), first, n);
    if (strided) {
        i->area[1].items = (const struct rma_items *)1; /* filled in by issue() */
        i->area[0].bytes = i->area[1].bytes = 6;
    }
    o->ordered = true;
    if (play.scale == 1 && n <= 8) {
        o->elements = 1;
        o->element = n;
        o->first = first;
        o->changes = o->sets = true;
        o->step = RMA_AT_TARGET;
    }
}

static inline void operation(uint32_t strand, uint32_t what, uint32_t context, uint32_t target)
{
    uint32_t n = some_length();
    struct model_op o = {.stream = 2 * rank_of(strand) + context, .target = target};
    struct rma_issue i = {.target = rank_at(ranks_stage->job, o.target)};
    event_begins(strand);
    i.origin = rank_current;
    o.region = open_region(o.target);
    o.blocks = in(3);
    switch (what) {
    case PUT:
        put_kind(&i, &o, n);
        break;
    case GET:
        o.fetches = true;
        area(&i, RMA_AT_TARGET, RMA_READS, open_region(o.target), some_first(n), n);
        area(&i, RMA_AT_ORIGIN, RMA_WRITES, own_region(rank_current->id), below(MODEL_BYTES - n), n);
        break;
    case SIGNAL:
        signal_kind(&i, &o, n);
        break;
    default:
        atomic_kind(&i, &o, what);
    }
    o.alone = !o.blocks && in(4);
    uint64_t number = play.operations + 1;
    issue(strand, &i, &o);
    if (o.blocks && o.fetches) {
        struct model_op *kept = &model.op[model.ops - 1];
        touch(kept);
        as(strand);
        race_synchronized(play.race, &(struct rma_sync){.kind = RMA_SYNC_OPERATION,
                                                        .rank = rank_current,
                                                        .context = o.stream % 2,
                                                        .limit = number});
        learn(&model.know[strand], &kept->got);
    }
}

/* In crowded runs many operations that do not conflict with each other are under way to one place. */
static inline void event_operation(uint32_t strand)
{
    static const uint32_t peaceful[] = {GET, GET, POST, FETCH, FETCH_LATER};
    uint32_t what = play.scale > 1 ? below(2) : play.crowded ? peaceful[below(5)] : below(KINDS);
    operation(strand, what, below(2), play.crowded ? 1 : below(MODEL_RANKS));
}

#endif
