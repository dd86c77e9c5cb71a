/* SPDX-License-Identifier: BSD-3-Clause */
/* state: what the files of loggp/ share. */
#ifndef PGASIM_REPLAY_LOGGP_STATE_H
#define PGASIM_REPLAY_LOGGP_STATE_H

#include "replay/loggp/loggp.h"

#include <string.h>

/* An operation that is ready, a receive that waits for its message, or a message; in one queue. */
struct loggp_node {
    uint64_t number;    /* G1 */
    double at;          /* when it became known; of a message on its way: when it arrives */
    uint64_t size;      /* of a message */
    uint32_t next;      /* 0: none */
    uint32_t op;        /* of its rank; of a message: the sender's */
    uint32_t peer, tag; /* a message's sender, a receive's source */
    uint32_t to;        /* a message's receiver */
    uint8_t cpu, nic;
};

struct loggp_queue {
    uint32_t first, last; /* nodes; 0: it is empty */
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
    LOGGP_NOTHING,
    LOGGP_CALCULATES,
    LOGGP_SENDS,
    LOGGP_RECEIVES,
    LOGGP_TAKES_MESSAGE,
    LOGGP_ENDS
};

/* Behind it, its CPUs, then its NICs, then its lanes, those of the first CPU first. With one of each that is two lines
 * of a cache. */
struct loggp_rank {
    struct replay_goal_op *op;
    const uint32_t *list;                  /* of operations that wait for others, one behind the other */
    struct loggp_queue *queue;             /* its earliest event is the first of this one */
    uint32_t listed;                       /* numbers in the list */
    enum loggp_what what;                  /* its earliest event does */
    uint32_t n, left;                      /* operations; those that have not ended */
    uint32_t id, place;                    /* in the heap, from 1; 0: it is not there */
    struct loggp_queue posted, unexpected; /* receives without message, messages without receive */
};

/* A rank by its earliest event. */
typedef unsigned __int128 loggp_key_bits; /* the bits of a time, then the event's number */
struct loggp_entry {
    loggp_key_bits key;
    struct loggp_rank *rank;
};
static inline loggp_key_bits loggp_key(double at, uint64_t number)
{
    uint64_t bits;
    memcpy(&bits, &at, sizeof bits);
    return (loggp_key_bits)bits << 64 | number;
}

typedef BASE_ARRAY(uint32_t) loggp_ops;

struct replay_loggp {
    struct replay_goal *goal;
    struct replay_loggp_parameters p;
    uint32_t ranks, cpus, nics;
    unsigned char *rank; /* of `stride` bytes each */
    size_t stride;
    double now;
    uint64_t number; /* given so far */
    struct loggp_node *node;
    size_t nodes, node_cap, free_node;
    struct loggp_queue flight; /* messages on their way */
    struct loggp_entry *heap;  /* from 1 */
    size_t heap_n, heap_cap;
    loggp_ops fresh[2];       /* operations that the current event makes ready: of its rank, of another one */
    loggp_ops over;           /* ranks whose last operation it ends */
    struct loggp_rank *other; /* a rank besides its own that it touches */
    uint64_t endings;         /* events that are none to LogGOPSim */
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

/* What waits for an operation (replay_goal_waiting). */
static inline struct replay_goal_waiting loggp_waiting(const struct loggp_rank *r, uint32_t op)
{
    const struct replay_goal_op *o = &r->op[op];
    const uint32_t *end = r->list + o->first;
    uint32_t last = op + 1 < r->n ? o[1].first : r->listed;
    return (struct replay_goal_waiting){end, end + o->ends, o->ends, last - o->first - o->ends};
}

/* queue.c: nodes, and queues of them. */
uint32_t loggp_node_more(struct replay_loggp *x);
static inline uint32_t loggp_node_take(struct replay_loggp *x)
{
    uint32_t k = (uint32_t)x->free_node;
    if (BASE_UNLIKELY(!k))
        return loggp_node_more(x);
    x->free_node = x->node[k].next;
    return k;
}
static inline void loggp_node_give(struct replay_loggp *x, uint32_t k)
{
    x->node[k].next = (uint32_t)x->free_node;
    x->free_node = k;
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
/* Takes the first receive of a rank that wants the message k, or the first message that the receive of `peer` and `tag`
 * wants, out of the queue; 0: there is none. */
uint32_t loggp_match_receive(struct replay_loggp *x, struct loggp_queue *posted, uint32_t k);
uint32_t loggp_match_message(struct replay_loggp *x, struct loggp_queue *unexpected, uint32_t peer,
                             uint32_t tag);

static inline double loggp_key_time(loggp_key_bits key)
{
    uint64_t bits = (uint64_t)(key >> 64);
    double at;
    memcpy(&at, &bits, sizeof at);
    return at;
}

/* heap.c: the rank's earliest event has changed to this one, or to none. The first entry stands at 1. */
void loggp_heap_put(struct replay_loggp *x, struct loggp_rank *r, double at, uint64_t number);

#endif
