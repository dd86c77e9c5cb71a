/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * activities: what goes on in the fabric and can be changed or ended from outside: transfers, computations, the
 * flows of one-sided operations. Private to fabric/, a part of parts.h.
 */
#ifndef PGASIM_FABRIC_ACTIVITIES_H
#define PGASIM_FABRIC_ACTIVITIES_H

#include "fabric/fabric.h"

struct fabric_path;

/* A list without a head of its own kind: whoever is on it can leave without knowing which it is. */
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

/* change.c: the platform's profiles. */
struct fabric_changes;
void fabric_changes_begin(struct fabric *f);
void fabric_changes_release(struct fabric *f);

/* An operation whose payload flows: what a failure finds it by. */
struct fabric_flight {
    struct fabric_ring ring;
    struct fabric_op *op;
    struct fluid_flow *flow;
};
void fabric_flights_init(struct fabric *f);
void fabric_flights_release(struct fabric *f);
struct fabric_flight *fabric_flight_begin(struct fabric *f, struct fabric_op *op);
struct fabric_op *fabric_flight_end(struct fabric *f, struct fabric_flight *flight); /* and leaves its path */
/* All operations that need it fail. */
void fabric_ops_fail(struct fabric *f, struct fabric_failure why);
/* The operation is to set out, and something that it needs is off: then it has failed. Asked while something is off. */
bool fabric_op_is_cut_off(struct fabric *f, struct fabric_op *op);
/* One of the two hosts is off; one of the links is. `why`: which. */
bool fabric_hosts_cut_off(const struct fabric *f, uint32_t from, uint32_t to, struct fabric_failure *why);
bool fabric_links_cut_off(const struct fabric *f, const uint32_t *link, uint32_t n,
                          struct fabric_failure *why);
/* The event is a step of an operation. */
bool fabric_is_step(engine_event_fn fn);
bool fabric_is_wire_step(engine_event_fn fn);
bool fabric_is_server_step(engine_event_fn fn);
void fabric_wire_lose(struct fabric_op *op); /* its next step will not come */
/* The servers of a host hold nothing from now on; the events of what they held. */
void fabric_servers_give_up(struct fabric *f, uint32_t host, void (*fn)(void *ctx, struct engine_event *ev),
                            void *ctx);

/* A transfer: in its latency (no flow), or a flow. What is over in its latency waits for its event to be put away. */
struct fabric_transfer {
    struct fabric_ring ring;   /* in fabric.transfers, or among those that fail now */
    struct engine_event event; /* the end of its latency */
    struct fabric *fabric;
    struct fabric_path *path; /* NULL in the Constant model */
    struct fluid_flow *flow;
    fabric_outcome_fn done;
    void *arg;
    double amount; /* bytes / the bandwidth factor */
    double
        penalty; /* SimGrid's sharing penalty: the weight, but for a transfer without latency that met no change */
    double weight, bound;
    double latency;            /* of its route, as changes since its start have it */
    double top;                /* the bound that no latency gives */
    double unslowed;           /* IB: its bound at its start */
    struct fabric_ring mates;  /* IB: of one pair of hosts */
    struct fabric_failure why; /* it fails */
    bool over, fails;
};
void fabric_transfers_init(struct fabric *f);
void fabric_transfers_release(struct fabric *f);
void fabric_transfer_limit(struct fabric_transfer *t, double weight, double bound);
void fabric_transfers_latency(struct fabric *f, uint32_t link, double change);
void fabric_transfers_bandwidth(struct fabric *f, uint32_t link, double change);
/* Ends those with FABRIC_FAILED that cross the link, or that a host sends or receives. */
void fabric_transfers_fail_link(struct fabric *f, uint32_t link);
void fabric_transfers_fail_host(struct fabric *f, uint32_t host);

/* ib.c: what transfers at a host at once cost each other in the IB model. */
struct fabric_ib;
void fabric_ib_release(struct fabric *f);
void fabric_ib_join(struct fabric *f, struct fabric_transfer *t);
void fabric_ib_leave(struct fabric *f, struct fabric_transfer *t);

/* A host's CPU. */
struct fabric_cpu {
    struct fabric_ring execs;
    double factor; /* on the host's own speed */
    bool off, varies;
};
/* All CPUs, from the first computation or change on. */
struct fabric_cpu *fabric_cpu_at(struct fabric *f, uint32_t host);
void fabric_execs_init(struct fabric *f);
void fabric_execs_release(struct fabric *f);
void fabric_execs_renew(struct fabric *f, uint32_t host);
void fabric_execs_fail(struct fabric *f, uint32_t host);

/* vary.c */
void fabric_profiles_note(struct fabric *f);
void fabric_loopback_set(struct fabric *f);

#endif
