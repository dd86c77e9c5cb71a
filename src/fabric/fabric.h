/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fabric: how long things take to cross the platform. Profile `rdma`: the origin's CPU pays an issue
 * overhead, its NIC accepts one message per gap, the payload is a fluid flow over the route after the
 * route's latency, the target's NIC serves gets and atomics without the target's CPU. Messages between
 * ranks of one host take the host-local path (own latency and bandwidth, no NIC). Moves no bytes: the owner's
 * callbacks do. Profile `software`: what arrives is served by the target's CPU instead, a rank's or a progress
 * thread's (fabric_server_add).
 *
 * Instants of an operation (the OpenSHMEM paper's Figure 2)
 *   put     issue -> at_target (bytes visible there)                      ack is a time, not an event
 *           ... and with a signal -> fabric_update -> updated (the word's turn in the atomic unit)
 *   get     issue -> at_target (bytes read there) -> fabric_reply -> at_origin
 *   atomic  issue -> at_target (executed there)   -> fabric_reply -> at_origin
 * An atomic whose result nobody wants ends at at_target: its owner does not call fabric_reply.
 *
 * Operations between one pair of hosts may overtake each other (a short put does not wait for a long one);
 * atomics on one word do not. Every parameter is a setting `rdma/...`, `local/...` or `network/...` (see
 * fabric_settings and docs/fabric.md); those of `rdma/`, `local/` and `software/` may be given for single hosts
 * as <prop> in the platform file, which wins over the setting.
 */
#ifndef PGASIM_FABRIC_H
#define PGASIM_FABRIC_H

#include "platform/platform.h"

struct fabric;
enum fabric_kind { FABRIC_PUT, FABRIC_GET, FABRIC_ATOMIC };
/* Who serves what arrives at a host: its network card, each rank within its calls, a thread of the host. */
enum fabric_progress { FABRIC_BY_CARD, FABRIC_BY_CALLS, FABRIC_BY_THREAD };

struct fabric_op;
struct fabric_handler {
    /* The operation takes effect at the target, in an event. A put is then over for the fabric; for a get or
     * an atomic the owner calls fabric_reply, now or (fence) later. */
    void (*at_target)(struct fabric *f, struct fabric_op *op);
    /* The reply has arrived at the origin, in an event; the operation is over for the fabric. */
    void (*at_origin)(struct fabric *f, struct fabric_op *op);
    /* The target's atomic unit is done with the word, in an event. NULL for an owner that never calls
     * fabric_update. */
    void (*updated)(struct fabric *f, struct fabric_op *op);
    /* Its next step comes soon: what that touches may be fetched into the cache. Changes nothing. May be NULL. */
    void (*soon)(const struct fabric_op *op, bool at_origin);
};
/* Embedded first in the owner's operation record. Public fields are set before fabric_issue. */
struct fabric_op {
    struct engine_event event; /* the fabric's */
    struct fabric *fabric;     /* the fabric's */
    const struct fabric_handler *handler;
    struct fabric_path *path; /* the fabric's */
    double ack;               /* the fabric's: seconds from delivery until the origin knows */
    uint64_t bytes;           /* payload: of the put, of the get's reply, 8 for an atomic */
    uint32_t origin;          /* host ids */
    uint32_t target;
    uint32_t
        word; /* atomics, signals: number of the word at the target host; those on one word exclude each other */
    uint32_t server;     /* of the target (fabric_server_add); 0: the network card */
    uint8_t kind;        /* enum fabric_kind */
    uint8_t stage;       /* the fabric's: where the operation is (enum in parts.h) */
    uint8_t owner_state; /* two fields for the owner: there is room */
    uint32_t owner_number;
};

extern const struct base_setting fabric_settings[];
extern const size_t fabric_settings_count;

struct fabric *fabric_create(struct engine *e, struct fluid *fl, struct platform *p,
                             const struct base_settings *settings);
void fabric_destroy(struct fabric *f);
struct engine *fabric_engine(const struct fabric *f);
struct platform *fabric_platform(const struct fabric *f);
fluid_resource fabric_cpu(const struct fabric *f, uint32_t host); /* the host's CPU as a fluid resource */
struct fluid *fabric_fluid(const struct fabric *f);

/* Seconds of the origin's CPU that the call takes before the NIC has the operation (charged by the caller:
 * engine_sleep), including the copy of a payload that is buffered (bytes <= the limit). */
double fabric_host_issue_cost(const struct fabric *f, enum fabric_kind kind, uint64_t bytes, uint32_t origin,
                              uint32_t target);
/* Seconds of the host's CPU that packing or unpacking so many bytes takes. */
double fabric_host_copy_cost(const struct fabric *f, uint32_t host, uint64_t bytes);
/* A put of at most this many bytes is locally complete when issued; a longer one when fully delivered. */
uint64_t fabric_host_buffered_limit(const struct fabric *f, uint32_t host);
/* Seconds that a call which finds its condition at once takes: test, poll, a time function. */
double fabric_host_poll_cost(const struct fabric *f, uint32_t host);
/* The same four by the settings alone, for choices that all hosts must make alike. */
double fabric_issue_cost(const struct fabric *f, enum fabric_kind kind, uint64_t bytes, bool local);
double fabric_copy_cost(const struct fabric *f, uint64_t bytes);
uint64_t fabric_buffered_limit(const struct fabric *f);
double fabric_poll_cost(const struct fabric *f);
/* What one origin has issued ahead of the clock, in the order of its calls, which is mostly that of time: to other
 * hosts, and within its host. Zeroed is empty. */
struct fabric_issues {
    struct engine_series network, local;
};
void fabric_issues_release(struct fabric_issues *q);
/* Hands the operation to the origin's NIC now, or at `when` >= now; until then it waits in `q`. Ends the process
 * (BASE_EXIT_INPUT) when the platform has no route between the two hosts. */
void fabric_issue(struct fabric *f, struct fabric_op *op);
void fabric_issue_at(struct fabric *f, struct fabric_op *op, struct fabric_issues *q, double when);
void fabric_reply(struct fabric *f, struct fabric_op *op);
/* After a put's at_target: its signal, the word `op->word`, enters the target's atomic unit now. */
void fabric_update(struct fabric *f, struct fabric_op *op);
/* Seconds from a put's delivery until the origin knows (the acknowledgement). Known from at_target on, for as
 * long as the record lives. */
double fabric_ack_delay(const struct fabric *f, const struct fabric_op *op);

/* --- profile software -------------------------------------------------------------------------------- */

enum fabric_progress fabric_host_progress(const struct fabric *f, uint32_t host);
/* The number of a server for a rank of the host: of its own (BY_CALLS), of the host's thread (BY_THREAD), or 0
 * (BY_CARD). Arrivals for it take software/service and the copy of their bytes, one after the other. */
uint32_t fabric_server_add(struct fabric *f, uint32_t host);
/* The server's rank computes from now on: what arrives is held until fabric_server_back, which returns when
 * the CPU will be done with all that is there. */
void fabric_server_away(struct fabric *f, uint32_t server);
double fabric_server_back(struct fabric *f, uint32_t server);
double fabric_server_free(const struct fabric *f, uint32_t server); /* the same, without coming back */

struct fabric_counts {
    uint64_t network, local; /* operations by way */
    uint64_t paths;          /* routes known now */
    uint64_t routed;         /* routes asked of the platform so far */
};
struct fabric_counts fabric_counts(const struct fabric *f);

#endif
