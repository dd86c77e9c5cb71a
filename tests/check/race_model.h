/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * race_model: what a race is, by its definition, as simply as it can be said. Time is a list of at most 64 events. What a
 * strand knows are sets of events: those that came before (done), operations that are complete at their origin
 * (local) and at their target (remote), and operations that a fence of their context has followed (fenced).
 * Every access is kept, with what its strand knew when it began, and each new one is compared with all others.
 */
#ifndef PGASIM_TESTS_CHECK_RACE_MODEL_H
#define PGASIM_TESTS_CHECK_RACE_MODEL_H

#include "check/race/operations.h"
#include "check/race/strands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum {
    MODEL_RANKS = 3,
    MODEL_STRANDS = 5, /* rank 0 has one thread, the others two */
    MODEL_REGIONS = 2 * MODEL_RANKS,
    MODEL_BYTES = 40, /* of a region */
    MODEL_EVENTS = 60,
    MODEL_ACCESSES = 4 * MODEL_EVENTS,
    MODEL_STREAMS = 2 * MODEL_RANKS,
};

/* Where the detector is known to say less, or more, than the definition. */
enum {
    FETCHED_ONCE = 1, /* what a fetched value tells is learned by the first thread that completes the fetch */
};

struct facts {
    uint64_t done, local, remote, fenced;
};
static inline void learn(struct facts *f, const struct facts *more)
{
    f->done |= more->done;
    f->local |= more->local;
    f->remote |= more->remote;
    f->fenced |= more->fenced;
}

enum over { AT_ONCE, WHEN_LOCAL, WHEN_REMOTE };
struct unit {
    uint8_t what; /* 0: not atomic; 1: of the program; 2: of the network */
    uint8_t type, phase;
    uint32_t domain;
};
struct model_access {
    uint32_t event, line, region;
    uint64_t bytes, live; /* a bit for each byte of the region; those not forgotten since */
    enum race_kind kind;
    struct unit unit;
    int only; /* the operator that it may meet; -1: any */
    enum over over;
    uint32_t stream, target;
    bool ordered;
    struct facts before;
};
struct model_op {
    uint32_t event, line, stream, target;
    uint64_t number, fences;
    bool ordered, alone, changes, sets, fetches, blocks, touched, action;
    enum rma_step step;
    uint32_t region, first, element, elements; /* of the word that it changes or fetches; elements 0: none */
    uint64_t handle;                           /* of an action */
    bool at_target;                            /* a call has completed it there */
    struct facts told, got;                    /* by its update; by what it fetches */
};

static struct {
    struct facts know[MODEL_STRANDS], pending[MODEL_STRANDS], fence[MODEL_STRANDS];
    struct facts word[MODEL_REGIONS][MODEL_BYTES];
    uint64_t in_word[MODEL_REGIONS][MODEL_BYTES]; /* the updates */
    struct facts atomic[MODEL_REGIONS][MODEL_BYTES], declared[MODEL_REGIONS][2];
    struct model_access access[MODEL_ACCESSES];
    uint32_t accesses;
    struct model_op op[MODEL_EVENTS];
    uint32_t ops;
    uint64_t race[MODEL_ACCESSES][MODEL_ACCESSES]; /* [earlier][later]: the bytes */
} model;

/* --- the definition ------------------------------------------------------------------------------------- */

static inline bool is_over(const struct model_access *a, const struct model_access *b)
{
    uint64_t bit = UINT64_C(1) << a->event;
    if (a->over == AT_ONCE)
        return b->before.done & bit;
    if (a->over == WHEN_LOCAL)
        return b->before.local & bit;
    bool fenced = b->before.fenced & bit && b->over == WHEN_REMOTE && a->ordered && b->ordered &&
                  a->stream == b->stream && a->target == b->target;
    return fenced || b->before.remote & bit;
}

static inline bool are_atomic(const struct model_access *a, const struct model_access *b)
{
    return a->unit.what && a->unit.what == b->unit.what && a->unit.type == b->unit.type &&
           a->unit.phase == b->unit.phase && a->unit.domain == b->unit.domain &&
           (a->only < 0 || b->only < 0 || a->only == b->only);
}

static inline bool writes(const struct model_access *a)
{
    return a->kind == RACE_WRITE || a->kind == RACE_UPDATE;
}

static inline bool is_race(const struct model_access *a, const struct model_access *b)
{
    return a->event != b->event && (writes(a) || writes(b)) && !are_atomic(a, b) && !is_over(a, b);
}

/* What the detector may forget, as the head of state.c has it: an access that a later one, which comes after it,
 * stands for, because whatever races with the one and not with the other comes after the other. */
static inline bool stands_for(const struct model_access *b, const struct model_access *a)
{
    if (b->kind == RACE_WRITE || (a->kind == RACE_READ && b->kind == RACE_READ))
        return true;
    return are_atomic(a, b) && a->only == b->only && (b->kind == a->kind || b->kind == RACE_UPDATE);
}

/* --- events ------------------------------------------------------------------------------------------------ */

static inline void model_access(const struct model_access *given)
{
    struct model_access *b = &model.access[model.accesses];
    assert_true(model.accesses < MODEL_ACCESSES);
    *b = *given;
    b->live = b->bytes;
    for (uint32_t k = 0; k < model.accesses; k++) {
        const struct model_access *a = &model.access[k];
        uint64_t both = a->region == b->region ? a->live & b->bytes : 0;
        model.race[k][model.accesses] = both && is_race(a, b) ? both : 0;
    }
    model.accesses++;
}

/* Memory begins a new life. */
static inline void model_renew(uint32_t region, uint64_t bytes)
{
    for (uint32_t k = 0; k < model.accesses; k++)
        if (model.access[k].region == region)
            model.access[k].live &= ~bytes;
}

/* The strand has completed the operation, at its origin, or at its target, too. */
static inline void model_over(struct facts *f, struct model_op *o, bool remote)
{
    uint64_t bit = UINT64_C(1) << o->event;
    f->local |= bit;
    f->remote |= remote ? bit : 0;
    learn(f, &o->got);
    if (FETCHED_ONCE)
        o->got = (struct facts){0};
    o->at_target |= remote;
}

/* All operations of a stream to these targets that the strand knows of. */
static inline void model_complete(uint32_t strand, uint32_t stream, uint32_t targets, bool remote)
{
    struct facts *f = &model.know[strand];
    uint64_t known = f->done;
    for (uint32_t k = 0; k < model.ops; k++) {
        struct model_op *o = &model.op[k];
        if (!o->action && o->stream == stream && targets >> o->target & 1 && known >> o->event & 1)
            model_over(f, o, remote);
    }
}

static inline void model_fence(uint32_t strand, uint32_t stream)
{
    for (uint32_t k = 0; k < model.ops; k++)
        if (!model.op[k].action && model.op[k].stream == stream)
            model.know[strand].fenced |= model.know[strand].done & UINT64_C(1) << model.op[k].event;
}

/* What the value tells that the operation writes: what its issuer knew, and that what fences put before it is
 * delivered. */
static inline void model_tell(struct model_op *o, uint32_t strand)
{
    o->told = model.know[strand];
    for (uint32_t k = 0; k < model.ops; k++) {
        const struct model_op *a = &model.op[k];
        if (!a->action && a->ordered && a->stream == o->stream && a->target == o->target)
            o->told.remote |= o->told.fenced & UINT64_C(1) << a->event;
    }
}

/* The cell of a word whose value tells something. */
static inline uint32_t cell_of(const struct model_op *o, uint32_t element)
{
    return (o->first + element * o->element) / SHADOW_CELL;
}

static inline void model_touch(struct model_op *o)
{
    for (uint32_t k = 0; k < o->elements; k++) {
        struct facts *w = &model.word[o->region][cell_of(o, k)];
        uint64_t *in = &model.in_word[o->region][cell_of(o, k)];
        if (o->fetches) {
            learn(&o->got, w);
            o->got.remote |= *in;
        }
        if (o->changes && o->sets) {
            *w = (struct facts){0};
            *in = 0;
        }
        if (o->changes) {
            learn(w, &o->told);
            *in |= UINT64_C(1) << o->event;
        }
    }
}

#endif
