/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * state: what the files of loggp/ share.
 *
 * Where things lie decides the speed, as most of the time goes by in waiting for memory. A rank is two lines of a cache
 * (with one CPU and one NIC); what it has in its queues are nodes of half a line, from a stock of its own, so that they
 * lie side by side; messages on their way follow one another in a ring.
 */
#ifndef PGASIM_REPLAY_LOGGP_STATE_H
#define PGASIM_REPLAY_LOGGP_STATE_H

#include "replay/loggp/loggp.h"

#include <string.h>

/* An operation that is ready, a receive that waits for its message, or a message that has arrived; in one queue of its
 * rank. Operations and messages can start as soon as CPU and NIC are free, so they need no time of their own. */
struct loggp_node {
    uint64_t number; /* G1 */
    union {
        double at;     /* of a receive that is ready, and of an end: when it is */
        uint64_t size; /* of a message */
    };
    uint32_t next;      /* 0: none */
    uint32_t op;        /* of its rank; of a message: the sender's */
    uint32_t peer, tag; /* a message's sender, a receive's source */
};

/* A message on its way. */
struct loggp_message {
    double at; /* when it arrives */
    uint64_t number, size;
    uint32_t op, peer, tag, to; /* the sender's operation, and who that is */
    uint8_t cpu, nic;
};

struct loggp_queue {
    uint32_t first, last; /* nodes; first 0: it is empty */
};

struct loggp_cpu {
    double free;                               /* from when on */
    struct loggp_queue calculations, receives; /* that are ready */
    struct loggp_queue ending;                 /* operations whose end others wait for, on other CPUs */
};
struct loggp_nic {
    double sends, receives; /* free from when on */
};
/* A CPU with a NIC. */
struct loggp_lane {
    struct loggp_queue sends, messages; /* that wait for both */
};

enum loggp_what {
    LOGGP_UNKNOWN,
    LOGGP_CALCULATES,
    LOGGP_SENDS,
    LOGGP_RECEIVES,
    LOGGP_TAKES_MESSAGE,
    LOGGP_ENDS
};

/* What is done at the same time is done in the order of numbers. Times are not negative, so their bits are in their
 * order. */
struct loggp_key {
    uint64_t time, number; /* time: its bits; UINT64_MAX: never */
};

/* Behind it, its CPUs, then its NICs, then its lanes, those of the first CPU first. */
struct loggp_rank {
    const struct replay_goal_record *op;
    uint8_t *count;       /* for how many others each of these still waits */
    struct loggp_key due; /* its entry in the calendar that counts; never: there is none */
    uint32_t left;        /* operations that have not ended */
    uint32_t id;
    uint32_t stock;                        /* free nodes of its own */
    uint8_t stocked;                       /* how many */
    uint8_t what, cpu, nic;                /* enum loggp_what: what is due */
    struct loggp_queue posted, unexpected; /* receives without message, messages without receive */
};

struct loggp_entry {
    struct loggp_key key;
    uint32_t rank, next; /* next: in a list of the calendar */
};
struct loggp_heap {
    struct loggp_entry *at; /* from 1 */
    size_t n, cap;
};
struct loggp_calendar {
    struct loggp_heap heap; /* today's entries */
    double begin, per_ns;   /* of the first day; days in a nanosecond */
    uint32_t days, today;
    uint32_t *day;       /* of each day after today a list of entries */
    uint64_t *busy;      /* a bit for each day that has some */
    uint32_t later;      /* what comes after the last day */
    uint32_t free_entry; /* a list, too */
    struct loggp_entry *entry;
    size_t entries, entry_cap;
    const unsigned char *ranks; /* where ranks lie, of `stride` bytes each */
    size_t stride;
    uint64_t listed, moved; /* entries: when this calendar began; of days that have begun since */
};

typedef BASE_ARRAY(uint32_t) loggp_ops;

struct replay_loggp {
    struct replay_goal *goal;
    struct replay_goal_tables tables; /* the goal's */
    struct base_table more;           /* replay_goal_goes_on */
    struct replay_loggp_parameters p;
    uint32_t ranks, cpus, nics;
    unsigned char *rank; /* of `stride` bytes each */
    size_t stride;
    double now;
    uint64_t number; /* given so far */
    struct loggp_node *node;
    size_t nodes, node_cap;       /* so far; at most */
    uint32_t free_node;           /* of no rank's stock */
    struct loggp_message *flight; /* a ring of 2^k messages on their way, those between two counts */
    size_t flight_cap;
    uint64_t departed, arrived;
    struct loggp_heap late; /* with noise of latencies: when those in `flight`, which is no ring, arrive */
    loggp_ops free_flight;  /* then: places in it that are free */
    struct loggp_calendar calendar;
    loggp_ops fresh[2];       /* operations that the current event makes ready: of its rank, of another one */
    loggp_ops over;           /* ranks whose last operation it ends */
    struct loggp_rank *other; /* a rank besides its own that it touches */
    struct loggp_rank *visited; /* whose entry is the first of the calendar until its event is done */
    uint64_t endings;           /* events that are none to LogGOPSim */
    struct replay_loggp_counts counts;
    void (*ended)(void *arg, uint32_t rank);
    void *arg;
};

static inline struct loggp_rank *loggp_rank_at(const struct replay_loggp *x, uint32_t k)
{
    return (struct loggp_rank *)(void *)(x->rank + k * x->stride);
}
static inline struct loggp_cpu *loggp_cpu_of(struct loggp_rank *r, uint32_t cpu)
{
    return (struct loggp_cpu *)(void *)(r + 1) + cpu;
}
static inline struct loggp_nic *loggp_nic_of(const struct replay_loggp *x, struct loggp_rank *r, uint32_t nic)
{
    return (struct loggp_nic *)(void *)loggp_cpu_of(r, x->cpus) + nic;
}
static inline struct loggp_lane *loggp_lane_of(const struct replay_loggp *x, struct loggp_rank *r,
                                               uint32_t cpu, uint32_t nic)
{
    return (struct loggp_lane *)(void *)loggp_nic_of(x, r, x->nics) + cpu * x->nics + nic;
}

static inline double loggp_later(double a, double b)
{
    return a > b ? a : b;
}

static inline const struct replay_goal_shape *loggp_shape(const struct replay_loggp *x,
                                                          const struct loggp_rank *r, uint32_t op)
{
    return replay_goal_shape_of(&x->tables, &r->op[op]);
}

/* queue.c: nodes, and queues of them. */
enum { LOGGP_CHUNK = 4, LOGGP_STOCK = 16 }; /* nodes that a stock gets at once; that it keeps */
uint32_t loggp_node_more(struct replay_loggp *x, struct loggp_rank *r);
static inline uint32_t loggp_node_take(struct replay_loggp *x, struct loggp_rank *r)
{
    uint32_t k = r->stock;
    if (BASE_UNLIKELY(!k))
        return loggp_node_more(x, r);
    r->stock = x->node[k].next;
    r->stocked--;
    return k;
}
static inline void loggp_node_give(struct replay_loggp *x, struct loggp_rank *r, uint32_t k)
{
    bool full = r->stocked == LOGGP_STOCK;
    uint32_t *stock = full ? &x->free_node : &r->stock;
    r->stocked += !full;
    x->node[k].next = *stock;
    *stock = k;
}
static inline void loggp_append(struct replay_loggp *x, struct loggp_queue *q, uint32_t k)
{
    x->node[k].next = 0;
    if (q->first)
        x->node[q->last].next = k;
    else
        q->first = k;
    q->last = k;
}
static inline uint32_t loggp_shift(struct replay_loggp *x, struct loggp_queue *q)
{
    uint32_t k = q->first;
    q->first = x->node[k].next;
    return k;
}
/* Takes the first receive that wants a message from `peer` with `tag`, or the first message that a receive of these
 * wants, out of the queue; 0: there is none. */
uint32_t loggp_match_receive(struct replay_loggp *x, struct loggp_queue *posted, uint32_t peer, uint32_t tag);
uint32_t loggp_match_message(struct replay_loggp *x, struct loggp_queue *unexpected, uint32_t peer,
                             uint32_t tag);
/* A place for the next message on its way; once it is filled, and latencies differ, the message is sorted in. */
struct loggp_message *loggp_depart(struct replay_loggp *x);
void loggp_sort_in(struct replay_loggp *x, const struct loggp_message *m);
static inline const struct loggp_message *loggp_flying(const struct replay_loggp *x, uint64_t k)
{
    return &x->flight[k & (x->flight_cap - 1)];
}
/* There is one. */
static inline const struct loggp_message *loggp_next_arrival(const struct replay_loggp *x)
{
    return BASE_LIKELY(!x->p.noise.arrival) ? loggp_flying(x, x->arrived) : &x->flight[x->late.at[1].rank];
}
/* The same, which has arrived. */
struct loggp_message loggp_arrive_late(struct replay_loggp *x);
static inline struct loggp_message loggp_arrive(struct replay_loggp *x)
{
    return BASE_LIKELY(!x->p.noise.arrival) ? *loggp_flying(x, x->arrived++) : loggp_arrive_late(x);
}

static inline struct loggp_key loggp_key_of(double at, uint64_t number)
{
    struct loggp_key key = {0, number};
    memcpy(&key.time, &at, sizeof at);
    return key;
}
static inline double loggp_key_time(const struct loggp_key *key)
{
    double at;
    memcpy(&at, &key->time, sizeof at);
    return at;
}
static inline bool loggp_is(const struct loggp_key *a, const struct loggp_key *b)
{
    return a->time == b->time && a->number == b->number;
}
/* Without branches, which nobody could predict. */
static inline bool loggp_before(const struct loggp_key *a, const struct loggp_key *b)
{
    typedef unsigned __int128 bits;
    return ((bits)a->time << 64 | a->number) < ((bits)b->time << 64 | b->number);
}

/* loggp.c: all operations of a rank that wait for nothing are ready, at time 0. */
void loggp_begin(struct replay_loggp *x, uint32_t id);

/* The processor gets a rank early, which it will need soon. */
static inline void loggp_prefetch_rank(const void *rank)
{
    const struct loggp_rank *r = rank;
    __builtin_prefetch(r, 1);
    __builtin_prefetch(r + 1, 1);
}

/* heap.c */
void loggp_heap_push(struct loggp_heap *heap, const struct loggp_entry *e);
void loggp_heap_pop(struct loggp_heap *heap);
void loggp_heap_delay(struct loggp_heap *heap,
                      const struct loggp_entry *e); /* this one in place of the first */

/* calendar.c. `day`: how long a day is at first, in nanoseconds. */
void loggp_calendar_init(struct loggp_calendar *c, uint32_t ranks, double day);
void loggp_calendar_release(struct loggp_calendar *c);
void loggp_calendar_put(struct loggp_calendar *c, const struct loggp_entry *e);
void loggp_calendar_delay(struct loggp_calendar *c,
                          const struct loggp_entry *e); /* this one in place of the first */
static inline void loggp_calendar_pop(struct loggp_calendar *c)
{
    loggp_heap_pop(&c->heap);
}
const struct loggp_entry *loggp_calendar_turn(struct loggp_calendar *c);
/* NULL: there is none. */
static inline const struct loggp_entry *loggp_calendar_first(struct loggp_calendar *c)
{
    return BASE_LIKELY(c->heap.n) ? &c->heap.at[1] : loggp_calendar_turn(c);
}

#endif
