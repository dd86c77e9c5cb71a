/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * policy: asks the job's policy about each step of an operation, and does what it says (policy.h). The fate
 * of an operation is a record beside it, from its issue until it is complete. need.c says when operations
 * that are kept back must go.
 *
 *   fate's state   what holds                                   left by
 *   MOVING         the fabric has the operation, or a timer     arrival, or the timer: the policy is asked
 *   BEHIND         at the target before its turn                its turn: the policy is asked
 *   STUCK          the policy keeps it back                     rma_release, or a demand: asked again
 *
 * Invariants (P1, P2 in policy.h)
 *  P3  The gaps of a fate are disjoint, in order, not empty, and begin and end at units.
 */
#include "rma/fate.h"

#include <math.h>
#include <string.h>

struct rma_fate *rma_fate_find(const struct rma_rules *k, uint64_t number)
{
    struct rma_fate **f = base_table_find(&k->by_number, number);
    return f ? *f : NULL;
}

static struct rma_fate *fate_of(const struct rma_op *op)
{
    struct rma_fate *f = rma_fate_find(rma_op_job(op)->rules, op->number);
    BASE_ASSERT("P1", f);
    return f;
}

static bool is_early(enum rma_step step)
{
    return step == RMA_ISSUED || step == RMA_REPLIED;
}

static const struct rma_pieces *pieces_of(const struct rma_fate *f)
{
    const struct rma_class *class = rma_op_class(f->op);
    switch ((enum rma_step)f->step) {
    case RMA_ISSUED:
    case RMA_AT_TARGET:
        return class->effect_in;
    case RMA_IN_UNIT:
        return class->update_in;
    case RMA_REPLIED:
    case RMA_AT_ORIGIN:
        return class->arrive_in;
    case RMA_SOURCE:
        break;
    }
    return NULL;
}

/* The operation may still read its source, and holds a copy of its bytes. */
static bool keeps_source(const struct rma_op *op)
{
    return rma_op_class(op)->check && rma_op_data(op) && !rma_source_is_free(op);
}

/* --- one question ----------------------------------------------------------------------------------- */

static struct rma_question question_of(const struct rma_fate *f)
{
    const struct rma_op *op = f->op;
    const struct rma_pieces *in = pieces_of(f);
    enum rma_step place = f->step == RMA_ISSUED    ? RMA_AT_TARGET
                          : f->step == RMA_REPLIED ? RMA_AT_ORIGIN
                                                   : (enum rma_step)f->step;
    struct rma_area a = rma_area_of(op, place);
    struct rma_question q = {
        .operation = op->number,
        .call = rma_op_call(op),
        .origin = op->ctx->rank,
        .target = rma_op_target(op),
        .context = op->ctx->number,
        .step = f->step,
        .rank = a.rank,
        .address = a.address,
        .bytes = a.bytes,
        .unit = !in        ? a.bytes
                : in->unit ? in->unit(op)
                           : 1,
        .asked = f->asked,
        .released = f->released,
        .source_kept = (f->step == RMA_AT_TARGET || f->step == RMA_SOURCE) && keeps_source(op),
    };
    for (uint32_t k = 0; k < f->gaps; k++)
        q.left += f->gap[k].to - f->gap[k].from;
    return q;
}

/* Reads these bytes of the source again. Warns if they have changed. */
static void read_source(struct rma_op *op, uint64_t from, uint64_t to)
{
    rma_op_class(op)->check(op);
    rank_read(op->ctx->rank, op->local + from, (char *)rma_op_data(op) + from, to - from);
    rma_emit_piece(op, RMA_SOURCE, from, to);
}

static void act_on(struct rma_fate *f, uint64_t from, uint64_t to, bool late)
{
    struct rma_op *op = f->op;
    if (late && keeps_source(op))
        read_source(op, from, to);
    if (rma_op_reads_late(op))
        rma_emit_piece(op, RMA_SOURCE, from, to);
    rma_acting = op;
    pieces_of(f)->act(op, from, to);
    rma_acting = NULL;
    rma_emit_piece(op, f->step, from, to);
}

/* The bytes of r act. If that would leave too many gaps, the lower part of the gap that is split acts, too.
 * */
static void act(struct rma_fate *f, struct rma_range r, bool late)
{
    struct rma_range left[RMA_GAPS + 1] = {0};
    uint32_t n = 0;
    for (uint32_t k = 0; k < f->gaps; k++) {
        struct rma_range g = f->gap[k], in = {r.from > g.from ? r.from : g.from, r.to < g.to ? r.to : g.to};
        if (in.from >= in.to) {
            left[n++] = g;
            continue;
        }
        if (g.from < in.from && in.to < g.to && f->gaps == RMA_GAPS)
            in.from = g.from;
        act_on(f, in.from, in.to, late);
        if (g.from < in.from)
            left[n++] = (struct rma_range){g.from, in.from};
        if (in.to < g.to)
            left[n++] = (struct rma_range){in.to, g.to};
    }
    memcpy(f->gap, left, n * sizeof *left);
    f->gaps = (uint8_t)n;
    f->cut = true;
}

/* Widens to whole units. */
static struct rma_range in_units(struct rma_range r, const struct rma_question *q)
{
    uint64_t up = r.to < q->bytes ? r.to + q->unit - 1 : q->bytes;
    up -= up % q->unit;
    return (struct rma_range){r.from - r.from % q->unit, up < q->bytes ? up : q->bytes};
}

/* All bytes of the step have acted, or (not cut) act now. */
static void finish(struct rma_fate *f)
{
    struct rma_op *op = f->op;
    enum rma_step step = f->step;
    bool returns = step != RMA_AT_ORIGIN && rma_op_class(op)->arrive &&
                   !(step == RMA_AT_TARGET && rma_op_class(op)->update),
         cut = f->cut;
    const struct rma_pieces *in = pieces_of(f);
    rma_need_moved(f, RMA_MOVING);
    if (cut && in->end)
        in->end(op);
    rma_op_step(op, step, cut); /* it may be over now */
    if (returns && rma_op_job(op)->rules->policy->early && rma_op_class(op)->arrive_in)
        rma_fate_arrived(op, RMA_REPLIED);
}

static void act_whole(struct rma_fate *f)
{
    if (f->cut || is_early(f->step))
        act(f, (struct rma_range){0, UINT64_MAX}, false);
    else
        f->gaps = 0;
}

/* A trace is told once for each step that some of its bytes come late. */
static void tell(struct rma_fate *f, double again)
{
    if (!f->gaps || f->told || is_early(f->step) || again <= 0)
        return;
    f->told = true;
    rma_emit_kept(f->op, f->step);
}

static void ask(struct rma_fate *f)
{
    struct rma_op *op = f->op;
    const struct rma_rules *k = rma_op_job(op)->rules;
    struct engine *e = rma_op_job(op)->engine;
    struct rma_question q = question_of(f);
    struct rma_verdict v = f->asked < RMA_ASKED_MOST ? k->policy->decide(k->arg, &q) : rma_verdict_now(&q);
    f->asked++;
    struct rma_range r = {v.from, v.to};
    if (v.from < v.to && v.from < q.bytes) {
        r = in_units(r, &q);
        if (r.from == 0 && r.to == q.bytes && !(v.late && q.source_kept))
            act_whole(f);
        else
            act(f, r, v.late);
    }
    bool keep = isinf(v.again) && !is_early(f->step);
    if (f->gaps && keep && f->released)
        act_whole(f);
    tell(f, v.again);
    if (!f->gaps && !is_early(f->step)) {
        finish(f);
    } else if (f->gaps && keep) {
        rma_need_moved(f, RMA_STUCK);
    } else if (f->gaps && !isinf(v.again)) {
        rma_need_moved(f, RMA_MOVING);
        engine_event_at(e, &f->event, engine_now(e) + v.again);
    }
}

/* --- a fate's events -------------------------------------------------------------------------------- */

static void begin_step(struct rma_fate *f, enum rma_step step)
{
    bool goes_on = f->asked && ((f->step == RMA_ISSUED && step == RMA_AT_TARGET) ||
                                (f->step == RMA_REPLIED && step == RMA_AT_ORIGIN));
    f->step = step;
    f->asked = 0;
    f->released = f->told = false;
    if (goes_on)
        return;
    f->cut = false;
    f->gap[0] = (struct rma_range){0, 0};
    f->gap[0].to = question_of(f).bytes;
    f->gaps = f->gap[0].to > 0;
}

/* No other operation of the lane has to act first. */
static bool is_in_turn(const struct rma_op *op)
{
    return !rma_op_lane(op) || !rma_op_class(op)->ordered || rma_lane_turn(op);
}

void rma_fate_arrived(struct rma_op *op, enum rma_step step)
{
    struct rma_fate *f = fate_of(op);
    engine_event_cancel(rma_op_job(op)->engine, &f->event);
    begin_step(f, step);
    if (step == RMA_AT_TARGET)
        op->fabric.owner_state = RMA_KEPT;
    if (f->gaps)
        ask(f);
    else if (!is_early(step))
        finish(f);
}

void rma_fate_behind(struct rma_op *op)
{
    struct rma_fate *f = fate_of(op);
    engine_event_cancel(rma_op_job(op)->engine, &f->event);
    rma_need_moved(f, RMA_BEHIND);
}

/* It is time to ask the policy, for the first time or again. */
static void fate_event(struct engine *e, struct engine_event *ev)
{
    struct rma_fate *f = BASE_CONTAINER(ev, struct rma_fate, event);
    struct rma_op *op = f->op;
    struct rma_job *j = rma_op_job(op);
    struct rma_lane *l = rma_op_lane(op);
    uint32_t epoch = rma_op_epoch(op);
    (void)e;
    if (f->step == RMA_SOURCE)
        begin_step(f, RMA_ISSUED);
    if (f->step == RMA_ISSUED && (!is_in_turn(op) || !f->gaps))
        return;
    rma_cause(j, op->number);
    ask(f);
    rma_op_let_next(l, epoch);
    rma_cause(j, 0);
}

/* As if this was what the operation had fetched. */
static void write_results(struct rma_op *op, const struct rma_area *a, void *bytes)
{
    unsigned char kept[sizeof op->word];
    bool inside = op->inside;
    if (!a->items) {
        rank_write(a->rank, a->address, bytes, a->bytes);
        return;
    }
    memcpy(kept, op->word, sizeof kept);
    op->inside = false;
    op->data = bytes;
    rma_op_class(op)->arrive_in->act(op, 0, a->bytes);
    op->inside = inside;
    memcpy(op->word, kept, sizeof kept);
}

/* Not where the operation reads the same memory. */
static void fill(const struct rma_fate *f)
{
    struct rma_op *op = f->op;
    const struct rma_rules *k = rma_op_job(op)->rules;
    struct rma_fate asked = *f;
    asked.step = RMA_AT_ORIGIN;
    struct rma_question q = question_of(&asked);
    struct rma_area a = rma_area_of(op, RMA_AT_ORIGIN);
    int64_t low = 0, high = (int64_t)a.bytes;
    if (a.items)
        types_layout_span(a.items->layout, a.items->count, &low, &high);
    if (rma_op_touches(op, RMA_AT_TARGET, a.rank, a.address + (uintptr_t)low, a.address + (uintptr_t)high) ||
        !k->policy->fill(k->arg, &q))
        return;
    void *pattern = base_buffers_get(&k->job->buffers, a.bytes);
    memset(pattern, RMA_PATTERN, a.bytes);
    write_results(op, &a, pattern);
    base_buffers_put(&k->job->buffers, pattern, a.bytes);
}

void rma_fate_begin(struct rma_op *op)
{
    struct rma_ctx *c = op->ctx;
    struct rma_rules *k = c->job->rules;
    struct rma_fate *f = base_pool_get(&k->fates);
    op->fabric.owner_flags |= RMA_OBSERVED | RMA_POLICED;
    *f = (struct rma_fate){.op = op, .prev = c->last_fate, .state = RMA_BEHIND, .step = RMA_SOURCE};
    engine_event_init(&f->event, fate_event);
    *(c->last_fate ? &c->last_fate->next : &c->fates) = f;
    c->last_fate = f;
    *(struct rma_fate **)base_table_add(&k->by_number, op->number, NULL) = f;
    rma_need_moved(f, RMA_MOVING);
    if (k->policy->fill && rma_op_class(op)->result && op->fabric.bytes)
        fill(f);
    if (k->policy->early && rma_op_class(op)->effect_in && op->fabric.bytes)
        engine_event_at(c->job->engine, &f->event, rank_now(c->rank));
}

void rma_fate_end(const struct rma_op *op)
{
    struct rma_ctx *c = op->ctx;
    struct rma_rules *k = c->job->rules;
    struct rma_fate *f = fate_of(op);
    rma_need_moved(f, RMA_BEHIND);
    rma_need_over(c, op->number);
    engine_event_cancel(c->job->engine, &f->event);
    *(f->prev ? &f->prev->next : &c->fates) = f->next;
    *(f->next ? &f->next->prev : &c->last_fate) = f->prev;
    base_table_remove(&k->by_number, op->number);
    base_pool_put(&k->fates, f);
}

/* The source is about to become the caller's again: the policy may have bytes that have not acted read late.
 * */
static void ask_source(const struct rma_fate *f)
{
    const struct rma_rules *k = rma_op_job(f->op)->rules;
    struct rma_fate asked = *f;
    asked.step = RMA_SOURCE;
    asked.released = false;
    struct rma_question q = question_of(&asked);
    if (k->policy->decide(k->arg, &q).late)
        read_source(f->op, 0, f->op->fabric.bytes);
}

void rma_sources_ask(struct rma_ctx *c, uint64_t limit, const struct rma_lane *l)
{
    for (const struct rma_fate *f = c->fates; f; f = f->next)
        if (f->op->number < limit && (!l || rma_op_lane(f->op) == l) && keeps_source(f->op))
            ask_source(f);
}

bool rma_release(struct rank_job *job, uint64_t operation)
{
    const struct rma_job *j = rank_part(job, &rma_slot);
    struct rma_fate *f = j->rules ? rma_fate_find(j->rules, operation) : NULL;
    if (!f || f->state != RMA_STUCK)
        return false;
    f->released = true;
    rma_need_moved(f, RMA_MOVING);
    engine_event_at(j->engine, &f->event, engine_now(j->engine));
    return true;
}
