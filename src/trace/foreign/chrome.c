/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chrome: traces as the array of JSON objects that ui.perfetto.dev and chrome://tracing read. A host is a
 * process, and a thread of a rank is a thread. A state is a pair of events, B and E, so that viewers also
 * show states that are open when the run is killed. Operations are flows, loads are counters, marks are
 * instants, and so are events of the program's own types, with their values. Network cards are
 * chrome_card.c's, joules chrome_energy.c's, disks chrome_disk.c's. A race is an instant at each access, at its own time, and a flow between them. The
 * viewers accept an array whose end is missing.
 *
 * Source: "Trace Event Format", Google, 2016. Times are microseconds with six decimals, that is, whole
 * picoseconds.
 */
#include "trace/foreign/chrome.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const categories[TRACE_NAME_KINDS] = {
    [TRACE_NAME_LIFE] = "rank", [TRACE_NAME_CALL] = "call",           [TRACE_NAME_COLLECTIVE] = "collective",
    [TRACE_NAME_WAIT] = "wait", [TRACE_NAME_COMPUTE] = "compute",     [TRACE_NAME_REGION] = "region",
    [TRACE_NAME_MARK] = "mark", [TRACE_NAME_OPERATION] = "operation", [TRACE_NAME_RACE] = "race",
    [TRACE_NAME_FILE] = "file", [TRACE_NAME_STEP] = "two phases"};
static const char *const flows[TRACE_FLIGHT_KINDS] = {[TRACE_FLIGHT_PUT] = "put",
                                                      [TRACE_FLIGHT_GET] = "get",
                                                      [TRACE_FLIGHT_ATOMIC] = "atomic",
                                                      [TRACE_FLIGHT_MESSAGE] = "message",
                                                      [TRACE_FLIGHT_SEND] = "send"};

/* --- records ---------------------------------------------------------------------------------------- */

static uint64_t process_of_links(const struct trace_foreign *f)
{
    return (uint64_t)f->about->hosts + 1;
}

static struct trace_out *out_of(const struct trace_foreign *f)
{
    return &((struct trace_chrome *)f->ctx)->out;
}

static struct base_text *begin_record(struct trace_foreign *f, const char *phase, uint64_t process)
{
    struct trace_chrome *c = f->ctx;
    struct base_text *t = &c->out.text;
    base_text_add(t, c->first ? "[\n{\"ph\":\"" : ",\n{\"ph\":\"");
    base_text_add(t, phase);
    trace_chrome_count(t, "\",\"pid\":", process);
    c->first = false;
    return t;
}

struct base_text *trace_chrome_begin(struct trace_foreign *f, const char *phase, uint64_t process,
                                     uint64_t time)
{
    struct base_text *t = begin_record(f, phase, process);
    base_text_add(t, ",\"ts\":");
    base_text_decimal(t, time, 6);
    return t;
}

static struct base_text *begin_at(struct trace_foreign *f, const char *phase, const struct trace_lane *l,
                                  uint64_t time)
{
    struct base_text *t =
        trace_chrome_begin(f, phase, trace_chrome_process(f->about->rank_host[l->rank]), time);
    trace_chrome_count(t, ",\"tid\":", l->number);
    return t;
}

static struct base_text *begin_on_lane(struct trace_foreign *f, const char *phase, const struct trace_lane *l)
{
    return begin_at(f, phase, l, f->now);
}

/* Only the closing brace: the comma is written with the next record, so the file may end after any record. */
void trace_chrome_end(const struct trace_foreign *f)
{
    base_text_char(&out_of(f)->text, '}');
    trace_out_record(out_of(f));
}

static void put_name(struct trace_foreign *f, struct base_text *t, uint32_t name)
{
    char buf[512];
    trace_chrome_string(t, ",\"name\":", trace_name_show(&f->names.name.at[name], buf, sizeof buf));
}

/* --- processes and threads -------------------------------------------------------------------------- */

static void name_process(struct trace_foreign *f, uint64_t process, const char *name)
{
    struct base_text *t = begin_record(f, "M", process);
    trace_chrome_string(t, ",\"name\":\"process_name\",\"args\":{\"name\":", name);
    base_text_char(t, '}');
    trace_chrome_end(f);
    t = begin_record(f, "M", process);
    trace_chrome_count(t, ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":", process);
    base_text_char(t, '}');
    trace_chrome_end(f);
}

void trace_chrome_host(struct trace_foreign *f, uint32_t host)
{
    struct trace_chrome *c = f->ctx;
    if (!c->host[host])
        name_process(f, trace_chrome_process(host), f->about->host[host].name);
    c->host[host] = true;
}

uint64_t trace_chrome_thread(struct trace_foreign *f, uint32_t host, uint64_t number, const char *name)
{
    struct trace_chrome *c = f->ctx;
    uint64_t process = trace_chrome_process(host);
    trace_chrome_host(f, host);
    number = number ? number : trace_about_room(f->about) + ++c->threads;
    struct base_text *t = begin_record(f, "M", process);
    trace_chrome_count(t, ",\"tid\":", number);
    trace_chrome_string(t, ",\"name\":\"thread_name\",\"args\":{\"name\":", name);
    base_text_char(t, '}');
    trace_chrome_end(f);
    return number;
}

static void chrome_lane(struct trace_foreign *f, struct trace_lane *l)
{
    struct trace_chrome *c = f->ctx;
    char name[64];
    snprintf(name, sizeof name, l->thread ? "rank %0*u thread %u" : "rank %0*u", c->digits, l->rank,
             l->thread);
    l->number =
        trace_chrome_thread(f, f->about->rank_host[l->rank], l->thread ? 0 : (uint64_t)l->rank + 1, name);
}

static void chrome_begin(struct trace_foreign *f)
{
    const struct trace_about *a = f->about;
    trace_out_replace(out_of(f));
    struct base_text *t = begin_record(f, "M", process_of_links(f));
    trace_chrome_string(t, ",\"name\":\"pgasim\",\"args\":{\"version\":", a->version);
    trace_chrome_string(t, ",\"program\":", a->program);
    trace_chrome_string(t, ",\"arguments\":", a->arguments);
    trace_chrome_string(t, ",\"platform\":", a->platform);
    base_text_char(t, '}');
    trace_chrome_end(f);
}

static void chrome_named(struct trace_foreign *f, uint32_t name)
{
    (void)f, (void)name; /* each record has its own */
}

/* --- states and marks ------------------------------------------------------------------------------- */

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static void chrome_push(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame,
                        bool again)
{
    (void)again;
    struct base_text *t = begin_on_lane(f, "B", l);
    trace_chrome_string(t, ",\"cat\":", categories[frame->kind]);
    put_name(f, t, frame->name);
    if (frame->kind == TRACE_NAME_COLLECTIVE) {
        trace_chrome_count(t, ",\"args\":{\"meeting\":", frame->number);
        trace_chrome_count(t, ",\"members\":", frame->peers);
        trace_chrome_count(t, ",\"bytes\":", frame->bytes);
        base_text_char(t, '}');
    } else if (frame->kind == TRACE_NAME_FILE) {
        trace_chrome_string(t, ",\"args\":{\"file\":", or_empty(f->names.name.at[frame->name].detail));
        trace_chrome_count(t, ",\"offset\":", frame->offset);
        trace_chrome_count(t, ",\"bytes\":", frame->bytes);
        base_text_char(t, '}');
    } else if (frame->kind == TRACE_NAME_STEP) {
        trace_chrome_count(t, ",\"args\":{\"round\":", frame->offset);
        trace_chrome_count(t, ",\"bytes\":", frame->bytes);
        base_text_char(t, '}');
    }
    trace_chrome_end(f);
}

static void chrome_pop(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame,
                       bool again)
{
    struct base_text *t = begin_on_lane(f, "E", l);
    if (frame->operations && !again) {
        trace_chrome_count(t, ",\"args\":{\"operations\":", frame->operations);
        trace_chrome_count(t, ",\"bytes\":", frame->bytes);
        base_text_char(t, '}');
    } else if (frame->cause) {
        trace_chrome_count(t, ",\"args\":{\"ended by operation\":", frame->cause);
        base_text_char(t, '}');
    }
    trace_chrome_end(f);
}

static struct base_text *begin_instant(struct trace_foreign *f, const struct trace_lane *l,
                                       const char *category, uint32_t name)
{
    struct base_text *t = begin_on_lane(f, "i", l);
    base_text_add(t, ",\"s\":\"t\"");
    trace_chrome_string(t, ",\"cat\":", category);
    put_name(f, t, name);
    return t;
}

static void instant(struct trace_foreign *f, const struct trace_lane *l, const char *category, uint32_t name)
{
    begin_instant(f, l, category, name);
    trace_chrome_end(f);
}

/* As texts: viewers read numbers as doubles. */
static void put_values(struct base_text *t, const struct trace_event *user)
{
    for (uint32_t k = 0; k < user->peer; k++) {
        const char *field;
        char key[64];
        int n = (int)trace_field_name(or_empty(user->detail), k, &field);
        snprintf(key, sizeof key, "%.*s", n < 60 ? n : 60, field);
        trace_chrome_string(t, k ? "," : ",\"args\":{", key);
        base_text_format(t, ":\"%" PRId64 "\"", user->values[k]);
    }
    base_text_add(t, user->peer ? "}" : "");
}

static void chrome_mark(struct trace_foreign *f, struct trace_lane *l, uint32_t name,
                        const struct trace_event *user)
{
    struct base_text *t = begin_instant(f, l, categories[TRACE_NAME_MARK], name);
    if (user)
        put_values(t, user);
    trace_chrome_end(f);
}

static void race_end(struct trace_foreign *f, const char *phase, const struct trace_race *race,
                     unsigned which)
{
    const struct trace_race_end *end = &race->end[which];
    struct base_text *t = begin_at(f, phase, end->lane, end->time);
    trace_chrome_string(t, ",\"cat\":", categories[TRACE_NAME_RACE]);
    if (*phase == 'i') {
        base_text_add(t, ",\"s\":\"t\"");
        put_name(f, t, end->name);
        trace_chrome_string(t, ",\"args\":{\"missing\":", race->missing);
        trace_chrome_count(t, ",\"bytes\":", race->bytes);
        base_text_char(t, '}');
    } else {
        trace_chrome_count(t, ",\"name\":\"race\",\"id\":", race->number);
        base_text_add(t, *phase == 'f' ? ",\"bp\":\"e\"" : "");
    }
    trace_chrome_end(f);
}

/* Viewers sort records by time. A flow must not lead back: a rank may be ahead of the clock. */
static void chrome_race(struct trace_foreign *f, const struct trace_race *race)
{
    unsigned first = race->end[1].time < race->end[0].time;
    race_end(f, "i", race, 0);
    race_end(f, "i", race, 1);
    race_end(f, "s", race, first);
    race_end(f, "f", race, !first);
}

/* --- operations ------------------------------------------------------------------------------------- */

/* All records of a flow have the same category, name and number. bp:e binds an end to the state around it. */
static void flow(struct trace_foreign *f, const char *phase, const struct trace_lane *l,
                 const struct trace_flight *flight)
{
    struct base_text *t = begin_on_lane(f, phase, l);
    trace_chrome_count(t, ",\"id\":", flight->op);
    trace_chrome_string(t, ",\"cat\":", flows[flight->kind]);
    put_name(f, t, flight->name);
    if (*phase == 's') {
        trace_chrome_count(t, ",\"args\":{\"bytes\":", flight->bytes);
        trace_chrome_count(t, ",\"target\":", flight->peer);
        if (flight->kind == TRACE_FLIGHT_SEND && flight->tag >= 0) {
            trace_chrome_count(t, ",\"tag\":", (uint64_t)flight->tag);
            trace_chrome_count(t, ",\"communicator\":", flight->context);
        }
        base_text_char(t, '}');
    } else {
        base_text_add(t, ",\"bp\":\"e\"");
    }
    trace_chrome_end(f);
}

static void chrome_step(struct trace_foreign *f, enum trace_step step, const struct trace_flight *flight,
                        struct trace_lane *at, struct trace_lane *other)
{
    (void)other;
    switch (step) {
    case TRACE_STEP_ISSUED:
        flow(f, "s", at, flight);
        break;
    case TRACE_STEP_REACHED:
        flow(f, flight->answered ? "t" : "f", at, flight);
        break;
    case TRACE_STEP_ENDED:
        flow(f, "f", at, flight);
        break;
    case TRACE_STEP_KEPT:
        instant(f, at, "kept back", flight->name);
        break;
    case TRACE_STEP_SIGNALED:
        instant(f, at, "signal", flight->name);
        break;
    case TRACE_STEP_CUT: /* an arrow without an end is not drawn */
        break;
    }
}

/* --- counters --------------------------------------------------------------------------------------- */

static void chrome_link(struct trace_foreign *f, uint32_t link, uint64_t bytes)
{
    struct trace_chrome *c = f->ctx;
    if (!c->links)
        name_process(f, process_of_links(f), "links: bytes on their way");
    c->links = true;
    struct base_text *t = trace_chrome_begin(f, "C", process_of_links(f), f->now);
    trace_chrome_string(t, ",\"name\":", f->about->link[link].name);
    trace_chrome_count(t, ",\"args\":{\"bytes\":", bytes);
    base_text_char(t, '}');
    trace_chrome_end(f);
}

static void chrome_host(struct trace_foreign *f, uint32_t host, uint64_t threads)
{
    struct base_text *t = trace_chrome_begin(f, "C", trace_chrome_process(host), f->now);
    trace_chrome_count(t, ",\"name\":\"threads that run\",\"args\":{\"threads\":", threads);
    base_text_char(t, '}');
    trace_chrome_end(f);
}

/* --- life ------------------------------------------------------------------------------------------- */

static int chrome_close(struct trace_foreign *f, bool empty)
{
    struct trace_chrome *c = f->ctx;
    if (!empty)
        base_text_add(&c->out.text, "\n]\n");
    int status = trace_out_close(&c->out, empty);
    free(c->host);
    free(c->card);
    free(c->energy);
    free(c);
    return status;
}

int trace_chrome_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                      struct base_status *st)
{
    static const struct trace_form form = {
        chrome_begin, chrome_named,        chrome_lane, chrome_push,         chrome_pop,
        chrome_step,  chrome_mark,         chrome_race, trace_chrome_card,   chrome_link,
        chrome_host,  trace_chrome_energy, NULL,        trace_chrome_served, chrome_close};
    struct trace_out file;
    if (trace_out_open(&file, path, st))
        return -1;
    struct trace_chrome *c = base_zalloc(sizeof *c, "a trace's writer");
    c->out = file;
    c->first = true;
    c->host = base_zalloc((size_t)about->hosts + 1, "hosts of a trace");
    c->card = base_zalloc(((size_t)about->hosts + 1) * sizeof *c->card, "hosts of a trace");
    for (uint32_t last = about->ranks ? about->ranks - 1 : 0; last; last /= 10)
        c->digits++;
    c->digits += !c->digits;
    *out = trace_foreign_sink(&form, about, c);
    return 0;
}
