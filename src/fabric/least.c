/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * least: what an operation takes at least: its latencies and services. Follows the stages of fabric.c, without bytes
 * and without a queue.
 */
#include "fabric/parts.h"

static double at_unit(const struct fabric_model *m, bool local)
{
    return local ? m->local_atomic_service : m->atomic_service;
}

static double local_least(const struct fabric_model *m, const struct fabric_op *op, bool updates)
{
    return m->local_latency + (op->kind == FABRIC_ATOMIC || updates ? at_unit(m, true) : 0);
}

/* What the target does for it. */
static double service(const struct fabric_model *m, const struct fabric_op *op, bool updates)
{
    if (op->server)
        return m->software_service;
    if (op->kind == FABRIC_GET)
        return m->read_service;
    return op->kind == FABRIC_ATOMIC || updates ? at_unit(m, false) : 0;
}

/* Of the latency there; a put's may depend on its size. */
static double sent(struct fabric *f, const struct fabric_op *op)
{
    const struct fabric_model *m = fabric_model_at(f, op->origin);
    const struct fabric_way *w = fabric_way_find(f, op->origin, op->target);
    if (op->kind != FABRIC_PUT)
        return fabric_way_latency(f, w, (double)f->model.header_bytes);
    return fabric_way_latency(f, w, (double)(op->bytes + m->header_bytes)) +
           (op->bytes > m->inline_limit ? m->fetch_latency : 0);
}

static double replied(struct fabric *f, const struct fabric_op *op)
{
    const struct fabric_way *w = fabric_way_find(f, op->target, op->origin);
    if (op->kind != FABRIC_GET)
        return fabric_way_latency(f, w, (double)f->model.header_bytes);
    return fabric_way_latency(f, w, (double)(op->bytes + fabric_model_at(f, op->target)->header_bytes));
}

double fabric_least(struct fabric *f, const struct fabric_op *op, bool replies, bool updates)
{
    const struct fabric_model *m = fabric_model_at(f, op->target);
    if (op->origin == op->target)
        return local_least(m, op, updates);
    double there = sent(f, op) + service(m, op, updates);
    return replies ? there + replied(f, op) : there;
}
