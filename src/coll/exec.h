/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exec: the executor of schedules. Knows members, messages and time. It reaches ranks and timers through one
 * table of functions, so that tests can supply a small network of their own, and the network through the
 * call's transport.
 *
 * A message: the sender's CPU spends the issue cost, then the payload is taken from its memory and the
 * message handed to the transport; coll_arrived is called when it is at the receiver. A payload above
 * the transport's buffered limit stays in the sender's memory, as an RDMA NIC would leave it there, and its
 * send is done only when the arrival is acknowledged, as a long blocking put is.
 *
 * A rank's CPU does one thing at a time, without waking the rank. `free` is the time at which it has
 * finished its work so far, for all collectives that the rank is in. A send begins its overhead at that
 * time. A receive, a reduction or a copy takes effect at once and moves `free`, which delays the rank's next
 * work by its cost. Members with sends to issue take turns. If a rank has several threads, one that waits in
 * a collective has a CPU of its own.
 *
 * Invariants (C1-C3 in coll.h, C4-C6 and C10 in schedule/steps.h)
 *  C7  `remaining` counts the steps of the round that are not done.
 *  C8  A message is in exactly one place: the transport, a seat's `unexpected`, a member's `early` or
 *      `later`, or a step.
 *  C9  An instance is in its group's ring from the first member's call until the last one has left.
 *  C12 A member is in its CPU's ring while it has queued sends. A CPU has users while its rank is in
 *      collectives.
 *  C13 A two-sided member has its `early` messages while its CPU has sends to issue first; a round begins
 *      only when there are none.
 */
#ifndef PGASIM_COLL_EXEC_H
#define PGASIM_COLL_EXEC_H

#include "base/table.h"
#include "coll/schedule/schedule.h"
#include "coll/group.h"
#include "coll/plan.h"
#include "coll/select.h"

enum { COLL_STAGED = 64 };

struct coll_exec;
struct coll_cpu;
struct coll_rank;
struct coll_member;
struct coll_operation;

/* The layer below, except for the transport: timers, ranks and their memory. Every slot is filled. */
struct coll_runtime {
    void (*timer)(void *ctx, struct coll_cpu *c, double at);     /* then coll_exec_timer */
    void (*end)(void *ctx, struct coll_member *m, double at);    /* then coll_exec_ended */
    void (*ack)(void *ctx, struct coll_message *ack, double at); /* then coll_exec_acknowledged */
    /* Then, on an actor of the rank and not before coll_operation_ready: coll_operation_begin, _run and
     * _end. */
    void (*operate)(void *ctx, struct rank *r, struct coll_operation *o);
    struct rank *(*rank)(void *ctx, uint32_t id);
    void *(*direct)(void *ctx, struct rank *r, uintptr_t address, size_t bytes); /* or NULL */
    void (*read)(void *ctx, struct rank *r, uintptr_t address, void *out, size_t bytes);
    bool (*nowhere)(const struct rank *r); /* no data lies in its memory; NULL: of no rank */
    /* Does not return. */
    void (*mismatch)(void *ctx, struct rank *r, const char *call, const char *text);
};

/* The CPU of a rank, shared by all collectives that it is in. Stored in the member that came first. */
struct coll_cpu {
    struct engine_event timer; /* the runtime's: end of an issue overhead */
    double free;
    uint64_t cause;         /* the message whose arrival started its work, 0: the rank's call */
    struct coll_rank *rank; /* NULL: a thread's, which no other collective uses */
    struct coll_member
        *last;      /* ring of the members with queued sends: the one that is served last; NULL: none */
    uint32_t users; /* members, and functions now working on it */
    uint8_t busy;   /* set of enum coll_busy */
};
enum coll_busy {
    COLL_ISSUES = 1,  /* the timer runs for the first member's first send */
    COLL_REDUCES = 2, /* an operator of the program's runs on it; `free` counts on from its begin */
};
/* It has a send to issue, and may. */
static inline bool coll_cpu_may_issue(const struct coll_cpu *c)
{
    return c->last && !c->busy;
}

/* What a rank keeps from one collective to the next. */
struct coll_rank {
    struct coll_group_record *last; /* group; NULL: none */
    struct coll_cpu *cpu;           /* NULL: it is in no collective */
};

/* A member of a running collective: its schedule and its position in it. Fields that each message touches
 * come first: three cache lines, including a short round's steps. What all members' calls have in common is
 * in the instance. */
struct coll_member {
    struct coll_instance *instance;
    struct rank *rank;
    coll_build_fn build;
    struct coll_cpu *cpu;
    uint32_t round, remaining;
    uint32_t queue_first; /* sends that wait for the CPU, linked through `next`; UINT32_MAX: none */
    uint32_t queue_last;
    bool sleeping; /* `ended` has to be called at the end */
    bool finished;
    bool advancing;      /* the function that advances it is running */
    bool early_any;      /* `early` is not empty */
    bool may_go;         /* the rank only waits for the time at which the call ends, or for all to come */
    bool meets;          /* coll_enter: the call's */
    bool last;           /* coll_enter: a barrier after which the rank may be let go */
    bool plain;          /* the instance's */
    uint8_t staged_base; /* enum coll_base, of `staged` */
    bool resting;        /* two-sided: the next round begins when the CPU is free (`ending`) */
    struct coll_schedule schedule;
    /* A dest that is short, or does not lie in one run but is read again, is kept at `staged` until the
     * member leaves, packed: other ranks' memory is not in the cache, and a reduction touches dest in every
     * round. So is the source of a broadcast that does not lie in one run. */
    unsigned char *staged;          /* a buffer, or NULL */
    struct coll_message_list early; /* for later rounds; two-sided: that the CPU has not got to */
    struct coll_message_list later; /* two-sided: for later rounds */
    struct coll_message *lent;
    struct coll_member *next;  /* of the same seat */
    struct coll_member *after; /* in its CPU's ring */
    void (*ended)(struct coll_member *m);
    struct rank_pending *pending; /* for a checker; NULL: nobody asks */
    union {
        struct { /* coll_run */
            struct engine_actor *actor;
            struct engine_reason reason;
        };
        struct { /* coll_start */
            coll_done_fn done;
            void *arg;
            int32_t request; /* its number in traces; 0: there was none when it started */
        };
    };
    struct engine_event ending; /* the runtime's: end of the last CPU work */
    struct coll_cpu own_cpu;    /* used if it was the first of its rank's members */
};

struct coll_exec {
    const struct coll_runtime *runtime;
    void *ctx;
    const double *clock;                /* seconds */
    uint64_t *cause;                    /* number of the message whose arrival is being handled; 0: none */
    uint64_t no_cause, meetings, hosts; /* hosts: groups whose members share some, so far */
    struct coll_select select;
    struct base_table groups; /* struct coll_group_record *, by its id */
    struct base_pool messages, members, instances, operations, plan_pool;
    struct coll_plan *plans;
    struct base_buffers buffers;
    struct coll_counts counts;
};

void coll_exec_init(struct coll_exec *x, const struct coll_runtime *runtime, void *ctx, const double *clock,
                    const struct coll_select *select);
void coll_exec_release(struct coll_exec *x);

/* Enters rank r into its next collective of call->group. `kept` is what the rank keeps, initially zeroed.
 * Reports a mismatch with members that came before. `apart`: it has a CPU of its own. The caller sets
 * `ended` of the member. */
struct coll_member *coll_exec_enter(struct coll_exec *x, struct coll_rank *kept, struct rank *r,
                                    const struct coll_call *call, bool apart);
struct coll_member *coll_exec_enter_plan(struct coll_exec *x, struct coll_rank *kept, struct coll_plan *p);
/* Starts the schedule. Returns true if it finishes at once, with the time at which its CPU work ends in
 * *until; otherwise m->ended is called at that time. */
bool coll_exec_start(struct coll_member *m, double *until);
/* If all members are there (m may be the last), calls fn for each that only waits for its end (may_go). */
void coll_exec_go(struct coll_member *m, void (*fn)(struct coll_member *m));
void coll_exec_leave(struct coll_member *m); /* the member is gone afterwards */
void coll_exec_timer(struct coll_cpu *c);
void coll_exec_ended(struct coll_member *m);
void coll_exec_acknowledged(struct coll_message *ack);
/* The member that takes part in the message's collective, or NULL when its rank has not called it yet. */
struct coll_member *coll_exec_receiver(const struct coll_message *msg);
/* Asserts C3 and C7-C9 over all groups. */
void coll_exec_check(const struct coll_exec *x);

/* Iterates over groups in order of creation: the next one from `*at` (initially 0), or NULL. */
static inline struct coll_group_record *coll_group_next(const struct coll_exec *x, uint32_t *at)
{
    struct coll_group_record **g = base_table_next(&x->groups, at);
    return g ? *g : NULL;
}

/* report.c: `call` is not the first of its instance. Does not return when the calls cannot be one
 * collective. */
void coll_report_differences(const struct coll_instance *i, const struct coll_call *call, struct rank *r);
/* A part from member `from` does not have the size that m expects. Does not return. */
void coll_report_part(const struct coll_member *m, uint32_t from, uint64_t expected, uint64_t came);
/* Another thread of the rank waits in a collective of the group: `other`. */
void coll_report_threads(const struct coll_member *m, const struct coll_member *other);
/* For the deadlock report: the call, its number and group, who is missing. `arg` is a member. */
void coll_exec_describe(const void *arg, char *buf, size_t size);
uint64_t coll_exec_whom(const void *arg); /* the first of them; ENGINE_NOBODY: all have called it */
void coll_exec_unfinished(const struct coll_exec *x, coll_unfinished_fn fn, void *arg);

/* bound.c: seconds below which no algorithm can be; 0: a member alone. */
double coll_bound(struct coll_group_record *g, const struct coll_call *call);

/* memory.c: a member's places as memory. */
void coll_memory_stage(struct coll_member *m);   /* decides what is staged; its call has bytes */
void coll_memory_unstage(struct coll_member *m); /* the rank gets its dest */
void coll_memory_drop(struct coll_member *m);    /* the job is over */
void coll_memory_read(const struct coll_member *m, coll_place at, void *out, size_t bytes);
void coll_memory_write(const struct coll_member *m, coll_place at, const void *in, size_t bytes);
/* at = at op in, or in op at when `in_first`. */
void coll_memory_reduce(const struct coll_member *m, coll_place at, const void *in, size_t bytes,
                        bool in_first);
void coll_memory_copy(const struct coll_member *m, coll_place from, coll_place to, size_t bytes);
/* to = from op to. */
void coll_memory_combine(const struct coll_member *m, coll_place from, coll_place to, size_t bytes);
/* The packed bytes in place, valid until anything else runs; NULL if they are not contiguous. */
const void *coll_memory_look(const struct coll_member *m, coll_place at, size_t bytes);

/* layout.c: data that do not lie in one run, packed and unpacked. */
void coll_layout_read(const struct coll_member *m, const struct coll_spot *at, void *out, size_t bytes);
void coll_layout_write(const struct coll_member *m, const struct coll_spot *at, const void *in, size_t bytes);

/* combine.c: out = left op right, all packed. out may be left or right. */
void coll_combine(const struct coll_member *m, void *out, const void *left, const void *right, size_t bytes);

/* step.c: single steps. A step that is done begins those that waited for it. */
void coll_step_begin_round(struct coll_member *m);            /* all that need nothing */
void coll_step_begin(struct coll_member *m, uint32_t index);  /* nothing is left that it needs */
void coll_step_finish(struct coll_member *m, uint32_t index); /* it was begun, and is done now */
/* Its message is there. false: the step is done later. */
bool coll_step_receive(struct coll_member *m, struct coll_step *step);
/* Gives the CPU, which may issue it, the queued send whose turn it is. Returns the send's member if it took
 * no time and is issued; NULL: it takes time. */
struct coll_member *coll_step_serve(struct coll_cpu *c);
struct coll_member *coll_step_issue(struct coll_cpu *c); /* its overhead is over; returns its member */

/* exec.c: advances the member as far as possible without another event; it and its CPU may be gone
 * afterwards. */
void coll_exec_advance(struct coll_member *m);
/* exec.c: stores a message that the current round does not take (keep), or one of it that the CPU has not got
 * to (add_early, C13). */
void coll_exec_keep(struct coll_member *m, struct coll_message *msg);
void coll_exec_add_early(struct coll_member *m, struct coll_message *msg);

/* order.c: a member with `pending` has entered; has all that it gets; bytes that all members give. */
void coll_order_enter(struct coll_member *m);
void coll_order_end(struct coll_member *m);
uint64_t coll_order_bytes(const struct coll_member *m);

/* operator.c: a step that is done by a user's operator. */
struct coll_operation {
    struct rank_work work; /* the runtime's */
    struct coll_member *member;
    double begun;
    uint32_t step;
};
/* The step is a reduction, whose message, if it receives one, is there. false: there is nothing to reduce. */
bool coll_operator_takes(struct coll_member *m, struct coll_step *step);
double coll_operation_ready(const struct coll_operation *o); /* when the rank's CPU is free for it */
void coll_operation_begin(struct coll_operation *o);
void coll_operation_run(const struct coll_operation *o); /* calls the user's function */
void coll_operation_end(struct coll_operation *o);

/* posted.c: members of two-sided collectives. */
void coll_posted_round(struct coll_member *m); /* posts the receives of a round that was built */
void coll_posted_receive(struct coll_member *m, const struct coll_step *step); /* posts one that was held */
/* The CPU has sends to issue, or earlier messages to receive, before it gets to one that arrives now; or it is
 * just posting the message's receive, and sends may follow. */
static inline bool coll_posted_busy(const struct coll_member *m)
{
    return m->queue_first != UINT32_MAX || m->early_any || m->advancing;
}
/* The step's message is there, and the CPU gets to it in coll_posted_next. */
void coll_posted_defer(struct coll_member *m, struct coll_step *step);
/* Receives the next message that was deferred; false: there is none, or the CPU has sends to issue first. */
bool coll_posted_next(struct coll_member *m);
/* Moves the payload of a message, still in its sender's memory, to where it is received, if a receive waits
 * there that writes it. */
void coll_posted_move(struct coll_message *msg);

static inline struct coll_exec *coll_instance_exec(const struct coll_instance *i)
{
    return i->group->exec;
}
static inline struct coll_exec *coll_member_exec(const struct coll_member *m)
{
    return coll_instance_exec(m->instance);
}
static inline const struct coll_transport *coll_member_transport(const struct coll_member *m)
{
    return m->instance->first.transport;
}
static inline struct rank *coll_member_rank(const struct coll_member *m, uint32_t place)
{
    const struct coll_exec *x = coll_member_exec(m);
    return x->runtime->rank(x->ctx, coll_group_rank(&m->instance->group->key, place));
}
static inline bool coll_member_is_two_sided(const struct coll_member *m)
{
    return BASE_UNLIKELY(!m->plain) && coll_is_two_sided(coll_member_transport(m));
}
static inline double coll_member_now(const struct coll_member *m)
{
    return *coll_member_exec(m)->clock;
}

#endif
