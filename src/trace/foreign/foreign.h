/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * foreign: what the writers of other tools' forms share (private to trace/). foreign.c turns the events of a
 * run into steps that such a form can take as they are: states that nest, arrows whose two ends are known,
 * loads that change once an instant. A form (paje.c, otf2.c, chrome.c) is a table of functions that write the
 * steps.
 *
 * Invariants
 *  F1  Steps come in order of time. Only the ends of a race have times of their own.
 *  F2  States of a lane nest: what is popped was pushed last. At the close all are popped.
 *  F3  A flight begins once, before all its other steps.
 */
#ifndef PGASIM_TRACE_FOREIGN_H
#define PGASIM_TRACE_FOREIGN_H

#include "base/text.h"
#include "trace/trace.h"

/* --- names (names.c) ------------------------------------------------------------------------ */

/* What is named. Equal texts of different kinds are different names. */
enum trace_name_kind {
    TRACE_NAME_LIFE,       /* the rank lives */
    TRACE_NAME_CALL,       /* is in a function of the API */
    TRACE_NAME_COLLECTIVE, /* takes part in one; detail: the algorithm */
    TRACE_NAME_WAIT,       /* waits for this */
    TRACE_NAME_COMPUTE,    /* the application's own code */
    TRACE_NAME_REGION,     /* between two marks of the user's */
    TRACE_NAME_MARK,       /* the user's mark */
    TRACE_NAME_OPERATION,  /* the call that issued an operation */
    TRACE_NAME_RACE,       /* an access that takes part in one, as a sentence */
    TRACE_NAME_FILE,       /* accesses a file by this function; detail: its path */
    TRACE_NAME_STEP,       /* takes this step of an access in two phases */
    TRACE_NAME_PATH,       /* a file's path */
    TRACE_NAME_KINDS
};
struct trace_name {
    enum trace_name_kind kind;
    const char *text, *detail;  /* the emitter's */
    enum trace_kind stands_for; /* of a call, wait, collective or operation (trace_foreign_name) */
};
/* Names, numbered from 0 in the order in which they come. */
struct trace_names {
    BASE_ARRAY(struct trace_name) name;
    struct base_index index; /* of `name` */
    struct {
        const char *text, *detail;
        uint32_t kind, number;
    } lately[256]; /* by address: few texts come again and again */
};
void trace_names_init(struct trace_names *n);
void trace_names_release(struct trace_names *n);
uint32_t trace_names_number(struct trace_names *n, enum trace_name_kind kind, const char *text,
                            const char *detail);
/* For people: "waiting: quiet", "barrier (dissemination)"; valid until the next call. */
const char *trace_name_show(const struct trace_name *n, char *buf, size_t size);

/* --- lanes (lanes.c) ------------------------------------------------------------------------ */

/* A state of a lane. */
struct trace_frame {
    uint32_t name;
    enum trace_name_kind kind;
    uint64_t number; /* collective: of the meeting; file, step: of the access */
    uint64_t
        bytes; /* collective: of a member's contribution; file, step: its own; else: of the operations issued */
    uint64_t offset;     /* file: of its first byte; step: the round */
    uint32_t peers;      /* collective: members */
    uint32_t operations; /* issued directly within it, not within a nested state */
    uint64_t cause;      /* wait, when it is popped: what ended it */
};
/* A thread of a rank: one line of a timeline. */
struct trace_lane {
    uint32_t rank, thread;
    uint32_t works, waits; /* frames that keep a processor busy, and that do not */
    bool busy;
    uint64_t number; /* the form's */
    void *of;        /* the form's */
    BASE_ARRAY(struct trace_frame) stack;
};
struct trace_lanes {
    uint32_t ranks;
    struct {
        BASE_ARRAY(struct trace_lane *) thread;
    } * rank;
};
void trace_lanes_init(struct trace_lanes *l, uint32_t ranks);
void trace_lanes_room(struct trace_lanes *l, uint32_t ranks); /* for so many, at least */
void trace_lanes_release(struct trace_lanes *l);
struct trace_lane *trace_lanes_find(const struct trace_lanes *l, uint32_t rank,
                                    uint32_t thread); /* or NULL */
struct trace_lane *trace_lanes_add(struct trace_lanes *l, uint32_t rank, uint32_t thread);

/* --- flights (flights.c) -------------------------------------------------------------------- */

enum trace_flight_kind {
    TRACE_FLIGHT_PUT,
    TRACE_FLIGHT_GET,
    TRACE_FLIGHT_ATOMIC,
    TRACE_FLIGHT_MESSAGE, /* of a collective */
    TRACE_FLIGHT_SEND,    /* a two-sided message */
    TRACE_FLIGHT_KINDS
};
/* An operation or message under way. */
struct trace_flight {
    uint64_t op; /* unique within its kind */
    enum trace_flight_kind kind;
    enum trace_kind does; /* by the emitter */
    uint32_t name;
    uint32_t rank, thread, peer; /* from a thread of the rank to the peer */
    bool answered;               /* a get, or an atomic that fetches: comes back */
    bool turned;                 /* has been at its target and is on its way back */
    bool landed;                 /* a two-sided message: is at its receiver's host */
    int32_t tag;                 /* the same */
    uint32_t context;            /* the same */
    uint64_t bytes;
};
/* Those under way, by kind and number. */
struct trace_flights {
    struct base_table of[TRACE_FLIGHT_KINDS];
    size_t n; /* of all kinds */
};
void trace_flights_init(struct trace_flights *f);
void trace_flights_release(struct trace_flights *f);
/* Valid until the next one is added. */
struct trace_flight *trace_flights_add(struct trace_flights *f, const struct trace_flight *flight);
struct trace_flight *trace_flights_find(const struct trace_flights *f, enum trace_flight_kind kind,
                                        uint64_t op); /* or NULL */
void trace_flights_remove(struct trace_flights *f, struct trace_flight *flight);
/* All that are under way, in order of kind and number. The caller frees the array. */
struct trace_flight *trace_flights_list(const struct trace_flights *f);

/* --- loads (flights.c) ------------------------------------------------------------------------ */

/* Numbers that change with time, of links and hosts. */
struct trace_loads {
    struct trace_load {
        uint64_t now, told;
        bool changed;
    } * at;
    uint32_t n;
    BASE_ARRAY(uint32_t) changed;
};
void trace_loads_init(struct trace_loads *l, uint32_t n);
void trace_loads_release(struct trace_loads *l);
void trace_loads_add(struct trace_loads *l, uint32_t which, uint64_t more); /* modulo 2^64: may be negative */

/* --- races (races.c) -------------------------------------------------------------------------- */

/* An access that takes part in a race: when it was made, not when the race was found, which is now. */
struct trace_race_end {
    struct trace_lane *lane;
    uint64_t time; /* picoseconds */
    uint32_t name;
};
struct trace_race {
    uint64_t number;
    const char *object, *missing;
    uint32_t owner; /* the rank whose memory the object is; UINT32_MAX: it is a file's */
    uint64_t bytes;
    struct trace_race_end end[2]; /* the earlier one first */
};
struct trace_races {
    struct trace_race open; /* number 0: there was none */
    unsigned ends;          /* that have come */
    BASE_ARRAY(char *) texts;
};
void trace_races_release(struct trace_races *r);

/* --- steps ------------------------------------------------------------------------------------------ */

enum trace_step {
    TRACE_STEP_ISSUED,   /* leaves its origin */
    TRACE_STEP_REACHED,  /* a get is read, an atomic is executed (without an answer: its end) */
    TRACE_STEP_ENDED,    /* a put is delivered, a message received, an answer back */
    TRACE_STEP_KEPT,     /* is kept back there: its next step is late */
    TRACE_STEP_SIGNALED, /* a put's signal is delivered (after the put's end) */
    TRACE_STEP_CUT,      /* the trace ends before it does */
};

struct trace_foreign;
/* A form. `now` of foreign is the time of the step in picoseconds. */
struct trace_form {
    /* At the first event. Replaces what the files held. */
    void (*begin)(struct trace_foreign *f);
    void (*named)(struct trace_foreign *f, uint32_t name); /* before a name's first use */
    void (*lane)(struct trace_foreign *f, struct trace_lane *l);
    /* `again`: the state goes on; only its place in the nesting changes. */
    void (*push)(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame, bool again);
    void (*pop)(struct trace_foreign *f, struct trace_lane *l, const struct trace_frame *frame, bool again);
    /* `at`: the lane where it happens; `other`: the one at the other end. */
    void (*step)(struct trace_foreign *f, enum trace_step step, const struct trace_flight *flight,
                 struct trace_lane *at, struct trace_lane *other);
    /* `user`: an event of a type of the program's, whose values the form may show; NULL: it is a mark. */
    void (*mark)(struct trace_foreign *f, struct trace_lane *l, uint32_t name,
                 const struct trace_event *user);
    void (*race)(struct trace_foreign *f, const struct trace_race *race);
    /* A step of a network card. NULL: the form does not show cards. */
    void (*card)(struct trace_foreign *f, const struct trace_event *ev);
    void (*link)(struct trace_foreign *f, uint32_t link,
                 uint64_t bytes); /* on their way over it, from now on */
    void (*host)(struct trace_foreign *f, uint32_t host, uint64_t threads); /* that run, of ranks */
    /* The host has taken so many nJ so far. NULL: the form does not show it. */
    void (*energy)(struct trace_foreign *f, uint32_t host, uint64_t nanojoules);
    /* An access to a file begins or ends, within its state if it has one. NULL: the form shows the state alone. */
    void (*file)(struct trace_foreign *f, struct trace_lane *l, const struct trace_event *ev, uint32_t path);
    /* A disk has done its part of a request; `bytes`: those that all disks of its host have moved so far. */
    void (*served)(struct trace_foreign *f, const struct trace_event *ev, uint64_t bytes);
    /* 0, or -1 after a report. `empty`: there was no event, so what the files held stays. */
    int (*close)(struct trace_foreign *f, bool empty);
};
struct trace_foreign {
    const struct trace_form *form;
    void *ctx; /* the form's */
    const struct trace_about *about;
    bool begun;
    uint64_t now; /* picoseconds */
    struct trace_names names;
    uint32_t named; /* names that the form knows */
    struct trace_lanes lanes;
    struct trace_flights flights;
    struct trace_loads loads;   /* links, then hosts */
    struct base_table accesses; /* to files, under way; by number */
    uint64_t *served;           /* bytes by host; NULL: none yet */
    struct trace_races races;
};
/* A sink that writes traces of this form. It owns the record; `form->close` frees `ctx`. */
struct trace_sink trace_foreign_sink(const struct trace_form *form, const struct trace_about *about,
                                     void *ctx);

void trace_foreign_race(struct trace_foreign *f, const struct trace_event *ev);

/* --- states and loads (states.c) -------------------------------------------------------------- */

uint32_t trace_foreign_name(struct trace_foreign *f, enum trace_name_kind kind, const char *text,
                            const char *detail);
/* Creates the lane at first use. */
struct trace_lane *trace_foreign_lane(struct trace_foreign *f, uint32_t rank, uint32_t thread);
void trace_foreign_begin_state(struct trace_foreign *f, struct trace_lane *l, enum trace_name_kind kind,
                               const struct trace_event *ev);
/* Ends the last state of this kind, if one is open. */
void trace_foreign_end_state(struct trace_foreign *f, struct trace_lane *l, enum trace_name_kind kind,
                             const struct trace_event *ev);
void trace_foreign_end_rank(struct trace_foreign *f, uint32_t rank); /* all states of all its threads */
/* More bytes, or fewer, on the links between the ranks' hosts. */
void trace_foreign_load_route(struct trace_foreign *f, uint32_t from, uint32_t to, uint64_t more);
void trace_foreign_tell_loads(struct trace_foreign *f); /* of this instant */

/* --- text (text.c) -------------------------------------------------------------------------- */

/* A file of text that grows by whole records, also if the run is killed. */
struct trace_out {
    char *path;
    int fd;
    bool created, failed;
    struct base_text text; /* what is not written yet */
};
/* Keeps what the file holds until trace_out_replace. */
int trace_out_open(struct trace_out *o, const char *path, struct base_status *st);
void trace_out_replace(struct trace_out *o);
void trace_out_record(struct trace_out *o); /* one ends here */
/* 0, or -1 if a write failed (it was reported then). `discard`: nothing was written; removes the file if it
 * is new. */
int trace_out_close(struct trace_out *o, bool discard);

#endif
