/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: what the files of report/ share: how facts are gathered from events.
 *
 * A lane is a thread of a rank; its log has a record for each change of state. An operation keeps who issued
 * it, and where in that lane's log. So the past can be walked backwards (path.c) and replayed (replay.c)
 * without the trace.
 *
 * Invariants
 *  L1  The times of a lane's records grow strictly; each record's state holds until the next one's time.
 *  L2  A record's cause, and an operation's, is an operation that was issued before.
 *  L3  Time never runs backwards: an event that does so is moved to the latest time so far.
 */
#ifndef PGASIM_REPORT_INTERNAL_H
#define PGASIM_REPORT_INTERNAL_H

#include "report/report.h"
#include "report/sdsm/sdsm.h"

/* --- distributions (distribution.c) ------------------------------------------------------------------- */

void report_distribution_add(struct report_distribution *d, double value);
void report_distribution_release(struct report_distribution *d);

/* --- matrices (matrix.c) ------------------------------------------------------------------------------ */

void report_matrix_init(struct report_matrix *m, uint32_t ranks, uint32_t most);
static inline void report_matrix_add(struct report_matrix *m, uint32_t row, uint32_t column, double value)
{
    m->cell[(size_t)(row / m->group) * m->n + column / m->group] += value;
}

/* --- names (names.c) ---------------------------------------------------------------------------------- */

struct report_names;
struct report_names *report_names_create(const struct trace_about *about);
void report_names_destroy(struct report_names *n);
/* The number of a text, NULL being 0; all texts after the 65 000th share one number, "(others)". */
report_name report_names_find(struct report_names *n, const char *text);
/* The same for the name of a call or a wait. */
report_name report_names_call(struct report_names *n, const char *text);
enum trace_awaited report_names_awaited(const struct report_names *n, report_name name);
enum trace_group report_names_group(struct report_names *n, const char *text); /* of a call */
uint32_t
report_names_unknown(const struct report_names *n); /* names of calls and waits without a kind in the trace */
const char *report_names_text(const struct report_names *n, report_name name);
uint32_t report_names_count(const struct report_names *n); /* greatest number + 1 */

/* --- lanes (lane.c, account.c) ------------------------------------------------------------------------ */

/* What a lane does from `time` on, within `call` (0: outside): */
enum { REPORT_DOING_OWN = 0, REPORT_DOING_COMPUTE = UINT16_MAX }; /* else: waits for what this name says */
struct report_change {
    double time;
    uint32_t cause; /* 1 + the operation that ended the wait before; 0: none */
    report_name call, doing;
};
static inline bool report_change_waits(const struct report_change *c)
{
    return c->doing != REPORT_DOING_OWN && c->doing != REPORT_DOING_COMPUTE;
}

enum { REPORT_NO_LANE = UINT32_MAX };
struct report_lane {
    uint32_t rank, thread;
    uint32_t more;                   /* the next lane of the rank */
    uint32_t recent;                 /* of a first lane: the rank's lane that acted last */
    uint32_t calls, waits, computes; /* depth of each */
    report_name call, wait;          /* outermost */
    uint64_t meeting;                /* the collective it takes part in; 0: none */
    double call_since, wait_since, compute_since, meeting_since;
    struct report_change *at;
    size_t n, cap;
};

/* --- operations (operation.c) ------------------------------------------------------------------------- */

struct report_op {
    double issued, end;
    uint64_t number, bytes;
    float least, share;      /* share: of the narrowest link's bandwidth, bytes/s, as it was when issued */
    uint32_t lane, position; /* who issued it; record of its log that held then */
    uint32_t target;
    uint32_t cause;   /* 1 + operation whose arrival triggered it; 0: its rank's code */
    uint32_t link;    /* the narrowest on its route, considering contention; REPORT_NO_LINK: none known */
    uint32_t message; /* of REPORT_SEND: in work->message */
    report_name call;
    uint8_t kind;
    bool ended;
};
/* An internal kind: a rank's code ended another's wait. Kept as an operation that takes no time, has no
 * number and is not counted. */
enum { REPORT_WAKE = REPORT_KINDS };
enum { REPORT_OPS_SHIFT = 14 }; /* records are kept in blocks of so many */

/* What a two-sided message has in addition. */
struct report_message {
    double matched; /* with its receive; 0: not yet */
    uint32_t context;
    int32_t tag;
};

/* --- the work ----------------------------------------------------------------------------------------- */

struct report_work {
    struct report_names *names;
    double now;               /* time of the latest event */
    struct report_lane *lane; /* the first ones are the ranks' first threads */
    uint32_t lanes;
    size_t lanes_cap;
    struct report_op **block;
    size_t blocks_cap;
    uint32_t ops;
    BASE_ARRAY(struct report_message) message;
    struct base_index by_number;
    uint32_t *flying;         /* operations with bytes on each link now */
    struct report_call *call; /* by name */
    size_t calls_cap;
    struct base_table meetings; /* struct report_meeting, of those that are not over, by number */
    struct base_table chosen;   /* size_t, their place in `collective`, by number of a meeting */
    struct base_table started;  /* struct report_started, nonblocking ones, by meeting and rank */
    BASE_ARRAY(struct report_race) races;
    unsigned race_accesses;         /* of the last one, so far */
    struct base_table kept;         /* struct report_kept, by number of the operation */
    struct base_table users;        /* struct report_user, by name */
    struct report_samples *samples; /* of hosts' joules; NULL as facts' energy is */
    BASE_ARRAY(struct report_counted) counted;
    BASE_ARRAY(struct report_collective) collective;
    struct base_index collectives; /* of `collective` */
};

static inline struct report_op *report_op_at(const struct report_work *w, uint32_t k)
{
    return &w->block[k >> REPORT_OPS_SHIFT][k & ((1U << REPORT_OPS_SHIFT) - 1)];
}
/* 1 + the operation of that number, or 0. */
uint32_t report_op_find(const struct report_work *w, uint64_t number);
void report_op_issued(struct report_facts *f, const struct trace_event *ev, enum report_kind kind);
/* One of its later instants; `there`: its bytes have arrived at their destination. */
void report_op_instant(struct report_facts *f, const struct trace_event *ev, bool over, bool there);
void report_op_matched(struct report_facts *f, const struct trace_event *ev);
/* Records that a lane now wakes a rank. Returns 1 + that operation. */
uint32_t report_op_wake(struct report_facts *f, uint32_t lane, uint32_t rank);
void report_ops_init(struct report_work *w);
void report_ops_release(struct report_work *w);
/* The links that its bytes cross. Returns their number. */
uint32_t report_op_route(const struct report_facts *f, const struct report_op *op, const uint32_t **links);
/* Seconds of the flight from its issue to `end`. The rest is latency. */
struct report_flight {
    double latency, transfer, contention;
};
struct report_flight report_op_flight(const struct report_facts *f, const struct report_op *op, double end);

/* The lane of a rank's thread, created if necessary. */
struct report_lane *report_lane_of(struct report_facts *f, uint32_t rank, uint32_t thread);
void report_lane_event(struct report_facts *f, const struct trace_event *ev);
void report_lanes_finish(struct report_facts *f);
struct report_call *report_call_of(struct report_work *w, report_name name);
/* Accounts for the time the lane spent in this state. */
void report_account(struct report_facts *f, const struct report_lane *l, const struct report_change *state,
                    double seconds);
void report_waited(struct report_facts *f, const struct report_lane *l, uint32_t cause, double seconds);
void report_accounts_finish(struct report_facts *f);

/* late.c. The release of a lock that a rank waited for, given what ended its wait. NULL: nobody held it, or it was
 * none. */
const struct report_op *report_op_release(const struct report_work *w, const struct report_op *op,
                                          uint32_t rank);
/* `cause` as report_waited's. */
void report_late(struct report_facts *f, const struct report_lane *l, uint32_t cause, double seconds);
/* When the last of its members so far came (collective.c). */
double report_meeting_last(const struct report_work *w, uint64_t meeting);

void report_collectives_init(struct report_work *w);
void report_collective_event(struct report_facts *f, const struct trace_event *ev);
void report_collectives_finish(struct report_facts *f);
void report_collectives_release(struct report_work *w);

/* kept.c */
void report_kept_event(struct report_facts *f, const struct trace_event *ev);
void report_kept_over(struct report_work *w, uint64_t number); /* if it is kept back: no longer */
double report_kept_seconds(const struct report_work *w, uint64_t number);
void report_kept_finish(struct report_facts *f);

/* card.c */
void report_card_event(struct report_facts *f, const struct trace_event *ev);
void report_cards_finish(struct report_facts *f);
void report_cards_release(struct report_facts *f);
/* core.c */
void report_core_event(struct report_facts *f, const struct trace_event *ev);
void report_cores_finish(struct report_facts *f);
void report_cores_release(struct report_facts *f);

/* job.c: whether it is such an event */
bool report_job_event(struct report_facts *f, const struct trace_event *ev);

/* energy.c: whether it is such an event; `timeline` once the bins are known */
bool report_energy_event(struct report_facts *f, const struct trace_event *ev);
void report_energy_finish(struct report_facts *f);
void report_energy_timeline(struct report_facts *f);
void report_energy_release(struct report_facts *f);

/* disk.c: whether it is such an event */
bool report_disk_event(struct report_facts *f, const struct trace_event *ev);
void report_disks_finish(struct report_facts *f);

/* file.c */
void report_file_event(struct report_facts *f, const struct trace_event *ev);
void report_files_finish(struct report_facts *f);
void report_files_release(struct report_facts *f);

/* world.c: once the ranks' accounts are finished */
void report_worlds_finish(struct report_facts *f);

/* user.c */
void report_user_event(struct report_facts *f, const struct trace_event *ev);
void report_users_finish(struct report_facts *f);

void report_race_event(struct report_facts *f, const struct trace_event *ev);
void report_races_finish(struct report_facts *f);

/* --- after the last event ----------------------------------------------------------------------------- */

void report_timelines(struct report_facts *f);    /* timeline.c: bins, links, hosts */
void report_path_find(struct report_facts *f);    /* path.c */
void report_path_suggest(struct report_facts *f); /* suggest.c */
/* Seconds by which the run ends earlier when the recorded past is replayed with a lever (replay.c). */
double report_replay(const struct report_facts *f, enum report_lever lever, uint32_t id);

#endif
