/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paje: traces in Paje's form, which ViTE and pj_dump read. Containers: the platform, its hosts, their ranks,
 * a rank's further threads, links. A rank has states that nest, and marks; arrows go from rank to rank; hosts
 * and links have variables. A container is created when something first happens in it.
 *
 * Each name is written as one quoted word (text.c). Lines refer to things by aliases: h0, r0 and l0 are
 * hosts, ranks and links by their numbers; t0 is a thread, in order of creation; ~0 is a value, by the number
 * of its name. No value's name begins with ~, so none can be mistaken for an alias.
 *
 * Source: L. M. Schnorr, "Paje trace file format", 2014.
 */
#include "trace/foreign/foreign.h"
#include "trace/foreign/paje_head.h"

#include <stdlib.h>
#include <string.h>

struct paje {
    struct trace_out out;
    uint8_t *host, *link; /* its container exists */
    bool sends, races;    /* the types of two-sided messages, of races are defined */
    bool energy, disks;   /* the types of joules, of disks' bytes, too */
    uint64_t threads;
};

/* The numbers of the events, as paje_head.h defines them. */
enum { VALUE = 5, CREATE, DESTROY, PUSH, POP, SET, NEW_EVENT, START, END };

static const char *const link_types[TRACE_FLIGHT_KINDS] = {[TRACE_FLIGHT_PUT] = "PUT",
                                                           [TRACE_FLIGHT_GET] = "GET",
                                                           [TRACE_FLIGHT_ATOMIC] = "ATO",
                                                           [TRACE_FLIGHT_MESSAGE] = "MSG",
                                                           [TRACE_FLIGHT_SEND] = "SND"};
static const char *const reply_types[] = {[TRACE_FLIGHT_GET] = "GOT", [TRACE_FLIGHT_ATOMIC] = "ATR"};

/* --- pieces ----------------------------------------------------------------------------------------- */

static struct trace_out *out_of(const struct trace_foreign *f)
{
    return &((struct paje *)f->ctx)->out;
}

/* " r17" */
static void put_alias(struct base_text *t, const char *letter, uint64_t number)
{
    base_text_add(t, letter);
    base_text_count(t, number);
}

static void put_lane(struct base_text *t, const struct trace_lane *l)
{
    put_alias(t, l->thread ? " t" : " r", l->number);
}

/* "8 0.25 S": an event's number, its time, the type of what it is about. */
static struct base_text *begin_line(const struct trace_foreign *f, unsigned event, const char *type)
{
    struct base_text *t = &out_of(f)->text;
    base_text_count(t, event);
    base_text_char(t, ' ');
    base_text_decimal(t, f->now, 12);
    base_text_char(t, ' ');
    base_text_add(t, type);
    return t;
}

static void end_line(const struct trace_foreign *f)
{
    base_text_char(&out_of(f)->text, '\n');
    trace_out_record(out_of(f));
}

/* --- containers ------------------------------------------------------------------------------------- */

/* Fields of CREATE: time, alias, type, container, name. */
static void create(struct trace_foreign *f, const char *letter, uint64_t number, const char *type,
                   const char *parent_letter, uint64_t parent, const char *name)
{
    struct base_text *t = begin_line(f, CREATE, "");
    put_alias(t, letter, number);
    base_text_char(t, ' ');
    base_text_add(t, type);
    put_alias(t, parent_letter, parent);
    base_text_char(t, ' ');
    base_text_quoted(t, name);
    end_line(f);
}

static void need_host(struct trace_foreign *f, uint32_t host)
{
    struct paje *p = f->ctx;
    if (p->host[host])
        return;
    p->host[host] = true;
    create(f, "h", host, "H", " p", 0, f->about->host[host].name);
}

static void paje_lane(struct trace_foreign *f, struct trace_lane *l)
{
    char name[64];
    uint32_t host = f->about->rank_host[l->rank];
    snprintf(name, sizeof name, l->thread ? "rank %u thread %u" : "rank %u", l->rank, l->thread);
    if (l->thread) {
        l->number = ((struct paje *)f->ctx)->threads++;
        create(f, "t", l->number, "T", " r", l->rank, name);
        return;
    }
    need_host(f, host);
    l->number = l->rank;
    create(f, "r", l->rank, "R", " h", host, name);
}

static void paje_begin(struct trace_foreign *f)
{
    struct base_text *t = &out_of(f)->text;
    trace_out_replace(out_of(f));
    base_text_add(t, paje_head);
    create(f, "p", 0, "P", " ", 0, f->about->platform);
}

/* --- values ----------------------------------------------------------------------------------------- */

static void define(struct trace_foreign *f, uint32_t name, const char *text, const char *type,
                   const char *color)
{
    struct base_text *t = &out_of(f)->text;
    base_text_count(t, VALUE);
    put_alias(t, " ~", name);
    base_text_char(t, ' ');
    base_text_add(t, type);
    base_text_char(t, ' ');
    base_text_quoted(t, text + strspn(text, "~"));
    base_text_add(t, " \"");
    base_text_add(t, color);
    base_text_char(t, '"');
    end_line(f);
}

static const char *color_of(const struct trace_name *n, uint32_t number)
{
    static const char *const calls[] = {"0.3 0.5 0.9", "0.1 0.6 0.7", "0.5 0.4 0.8", "0.2 0.3 0.6",
                                        "0.4 0.7 0.9", "0.3 0.7 0.5", "0.6 0.6 0.9", "0.1 0.4 0.5"};
    static const char *const kinds[TRACE_NAME_KINDS] = {
        [TRACE_NAME_LIFE] = "0.85 0.85 0.85", [TRACE_NAME_COLLECTIVE] = "0.6 0.3 0.7",
        [TRACE_NAME_WAIT] = "0.9 0.3 0.2",    [TRACE_NAME_COMPUTE] = "0.4 0.8 0.3",
        [TRACE_NAME_REGION] = "0.9 0.7 0.2",  [TRACE_NAME_MARK] = "0.1 0.1 0.1",
        [TRACE_NAME_FILE] = "0.8 0.5 0.3",    [TRACE_NAME_STEP] = "0.6 0.4 0.2"};
    return kinds[n->kind] ? kinds[n->kind] : calls[number % BASE_LENGTH(calls)];
}

/* Only values of states have aliases. Elsewhere the text itself is the value, because ViTE accepts nothing
 * else. */
static void paje_named(struct trace_foreign *f, uint32_t name)
{
    const struct trace_name *n = &f->names.name.at[name];
    char buf[512];
    if (n->kind == TRACE_NAME_MARK || n->kind == TRACE_NAME_OPERATION || n->kind == TRACE_NAME_RACE)
        return;
    const char *text = trace_name_show(n, buf, sizeof buf);
    define(f, name, text, "S", color_of(n, name));
    define(f, name, text, "TS", color_of(n, name));
}

static void put_value(struct trace_foreign *f, struct base_text *t, uint32_t name)
{
    base_text_char(t, ' ');
    base_text_quoted(t, f->names.name.at[name].text);
}

/* --- states and events ------------------------------------------------------------------------------ */

static void paje_push(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame,
                      bool again)
{
    (void)again;
    struct base_text *t = begin_line(f, PUSH, l->thread ? "TS" : "S");
    put_lane(t, l);
    put_alias(t, " ~", frame->name);
    end_line(f);
}

static void paje_pop(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame,
                     bool again)
{
    (void)frame, (void)again;
    struct base_text *t = begin_line(f, POP, l->thread ? "TS" : "S");
    put_lane(t, l);
    end_line(f);
}

static void happen(struct trace_foreign *f, const char *type, const struct trace_lane *l, uint32_t name)
{
    struct base_text *t = begin_line(f, NEW_EVENT, type);
    put_lane(t, l);
    put_value(f, t, name);
    end_line(f);
}

static void paje_mark(struct trace_foreign *f, struct trace_lane *l, uint32_t name,
                      const struct trace_event *user)
{
    (void)user; /* its values would need a type of event for each of its types */
    happen(f, l->thread ? "TM" : "M", l, name);
}

/* --- arrows ----------------------------------------------------------------------------------------- */

/* One end of an arrow. Arrows join ranks, not threads. Only the start has a size. */
static void arrow(struct trace_foreign *f, unsigned event, const char *type, uint32_t rank,
                  const struct trace_flight *flight)
{
    struct base_text *t = begin_line(f, event, type);
    base_text_add(t, " p0");
    put_alias(t, " r", rank);
    put_value(f, t, flight->name);
    put_alias(t, " ", flight->op);
    if (event == START)
        put_alias(t, " ", flight->bytes);
    end_line(f);
}

static void need_sends(struct trace_foreign *f)
{
    struct paje *p = f->ctx;
    if (!p->sends)
        base_text_add(&out_of(f)->text, paje_sends);
    p->sends = true;
}

static void paje_step(struct trace_foreign *f, enum trace_step step, const struct trace_flight *flight,
                      struct trace_lane *at, struct trace_lane *other)
{
    const char *type = (flight->turned ? reply_types : link_types)[flight->kind];
    (void)other;
    switch (step) {
    case TRACE_STEP_ISSUED:
        if (flight->kind == TRACE_FLIGHT_SEND)
            need_sends(f);
        arrow(f, START, type, at->rank, flight);
        break;
    case TRACE_STEP_REACHED:
        arrow(f, END, type, at->rank, flight);
        if (flight->answered)
            arrow(f, START, reply_types[flight->kind], at->rank, flight);
        break;
    case TRACE_STEP_ENDED:
    case TRACE_STEP_CUT: /* every arrow needs an end, and time ends here */
        arrow(f, END, type, at->rank, flight);
        break;
    case TRACE_STEP_KEPT:
        happen(f, "KEPT", at, flight->name);
        break;
    case TRACE_STEP_SIGNALED:
        happen(f, "SIG", at, flight->name);
        break;
    }
}

/* --- races ------------------------------------------------------------------------------------------ */

static void race_end(struct trace_foreign *f, unsigned event, const struct trace_race *race,
                     const struct trace_race_end *end)
{
    struct base_text *t = begin_line(f, event, "RCE");
    base_text_add(t, " p0");
    put_alias(t, " r", end->lane->rank);
    put_value(f, t, race->end[0].name);
    put_alias(t, " x", race->number);
    if (event == START)
        put_alias(t, " ", race->bytes);
    end_line(f);
}

/* Lines are in order of time, so both ends are at the moment when the race was found; their texts say when they
 * were. */
static void paje_race(struct trace_foreign *f, const struct trace_race *race)
{
    struct paje *p = f->ctx;
    if (!p->races)
        base_text_add(&out_of(f)->text, paje_races);
    p->races = true;
    for (unsigned k = 0; k < 2; k++)
        happen(f, race->end[k].lane->thread ? "TRA" : "RAC", race->end[k].lane, race->end[k].name);
    race_end(f, START, race, &race->end[0]);
    race_end(f, END, race, &race->end[1]);
}

/* --- variables -------------------------------------------------------------------------------------- */

static void set(struct trace_foreign *f, const char *type, const char *letter, uint64_t number,
                uint64_t value)
{
    struct base_text *t = begin_line(f, SET, type);
    put_alias(t, letter, number);
    put_alias(t, " ", value);
    end_line(f);
}

static void paje_link(struct trace_foreign *f, uint32_t link, uint64_t bytes)
{
    struct paje *p = f->ctx;
    if (!p->link[link])
        create(f, "l", link, "L", " p", 0, f->about->link[link].name);
    p->link[link] = true;
    set(f, "B", " l", link, bytes);
}

static void paje_host(struct trace_foreign *f, uint32_t host, uint64_t threads)
{
    set(f, "N", " h", host, threads);
}

/* In joules. */
static void paje_energy(struct trace_foreign *f, uint32_t host, uint64_t nanojoules)
{
    struct paje *p = f->ctx;
    if (!p->energy)
        base_text_add(&out_of(f)->text, paje_energies);
    p->energy = true;
    need_host(f, host);
    struct base_text *t = begin_line(f, SET, "J");
    put_alias(t, " h", host);
    base_text_char(t, ' ');
    base_text_decimal(t, nanojoules, 9);
    end_line(f);
}

/* Disks' bytes so far, of the host. */
static void paje_served(struct trace_foreign *f, const struct trace_event *ev, uint64_t bytes)
{
    struct paje *p = f->ctx;
    if (!p->disks)
        base_text_add(&out_of(f)->text, paje_disks);
    p->disks = true;
    need_host(f, (uint32_t)ev->context);
    set(f, "D", " h", ev->context, bytes);
}

/* --- life ------------------------------------------------------------------------------------------- */

static int paje_close(struct trace_foreign *f, bool empty)
{
    struct paje *p = f->ctx;
    if (!empty) {
        begin_line(f, DESTROY, "P p0");
        end_line(f);
    }
    int status = trace_out_close(&p->out, empty);
    free(p->host);
    free(p->link);
    free(p);
    return status;
}

int trace_paje_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                    struct base_status *st)
{
    static const struct trace_form form = {paje_begin, paje_named,  paje_lane, paje_push,   paje_pop,
                                           paje_step,  paje_mark,   paje_race, NULL,        paje_link,
                                           paje_host,  paje_energy, NULL,      paje_served, paje_close};
    struct trace_out file;
    if (trace_out_open(&file, path, st))
        return -1;
    struct paje *p = base_zalloc(sizeof *p, "a trace's writer");
    p->out = file;
    p->host = base_zalloc((size_t)about->hosts + 1, "hosts of a trace");
    p->link = base_zalloc((size_t)about->links + 1, "links of a trace");
    *out = trace_foreign_sink(&form, about, p);
    return 0;
}
