/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_walk: walks through a trace from its last event backwards, as the critical path does, and fails where the chain
 * has a gap: a rank's time is its own back to the last wait that an operation ended; from there the path goes to who
 * issued that operation, when it was issued; there either the rank's own code was, or another arrival. Prints how much of
 * the way was what.
 *
 *     trace_walk FILE [CAUSELESS...]
 *
 * Waits without a cause whose names are not among CAUSELESS, and last, are an error: an operation was lost on the way. So are
 * an arrival before its issue, less time than the least, an end without its beginning, and events that are not in order.
 */
#include "trace/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct operation {
    double issued, arrived, least;
    uint64_t cause;
    uint32_t rank, peer;
    bool known;
};
struct wait {
    double begin, end;
    uint64_t cause;
};
struct rank {
    BASE_ARRAY(struct wait) waits; /* those with a cause, in order of their ends */
    double end;
    bool ended;
    struct {
        const struct trace_event *begin;
        struct trace_event kept;
    } open[64]; /* by thread */
};

static struct rank *ranks;
static BASE_ARRAY(struct operation) operations;
static int wrong;

__attribute__((format(printf, 1, 2))) static void complain(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (wrong++ < 20) {
        vfprintf(stderr, fmt, args);
        fputc('\n', stderr);
    }
    va_end(args);
}

static struct operation *operation(uint64_t number)
{
    const struct operation none = {.known = false};
    while (operations.n <= number)
        BASE_ARRAY_PUSH(&operations, none);
    return &operations.at[number];
}

static void see_issue(const struct trace_event *ev)
{
    struct operation *o = operation(ev->op);
    if (!ev->op || o->known)
        complain("operation %" PRIu64 " is issued twice, or has no number", ev->op);
    *o = (struct operation){ev->time, -1, ev->least, ev->cause, ev->rank, ev->peer, true};
    if (ev->cause && (!operation(ev->cause)->known || operation(ev->cause)->arrived > ev->time))
        complain("operation %" PRIu64 " is issued for %" PRIu64 ", which did not arrive before", ev->op,
                 ev->cause);
}

static void see_arrival(const struct trace_event *ev)
{
    struct operation *o = operation(ev->op);
    if (!o->known || o->rank != ev->rank || o->peer != ev->peer || ev->time < o->issued)
        complain("operation %" PRIu64 " (%s) was not issued before", ev->op, trace_type_text(ev->type));
    o->arrived = ev->time;
}

/* Every wait is to have an end; one that an operation ended is kept. */
static void see_wait(const struct trace_event *ev, char **causeless, int n)
{
    struct rank *r = &ranks[ev->rank];
    if (ev->type == TRACE_WAIT_BEGIN) {
        if (r->open[ev->thread].begin)
            complain("rank %u waits twice", ev->rank);
        r->open[ev->thread].kept = *ev;
        r->open[ev->thread].begin = &r->open[ev->thread].kept;
        return;
    }
    const struct trace_event *begin = r->open[ev->thread].begin;
    if (!begin || begin->time > ev->time || strcmp(begin->call, ev->call) != 0) {
        complain("rank %u: the wait for %s that ends at %.9g did not begin", ev->rank, ev->call, ev->time);
        return;
    }
    r->open[ev->thread].begin = NULL;
    bool may = ev->time <= begin->time;
    for (int k = 0; k < n; k++)
        may |= !strcmp(causeless[k], ev->call);
    if (!ev->cause && !may)
        complain("rank %u: nothing ended its wait for %s, %.9g to %.9g", ev->rank, ev->call, begin->time,
                 ev->time);
    const struct operation *o = operation(ev->cause);
    if (ev->cause && (!o->known || o->arrived < 0 || o->arrived > ev->time ||
                      (o->rank != ev->rank && o->peer != ev->rank)))
        complain("rank %u: its wait for %s was ended by operation %" PRIu64 ", which did not come to it",
                 ev->rank, ev->call, ev->cause);
    const struct wait w = {begin->time, ev->time, ev->cause};
    if (ev->cause)
        BASE_ARRAY_PUSH(&r->waits, w);
}

static void see(const struct trace_event *ev, char **causeless, int n)
{
    switch (ev->type) {
    case TRACE_PUT_ISSUED:
    case TRACE_GET_ISSUED:
    case TRACE_ATOMIC_ISSUED:
    case TRACE_MESSAGE_ISSUED:
        see_issue(ev);
        break;
    case TRACE_PUT_DELIVERED:
    case TRACE_SIGNAL_UPDATED:
    case TRACE_GET_READ:
    case TRACE_GET_ARRIVED:
    case TRACE_ATOMIC_EXECUTED:
    case TRACE_ATOMIC_ARRIVED:
    case TRACE_MESSAGE_ARRIVED:
        see_arrival(ev);
        break;
    case TRACE_WAIT_BEGIN:
    case TRACE_WAIT_END:
        see_wait(ev, causeless, n);
        break;
    case TRACE_RANK_END:
        ranks[ev->rank].end = ev->time;
        ranks[ev->rank].ended = true;
        break;
    default:
        break;
    }
}

/* The last wait of the rank that an operation ended by then. */
static const struct wait *last_wait(const struct rank *r, double time)
{
    size_t n = r->waits.n;
    while (n && r->waits.at[n - 1].end > time)
        n--;
    return n ? &r->waits.at[n - 1] : NULL;
}

struct way {
    double own, under_way;
    unsigned hops;
};

/* From the instant on which the rank goes on, back to the issue at which somebody's own code was. */
static void follow(uint64_t cause, double *time, uint32_t *rank, struct way *way)
{
    while (cause) {
        const struct operation *o = operation(cause);
        if (o->issued > *time) {
            complain("operation %" PRIu64 " is issued at %.9g, after %.9g", cause, o->issued, *time);
            return;
        }
        way->under_way += *time - o->issued;
        way->hops++;
        *time = o->issued;
        *rank = o->rank;
        cause = o->cause;
    }
}

static void walk(uint32_t rank, double time)
{
    struct way way = {0};
    double end = time;
    for (;;) {
        const struct wait *w = last_wait(&ranks[rank], time);
        /* An own time within which an operation was waited for is none. */
        for (size_t k = 0; w && k < ranks[rank].waits.n; k++)
            if (ranks[rank].waits.at[k].begin > w->end && ranks[rank].waits.at[k].end <= time)
                complain("rank %u: a wait is left out", rank);
        way.own += time - (w ? w->end : 0);
        time = w ? w->end : 0;
        if (!w)
            break;
        uint64_t hops = way.hops;
        follow(w->cause, &time, &rank, &way);
        if (hops == way.hops || way.hops > 10000000)
            break;
    }
    double gap = end - way.own - way.under_way;
    if (gap > 1e-9 * end || gap < -1e-9 * end)
        complain("the way's length is %.12g, not %.12g", way.own + way.under_way, end);
    printf("end %.9g own %.9g under way %.9g hops %u\n", end, way.own, way.under_way, way.hops);
}

int main(int argc, char **args)
{
    struct trace_file *f;
    struct base_status st;
    struct trace_event ev;
    double last = 0;
    uint32_t rank = 0;
    if (argc < 2 || trace_file_open(&f, args[1], &st)) {
        fprintf(stderr, "%s\n", argc < 2 ? "which trace?" : st.text);
        return 2;
    }
    uint32_t n = trace_file_about(f)->ranks;
    ranks = calloc(n, sizeof *ranks);
    while (trace_file_next(f, &ev)) {
        if (ev.time < last)
            complain("%s of rank %u at %.12g comes after %.12g", trace_type_text(ev.type), ev.rank, ev.time,
                     last);
        last = ev.time;
        see(&ev, args + 2, argc - 2);
    }
    if (trace_file_damage(f))
        complain("%s", trace_file_damage(f));
    for (size_t k = 1; k < operations.n; k++) {
        const struct operation *o = &operations.at[k];
        if (o->known && o->arrived >= 0 && o->arrived - o->issued < o->least * (1 - 1e-9))
            complain("operation %zu takes %.9g, at least %.9g", k, o->arrived - o->issued, o->least);
    }
    for (uint32_t k = 0; k < n; k++)
        if (ranks[k].ended && ranks[k].end >= ranks[rank].end)
            rank = k;
    walk(rank, ranks[rank].end);
    trace_file_close(f);
    return wrong != 0;
}
