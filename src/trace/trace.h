/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace: the stream of things that happened, with simulated times. Sinks are small tables of functions;
 * with none attached an event costs one predictable branch. Event types come from one list (events.def).
 */
#ifndef PGASIM_TRACE_H
#define PGASIM_TRACE_H

#include "base/base.h"

enum trace_type {
#define TRACE_EVENT(name, text) TRACE_##name,
#include "trace/events.def"
#undef TRACE_EVENT
    TRACE_TYPES
};

/* A cause that is no operation but the code of a rank, whose number is added. */
#define TRACE_BY_RANK (UINT64_C(1) << 63)

/* One event. Fields that a type does not use are 0; events.def says what each type fills. */
struct trace_event {
    double time;
    enum trace_type type;
    uint32_t rank;   /* whose event it is */
    uint32_t peer;   /* the other rank of a one-sided operation or message */
    uint32_t thread; /* of the rank; 0: its first */
    uint64_t op;     /* number that ties the instants of one operation together; from 1 */
    uint64_t cause;  /* operation whose arrival made this happen now; 0: the rank's own code, or time */
    uint64_t bytes;
    double
        least; /* seconds that the operation would take without bytes and with nobody in its way; 0: not known */
    const char *call;   /* the API function's name; good until the trace is closed */
    const char *detail; /* the same; NULL: none */
};

/* What a trace says of the run as a whole, before its first event. Everything is good until the trace is closed. */
struct trace_host {
    const char *name;
    double speed; /* flop/s of one core */
    uint32_t cores;
};
struct trace_link {
    const char *name;
    double bandwidth, latency; /* bytes/s, seconds */
    bool fatpipe;              /* not shared */
};
struct trace_about {
    const char *program, *arguments, *platform; /* file, or what the built-in platform is called */
    const char *version;                        /* pgasim's */
    uint32_t ranks, hosts, links;
    const uint32_t *rank_host;
    const struct trace_host *host;
    const struct trace_link *link;
    const char *drawing; /* SVG of the platform, or NULL */
    /* The links from one host to another, in order; the number of them. `latency`: the whole way's, as modelled. */
    uint32_t (*route)(void *ctx, uint32_t from, uint32_t to, const uint32_t **links, double *latency);
    void *ctx;
    /* The simulated time while the run goes on. A rank may be ahead of it, and its events, too: an event's time is at
     * least the clock's. NULL: events come in order of time. */
    const double *clock;
};

/* Both are never NULL. `close` returns 0, or -1 after it has reported what could not be written. */
struct trace_sink {
    void (*event)(void *ctx, const struct trace_event *ev);
    int (*close)(void *ctx);
    void *ctx;
};

typedef void (*trace_call_fn)(void *ctx, enum trace_type type, double time, uint32_t rank, uint32_t thread,
                              const char *call);

struct trace {
    bool on; /* a sink is attached */
    unsigned sinks;
    uint64_t events; /* so far */
    struct trace_text *texts;
    trace_call_fn
        call; /* the only sink's own way for calls, which are half of all events; NULL: it has none */
    struct trace_sink sink[4];
};

void trace_init(struct trace *t);
void trace_attach(struct trace *t, const struct trace_sink *sink); /* at most 4 */
int trace_close(struct trace *t); /* -1: a sink could not write everything, and has reported it */
void trace_emit_more(const struct trace *t, const struct trace_event *ev); /* to all sinks but the first */
static inline void trace_emit(struct trace *t, const struct trace_event *ev)
{
    if (BASE_LIKELY(!t->on))
        return;
    t->events++;
    if (BASE_UNLIKELY(t->sinks > 1))
        trace_emit_more(t, ev);
    t->sink[0].event(t->sink[0].ctx, ev);
}
static inline void trace_emit_call(struct trace *t, enum trace_type type, double time, uint32_t rank,
                                   uint32_t thread, const char *call)
{
    if (BASE_UNLIKELY(!t->call)) {
        trace_emit(t, &(struct trace_event){
                          .time = time, .type = type, .rank = rank, .thread = thread, .call = call});
        return;
    }
    t->events++;
    t->call(t->sink[0].ctx, type, time, rank, thread, call);
}
/* A copy of the text that is good until the trace is closed; equal texts are one. */
const char *trace_keep(struct trace *t, const char *text);
const char *trace_type_text(enum trace_type type);

/* A sink that writes one line per event as it comes, fixed columns, for tests and eyes. Closes nothing it did not
 * open. */
struct trace_sink trace_text_sink(FILE *out);

#endif
