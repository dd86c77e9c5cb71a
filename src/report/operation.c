/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations: one-sided ones and messages of collectives, from the instant of issue to the last one. All of
 * them are kept: the path and the timelines need the past.
 *
 * An operation's narrowest link is determined at issue and at arrival: the one with the least bandwidth per
 * operation on it.
 *
 * Invariants
 *  O1  A number is in the table once; its first operation has it.
 */
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK = 1 << REPORT_OPS_SHIFT, NEAR = 8 };

/* --- the table --------------------------------------------------------------------------------------- */

/* Numbers mostly follow one another: neighbours in number are neighbours in the table, where a line of the
 * cache has eight. */
static uint32_t hash_of(uint64_t number)
{
    return base_hash(number / NEAR) * NEAR + (uint32_t)(number % NEAR);
}

uint32_t report_op_find(const struct report_work *w, uint64_t number)
{
    uint32_t hash = hash_of(number);
    if (!number)
        return 0;
    for (uint32_t at = hash, k; (k = base_index_next(&w->by_number, hash, &at)) != BASE_NONE;)
        if (report_op_at(w, k)->number == number)
            return k + 1;
    return 0;
}

static struct report_op *append(struct report_work *w)
{
    if (w->ops % BLOCK == 0) {
        size_t b = w->ops / BLOCK;
        if (b == w->blocks_cap)
            w->block =
                base_array_grow(w->block, &w->blocks_cap, b + 1, sizeof *w->block, "operations of the trace");
        w->block[b] = base_alloc(sizeof **w->block * BLOCK, "operations of the trace");
    }
    return report_op_at(w, w->ops++);
}

static struct report_op *add(struct report_work *w, uint64_t number)
{
    base_index_add(&w->by_number, hash_of(number), w->ops);
    struct report_op *op = append(w);
    op->number = number;
    return op;
}

uint32_t report_op_wake(struct report_facts *f, uint32_t lane, uint32_t rank)
{
    struct report_work *w = f->work;
    *append(w) = (struct report_op){.issued = w->now,
                                    .end = w->now,
                                    .lane = lane,
                                    .position = (uint32_t)w->lane[lane].n - 1,
                                    .target = rank,
                                    .link = REPORT_NO_LINK,
                                    .kind = REPORT_WAKE,
                                    .ended = true};
    return w->ops;
}

void report_ops_init(struct report_work *w)
{
    base_index_init(&w->by_number, "operations of the trace");
}

void report_ops_release(struct report_work *w)
{
    for (uint32_t k = 0; k < w->ops; k += BLOCK)
        free(w->block[k / BLOCK]);
    free(w->block);
    free(w->message.at);
    base_index_release(&w->by_number);
}

/* --- ways -------------------------------------------------------------------------------------------- */

static uint32_t way(const struct report_facts *f, const struct report_op *op, const uint32_t **links,
                    double *latency)
{
    const struct trace_about *a = f->about;
    uint32_t origin = a->rank_host[f->work->lane[op->lane].rank], target = a->rank_host[op->target];
    *latency = 0;
    *links = NULL;
    if (!a->route)
        return 0;
    if (op->kind == REPORT_GET)
        return a->route(a->ctx, target, origin, links, latency);
    return a->route(a->ctx, origin, target, links, latency);
}

uint32_t report_op_route(const struct report_facts *f, const struct report_op *op, const uint32_t **links)
{
    double latency;
    *links = NULL;
    return op->bytes && op->kind != REPORT_ATOMIC ? way(f, op, links, &latency) : 0;
}

/* Records a narrower link if there is one, given the operations on the links now. */
static void narrow(const struct report_facts *f, struct report_op *op, const uint32_t *links, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        const struct trace_link *l = &f->about->link[links[k]];
        uint32_t flying = l->fatpipe ? 1 : f->work->flying[links[k]];
        double share = l->bandwidth / (flying ? flying : 1);
        if (op->link != REPORT_NO_LINK && !(share < (double)op->share))
            continue;
        op->link = links[k];
        op->share = (float)share;
    }
}

static void set_out(struct report_facts *f, struct report_op *op)
{
    const uint32_t *links;
    uint32_t n = report_op_route(f, op, &links);
    for (uint32_t k = 0; k < n; k++)
        f->work->flying[links[k]]++;
    narrow(f, op, links, n);
}

static void arrive(struct report_facts *f, struct report_op *op)
{
    const uint32_t *links;
    uint32_t n = report_op_route(f, op, &links);
    narrow(f, op, links, n);
    for (uint32_t k = 0; k < n; k++)
        if (f->work->flying[links[k]])
            f->work->flying[links[k]]--;
}

/* --- instants ---------------------------------------------------------------------------------------- */

static void count(struct report_facts *f, const struct trace_event *ev, enum report_kind kind)
{
    bool collective = kind == REPORT_MESSAGE || kind == REPORT_NOTICE;
    struct report_call *c = report_call_of(f->work, report_names_call(f->work->names, ev->call));
    f->kind[kind].count++;
    f->kind[kind].bytes += ev->bytes;
    report_distribution_add(&f->kind[kind].size, (double)ev->bytes);
    report_matrix_add(&f->operations[collective], ev->rank, ev->peer, 1);
    report_matrix_add(&f->bytes[collective], ev->rank, ev->peer, (double)ev->bytes);
    f->rank[ev->rank].sent++;
    f->rank[ev->rank].sent_bytes += ev->bytes;
    f->rank[ev->peer].taken++;
    f->rank[ev->peer].taken_bytes += ev->bytes;
    c->operations++;
    c->bytes += ev->bytes;
}

static double usable(double seconds)
{
    return seconds > 0 && isfinite(seconds) ? seconds : 0;
}

void report_op_issued(struct report_facts *f, const struct trace_event *ev, enum report_kind kind)
{
    struct report_work *w = f->work;
    count(f, ev, kind);
    if (!ev->op || report_op_find(w, ev->op))
        return;
    const struct report_lane *l = report_lane_of(f, ev->rank, ev->thread);
    uint32_t cause = report_op_find(w, ev->cause);
    struct report_op *op = add(w, ev->op);
    op->issued = op->end = w->now;
    op->bytes = ev->bytes;
    op->least = (float)usable(ev->least);
    op->lane = (uint32_t)(l - w->lane);
    op->position = (uint32_t)l->n - 1;
    op->target = ev->peer;
    op->cause = cause;
    op->link = REPORT_NO_LINK;
    op->call = report_names_call(w->names, ev->call);
    op->kind = (uint8_t)kind;
    op->ended = false;
    if (kind == REPORT_SEND) {
        op->message = (uint32_t)w->message.n;
        BASE_ARRAY_PUSH(&w->message, ((struct report_message){.context = ev->context, .tag = ev->tag}));
    }
    set_out(f, op);
}

void report_op_instant(struct report_facts *f, const struct trace_event *ev, bool over, bool there)
{
    uint32_t found = report_op_find(f->work, ev->op);
    if (!found)
        return; /* issued before the trace begins */
    struct report_op *op = report_op_at(f->work, found - 1);
    op->end = f->work->now;
    report_kept_over(f->work, ev->op);
    if (there && !op->ended)
        arrive(f, op);
    op->ended |= over;
}

void report_op_matched(struct report_facts *f, const struct trace_event *ev)
{
    uint32_t found = report_op_find(f->work, ev->op);
    const struct report_op *op = found ? report_op_at(f->work, found - 1) : NULL;
    if (op && op->kind == REPORT_SEND)
        f->work->message.at[op->message].matched = f->work->now;
}

struct report_flight report_op_flight(const struct report_facts *f, const struct report_op *op, double end)
{
    const uint32_t *links;
    double whole = end - op->issued, least = (double)op->least, latency = 0;
    struct report_flight flight = {0};
    uint32_t n = way(f, op, &links, &latency);
    if (least <= 0)
        least = usable(latency);
    double there = fmin(end, op->ended ? op->end : end) - op->issued;
    double beyond = fmax(there - least, 0);
    if (op->link != REPORT_NO_LINK && f->about->link[op->link].bandwidth > 0)
        flight.transfer = fmin(beyond, (double)op->bytes / f->about->link[op->link].bandwidth);
    else if (!n && op->kind != REPORT_ATOMIC && op->bytes)
        flight.transfer = beyond; /* within a host: its memory's bandwidth */
    flight.contention = beyond - flight.transfer;
    flight.latency = whole - beyond;
    return flight;
}
