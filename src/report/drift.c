/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drift: when the ranks of two runs of one program drift apart. The k-th call of a rank in one run is its k-th call in the
 * other, if it is of the same function. Calls of functions that one run has not at all are passed over, and so are tests,
 * probes and queries, of which a run has as many as its times allow. Only first threads are compared.
 */
#include "report/drift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "trace/trace.h"

struct call {
    const char *name;
    double begin, end;
};
struct calls {
    BASE_ARRAY(struct call) at;
    uint32_t depth; /* of calls within calls, while they are read */
    uint32_t taken; /* by the comparison */
    double last;    /* when the one before was over */
};
struct side {
    struct trace_file *file;
    const struct trace_about *about;
    struct calls *rank;
    struct base_table names; /* bytes -> whether it is compared */
};

/* --- reading -------------------------------------------------------------------------------------------- */

static bool is_compared(const struct side *s, const char *name)
{
    uint8_t kind = trace_about_call(s->about, name).kind;
    return trace_kinds[kind].group != TRACE_GROUP_QUERY && kind != TRACE_KIND_TEST_REQUEST &&
           kind != TRACE_KIND_TEST_VALUE && kind != TRACE_KIND_PROBE;
}

static void read_event(struct side *s, const struct trace_event *ev)
{
    if (ev->rank >= s->about->ranks || !isfinite(ev->time) || !ev->call) /* of a damaged trace */
        return;
    struct calls *c = &s->rank[ev->rank];
    if (ev->thread || (ev->type != TRACE_CALL_ENTER && ev->type != TRACE_CALL_LEAVE))
        return;
    if (ev->type == TRACE_CALL_ENTER && !c->depth++) {
        bool fresh, *compared = base_table_add_bytes(&s->names, ev->call, strlen(ev->call), &fresh);
        if (fresh)
            *compared = is_compared(s, ev->call);
        if (*compared)
            BASE_ARRAY_PUSH(&c->at, ((struct call){ev->call, ev->time, ev->time}));
    } else if (ev->type == TRACE_CALL_LEAVE && c->depth && !--c->depth && c->at.n &&
               !strcmp(c->at.at[c->at.n - 1].name, ev->call)) {
        c->at.at[c->at.n - 1].end = ev->time;
    }
}

static void read_side(struct side *s, const struct report *r)
{
    struct trace_event ev;
    *s = (struct side){.file = r->file, .about = trace_file_about(r->file)};
    s->rank = base_zalloc(sizeof *s->rank * s->about->ranks, "calls of a trace");
    base_table_init(&s->names, BASE_BYTES, sizeof(bool), "names of calls");
    trace_file_seek(s->file, 0);
    while (trace_file_next(s->file, &ev))
        read_event(s, &ev);
}

static void release_side(struct side *s)
{
    for (uint32_t k = 0; k < s->about->ranks; k++)
        free(s->rank[k].at.at);
    free(s->rank);
    base_table_release(&s->names);
}

static double zero_of(const struct side *s)
{
    double zero = INFINITY;
    for (uint32_t k = 0; k < s->about->ranks; k++)
        if (s->rank[k].at.n)
            zero = fmin(zero, s->rank[k].at.at[0].end);
    return isinf(zero) ? 0 : zero;
}

/* --- comparing ------------------------------------------------------------------------------------------ */

/* The rank's next call of a function that the other run has, too. */
static const struct call *next_call(const struct side *s, const struct side *other, uint32_t rank)
{
    struct calls *c = &s->rank[rank];
    for (; c->taken < c->at.n; c->taken++) {
        const char *name = c->at.at[c->taken].name;
        const bool *there = base_table_find_bytes(&other->names, name, strlen(name));
        if (there && *there)
            return &c->at.at[c->taken];
    }
    return NULL;
}

static void keep_largest(struct drift_step *largest, uint64_t call, const struct call *c, double begin,
                         double a, double b)
{
    if (!largest->call || fabs(a - b) > fabs(largest->amount[0] - largest->amount[1]))
        *largest = (struct drift_step){.call = call, .name = c->name, .begin = begin, .amount = {a, b}};
}

/* Both runs have come to time a, b within the step. */
static void look_apart(const struct drift *d, struct drift_rank *r, const struct call *c, double a, double b)
{
    double apart = (b - d->zero[1]) - (a - d->zero[0]);
    if (r->first.call || fabs(apart) <= d->limit)
        return;
    r->first = (struct drift_step){.call = r->calls, .name = c->name, .begin = a};
    r->moment = a;
    r->apart = apart;
}

static void compare_call(const struct drift *d, struct drift_rank *r, struct side side[2],
                         const struct call *c[2])
{
    struct calls *calls[2] = {&side[0].rank[r->rank], &side[1].rank[r->rank]};
    if (r->calls++) { /* what is before the first one is the launcher's */
        keep_largest(&r->between, r->calls, c[0], calls[0]->last, c[0]->begin - calls[0]->last,
                     c[1]->begin - calls[1]->last);
        look_apart(d, r, c[0], c[0]->begin, c[1]->begin);
        keep_largest(&r->inside, r->calls, c[0], c[0]->begin, c[0]->end - c[0]->begin,
                     c[1]->end - c[1]->begin);
    }
    look_apart(d, r, c[0], c[0]->end, c[1]->end);
    for (unsigned k = 0; k < 2; k++) {
        calls[k]->last = c[k]->end;
        calls[k]->taken++;
    }
}

static void compare_rank(const struct drift *d, struct drift_rank *r, struct side side[2])
{
    for (;;) {
        const struct call *c[2] = {next_call(&side[0], &side[1], r->rank),
                                   next_call(&side[1], &side[0], r->rank)};
        if (!c[0] && !c[1])
            return;
        if (c[0] && c[1] && !strcmp(c[0]->name, c[1]->name)) {
            compare_call(d, r, side, c);
            continue;
        }
        r->parted = true;
        for (unsigned k = 0; k < 2; k++)
            r->other[k] = c[k] ? c[k]->name : NULL;
        return;
    }
}

static int by_difference(const void *a, const void *b)
{
    const struct drift_rank *x = a, *y = b;
    double p = fabs(x->between.amount[0] - x->between.amount[1]),
           q = fabs(y->between.amount[0] - y->between.amount[1]);
    if (p != q)
        return p > q ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

void drift_make(struct drift *d, const struct report *a, const struct report *b)
{
    struct side side[2];
    *d = (struct drift){.limit = fmax(1e-6, 0.01 * fmax(a->facts->end, b->facts->end))};
    if (!a->file || !b->file || a->facts->about->ranks != b->facts->about->ranks)
        return;
    read_side(&side[0], a);
    read_side(&side[1], b);
    d->zero[0] = zero_of(&side[0]);
    d->zero[1] = zero_of(&side[1]);
    d->ranks = a->facts->about->ranks;
    d->rank = base_zalloc(sizeof *d->rank * d->ranks, "ranks that are compared");
    for (uint32_t k = 0; k < d->ranks; k++) {
        d->rank[k].rank = k;
        compare_rank(d, &d->rank[k], side);
    }
    qsort(d->rank, d->ranks, sizeof *d->rank, by_difference);
    release_side(&side[0]);
    release_side(&side[1]);
}

void drift_release(struct drift *d)
{
    free(d->rank);
}
