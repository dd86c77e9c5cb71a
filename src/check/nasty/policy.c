/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * policy: the adversary as a policy of rma. Does with each operation what its plan says; chooses the order in
 * which operations are let go; gives in, one operation at a time, when ranks wait for memory or nothing else can
 * happen.
 */
#include "check/nasty/parts.h"

#include <math.h>
#include <string.h>

static struct rma_verdict all_of(const struct rma_question *q)
{
    return (struct rma_verdict){0, q->bytes, 0, false};
}

static struct rma_verdict nothing(double again)
{
    return (struct rma_verdict){0, 0, again, false};
}

/* A wait or test of OpenSHMEM's returns only when the update of its variable is complete (1.6, section 9.11), so
 * words of 8 bytes stay whole. The first one may begin before the data. */
static uint64_t at_word(const struct nasty_op *op, const struct rma_question *q, uint64_t at)
{
    const uint64_t word = 8;
    bool is_run = (q->step == RMA_AT_TARGET || q->step == RMA_ISSUED) && op->areas &&
                  op->area[0].high - op->area[0].low == q->bytes;
    uint64_t before = is_run ? q->address % word : 0;
    uint64_t down = (at + before) / word * word;
    return op->mpi ? at : down < before ? 0 : down - before;
}

/* Some bytes, others every time. */
static struct rma_verdict piece(const struct nasty *n, const struct nasty_op *op,
                                const struct rma_question *q, enum nasty_kind kind, double again)
{
    struct base_random r =
        nasty_random(n, (struct nasty_key){kind, op->origin->id, op->seq << 12 | q->asked});
    uint64_t from = base_random_below(&r, q->bytes), to = from + 1 + base_random_below(&r, q->bytes - from);
    return (struct rma_verdict){at_word(op, q, from), to < q->bytes ? at_word(op, q, to) : to,
                                again > 0 ? again : nasty_delay(&r, 8), false};
}

/* --- steps ------------------------------------------------------------------------------------------- */

static struct rma_verdict early(const struct nasty *n, const struct nasty_op *op,
                                const struct rma_question *q, bool wanted, int part)
{
    if (!wanted)
        return nothing(INFINITY);
    return op->plan[part].pieces ? piece(n, op, q, (enum nasty_kind)(NASTY_CUT + part), INFINITY) : all_of(q);
}

/* It may be let go in pieces, and late, but it goes. */
static struct rma_verdict let_go(const struct nasty *n, const struct nasty_op *op, struct nasty_plan *p,
                                 const struct rma_question *q, enum nasty_kind cut)
{
    if (!p->asked) {
        p->asked = true;
        struct base_random r = nasty_random(n, (struct nasty_key){NASTY_GIVE, op->origin->id, op->seq});
        double late = n->options.latency * base_random_unit(&r);
        if (!n->options.exact)
            late += nasty_delay(&r, 6);
        if (late > 0)
            return nothing(late);
    }
    if (p->pieces && p->pieces--)
        return piece(n, op, q, cut, 0);
    return all_of(q);
}

static struct rma_verdict at_step(const struct nasty *n, struct nasty_op *op, const struct rma_question *q,
                                  int part)
{
    struct nasty_plan *p = &op->plan[part];
    enum nasty_kind cut = (enum nasty_kind)(NASTY_CUT + part);
    if (q->released)
        return let_go(n, op, p, q, cut);
    double delay = p->delay;
    p->delay = 0;
    if (delay > 0 && p->pieces > 4) /* part of it at once */
        return piece(n, op, q, cut, delay);
    if (delay > 0)
        return nothing(delay);
    if (p->pieces && p->pieces--)
        return piece(n, op, q, cut, 0);
    return all_of(q);
}

static struct rma_verdict decide(void *arg, const struct rma_question *q)
{
    struct nasty *n = arg;
    struct nasty_op *op = nasty_op_find(n, q->operation);
    struct rma_verdict v = nothing(0);
    if (!op)
        return all_of(q);
    switch (q->step) {
    case RMA_SOURCE:
        break;
    case RMA_ISSUED:
        v = early(n, op, q, op->early, 0);
        break;
    case RMA_REPLIED:
        v = early(n, op, q, op->reply, 2);
        break;
    case RMA_AT_TARGET:
        v = at_step(n, op, q, 0);
        break;
    case RMA_IN_UNIT:
        v = at_step(n, op, q, 1);
        break;
    case RMA_AT_ORIGIN:
        v = at_step(n, op, q, 2);
        break;
    }
    v.late = op->late && q->source_kept;
    nasty_kept_remove(n, op);
    if (isinf(v.again) && q->step != RMA_ISSUED && q->step != RMA_REPLIED) {
        nasty_kept_add(n, op);
        nasty_progress_kept(n, op);
    }
    return v;
}

/* --- demands ----------------------------------------------------------------------------------------- */

static void swap(uint64_t *a, uint64_t *b)
{
    uint64_t kept = *a;
    *a = *b;
    *b = kept;
}

static void shuffle(uint64_t *operations, size_t n, struct base_random *r)
{
    for (size_t k = n; k > 1; k--)
        swap(&operations[k - 1], &operations[base_random_below(r, k)]);
}

static void reverse(uint64_t *operations, size_t n)
{
    for (size_t k = 0; k < n / 2; k++)
        swap(&operations[k], &operations[n - 1 - k]);
}

/* Those that `first` says come first; the order among them, and among the others, stays. Returns how many. */
static size_t part(struct nasty *n, uint64_t *operations, size_t count,
                   bool (*first)(const struct nasty_op *op))
{
    size_t front = 0;
    n->others.n = 0;
    for (size_t k = 0; k < count; k++) {
        const struct nasty_op *op = nasty_op_find(n, operations[k]);
        if (op && !first(op))
            BASE_ARRAY_PUSH(&n->others, operations[k]);
        else
            operations[front++] = operations[k];
    }
    if (n->others.n)
        memcpy(&operations[front], n->others.at, n->others.n * sizeof *operations);
    return front;
}

static bool is_put(const struct nasty_op *op)
{
    return op->writes;
}
static bool is_get(const struct nasty_op *op)
{
    return !op->writes;
}
static bool is_shmem(const struct nasty_op *op)
{
    return !op->mpi;
}

static void put_in_order(struct nasty *n, const struct rank *rank, uint64_t *operations, size_t count)
{
    static const char *const names[] = {"random", "", "reverse", "puts before gets", "gets before puts"};
    if (n->points) {
        nasty_script_order(n, rank, operations, count);
        return;
    }
    uint32_t of = rank ? rank->id : 0;
    struct nasty_key k = {NASTY_ORDER, of, n->rank[of].demands++};
    struct base_random r = nasty_random(n, k);
    enum nasty_order how = n->options.order;
    if (how == NASTY_MIXED)
        how = (enum nasty_order[]){NASTY_ANY_ORDER, NASTY_REVERSE, NASTY_PUT_FIRST,
                                   NASTY_GET_FIRST}[base_random_below(&r, 4)];
    struct nasty_about a = {(struct rank *)(uintptr_t)rank, NULL, 0};
    if (!nasty_may(n, k, &a, "%zu operations are let go, %s", count, names[how]))
        return;
    if (how == NASTY_REVERSE)
        reverse(operations, count);
    else
        shuffle(operations, count, &r);
    if (how == NASTY_PUT_FIRST)
        part(n, operations, count, is_put);
    if (how == NASTY_GET_FIRST)
        part(n, operations, count, is_get);
}

/* How many of `count` go although no completion call needs them. */
static size_t give_in(struct nasty *n, const struct rma_demand *d, size_t count)
{
    if (d->reason == RMA_FOR_PROGRESS || !d->rank || n->points)
        return d->reason == RMA_FOR_PROGRESS && count > 0;
    struct base_random r = nasty_random(
        n, (struct nasty_key){NASTY_GIVE, d->rank->id, UINT64_MAX - n->rank[d->rank->id].demands});
    return count > 0 && nasty_chance(&r, 1, d->reason == RMA_FOR_POLL ? 8 : 2);
}

static size_t demand(void *arg, const struct rma_demand *d, uint64_t *operations, size_t count)
{
    struct nasty *n = arg;
    if (count > 1)
        put_in_order(n, d->rank, operations, count);
    else if (d->rank)
        n->rank[d->rank->id].demands++;
    if (d->reason == RMA_FOR_COMPLETION)
        return count;
    return give_in(n, d,
                   n->options.defer && d->reason == RMA_FOR_PROGRESS ? part(n, operations, count, is_shmem)
                                                                     : count);
}

/* --- patterns ---------------------------------------------------------------------------------------- */

static bool fill(void *arg, const struct rma_question *q)
{
    struct nasty *n = arg;
    if (!n->fills)
        return false;
    const struct nasty_op *op = nasty_op_find(n, q->operation);
    if (!op || op->temper == NASTY_ALL_PLAIN || n->rank[q->origin->id].poll.times)
        return false;
    struct nasty_key k = {NASTY_FILL, op->origin->id, op->seq};
    struct base_random r = nasty_random(n, k);
    const struct nasty_about a = {op->origin, op->call, op->caller};
    return nasty_chance(&r, 1, 4) && nasty_may(n, k, &a, "a pattern lies where its results will be");
}

const struct rma_policy nasty_policy = {decide, demand, true, fill};
