/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fabric: how long things take to cross the platform. Profile `rdma`: the origin's CPU pays an issue
 * overhead, its NIC accepts one message per gap, the payload is a fluid flow over the route after the
 * route's latency, the target's NIC serves gets and atomics without the target's CPU. Messages between
 * ranks of one host take the host-local path (own latency and bandwidth, no NIC). Moves no bytes: the owner's callbacks do.
 *
 * Instants of an operation (the OpenSHMEM paper's Figure 2)
 *   put     issue -> at_target (bytes visible there)                      ack is a time, not an event
 *   get     issue -> at_target (bytes read there) -> fabric_reply -> at_origin
 *   atomic  issue -> at_target (executed there)   -> fabric_reply -> at_origin
 *
 * Every parameter is a setting `rdma/...` or `local/...` (see fabric_settings and docs/fabric.md).
 */
#ifndef PGASIM_FABRIC_H
#define PGASIM_FABRIC_H

#include "platform/platform.h"

struct fabric;
enum fabric_kind { FABRIC_PUT, FABRIC_GET, FABRIC_ATOMIC };

struct fabric_op;
struct fabric_handler {
    /* The operation takes effect at the target, in an event. A put is then over for the fabric; for a get or
     * an atomic the owner calls fabric_reply, now or (fence) later. */
    void (*at_target)(struct fabric *f, struct fabric_op *op);
    /* The reply has arrived at the origin, in an event; the operation is over for the fabric. */
    void (*at_origin)(struct fabric *f, struct fabric_op *op);
};
/* Embedded first in the owner's operation record. Public fields are set before fabric_issue. */
struct fabric_op {
    struct engine_event event; /* the fabric's */
    struct fabric *fabric;     /* the fabric's */
    const struct fabric_handler *handler;
    const struct fabric_path *path; /* the fabric's */
    uint64_t bytes;   /* payload: of the put, of the get's reply, 8 for an atomic */
    uint32_t origin;  /* host ids */
    uint32_t target;
    uint8_t kind;     /* enum fabric_kind */
    uint8_t stage;    /* the fabric's */
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
 * engine_sleep), including the copy of a payload that is buffered (bytes <= fabric_buffered_limit). */
double fabric_issue_cost(const struct fabric *f, enum fabric_kind kind, uint64_t bytes, bool local);
/* A put of at most this many bytes is locally complete when issued; a longer one when fully delivered. */
uint64_t fabric_buffered_limit(const struct fabric *f);
/* Hands the operation to the origin's NIC now. */
void fabric_issue(struct fabric *f, struct fabric_op *op);
void fabric_reply(struct fabric *f, struct fabric_op *op);
/* Seconds from a put's delivery until the origin knows (the acknowledgement). */
double fabric_ack_delay(const struct fabric *f, const struct fabric_op *op);
/* Seconds that a call which finds its condition at once takes: test, poll, a time function. */
double fabric_poll_cost(const struct fabric *f);

#endif
