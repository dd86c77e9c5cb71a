/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * least: the least time that an operation can take: its latencies and services. Follows the stages of op.c,
 * without bytes and without queues.
 */
#include "fabric/parts.h"

#include <math.h>
#include <stdlib.h>

static double at_unit(const struct fabric_model *m, bool local)
{
    return local ? m->local_atomic_service : m->atomic_service;
}

static double local_least(const struct fabric_model *m, const struct fabric_op *op, bool updates)
{
    return m->local_latency + (op->kind == FABRIC_ATOMIC || updates ? at_unit(m, true) : 0);
}

/* The target's service time. */
static double service(const struct fabric_model *m, const struct fabric_op *op, bool updates)
{
    if (m->progress == FABRIC_BY_RAE) /* a line that its card has */
        return m->node.packetizer + m->node.map + m->node.lookup + m->node.cache;
    if (fabric_op_server(op))
        return m->software_service;
    if (op->kind == FABRIC_GET)
        return m->read_service;
    return op->kind == FABRIC_ATOMIC || updates ? at_unit(m, false) : 0;
}

/* The latency to the target; a put's may depend on its size. */
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

static double network_least(struct fabric *f, const struct fabric_op *op, bool replies, bool updates)
{
    double there = sent(f, op) + service(fabric_model_at(f, op->target), op, updates);
    return replies ? there + replied(f, op) : there;
}

/* --- cache, by pair of hosts if there are few: a trace asks at each issue
 * ----------------------------------- */

enum { HOSTS_KEPT = 256, WAYS_KEPT = 64 };
struct fabric_least {
    uint32_t version;
    double *of[WAYS_KEPT]; /* NULL: not asked for yet; NAN: not known yet */
};

void fabric_leasts_release(struct fabric *f)
{
    for (int k = 0; f->leasts && k < WAYS_KEPT; k++)
        free(f->leasts->of[k]);
    free(f->leasts);
    f->leasts = NULL;
}

/* The other inputs of the result, as one number. */
static uint32_t way_of(const struct fabric *f, const struct fabric_op *op, bool replies, bool updates)
{
    bool fetched = op->bytes > fabric_model_at(f, op->origin)->inline_limit;
    return op->kind + 4u * replies + 8u * updates + 16u * fetched + 32u * (fabric_op_server(op) != 0);
}

static double *table_of(struct fabric *f, uint32_t way)
{
    size_t n = (size_t)f->hosts * f->hosts;
    if (f->leasts && f->leasts->version != f->version)
        fabric_leasts_release(f);
    if (!f->leasts) {
        f->leasts = base_zalloc(sizeof *f->leasts, "least times of operations");
        f->leasts->version = f->version;
    }
    double *table = f->leasts->of[way] = base_alloc(n * sizeof *table, "least times of operations");
    for (size_t k = 0; k < n; k++)
        table[k] = NAN;
    return table;
}

double fabric_least(struct fabric *f, const struct fabric_op *op, bool replies, bool updates)
{
    if (op->origin == op->target)
        return local_least(fabric_model_at(f, op->target), op, updates);
    if (f->hosts > HOSTS_KEPT || f->network.latency.pieces)
        return network_least(f, op, replies, updates);
    uint32_t way = way_of(f, op, replies, updates);
    double *table = f->leasts && f->leasts->version == f->version ? f->leasts->of[way] : NULL;
    if (BASE_UNLIKELY(!table))
        table = table_of(f, way);
    double *least = &table[(size_t)op->origin * f->hosts + op->target];
    if (BASE_UNLIKELY(isnan(*least)))
        *least = network_least(f, op, replies, updates);
    return *least;
}
