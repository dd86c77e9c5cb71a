/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lanes: what each thread of each rank does, from its events. A record is made when the state changes. A
 * state that took no time is overwritten by the next one, except for the cause of the wait that ended.
 *
 * Calls within calls, and waits within waits, belong to the outermost one. Computing within a wait counts as
 * computing.
 *
 * Invariants (L1 to L3: internal.h)
 *  L4  A lane has a record from its first event on.
 */
#include "report/internal.h"

static uint32_t add_lane(struct report_facts *f, uint32_t rank, uint32_t thread)
{
    struct report_work *w = f->work;
    if (w->lanes == w->lanes_cap)
        w->lane =
            base_array_grow(w->lane, &w->lanes_cap, w->lanes + 1, sizeof *w->lane, "threads of the trace");
    w->lane[w->lanes] =
        (struct report_lane){.rank = rank, .thread = thread, .more = REPORT_NO_LANE, .recent = rank};
    return w->lanes++;
}

static void push(struct report_lane *l, struct report_change c)
{
    if (l->n == l->cap)
        l->at = base_array_grow(l->at, &l->cap, l->n + 1, sizeof *l->at, "what ranks did");
    l->at[l->n++] = c;
}

/* A thread that is not the first was started by the one of its rank that did something last. */
static void begin(struct report_facts *f, uint32_t lane)
{
    const struct report_lane *l = &f->work->lane[lane], *first = &f->work->lane[l->rank];
    uint32_t cause =
        l != first && f->work->lane[first->recent].n ? report_op_wake(f, first->recent, l->rank) : 0;
    push(&f->work->lane[lane], (struct report_change){.time = f->work->now, .cause = cause});
}

struct report_lane *report_lane_of(struct report_facts *f, uint32_t rank, uint32_t thread)
{
    struct report_work *w = f->work;
    while (w->lanes < f->about->ranks)
        add_lane(f, w->lanes, 0);
    uint32_t at = rank;
    while (w->lane[at].thread != thread) {
        uint32_t next = w->lane[at].more;
        if (next == REPORT_NO_LANE) {
            next = add_lane(f, rank, thread);
            w->lane[at].more = next;
        }
        at = next;
    }
    if (!w->lane[at].n)
        begin(f, at);
    return &w->lane[at];
}

/* --- states ------------------------------------------------------------------------------------------ */

static report_name doing(const struct report_lane *l)
{
    if (l->computes)
        return REPORT_DOING_COMPUTE;
    return l->waits ? l->wait : REPORT_DOING_OWN;
}

/* The lane's state may have changed now. `cause`: of the end of a wait. */
static void change(struct report_facts *f, struct report_lane *l, uint32_t cause)
{
    double now = f->work->now;
    struct report_change *last = &l->at[l->n - 1];
    struct report_change c = {now, cause, l->calls ? l->call : 0, doing(l)};
    if (c.call == last->call && c.doing == last->doing && !cause)
        return;
    if (now > last->time) {
        report_account(f, l, last, now - last->time);
        push(l, c);
        return;
    }
    if (!c.cause)
        c.cause = last->cause;
    *last = c;
}

/* --- events ------------------------------------------------------------------------------------------ */

static void enter(struct report_facts *f, struct report_lane *l, report_name call)
{
    if (l->calls++)
        return;
    l->call = call;
    l->call_since = f->work->now;
    change(f, l, 0);
}

static void leave(struct report_facts *f, struct report_lane *l)
{
    if (!l->calls || --l->calls)
        return;
    double took = f->work->now - l->call_since;
    change(f, l, 0);
    struct report_call *c = report_call_of(f->work, l->call);
    c->count++;
    if (c->count == 1 || took > c->longest) {
        c->longest = took;
        c->longest_rank = l->rank;
        c->longest_at = l->call_since;
    }
}

static void wait_begin(struct report_facts *f, struct report_lane *l, const char *what)
{
    if (l->waits++)
        return;
    report_name name = report_names_call(f->work->names, what);
    l->wait = name ? name : report_names_find(f->work->names, "unknown");
    l->wait_since = f->work->now;
    change(f, l, 0);
}

/* The lane whose code ended the wait of lane `l`: of a rank with several the one that did something last, of
 * the waiting one's own rank another one that does not wait. */
static uint32_t waker(struct report_facts *f, const struct report_lane *l, uint32_t rank)
{
    uint32_t waits = (uint32_t)(l - f->work->lane);
    if (!f->work->lane[rank].n)
        return REPORT_NO_LANE;
    uint32_t at = f->work->lane[rank].recent;
    if (at != waits)
        return at;
    for (at = rank; at != REPORT_NO_LANE; at = f->work->lane[at].more)
        if (at != waits && !f->work->lane[at].waits)
            break;
    return at;
}

static uint32_t cause_of(struct report_facts *f, const struct report_lane *l, uint64_t cause)
{
    if (!(cause & TRACE_BY_RANK))
        return report_op_find(f->work, cause);
    uint64_t rank = cause & ~TRACE_BY_RANK;
    uint32_t by = rank < f->about->ranks ? waker(f, l, (uint32_t)rank) : REPORT_NO_LANE;
    return by == REPORT_NO_LANE ? 0 : report_op_wake(f, by, l->rank);
}

/* A wait that took no time has no cause, or a path could loop. */
static void wait_end(struct report_facts *f, struct report_lane *l, uint64_t number)
{
    if (!l->waits || --l->waits)
        return;
    double took = f->work->now - l->wait_since;
    uint32_t cause = took > 0 && l->at[l->n - 1].time < f->work->now ? cause_of(f, l, number) : 0;
    change(f, l, cause);
    if (l->computes) /* it shared a core */
        return;
    report_waited(f, l, cause, took);
    report_late(f, l, cause, took);
}

static void life(struct report_facts *f, const struct trace_event *ev)
{
    struct report_rank *r = &f->rank[ev->rank];
    if (ev->type == TRACE_RANK_BEGIN && !r->began) {
        r->began = true;
        r->world = ev->context < f->about->ranks ? (uint32_t)ev->context : 0;
        r->begin = f->work->now;
    } else if (ev->type == TRACE_RANK_END) {
        r->ended = true;
        r->end = f->work->now;
    }
}

void report_lane_event(struct report_facts *f, const struct trace_event *ev)
{
    struct report_lane *l = report_lane_of(f, ev->rank, ev->thread);
    f->rank[ev->rank].seen = true;
    if (ev->type != TRACE_WAIT_BEGIN && ev->type != TRACE_WAIT_END)
        f->work->lane[ev->rank].recent = (uint32_t)(l - f->work->lane);
    switch (ev->type) {
    case TRACE_CALL_ENTER:
        enter(f, l, report_names_call(f->work->names, ev->call));
        break;
    case TRACE_CALL_LEAVE:
        leave(f, l);
        break;
    case TRACE_WAIT_BEGIN:
        wait_begin(f, l, ev->call);
        break;
    case TRACE_WAIT_END:
        wait_end(f, l, ev->cause);
        break;
    case TRACE_COMPUTE_BEGIN:
        l->computes++;
        change(f, l, 0);
        break;
    case TRACE_COMPUTE_END:
        l->computes -= l->computes > 0;
        change(f, l, 0);
        break;
    default:
        life(f, ev);
    }
}

/* A state open at the end of the trace lasts until then. A rank's log ends when the rank does. */
void report_lanes_finish(struct report_facts *f)
{
    struct report_work *w = f->work;
    for (uint32_t k = 0; k < w->lanes; k++) {
        struct report_lane *l = &w->lane[k];
        const struct report_rank *r = &f->rank[l->rank];
        double end = r->ended ? r->end : w->now;
        if (!l->n || !r->seen)
            continue;
        const struct report_change *last = &l->at[l->n - 1];
        if (end > last->time)
            report_account(f, l, last, end - last->time);
        if (l->waits)
            report_waited(f, l, 0, end > l->wait_since ? end - l->wait_since : 0);
    }
}
