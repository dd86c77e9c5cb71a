/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_program: random programs of everything at once: contexts, fences, the four kinds of quiet, puts and gets
 * of runs and of layouts, signals and waits for them, atomics, compare and swap, accumulates (ordered in one
 * context), notices; against the naive model (model.h).
 */
#ifndef PGASIM_TESTS_RMA_RANDOM_PROGRAM_H
#define PGASIM_TESTS_RMA_RANDOM_PROGRAM_H

#include "rma/model.h"
#include "rma/policies.h"

enum { AREA = 64 << 10, SOURCES = AREA, RESULTS = 2 * AREA, WORDS = 3 * AREA, RING = WORDS + 4096 };
enum { OPS_EACH = 400, ROUNDS = 40, BYTES_MOST = 6000 };
static uint64_t seed, large, waits, locals;

struct actor {
    struct rank *r;
    struct base_random random;
    struct rma_ctx *c[MODEL_CONTEXTS];
    uint32_t context;
    uint64_t rounds;
    struct model_notice notices[OPS_EACH];
    size_t noticed;
};

static uint64_t below(struct actor *a, uint64_t n)
{
    return base_random_below(&a->random, n);
}

static size_t some_bytes(struct actor *a)
{
    return below(a, 3) ? 1 + below(a, 100) : 1 + below(a, BYTES_MOST);
}

/* Elements of a power of two; as a run or as a vector; aligned. */
static struct model_vector some_vector(struct actor *a, size_t element)
{
    uint64_t block = 1 + below(a, 4);
    return (struct model_vector){block, block + below(a, 3), element};
}
static struct model_vector run_of(size_t element)
{
    return (struct model_vector){1, 1, element};
}

/* The items of `n` elements along a vector of the model's. */
static struct rma_items items_of(const struct model_vector *v, uint64_t n, struct types_layout **made)
{
    static const enum types_element element[] = {
        [1] = TYPES_UINT8, [2] = TYPES_UINT16, [4] = TYPES_UINT32, [8] = TYPES_UINT64};
    const struct types_layout *e = types_layout_of(element[v->element]);
    struct base_status st;
    if (v->block == v->stride) {
        *made = NULL;
        return (struct rma_items){e, n};
    }
    *made = types_layout_vector((uint32_t)(n / v->block), (uint32_t)v->block, (int32_t)v->stride, e, &st);
    assert_non_null(*made);
    return (struct rma_items){*made, 1};
}

static struct model_op *begin(struct actor *a, enum model_kind kind, size_t bytes)
{
    struct model_op *o = &model.next[a->r->id];
    *o = (struct model_op){.kind = kind,
                           .rank = a->r->id,
                           .context = a->context,
                           .target = (uint32_t)below(a, STAGE_RANKS),
                           .bytes = bytes,
                           .there = run_of(1),
                           .here = run_of(1),
                           .back = run_of(1)};
    o->remote = below(a, AREA - 3 * BYTES_MOST) / 16 * 16;
    o->source = SOURCES + below(a, AREA - 3 * BYTES_MOST) / 16 * 16;
    o->result = RESULTS + below(a, AREA - 3 * BYTES_MOST) / 16 * 16;
    return o;
}

static void ask_for_notice(struct actor *a, struct model_op *o)
{
    if (below(a, 4))
        return;
    o->notice = &a->notices[a->noticed++];
    *o->notice =
        (struct model_notice){.notice = {.local = model_told_local, .complete = model_told_complete}};
    rma_notify_next(a->c[a->context], &o->notice->notice);
}

/* Waits for a request, by looking at it again and again. */
static void await_notice(struct actor *a)
{
    const struct model_notice *n = a->noticed ? &a->notices[below(a, a->noticed)] : NULL;
    for (; n && !n->complete; rma_poll(a->r))
        rma_need(a->c[n->op->context], &n->notice);
}

/* Numbers of words that do not depend on where heaps lie. */
static uint32_t word_at(uint32_t rank, size_t offset)
{
    return rank * (STAGE_BYTES / 8) + (uint32_t)(offset / 8);
}
static struct rma_target target_of(const struct model_op *o)
{
    return (struct rma_target){rank_at(stage.job, o->target), ranks_heap_at(o->target, o->remote),
                               word_at(o->target, o->remote)};
}
static void *source_of(const struct model_op *o)
{
    return stage.heap[o->rank] + o->source;
}
static void *result_of(const struct model_op *o)
{
    return stage.heap[o->rank] + o->result;
}

/* --- operations ------------------------------------------------------------------------------------- */

static void put(struct actor *a, enum rma_mode mode)
{
    struct model_op *o = begin(a, MODEL_PUT, some_bytes(a));
    bool signals = below(a, 2);
    ask_for_notice(a, o);
    large += o->bytes > 1000;
    if (signals) {
        o->signals = true;
        o->signal = WORDS + 8 * below(a, 16);
        o->adds = below(a, 2);
        o->value = below(a, 1000);
        o->bytes -= below(a, 4) == 0 ? o->bytes : 0;
        uintptr_t at = ranks_heap_at(o->target, o->signal);
        struct rma_signal s = {at, o->value, word_at(o->target, o->signal),
                               o->adds ? RMA_SIGNAL_ADD : RMA_SIGNAL_SET};
        rma_put_signal(a->c[a->context], target_of(o), source_of(o), o->bytes, &s, mode, "put_signal");
    } else {
        rma_put(a->c[a->context], target_of(o), source_of(o), o->bytes, mode, "put");
    }
    if (mode == RMA_BLOCKING)
        model_returned(a->r->id);
}

static void get(struct actor *a, enum rma_mode mode)
{
    struct model_op *o = begin(a, MODEL_GET, some_bytes(a));
    o->has_result = true;
    ask_for_notice(a, o);
    rma_get(a->c[a->context], target_of(o), result_of(o), o->bytes, mode, "get");
}

/* Both ends are vectors of their own, of equally many elements. */
static void items(struct actor *a, enum rma_mode mode, bool gets)
{
    struct model_op *o = begin(a, gets ? MODEL_GET : MODEL_PUT, 0);
    size_t element = (size_t)1 << below(a, 4);
    o->there = some_vector(a, element);
    struct model_vector near = some_vector(a, element);
    uint64_t n = o->there.block * near.block * (1 + below(a, 20));
    o->bytes = n * element;
    o->has_result = gets;
    *(gets ? &o->back : &o->here) = near;
    struct types_layout *l[2];
    struct rma_items there = items_of(&o->there, n, &l[0]), here = items_of(&near, n, &l[1]);
    ask_for_notice(a, o);
    if (gets)
        rma_get_items(a->c[a->context], target_of(o), &there, result_of(o), &here, mode, "get_items");
    else
        rma_put_packed(a->c[a->context], target_of(o), &there, source_of(o), &here, "put_packed");
    model_returned(a->r->id);
    for (int k = 0; k < 2; k++)
        if (l[k])
            types_layout_release(l[k]);
}

static void word_operation(struct actor *a)
{
    static const enum rma_atomic ops[] = {RMA_FETCH, RMA_SET, RMA_ADD,         RMA_AND,
                                          RMA_OR,    RMA_XOR, RMA_COMPARE_SWAP};
    unsigned size = 1u << below(a, 4);
    struct model_op *o = begin(a, MODEL_WORD, size);
    struct rma_atomic_args args = {.op = ops[below(a, BASE_LENGTH(ops))],
                                   .size = size,
                                   .operand = below(a, 256),
                                   .compare = below(a, 256)};
    o->remote = WORDS + 16 * below(a, 16);
    o->there = run_of(size);
    o->op = (int)args.op;
    o->operand = args.operand;
    memcpy(o->compare, &args.compare, 8);
    struct rma_target t = target_of(o);
    struct rma_ctx *c = a->c[a->context];
    switch (below(a, 3)) {
    case 0:
        rma_atomic_post(c, t, &args, "post");
        return;
    case 1:
        o->has_result = true;
        rma_atomic_fetch_nbi(c, t, &args, result_of(o), "fetch_nbi");
        return;
    default: {
        uint64_t expected = 0, old = rma_atomic_fetch(c, t, &args, "fetch");
        memcpy(&expected, model_returned(a->r->id)->data, size);
        assert_int_equal(old, expected);
    }
    }
}

static void swap(struct actor *a, enum rma_mode mode)
{
    size_t size = (size_t)1 << below(a, 5);
    struct model_op *o = begin(a, MODEL_SWAP, size);
    o->remote = WORDS + 16 * below(a, 16);
    o->there = run_of(size);
    o->has_result = true;
    o->in_turn = a->context == 1;
    memcpy(o->compare, stage.heap[o->target] + o->remote, size); /* it may be equal then */
    if (below(a, 4) == 0)
        o->compare[size / 2] ^= 1;
    for (size_t k = 0; k < size; k++)
        o->swapped_in[k] = (unsigned char)below(a, 256);
    ask_for_notice(a, o);
    rma_compare_swap(a->c[a->context], target_of(o), stage_word(size), o->compare, o->swapped_in,
                     result_of(o), mode, "swap");
    model_returned(a->r->id);
}

static void accumulate(struct actor *a, enum rma_mode mode)
{
    static const enum types_op ops[] = {TYPES_SUM, TYPES_REPLACE, TYPES_BXOR, TYPES_NO_OP, TYPES_BOR};
    struct model_op *o = begin(a, MODEL_ACCUMULATE, 0);
    size_t element = (size_t)1 << below(a, 4);
    bool fetches = below(a, 2), one = below(a, 3) == 0;
    o->there = one ? run_of(element) : some_vector(a, element);
    o->here = one ? run_of(element) : some_vector(a, element);
    o->back = one ? run_of(element) : some_vector(a, element);
    uint64_t n = one ? 1 : o->there.block * o->here.block * o->back.block * (1 + below(a, 6));
    o->bytes = n * element;
    o->op = (int)ops[below(a, BASE_LENGTH(ops))];
    o->has_result = fetches;
    o->in_turn = a->context == 1;
    struct types_layout *l[3];
    struct rma_items there = items_of(&o->there, n, &l[0]), here = items_of(&o->here, n, &l[1]),
                     back = items_of(&o->back, n, &l[2]);
    struct rma_operands from = {(enum types_op)o->op, source_of(o), here};
    struct rma_ctx *c = a->c[a->context];
    ask_for_notice(a, o);
    if (fetches)
        rma_get_accumulate(c, target_of(o), &there, &from, result_of(o), &back, mode, "get_accumulate");
    else
        rma_accumulate(c, target_of(o), &there, &from, "accumulate");
    model_returned(a->r->id);
    for (int k = 0; k < 3; k++)
        if (l[k])
            types_layout_release(l[k]);
}

/* --- the rest ----------------------------------------------------------------------------------------- */

/* Bytes that no operation may read any more get others. */
static void change_sources(struct actor *a)
{
    size_t at = SOURCES + below(a, AREA - 64), bytes = 1 + below(a, 64);
    for (uint64_t k = model.first; k < model.n; k++) {
        const struct model_op *o = &model.op[k];
        if (o->operands && o->rank == a->r->id && !o->source_free && o->source < at + bytes &&
            at < o->source + 3 * BYTES_MOST)
            return;
    }
    for (size_t k = 0; k < bytes; k++)
        stage.heap[a->r->id][at + k] = model.heap[a->r->id][at + k] = (unsigned char)below(a, 256);
}

static void synchronize(struct actor *a)
{
    struct rma_ctx *c = a->c[a->context];
    uint32_t targets[2] = {(uint32_t)below(a, STAGE_RANKS), (uint32_t)below(a, STAGE_RANKS)};
    switch (below(a, 4)) {
    case 0:
        rma_quiet(c, "quiet");
        break;
    case 1:
        rma_quiet_targets(c, targets, 2, "quiet_targets");
        break;
    case 2:
        rma_quiet_local(c, "quiet_local");
        locals++;
        break;
    default:
        rma_quiet_local_targets(c, targets, 2, "quiet_local_targets");
        locals++;
        break;
    }
    model_equal();
}

static bool has_come(struct rank *r, void *arg)
{
    const struct actor *a = arg;
    uint64_t v;
    rank_read(r, ranks_heap_at(r->id, RING), &v, sizeof v);
    return v >= a->rounds;
}

/* A signal to the next rank, and one from the rank before. */
static void ring(struct actor *a)
{
    struct model_op *o = begin(a, MODEL_PUT, 8);
    struct engine_reason why = {.what = "ring"};
    uintptr_t low = ranks_heap_at(a->r->id, RING);
    o->target = (a->r->id + 1) % STAGE_RANKS;
    o->signals = o->adds = true;
    o->signal = RING;
    o->value = 1;
    struct rma_signal s = {ranks_heap_at(o->target, RING), 1, word_at(o->target, RING), RMA_SIGNAL_ADD};
    rma_put_signal(a->c[a->context], target_of(o), source_of(o), 8, &s, RMA_NONBLOCKING, "put_signal");
    a->rounds++;
    rma_wait(a->r, &(struct rma_condition){has_come, a, low, low + 8}, &why);
    waits++;
}

static void random_operation(struct actor *a)
{
    enum rma_mode mode = below(a, 4) ? RMA_NONBLOCKING : RMA_BLOCKING;
    switch (below(a, 9)) {
    case 0:
    case 1:
    case 2:
        put(a, mode);
        return;
    case 3:
        get(a, mode);
        return;
    case 4:
        items(a, mode, below(a, 2));
        return;
    case 5:
        word_operation(a);
        return;
    case 6:
        swap(a, mode);
        return;
    default:
        accumulate(a, mode);
        return;
    }
}

static struct actor actors[STAGE_RANKS];

static void random_rank(struct rank *r)
{
    struct actor *a = &actors[r->id];
    *a = (struct actor){.r = r};
    base_random_seed(&a->random, seed, r->id);
    for (int k = 0; k < MODEL_CONTEXTS; k++)
        a->c[k] = stage_ctx(r);
    rma_ctx_order_accumulates(a->c[1], true);
    for (int k = 0; k < OPS_EACH; k++) {
        a->context = (uint32_t)below(a, MODEL_CONTEXTS);
        random_operation(a);
        if (below(a, 6) == 0) {
            model.fences[r->id][a->context]++;
            rma_fence(a->c[a->context]);
        }
        if (below(a, 25) == 0)
            synchronize(a);
        if (below(a, 40) == 0)
            ring(a);
        if (below(a, 40) == 0)
            await_notice(a);
        change_sources(a);
    }
    while (a->rounds < ROUNDS)
        ring(a);
    for (int k = 0; k < MODEL_CONTEXTS; k++)
        rma_ctx_destroy(a->c[k]);
}

/* --- runs --------------------------------------------------------------------------------------------- */

struct outcome {
    double end;
    uint64_t memory, hash;
};

static const struct rma_policy *policy_of_run;

static void at_begin(struct rank_job *job)
{
    rma_listen(job, &model_listener, NULL);
    if (policy_of_run)
        rma_police(job, policy_of_run, NULL);
}

static struct outcome run(bool exchanged, const struct rma_policy *policy)
{
    struct outcome out = {0, 0, 0};
    stage_prepare(exchanged);
    stage_begin();
    model_begin(seed);
    for (int k = 0; k < STAGE_RANKS; k++) {
        memset(stage.heap[k] + RING, 0, 8);
        memset(model.heap[k] + RING, 0, 8);
    }
    policies_seed(seed);
    policy_of_run = policy;
    stage_at_begin = at_begin;
    stage.all = random_rank;
    stage_run();
    model_equal();
    assert_int_equal(model.first, model.n);
    for (int k = 0; k < STAGE_RANKS; k++) {
        out.memory ^= base_hash_bytes(stage.heap[k], STAGE_BYTES) * (uint64_t)(k + 1);
        for (size_t i = 0; i < actors[k].noticed; i++)
            assert_true(actors[k].notices[i].complete);
    }
    out.end = stage_now();
    out.hash = model.hash;
    model_end();
    ranks_end(&stage);
    return out;
}

#endif
