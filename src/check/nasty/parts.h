/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: what the files of the adversary share.
 *
 * A *decision* is a point at which the adversary may deviate from the plain behaviour. It has a key: its kind,
 * a rank, and the number of such decisions that this rank has had. Whether and how it deviates is drawn from a
 * random stream of that key alone, so it depends on no other decision: leaving some out (check/allow) changes
 * the others only as far as the program itself then runs differently.
 *
 * Invariants
 *  D1  Every deviation is asked for by nasty_may, which knows what is allowed and writes down what is done.
 *  D2  No key, and no order, comes from an address, a hash's order or the host's clock.
 */
#ifndef PGASIM_CHECK_NASTY_PARTS_H
#define PGASIM_CHECK_NASTY_PARTS_H

#include "base/table.h"
#include "check/nasty/nasty.h"
#include "rma/rma.h"

/* Random streams are seeded by these numbers, so a new one comes last: what a seed means stays. */
enum nasty_kind {
    NASTY_EARLY,      /* an operation acts before its request arrives */
    NASTY_HOLD,       /* at the target: kept back, or put off */
    NASTY_HOLD_UNIT,  /* in the atomic unit */
    NASTY_HOLD_REPLY, /* at the origin */
    NASTY_CUT,        /* the same three, cut into pieces */
    NASTY_CUT_UNIT,
    NASTY_CUT_REPLY,
    NASTY_REPLY,       /* results are written before the reply arrives */
    NASTY_SOURCE,      /* a source is read late */
    NASTY_FILL,        /* a pattern where results will be */
    NASTY_ORDER,       /* the order of operations that are let go */
    NASTY_MESSAGE,     /* which sender's */
    NASTY_REQUEST,     /* which of several */
    NASTY_GRANT,       /* whose turn it is at a lock */
    NASTY_LATER,       /* a call waits later */
    NASTY_LATE_LEAVE,  /* of a collective */
    NASTY_LATE_GRANT,  /* of a lock */
    NASTY_LATE_NOTICE, /* of a synchronization */
    NASTY_PAUSE,       /* a rank enters a call late */
    NASTY_STARVE,      /* the same, very late */
    NASTY_SLOW,        /* a rank is slow from this call on */
    NASTY_PLATFORM,    /* other latencies, bandwidths, speeds */
    NASTY_PLACE,       /* other hosts */
    NASTY_BUFFER,      /* long puts are copied at their issue */
    NASTY_TEMPER,      /* of a call site: no decision, as the next two */
    NASTY_MODE,
    NASTY_GIVE,
    NASTY_SEND, /* a standard send waits for its receive */
    NASTY_MEET, /* a member of a collective waits for all others */
    NASTY_KINDS
};
struct nasty_key {
    enum nasty_kind kind;
    uint32_t rank;
    uint64_t number;
};

/* Where in the program, and what about, for who reads the list of decisions. */
struct nasty_about {
    struct rank *rank; /* NULL: none in particular */
    const char *call;
    uint32_t caller; /* as a rank's; 0: not known */
};

enum nasty_order { NASTY_ANY_ORDER, NASTY_MIXED, NASTY_REVERSE, NASTY_PUT_FIRST, NASTY_GET_FIRST };
struct nasty_options {
    uint64_t seed, polls;
    bool keep, local, cut, patterns, exact, platform, defer;
    enum nasty_order order;
    double latency;
};

/* How the operations of one call site tend to be treated. */
enum nasty_temper { NASTY_ALL_PLAIN, NASTY_ALL_KEPT, NASTY_ALL_EARLY, NASTY_ALL_SLOW, NASTY_ALL_MIXED };

/* What is to be done with an operation at one of its steps. */
struct nasty_plan {
    double delay;   /* INFINITY: kept back until it is needed */
    uint8_t pieces; /* 0: not cut */
    bool asked;     /* since it was released */
};
enum { NASTY_PARTS = 3 }; /* RMA_AT_TARGET, RMA_IN_UNIT, RMA_AT_ORIGIN */

/* kept.c: the lists in which an operation that is kept back is. */
enum nasty_lists { NASTY_IN_ALL, NASTY_AT_TARGET, NASTY_LISTS };

/* An operation from its issue until it is complete. */
struct nasty_op {
    uint64_t number; /* rma's */
    uint64_t seq;    /* of its rank's operations */
    struct rank *origin, *target;
    const char *call;
    uint32_t caller;
    bool mpi;
    bool writes, fetches, sourced;
    uint64_t element;            /* of an update: not divisible; else 0 */
    uint64_t bytes[NASTY_PARTS]; /* that it touches; 0: nothing happens at that step */
    bool kept;                   /* until it is needed */
    uint32_t place[NASTY_LISTS]; /* if it is kept */
    bool early, reply, late;     /* NASTY_EARLY, NASTY_REPLY, NASTY_SOURCE */
    enum nasty_temper temper;
    struct nasty_plan plan[NASTY_PARTS];
    uint32_t areas;
    struct {
        struct rank *rank;
        uintptr_t low, high;
    } area[RMA_AREAS]; /* at its target */
};

struct nasty_list {
    struct nasty_op **op;
    size_t n, cap;
};

/* --- polls.c ----------------------------------------------------------------------------------------- */

/* A rank that repeats the same fetch and gets the same, again and again. */
enum { NASTY_SITES = 8 };
struct nasty_poll {
    uint32_t caller; /* 0: none */
    const char *call;
    struct rank *target;
    uintptr_t from, to; /* at the target, at the rank */
    size_t bytes;
    uint64_t content, times;
    uint32_t loop[NASTY_SITES]; /* where else the rank has called since */
    uint32_t sites, since;      /* `since`: calls from elsewhere since the last one */
    uint32_t after;             /* times that the memory was another one since `released` */
    bool released, park;
    struct nasty_about held; /* what was kept back while the rank polled, if `released` */
    struct rank *held_target;
};

/* What the adversary knows of a rank. */
struct nasty_rank {
    uint64_t ops, calls, choices[RANK_CHOICES], delays[RANK_DELAYS], demands, sites;
    double slow;            /* seconds at each call */
    uint64_t slower[2];     /* calls at which that changes */
    struct nasty_poll poll; /* of the thread that has begun it, or others in the same loop */
    BASE_ARRAY(struct engine_actor *) parked; /* threads that poll, until nothing else can happen */
    struct nasty_list kept;                   /* operations to it */
};

/* Which calls wait that need not: standard sends for their receives, collectives for all members. What
 * goes wrong with that may need one at each rank, which is seldom drawn; so there are runs in which all
 * wait. The seeds take turns. */
enum nasty_waiting { NASTY_ALL_WAIT, NASTY_SOME_WAIT, NASTY_NONE_WAITS, NASTY_WAITINGS };

struct nasty {
    struct nasty_options options;
    struct rank_job *job;
    struct nasty_rank *rank;
    struct base_pool pool;
    struct base_table ops;   /* struct nasty_op *, by number */
    struct base_table sites; /* enum nasty_temper, by rank and place */
    struct nasty_list kept;  /* all */
    size_t kept_shmem;       /* how many of them are OpenSHMEM's */
    bool restricted;
    struct base_table allowed;    /* by their keys' numbers */
    struct base_table places;     /* char *: in words, by rank and `caller` */
    FILE *log;                    /* NULL: none */
    FILE *points;                 /* script.c; NULL: decisions are drawn */
    struct engine_event progress; /* progress.c */
    uint64_t steps;               /* of it */
    BASE_ARRAY(uint64_t) others;  /* policy.c */
    unsigned speed;               /* enum in speed.c */
    enum nasty_waiting waiting;
    bool asked[RANK_CHOICES], answer[RANK_CHOICES]; /* choose.c: with `points`, of choices made once */
    bool fills;                    /* a run in which patterns are seen: loops that poll end by them */
    struct engine_daemon patience; /* polls.c */
    uint64_t moves, moves_seen;    /* calls that are not of loops that poll; when nothing else could happen */
};

extern struct rank_slot nasty_slot;
static inline struct nasty *nasty_of(const struct rank_job *job)
{
    return rank_part(job, &nasty_slot);
}

/* settings.c */
int nasty_options_read(const struct base_settings *s, struct nasty_options *out, struct base_status *st);
int nasty_environment(struct base_settings *s, struct base_status *st);

/* decide.c */
int nasty_decisions_open(struct nasty *n, const struct base_settings *s, struct base_status *st);
void nasty_decisions_close(struct nasty *n);
struct base_random nasty_random(const struct nasty *n, struct nasty_key k);
/* The run deviates at k, as `fmt` says, unless that is not allowed: false. */
bool nasty_may(struct nasty *n, struct nasty_key k, const struct nasty_about *about, const char *fmt, ...)
    BASE_PRINTF(4, 5);
/* A point of choice among `of` of them, as `fmt` says: what check/allow has chosen; 0: the plain one. For runs with
 * check/points, which list them. */
size_t nasty_point(struct nasty *n, struct nasty_key k, const struct nasty_about *about, size_t of,
                   const char *fmt, ...) BASE_PRINTF(5, 6);
/* "MPI_Put by rank 3 (main, a.c:12)" */
char *nasty_about_text(struct nasty *n, const struct nasty_about *about, char *buf, size_t size);
static inline bool nasty_chance(struct base_random *r, unsigned of, unsigned in)
{
    return base_random_below(r, in) < of;
}
/* 0.1 us to `most` doublings of it, each as likely; no function of the C library is involved. */
double nasty_delay(struct base_random *r, unsigned most);

/* ops.c */
extern const struct rma_listener nasty_listener;
struct nasty_op *nasty_op_find(const struct nasty *n, uint64_t number);

/* plan.c: what an operation has in store, at its issue */
void nasty_plan_make(struct nasty *n, struct nasty_op *op);

/* script.c: runs whose choices are made by others, one by one */
void nasty_script_plan(struct nasty *n, struct nasty_op *op);
void nasty_script_order(struct nasty *n, const struct rank *rank, uint64_t *operations, size_t count);

/* policy.c */
extern const struct rma_policy nasty_policy;

/* kept.c: operations that are kept back, each in one list of all and in one of its target. The lists are in order
 * of issue, and valid until an operation is added or removed. */
void nasty_kept_add(struct nasty *n, struct nasty_op *op);
void nasty_kept_remove(struct nasty *n, struct nasty_op *op); /* if it is kept */
const struct nasty_list *nasty_kept_all(struct nasty *n);
const struct nasty_list *nasty_kept_at(struct nasty *n, const struct rank *target);
void nasty_kept_end(struct nasty *n);

/* progress.c: OpenSHMEM's operations come without a call, in the end */
void nasty_progress_begin(struct nasty *n);
void nasty_progress_end(struct nasty *n);
void nasty_progress_kept(struct nasty *n, const struct nasty_op *op); /* has been kept back */

/* speed.c, choose.c, polls.c, platform.c */
extern const struct rank_adversary nasty_adversary;
void nasty_speed_begin(struct nasty *n);
void nasty_speed_called(struct nasty *n, struct rank *r, const char *call);
void nasty_polls_issued(struct nasty *n, const struct nasty_op *op, const struct rma_issue *i);
void nasty_polls_called(struct nasty *n, struct rank *r);
void nasty_polls_begin(struct nasty *n); /* before rma has its policy */
void nasty_polls_end(struct nasty *n);
void nasty_platform_vary(struct nasty *n);
void nasty_platform_place(struct nasty *n, uint32_t *rank_host, uint32_t ranks, uint32_t hosts);

#endif
