/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace: the stream of events of a run, with simulated times, and trace files. Sinks are small
 * tables of functions; with none attached an event costs one predictable branch. Event types come from one
 * list (events.def). Emitters register tables that say what each name stands for (kinds.def lists the kinds);
 * names are never parsed.
 */
#ifndef PGASIM_TRACE_H
#define PGASIM_TRACE_H

#include "base/table.h"

/* --- types and kinds ------------------------------------------------------------------------------------ */

enum trace_type {
#define TRACE_EVENT(name, text, category, fields) TRACE_##name,
#include "trace/events.def"
    TRACE_TYPES
};
/* Groups of event types, as --trace-kinds names them. A set of them is a mask with one bit each. */
enum trace_category {
#define TRACE_CATEGORY(name, word, unasked) TRACE_CATEGORY_##name,
#include "trace/events.def"
    TRACE_CATEGORIES
};
/* Fields of an event (events.def). */
enum {
    TRACE_HAS_THREAD = 1 << 0,
    TRACE_HAS_CALL = 1 << 1,
    TRACE_HAS_OP = 1 << 2,
    TRACE_HAS_CAUSE = 1 << 3,
    TRACE_HAS_PEER = 1 << 4,
    TRACE_HAS_COUNT = 1 << 5,
    TRACE_HAS_BYTES = 1 << 6,
    TRACE_HAS_LEAST = 1 << 7,
    TRACE_HAS_DETAIL = 1 << 8,
    TRACE_HAS_CONTEXT = 1 << 9,
    TRACE_HAS_TAG = 1 << 10,
    TRACE_HAS_ADDRESS = 1 << 11,
    TRACE_HAS_KIND = 1 << 12,
    TRACE_HAS_VALUES = 1 << 13,
};
/* Properties of an event type. */
struct trace_type_info {
    const char *text; /* "put-issued" */
    enum trace_category category;
    uint32_t fields; /* TRACE_HAS_... */
};
extern const struct trace_type_info trace_types[TRACE_TYPES];

enum trace_kind {
#define TRACE_KIND(name, text, group, awaited) TRACE_KIND_##name,
#include "trace/kinds.def"
    TRACE_KINDS
};
enum trace_group {
#define TRACE_GROUP(name, text) TRACE_GROUP_##name,
#include "trace/kinds.def"
    TRACE_GROUPS
};
enum trace_awaited {
#define TRACE_AWAITED(name, text) TRACE_AWAITS_##name,
#include "trace/kinds.def"
    TRACE_AWAITEDS
};
/* Properties of a kind. */
struct trace_kind_info {
    const char *text;
    enum trace_group group;
    enum trace_awaited awaited; /* what a rank blocked in such a call waits for */
};
extern const struct trace_kind_info trace_kinds[TRACE_KINDS];

bool trace_kind_fetches(enum trace_kind kind); /* an atomic that returns a result */

/* What an access that takes part in a race does to memory: `tag` of TRACE_RACE_ACCESS. */
enum trace_access {
    TRACE_ACCESS_READS,
    TRACE_ACCESS_WRITES,
    TRACE_ACCESS_FETCHES, /* reads atomically */
    TRACE_ACCESS_UPDATES, /* atomically */
    TRACE_ACCESSES
};
const char *trace_access_text(int32_t access); /* "read", "written", ...; "accessed" if there is none such */

/* Added to `tag` of TRACE_IO_BEGIN: the access is collective. */
enum { TRACE_IO_STARTED = 1, TRACE_IO_ALL = 2 };

/* Where an operation is kept back: `tag` of TRACE_KEPT_BACK. */
enum trace_kept { TRACE_KEPT_AT_TARGET, TRACE_KEPT_IN_UNIT /* the atomic unit */, TRACE_KEPT_AT_ORIGIN };

/* What a RISC-V core has counted: `tag` of TRACE_CORE_COUNTED. */
enum trace_counted {
    TRACE_COUNTED_CLASS, /* instructions of a class */
    TRACE_COUNTED_STALL, /* cycles in which no instruction was executed, by cause */
    TRACE_COUNTED_CYCLES,
    TRACE_COUNTEDS
};

/* What a name stands for: a function of an API, or something that a rank waits for. */
struct trace_call {
    const char *name;
    uint8_t kind;    /* enum trace_kind */
    uint8_t awaited; /* enum trace_awaited; 0: the kind's own */
};
/* Registers names. If a name occurs twice, its first registration holds. The rows must be sorted by name
 * (strcmp) and stay valid. At most 16 tables; registering one again does nothing. */
void trace_calls_register(const struct trace_call *table, size_t n);
/* Looks a name up in all registered tables. NULL: unknown. */
const struct trace_call *trace_call_find(const char *name);
/* Looks a name up in one table. */
const struct trace_call *trace_call_in(const struct trace_call *table, size_t n, const char *name);

/* --- events --------------------------------------------------------------------------------------------- */

/* Marks a cause that is a rank's code, not an operation. The rank's number is added. */
#define TRACE_BY_RANK (UINT64_C(1) << 63)
/* The peer is every rank, or any rank. */
#define TRACE_ANY UINT32_MAX
enum { TRACE_VALUES = 8 }; /* of a user's event, at most */
/* Of the events "job NAME" by which a replay of several jobs tells what became of each. */
#define TRACE_JOB_FIELDS "ranks submitted_ns begin_ns end_ns alone_ns"
/* Of the events by which a run tells its joules: "energy", what the rank's host has taken so far; and at the end
 * "energy-rank", "energy-host", "energy-link" and "energy-phase NAME". */
#define TRACE_ENERGY_FIELDS       "host_nJ"
#define TRACE_ENERGY_RANK_FIELDS  "nJ core_ns"
#define TRACE_ENERGY_HOST_FIELDS  "host nJ active_nJ"
#define TRACE_ENERGY_LINK_FIELDS  "link nJ"
#define TRACE_ENERGY_PHASE_FIELDS "nJ ns"

/* One event. Fields that a type does not use are 0; events.def says what each type fills. */
struct trace_event {
    double time;
    enum trace_type type;
    uint32_t rank;   /* whose event it is */
    uint32_t peer;   /* the other rank of a one-sided operation or message */
    uint32_t thread; /* of the rank; 0: its first */
    uint64_t op;     /* number shared by all events of one operation; from 1 */
    uint64_t cause;  /* operation whose arrival made this happen now; 0: the rank's own code, or time */
    uint64_t bytes;
    double least;       /* seconds of the operation without bytes and contention; 0: unknown */
    const char *call;   /* the API function's name; good until the trace is closed */
    const char *detail; /* the same; NULL: none */
    uint64_t context;   /* number of the team, communicator, window, file, request; 0: the API's default */
    uint64_t address;
    int32_t tag;
    uint32_t kind;         /* enum trace_kind of the operation; 0: the kind of `call` */
    const int64_t *values; /* of a user's event; good until its sink returns, or the next event is read */
};
/* The k-th name in a list of names separated by blanks: where it begins, and its length; 0: there is none. */
size_t trace_field_name(const char *fields, uint32_t k, const char **name);

/* What a trace says about the run as a whole, before its first event. All of it is valid until the trace is
 * closed. */
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
    uint32_t ranks, hosts, links;               /* ranks: during a run, so far */
    uint32_t room;             /* the most ranks that there will be; 0: no more than there are */
    const uint32_t *rank_host; /* during a run, the list may move when ranks are started */
    const struct trace_host *host;
    const struct trace_link *link;
    const char *drawing; /* SVG of the platform, or NULL */
    /* Returns the number of links on the route between two hosts, and the links in order. `latency`: of the
     * whole route, as modelled. */
    uint32_t (*route)(void *ctx, uint32_t from, uint32_t to, const uint32_t **links, double *latency);
    void *ctx;
    /* Looks up what a name stands for (never NULL). Returns NULL if unknown. `call` itself is NULL during a
     * run: then the registered tables are used (trace_about_call). */
    const struct trace_call *(*call)(void *ctx, const char *name);
    /* The simulated time while the run goes on. A rank and its events may be ahead of it: an event's time is
     * at least the clock's. NULL: events come in order of time. */
    const double *clock;
};

/* The first number that is no rank's, in the whole run. */
static inline uint32_t trace_about_room(const struct trace_about *about)
{
    return about->room > about->ranks ? about->room : about->ranks;
}

/* What a name stands for in this trace. If it is unknown or NULL, kind and awaited are those of unknown
 * names. Too slow for hot paths: ask once for each text. */
struct trace_call trace_about_call(const struct trace_about *about, const char *name);

/* --- sinks ---------------------------------------------------------------------------------------------- */

/* `event` and `close` are never NULL. `close` returns 0, or -1 after it has reported what could not be
 * written. */
struct trace_sink {
    void (*event)(void *ctx, const struct trace_event *ev);
    int (*close)(void *ctx);
    void *ctx;
    /* A faster path for calls, which are half of all events. NULL: calls arrive through `event`. */
    void (*call)(void *ctx, enum trace_type type, double time, uint32_t rank, uint32_t thread,
                 const char *call);
    /* More of the run's recording. NULL: it is left out. */
    void (*record)(void *ctx, const void *text, size_t bytes);
};

struct trace {
    bool on; /* a sink is attached */
    unsigned sinks;
    uint32_t wanted; /* set of enum trace_category: emitters may skip all others */
    uint64_t events; /* so far */
    void (*call)(void *ctx, enum trace_type type, double time, uint32_t rank, uint32_t thread,
                 const char *call); /* the only sink's */
    struct trace_sink sink[4];
    struct base_table texts; /* kept texts; an entry is its key only */
};

void trace_init(struct trace *t);                                  /* `wanted`: the default categories */
void trace_attach(struct trace *t, const struct trace_sink *sink); /* at most 4 */
int trace_close(struct trace *t); /* -1: a sink could not write everything, and has reported it */
/* Whether to emit events of a category that is off by default. */
static inline bool trace_wants(const struct trace *t, enum trace_category category)
{
    return t->on && (t->wanted >> category & 1);
}
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
/* Appends to the run's recording, which is text that replay/ can play: it stands beside the events, whatever these are
 * filtered by. To be given if the category REPLAY is wanted. */
void trace_record(struct trace *t, const void *text, size_t bytes);
/* Returns a copy of the text that is valid until the trace is closed. Equal texts share one copy. */
const char *trace_keep(struct trace *t, const char *text);

/* A sink that writes one line with fixed columns per event, for tests and people. Does not close `out`. */
struct trace_sink trace_text_sink(FILE *out);

/* --- files ---------------------------------------------------------------------------------------------- */

/* Writers are sinks; the compact format (.pgt) can be read again (docs/trace-format.md). A file is a head
 * (what the run was), blocks of events compressed by zstd, each readable by itself, and an index. If a run
 * was killed and its file has no end, it is read up to the last whole block. */

/* Which events reach a sink. */
struct trace_filter {
    double from, to;   /* simulated seconds, [from, to); INFINITY: to the end */
    const char *ranks; /* "0-3,17"; NULL: all */
    uint32_t wanted;   /* set of enum trace_category; 0: the default ones */
    uint64_t *passed;  /* counts the events that pass; may be NULL */
};
bool trace_filter_is_open(const struct trace_filter *f); /* lets everything pass, and counts nothing */

/* Parses a list such as "calls,operations"; "default" stands for the default categories, "all" for all. -1
 * with st on an unknown word. */
int trace_categories_parse(const char *text, uint32_t *wanted, struct base_status *st);
uint32_t trace_categories_unasked(void);

/* --- writing ------------------------------------------------------------------------------------- */

/* A sink that writes the events that pass the filter (NULL: all). The file's extension selects its format
 * (table in writers.c). -1 with st: unknown extension, unwritable path, or a filter without ranks. The first
 * event replaces an existing file. `about` must stay valid until the sink is closed. */
int trace_writer_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                      const struct trace_filter *filter, struct base_status *st);
/* "pgt, paje, ...". */
const char *trace_writer_extensions(void);
/* The same for one format each, without a filter. All but pgt need events in order of time. */
int trace_pgt_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                   struct base_status *st);
int trace_paje_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                    struct base_status *st);
int trace_otf2_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                    struct base_status *st);
int trace_chrome_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                      struct base_status *st);

/* An archive in OTF2's form for events that are none of a simulation: files are checked, replaced and closed as those of
 * trace_otf2_open. *archive: an OTF2_Archive, whose files of events are open. */
struct trace_otf2_archive;
int trace_otf2_archive_open(struct trace_otf2_archive **out, const char *path,
                            const struct trace_about *about, void **archive, struct base_status *st);
int trace_otf2_archive_close(struct trace_otf2_archive *a); /* -1: it is not whole, which was reported */

/* --- reading ------------------------------------------------------------------------------------- */

struct trace_file;
/* 0, or -1 with st: no such file, not a trace, another version, damaged head. */
int trace_file_open(struct trace_file **out, const char *path, struct base_status *st);
void trace_file_close(struct trace_file *f);
const struct trace_about *
trace_file_about(const struct trace_file *f); /* `route` works for pairs of hosts in the trace */
/* The next event in order of time; false at the end or at damage (see trace_file_damage). Texts are valid
 * until the file is closed. */
bool trace_file_next(struct trace_file *f, struct trace_event *ev);
void trace_file_seek(struct trace_file *f, double time);   /* to the first event at or after `time` */
const char *trace_file_damage(const struct trace_file *f); /* NULL: none met so far */

/* The next piece of the run's recording, from its beginning on, until the next call of any function of the file; NULL:
 * there is no more. Damage, or a file without its end, is an error with st: then *wrong is true. */
const unsigned char *trace_file_recording(struct trace_file *f, size_t *bytes, bool *wrong,
                                          struct base_status *st);
enum { TRACE_FILE_HEAD = 8 };
bool trace_file_is(const unsigned char *head); /* whether a file that begins with these bytes is one */

/* Totals of the whole file. `known` is false if its end is missing: then they cover what has been read. */
struct trace_totals {
    bool known;
    uint64_t events, of_type[TRACE_TYPES];
    double end; /* simulated seconds of the run */
};
struct trace_totals trace_file_totals(const struct trace_file *f);

#endif
