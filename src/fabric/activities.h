/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * activities: what goes on in the fabric and can be changed or ended from outside: transfers, computations,
 * and the flows of one-sided operations. Private to fabric/, a part of parts.h.
 */
#ifndef PGASIM_FABRIC_ACTIVITIES_H
#define PGASIM_FABRIC_ACTIVITIES_H

#include "fabric/fabric.h"

struct fabric_path;

/* A circular list: an entry can leave without knowing which list it is on. */
struct fabric_ring {
    struct fabric_ring *prev, *next;
};
static inline void fabric_ring_init(struct fabric_ring *r)
{
    r->prev = r->next = r;
}
static inline bool fabric_ring_empty(const struct fabric_ring *r)
{
    return r->next == r;
}
static inline void fabric_ring_leave(struct fabric_ring *r)
{
    r->prev->next = r->next;
    r->next->prev = r->prev;
}
static inline void fabric_ring_join(struct fabric_ring *list, struct fabric_ring *r) /* at its end */
{
    r->prev = list->prev;
    r->next = list;
    list->prev = list->prev->next = r;
}

/* change.c: follows the platform's profiles. */
struct fabric_changes;
void fabric_changes_begin(struct fabric *f);
void fabric_changes_release(struct fabric *f);

/* An operation whose payload is a flow, so that failures can find it. */
struct fabric_flight {
    struct fabric_ring ring;
    struct fabric_op *op;
    struct fabric_path *path;
    struct fluid_flow *flow;
    double bytes; /* with the header */
};
void fabric_flights_init(struct fabric *f);
void fabric_flights_release(struct fabric *f);
struct fabric_flight *fabric_flight_begin(struct fabric *f, struct fabric_op *op, struct fabric_path *p);
struct fabric_op *fabric_flight_end(struct fabric *f, struct fabric_flight *flight); /* and leaves its path */
/* Fails all operations that need the failed link or host. */
void fabric_ops_fail(struct fabric *f, struct fabric_failure why);
/* It takes no further step, and its owner is told. */
void fabric_op_fail(struct fabric_op *op, const struct fabric_failure *why);
/* For an operation about to set out: if something that it needs is off, fails it and returns true. Called
 * only while something is off. */
bool fabric_op_is_cut_off(struct fabric *f, struct fabric_op *op);
/* Whether one of the two hosts, or one of the links, is off. `why`: which. */
bool fabric_hosts_cut_off(const struct fabric *f, uint32_t from, uint32_t to, struct fabric_failure *why);
bool fabric_links_cut_off(const struct fabric *f, const uint32_t *link, uint32_t n,
                          struct fabric_failure *why);
/* Whether the event is a step of an operation. */
bool fabric_is_step(engine_event_fn fn);
bool fabric_is_wire_step(engine_event_fn fn);
bool fabric_is_server_step(engine_event_fn fn);
bool fabric_is_card_step(engine_event_fn fn);
/* Calls `fn` for the event of each operation that is in a card of profile rae. */
void fabric_cards_visit(struct fabric *f, void (*fn)(void *ctx, struct engine_event *ev), void *ctx);
void fabric_wire_lose(struct fabric_op *op); /* its next step will not happen */
/* Empties a host's servers and calls `fn` for the event of each operation that they held. */
void fabric_servers_give_up(struct fabric *f, uint32_t host, void (*fn)(void *ctx, struct engine_event *ev),
                            void *ctx);

struct fabric_train;
/* What a transfer has in the model IB. */
struct fabric_slowed {
    struct fabric_ring mates; /* transfers of one pair of hosts */
    double bound;             /* the transfer's at its start */
};

/* A transfer: in its latency (no flow), in its connection's line (no flow), or a flow or frames. One that ends during
 * its latency is freed when its event runs. */
struct fabric_transfer {
    struct fabric_ring ring; /* in fabric.transfers, or among those that are failing now */
    union {
        struct engine_event event; /* the end of its latency */
        struct fabric_ring line;   /* then: with the others of its connection (connection.c) */
    };
    struct fabric *fabric;
    struct fabric_path *path; /* NULL in the Constant model */
    union {
        struct fluid_flow *flow;
        struct fabric_train *train; /* if `framed` */
    };
    fabric_outcome_fn done;
    void *arg;
    double bytes;
    union {
        double amount;             /* bytes / the bandwidth factor */
        struct fabric_failure why; /* it fails at its start */
    };
    double penalty; /* SimGrid's penalty: the weight, unless without latency and unchanged */
    double weight, bound;
    double latency;      /* of its route, updated by changes since its start */
    double top;          /* the bound by links and rate, without the latency's */
    double memory;       /* of its host, for each unit of `amount`; 0: it shares none */
    uint64_t connection; /* or FABRIC_NO_CONNECTION */
    bool over, fails, lined;
    bool asks, limited; /* its receiver is asked first; it has a rate of its own */
    bool framed;        /* its words or frames are under way */
    bool spread;        /* its frames have latency on their links */
    struct fabric_slowed slowed[]; /* one in the model IB, else none */
};
void fabric_transfers_init(struct fabric *f);
void fabric_transfers_release(struct fabric *f);
void fabric_transfer_limit(struct fabric_transfer *t, double weight, double bound);
void fabric_transfers_latency(struct fabric *f, uint32_t link, double change);
void fabric_transfers_bandwidth(struct fabric *f, uint32_t link, double change);
/* Ends with FABRIC_FAILED all transfers that cross the link, or that the host sends or receives. */
void fabric_transfers_fail_link(struct fabric *f, uint32_t link);
void fabric_transfers_fail_host(struct fabric *f, uint32_t host);

/* connection.c: the transfer joins the end of its connection's line. Returns whether it is the first. */
bool fabric_connection_join(struct fabric *f, struct fabric_transfer *t);
/* Returns the one whose turn it is now, or NULL. */
struct fabric_transfer *fabric_connection_leave(struct fabric *f, struct fabric_transfer *t);

/* train.c: transfers in frames (network/frame). */
void fabric_trains_init(struct fabric *f);
void fabric_trains_release(struct fabric *f);
bool fabric_train_carries(const struct fabric_transfer *t); /* where messages have frames */
/* Of the transfer's latency, what its frames do not have on their links passes by fabric_transfer_wait. Before that,
 * words go between the two hosts if the transfer asks its receiver and has the latency for them. `answer`: the receiver
 * alone says a word. */
void fabric_train_wait(struct fabric_transfer *t, bool answer, double latency);
/* The transfer's turn has come. Ends by fabric_transfer_over. */
void fabric_train_start(struct fabric_transfer *t);
void fabric_train_leave(struct fabric_transfer *t); /* it is over */
void fabric_transfer_wait(struct fabric_transfer *t, double seconds);
/* Those of its connection need not wait for it any more. */
void fabric_transfer_next(struct fabric_transfer *t);
void fabric_transfer_over(struct fabric_transfer *t);

/* ib.c: how concurrent transfers at a host slow each other in the IB model. */
struct fabric_ib;
void fabric_ib_release(struct fabric *f);
void fabric_ib_join(struct fabric *f, struct fabric_transfer *t);
void fabric_ib_leave(struct fabric *f, struct fabric_transfer *t);

/* A host's CPU. */
struct fabric_cpu {
    struct fabric_ring execs;
    double peak;   /* flop/s of one core in its pstate */
    double factor; /* times that */
    uint32_t pstate;
    uint32_t running; /* computations with a flow */
    bool off, varies;
};
/* All CPUs; they exist from the first computation or change on. */
struct fabric_cpu *fabric_cpu_at(struct fabric *f, uint32_t host);
void fabric_execs_init(struct fabric *f);
void fabric_execs_release(struct fabric *f);
void fabric_execs_renew(struct fabric *f, uint32_t host);
void fabric_execs_fail(struct fabric *f, uint32_t host);

/* vary.c */
void fabric_profiles_note(struct fabric *f);
void fabric_loopback_set(struct fabric *f);
void fabric_bandwidths_draw(struct fabric *f);

#endif
