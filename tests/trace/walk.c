/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk: follows a trace backwards from its last event, as the critical path does, and fails if the chain has
 * a gap. Going back, time belongs to the rank itself until a wait that an operation ended. There the path
 * jumps to the rank that issued the operation, at the time of the issue, and goes on in the same way. Prints
 * the shares of the path.
 *
 *     walk FILE [CAUSELESS...]
 *
 * It is an error if a wait that takes time has no cause, unless CAUSELESS names it: the trace has lost an
 * operation. It is also an error if an operation arrives before its issue or sooner than its least time, an
 * end has no beginning, a field is filled that the type does not have, the name of a call or wait has no
 * known kind, or events are out of order.
 */
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct operation {
    double issued, arrived, least;
    uint64_t cause, place; /* of its issue among the events */
    uint32_t rank, peer;
    bool known;
};
struct wait {
    double begin, end;
    uint64_t cause, place;
};
struct rank {
    BASE_ARRAY(struct wait) waits; /* those with a cause, in order of their ends */
    double end;
    bool ended;
    struct {
        const struct trace_event *begin;
        struct trace_event kept;
        int collectives;
    } open[64]; /* by thread */
};

static struct rank *ranks;
static BASE_ARRAY(struct operation) operations;
static uint64_t place; /* of the event that is read */
static int wrong;
static unsigned in_category[TRACE_CATEGORIES], addresses, contexts;

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
    *o = (struct operation){ev->time, -1, ev->least, ev->cause, place, ev->rank, ev->peer, true};
    if (ev->cause && (!operation(ev->cause)->known || operation(ev->cause)->arrived > ev->time))
        complain("operation %" PRIu64 " is issued for %" PRIu64 ", which did not arrive before", ev->op,
                 ev->cause);
}

static void see_arrival(const struct trace_event *ev)
{
    struct operation *o = operation(ev->op);
    if (!o->known || o->rank != ev->rank || o->peer != ev->peer || ev->time < o->issued)
        complain("operation %" PRIu64 " (%s) was not issued before", ev->op, trace_types[ev->type].text);
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
    bool may = ev->time <= begin->time || r->open[ev->thread].collectives;
    for (int k = 0; k < n; k++)
        may |= !strcmp(causeless[k], ev->call);
    if (!ev->cause && !may)
        complain("rank %u: nothing ended its wait for %s, %.9g to %.9g", ev->rank, ev->call, begin->time,
                 ev->time);
    const struct operation *o = operation(ev->cause & TRACE_BY_RANK ? 0 : ev->cause);
    if (ev->cause && !(ev->cause & TRACE_BY_RANK) &&
        (!o->known || o->arrived < 0 || o->arrived > ev->time ||
         (o->rank != ev->rank && o->peer != ev->rank)))
        complain("rank %u: its wait for %s was ended by operation %" PRIu64 ", which did not come to it",
                 ev->rank, ev->call, ev->cause);
    const struct wait w = {begin->time, ev->time, ev->cause, place};
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
    case TRACE_SEND_ISSUED:
        see_issue(ev);
        break;
    case TRACE_PUT_DELIVERED:
    case TRACE_SIGNAL_UPDATED:
    case TRACE_GET_READ:
    case TRACE_GET_ARRIVED:
    case TRACE_ATOMIC_EXECUTED:
    case TRACE_ATOMIC_ARRIVED:
    case TRACE_MESSAGE_ARRIVED:
    case TRACE_SEND_ARRIVED:
    case TRACE_SEND_RECEIVED:
        see_arrival(ev);
        break;
    case TRACE_WAIT_BEGIN:
    case TRACE_WAIT_END:
        see_wait(ev, causeless, n);
        break;
    case TRACE_COLLECTIVE_BEGIN:
    case TRACE_COLLECTIVE_END:
        ranks[ev->rank].open[ev->thread].collectives += ev->type == TRACE_COLLECTIVE_BEGIN ? 1 : -1;
        break;
    case TRACE_RANK_END:
        ranks[ev->rank].end = ev->time;
        ranks[ev->rank].ended = true;
        break;
    default:
        break;
    }
}

/* Where the way is: before the event at that place. */
struct way {
    double time, own, under_way;
    uint32_t rank;
    uint64_t place;
    unsigned hops;
};

/* The last wait of the rank that somebody ended by then. */
static const struct wait *last_wait(const struct way *way)
{
    const struct rank *r = &ranks[way->rank];
    size_t n = r->waits.n;
    while (n && r->waits.at[n - 1].place >= way->place)
        n--;
    return n ? &r->waits.at[n - 1] : NULL;
}

/* From the instant on which the rank goes on, back to the issue at which somebody's own code was. */
static void follow(uint64_t cause, struct way *way)
{
    if (cause & TRACE_BY_RANK) {
        way->rank = (uint32_t)cause;
        return;
    }
    while (cause) {
        const struct operation *o = operation(cause);
        if (o->issued > way->time || o->place >= way->place)
            complain("operation %" PRIu64 " is issued at %.9g, after %.9g", cause, o->issued, way->time);
        way->under_way += way->time - o->issued;
        way->time = o->issued;
        way->place = o->place;
        way->rank = o->rank;
        way->hops++;
        cause = o->cause;
    }
}

static void walk(uint32_t rank, double end)
{
    struct way way = {.time = end, .rank = rank, .place = place};
    for (const struct wait *w; (w = last_wait(&way)) && !wrong;) {
        way.own += way.time - w->end;
        way.time = w->end;
        way.place = w->place;
        follow(w->cause, &way);
    }
    way.own += way.time;
    double gap = end - way.own - way.under_way;
    if (gap > 1e-9 * end || gap < -1e-9 * end)
        complain("the way's length is %.12g, not %.12g", way.own + way.under_way, end);
    printf("end %.9g own %.9g under way %.9g operations %u\n", end, way.own, way.under_way, way.hops);
    printf("sync %u memory %u addresses %u contexts %u\n", in_category[TRACE_CATEGORY_SYNC],
           in_category[TRACE_CATEGORY_MEMORY], addresses, contexts);
}

/* events.def says what each type fills. */
static void check_fields(const struct trace_event *ev, uint32_t n)
{
    const struct trace_type_info *type = &trace_types[ev->type];
    const struct {
        uint32_t field;
        bool filled;
    } rows[] = {
        {TRACE_HAS_THREAD, ev->thread},   {TRACE_HAS_CALL, ev->call},
        {TRACE_HAS_OP, ev->op},           {TRACE_HAS_CAUSE, ev->cause},
        {TRACE_HAS_BYTES, ev->bytes},     {TRACE_HAS_PEER | TRACE_HAS_COUNT, ev->peer},
        {TRACE_HAS_LEAST, ev->least > 0}, {TRACE_HAS_DETAIL, ev->detail},
        {TRACE_HAS_TAG, ev->tag},         {TRACE_HAS_CONTEXT, ev->context},
        {TRACE_HAS_KIND, ev->kind},       {TRACE_HAS_ADDRESS, ev->address},
    };
    for (size_t k = 0; k < BASE_LENGTH(rows); k++)
        if (rows[k].filled && !(type->fields & rows[k].field))
            complain("%s at %.12g: fills the field of bit %#x", type->text, ev->time, rows[k].field);
    if ((type->fields & TRACE_HAS_PEER) && ev->peer >= n)
        complain("%s at %.12g: rank %u", type->text, ev->time, ev->peer);
}

static void check_name(const struct trace_about *about, const struct trace_event *ev)
{
    static const char *last;
    enum trace_category category = trace_types[ev->type].category;
    if (!ev->call || ev->call == last || category == TRACE_CATEGORY_MARKS || category == TRACE_CATEGORY_RACES)
        return;
    last = ev->call;
    if (trace_about_call(about, ev->call).kind == TRACE_KIND_OTHER)
        complain("%s at %.12g: '%s' stands for nothing known", trace_types[ev->type].text, ev->time,
                 ev->call);
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
            complain("%s of rank %u at %.12g comes after %.12g", trace_types[ev.type].text, ev.rank, ev.time,
                     last);
        last = ev.time;
        place++;
        in_category[trace_types[ev.type].category]++;
        addresses += ev.address && trace_types[ev.type].category != TRACE_CATEGORY_CARDS;
        contexts += ev.context != 0;
        check_fields(&ev, n);
        check_name(trace_file_about(f), &ev);
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
        if (ranks[k].ended && (!ranks[rank].ended || ranks[k].end >= ranks[rank].end))
            rank = k;
    if (ranks[rank].ended)
        walk(rank, ranks[rank].end);
    else
        complain("no rank came to its end");
    trace_file_close(f);
    return wrong != 0;
}
