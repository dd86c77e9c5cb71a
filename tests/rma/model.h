/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model: a naive model of one-sided operations. It listens to what operations touch, does the same byte by
 * byte to a memory of its own, and checks what the standards order: epochs of fences, turns of accumulates,
 * signals after their data, sources, completion. Both memories must be equal at any time, whatever the
 * program, its races, and the policy.
 *
 * A test fills in model_next(rank) before each call. Memory is ranks' heaps.
 */
#ifndef PGASIM_TESTS_RMA_MODEL_H
#define PGASIM_TESTS_RMA_MODEL_H

#include "rma/stage.h"

/* What a notice's owner was told. */
struct model_notice {
    struct rma_notice notice;
    struct model_op *op;
    bool local, complete;
};
enum model_kind { MODEL_PUT, MODEL_GET, MODEL_WORD, MODEL_ACCUMULATE, MODEL_SWAP };
enum { MODEL_OPS = 20000, MODEL_CONTEXTS = 3 };

/* Blocks of `block` elements, each `stride` elements after the one before. */
struct model_vector {
    uint64_t block, stride, element;
};
struct model_op {
    enum model_kind kind;
    uint32_t rank, context, target, fences;
    uint64_t bytes;
    struct model_vector there, here; /* `here`: of the source, of operands, or of a get's result */
    struct model_vector back;        /* of an accumulate's result */
    size_t remote, source, result;   /* offsets in the heaps */
    bool has_result, in_turn, signals;
    int op;
    uint64_t operand; /* of words */
    unsigned char compare[16], swapped_in[16];
    size_t signal;
    uint64_t value;
    bool adds;
    struct model_notice *notice;
    /* the model's */
    bool source_free, updated, complete;
    uint64_t n_there, n_back; /* bytes touched so far */
    unsigned char *operands, *data, *source_seen, *there_seen, *back_seen;
};
static struct {
    struct model_op op[MODEL_OPS];
    uint64_t n, first; /* operations below `first` are complete */
    struct model_op next[STAGE_RANKS];
    uint32_t fences[STAGE_RANKS][MODEL_CONTEXTS];
    unsigned char *heap[STAGE_RANKS];
    uint64_t touches, pieces, overtaken;
    uint64_t hash; /* of all touches, with their times */
} model;

static inline size_t model_place(const struct model_vector *v, uint64_t p)
{
    uint64_t e = p / v->element;
    return (e / v->block * v->stride + e % v->block) * v->element + p % v->element;
}

static void model_issued(void *arg, const struct rma_issue *i)
{
    struct model_op *o = &model.op[i->operation];
    (void)arg;
    assert_true(i->operation < MODEL_OPS);
    *o = model.next[i->origin->id];
    assert_int_equal(o->rank, i->origin->id);
    assert_int_equal(o->target, i->target->id);
    assert_int_equal(o->context, i->context);
    assert_int_equal(o->fences = model.fences[o->rank][o->context], i->fences);
    assert_true(i->at >= stage_now());
    for (uint32_t k = 0; k < i->areas; k++) {
        const struct rma_area *a = &i->area[k];
        bool signal = o->signals && a->step == RMA_IN_UNIT;
        size_t at = signal                     ? ranks_heap_at(o->target, o->signal)
                    : a->step == RMA_SOURCE    ? (uintptr_t)stage.heap[o->rank] + o->source
                    : a->step == RMA_AT_ORIGIN ? (uintptr_t)stage.heap[o->rank] + o->result
                                               : ranks_heap_at(o->target, o->remote);
        if (a->step != RMA_SOURCE || o->kind != MODEL_SWAP) /* which reads a local variable */
            assert_int_equal(a->address, at);
        assert_int_equal(a->bytes, signal ? 8 : o->bytes);
        assert_true(a->access ==
                    (a->step == RMA_SOURCE || (a->step == RMA_AT_TARGET && o->kind == MODEL_GET) ? RMA_READS
                     : a->step == RMA_AT_ORIGIN || (o->kind == MODEL_PUT && !signal)             ? RMA_WRITES
                                                                                     : RMA_UPDATES));
    }
    if (o->notice)
        o->notice->op = o;
    o->operands = base_zalloc(5 * o->bytes + 1, "test");
    o->data = o->operands + o->bytes;
    o->source_seen = o->data + o->bytes;
    o->there_seen = o->source_seen + o->bytes;
    o->back_seen = o->there_seen + o->bytes;
    model.n = i->operation + 1;
}

/* --- what is ordered -------------------------------------------------------------------------------- */

static bool model_done_there(const struct model_op *o)
{
    return o->n_there == o->bytes && (!o->signals || o->updated);
}

static void model_judge_order(const struct model_op *o)
{
    for (uint64_t k = model.first; k < model.n; k++) {
        const struct model_op *p = &model.op[k];
        if (p == o || p->rank != o->rank || p->context != o->context || p->target != o->target ||
            model_done_there(p))
            continue;
        model.overtaken += p < o;
        if (o->kind != MODEL_GET && p->kind != MODEL_GET && p->fences < o->fences)
            fail_msg("operation %zu acts before %" PRIu64 ", which a fence puts first",
                     (size_t)(o - model.op), k);
        if (o->in_turn && p->in_turn && p < o)
            fail_msg("accumulate %zu acts before %" PRIu64, (size_t)(o - model.op), k);
    }
}

/* --- what operations do ------------------------------------------------------------------------------ */

static uint64_t model_word_of(int op, uint64_t there, const struct model_op *o, const unsigned char *operand,
                              size_t size)
{
    uint64_t v = o->operand, compare = 0;
    if (operand)
        memcpy(&v, operand, size);
    memcpy(&compare, o->compare, 8);
    switch (op) {
    case RMA_SET:
        return v;
    case RMA_ADD:
        return there + v;
    case RMA_AND:
        return there & v;
    case RMA_OR:
        return there | v;
    case RMA_XOR:
        return there ^ v;
    case RMA_COMPARE_SWAP:
        return there == compare ? v : there;
    default:
        return there;
    }
}

/* Elements of the bytes [from, to); the old ones go to `data`. */
static void model_update(struct model_op *o, uint64_t from, uint64_t to)
{
    size_t size = o->there.element;
    assert_true(from % size == 0 && to % size == 0);
    for (uint64_t p = from; p < to; p += size) {
        unsigned char *at = model.heap[o->target] + o->remote + model_place(&o->there, p);
        uint64_t there = 0, new;
        memcpy(o->data + p, at, size);
        if (o->kind == MODEL_SWAP) {
            if (!memcmp(at, o->compare, size))
                memcpy(at, o->operands, size);
            continue;
        }
        memcpy(&there, at, size);
        new = model_word_of(o->op, there, o, o->kind == MODEL_ACCUMULATE ? o->operands + p : NULL, size);
        memcpy(at, &new, size);
    }
}

static void model_there(struct model_op *o, const struct rma_touch *t)
{
    unsigned char *heap = model.heap[o->target] + o->remote;
    model_judge_order(o);
    for (uint64_t p = t->from; p < t->to; p++) {
        assert_false(o->there_seen[p]++);
        assert_true(o->kind != MODEL_PUT || o->source_seen[p]);
        if (o->kind == MODEL_PUT)
            heap[model_place(&o->there, p)] = o->operands[p];
        else if (o->kind == MODEL_GET)
            o->data[p] = heap[model_place(&o->there, p)];
    }
    if (o->kind == MODEL_WORD || o->kind == MODEL_SWAP)
        assert_true(t->from == 0 && t->to == o->bytes);
    if (o->kind != MODEL_PUT && o->kind != MODEL_GET)
        model_update(o, t->from, t->to);
    o->n_there += t->to - t->from;
}

static void model_signal(struct model_op *o)
{
    uint64_t v;
    unsigned char *at = model.heap[o->target] + o->signal;
    model_judge_order(o);
    assert_int_equal(o->n_there, o->bytes);
    assert_false(o->updated);
    memcpy(&v, at, 8);
    v = o->adds ? v + o->value : o->value;
    memcpy(at, &v, 8);
    o->updated = true;
}

static void model_touched(void *arg, const struct rma_touch *t)
{
    struct model_op *o = &model.op[t->operation];
    (void)arg;
    const uint64_t what[] = {t->operation, t->step, t->from, t->to};
    model.hash = base_hash_fold(model.hash ^ base_hash_bytes(what, sizeof what));
    model.hash = base_hash_fold(model.hash ^ base_hash_bytes(&t->at, sizeof t->at));
    model.touches++;
    assert_true(t->operation && !o->complete);
    model.pieces += t->step != RMA_IN_UNIT && t->to - t->from < o->bytes;
    switch (t->step) {
    case RMA_SOURCE:
        assert_true(!o->source_free && t->rank->id == o->rank);
        for (uint64_t p = t->from; p < t->to; p++) {
            o->operands[p] = o->kind == MODEL_SWAP
                                 ? o->swapped_in[p]
                                 : model.heap[o->rank][o->source + model_place(&o->here, p)];
            o->source_seen[p] = 1;
        }
        return;
    case RMA_IN_UNIT:
        if (o->signals) {
            model_signal(o);
            return;
        }
        model_there(o, t);
        return;
    case RMA_ISSUED:
    case RMA_AT_TARGET:
        assert_int_equal(t->rank->id, o->target);
        model_there(o, t);
        return;
    case RMA_REPLIED:
    case RMA_AT_ORIGIN:
        assert_true(t->rank->id == o->rank && o->has_result && o->n_there == o->bytes);
        for (uint64_t p = t->from; p < t->to; p++) {
            assert_false(o->back_seen[p]++);
            model.heap[o->rank][o->result + model_place(&o->back, p)] = o->data[p];
        }
        o->n_back += t->to - t->from;
        return;
    }
}

static void model_completed(void *arg, const struct rma_completion *c)
{
    struct model_op *o = &model.op[c->operation];
    (void)arg;
    assert_true(model_done_there(o) && !o->complete && c->known >= stage_now());
    assert_true(!o->has_result || o->n_back == o->bytes);
    o->complete = true;
    while (model.first < model.n && model.op[model.first].complete)
        model.first++;
}

static void model_synchronized(void *arg, const struct rma_sync *s)
{
    (void)arg;
    uint64_t end = s->kind == RMA_SYNC_OPERATION ? s->limit + 1 : s->limit;
    uint64_t first = s->kind == RMA_SYNC_OPERATION ? s->limit : 1;
    if (s->kind == RMA_SYNC_MEMORY && s->limit)
        assert_int_equal(model.op[s->limit].target, s->rank->id);
    if (s->kind == RMA_SYNC_FENCE || s->kind == RMA_SYNC_MEMORY)
        return;
    for (uint64_t k = first; k < end && k < model.n; k++) {
        struct model_op *o = &model.op[k];
        bool named = !s->targets;
        for (size_t i = 0; i < s->n; i++)
            named |= s->targets[i] == o->target;
        if (o->rank != s->rank->id || o->context != s->context || !named)
            continue;
        if (s->kind != RMA_SYNC_LOCAL && !o->complete)
            fail_msg("operation %" PRIu64 " is not complete after %s", k, s->call);
        if (o->has_result && o->n_back < o->bytes)
            fail_msg("operation %" PRIu64 " has not all of its result after %s", k, s->call);
        o->source_free = true;
    }
}

static const struct rma_listener model_listener = {model_issued, model_touched, model_completed,
                                                   model_synchronized};

/* --- notices ------------------------------------------------------------------------------------------ */

static void model_told_local(struct rma_notice *n)
{
    struct model_notice *m = BASE_CONTAINER(n, struct model_notice, notice);
    assert_true(!m->local && !m->complete);
    assert_true(!m->op->has_result || m->op->n_back == m->op->bytes);
    m->local = m->op->source_free = true;
}
static void model_told_complete(struct rma_notice *n)
{
    struct model_notice *m = BASE_CONTAINER(n, struct model_notice, notice);
    assert_true(m->local && !m->complete && m->op->complete);
    m->complete = true;
}

/* --- for tests ---------------------------------------------------------------------------------------- */

/* The call that rank r has just made has left its source free. */
static inline struct model_op *model_returned(uint32_t rank)
{
    uint64_t k = model.n - 1;
    while (model.op[k].rank != rank)
        k--;
    model.op[k].source_free = true;
    return &model.op[k];
}

/* After stage_begin; the listener is registered by the test. All heaps begin with equal random bytes. */
static inline void model_begin(uint64_t seed)
{
    struct base_random random;
    memset(&model, 0, sizeof model);
    model.first = model.n = 1;
    base_random_seed(&random, seed, 99);
    for (int k = 0; k < STAGE_RANKS; k++) {
        for (size_t i = 0; i < STAGE_BYTES; i += 8) {
            uint64_t v = base_random_u64(&random);
            memcpy(stage.heap[k] + i, &v, 8);
        }
        model.heap[k] = base_alloc(STAGE_BYTES, "test");
        memcpy(model.heap[k], stage.heap[k], STAGE_BYTES);
    }
}

static inline void model_equal(void)
{
    for (int k = 0; k < STAGE_RANKS; k++)
        for (size_t i = 0; memcmp(model.heap[k], stage.heap[k], STAGE_BYTES) && i < STAGE_BYTES; i++)
            if (model.heap[k][i] != stage.heap[k][i])
                fail_msg("rank %d, byte %zu: %02x, expected %02x", k, i, stage.heap[k][i], model.heap[k][i]);
}

static inline void model_end(void)
{
    for (uint64_t k = 1; k < model.n; k++)
        free(model.op[k].operands);
    for (int k = 0; k < STAGE_RANKS; k++)
        free(model.heap[k]);
}

#endif
