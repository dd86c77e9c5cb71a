/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost: the CPU time of calls. This only computes; the callers charge it.
 */
#include "fabric/parts.h"

static double issue_cost(const struct fabric_model *m, enum fabric_kind kind, uint64_t bytes, bool local)
{
    if (local) /* the origin's CPU copies the bytes of a put itself */
        return m->local_overhead + (kind == FABRIC_PUT ? (double)bytes * m->local_per_byte : 0);
    if (kind == FABRIC_GET)
        return m->get_overhead;
    if (kind == FABRIC_ATOMIC)
        return m->atomic_overhead;
    return m->put_overhead + (bytes <= m->buffered_limit ? (double)bytes * m->copy_per_byte : 0);
}

double fabric_host_issue_cost(const struct fabric *f, enum fabric_kind kind, uint64_t bytes, uint32_t origin,
                              uint32_t target)
{
    return issue_cost(fabric_model_at(f, origin), kind, bytes, origin == target);
}

double fabric_host_copy_cost(const struct fabric *f, uint32_t host, uint64_t bytes)
{
    return (double)bytes * fabric_model_at(f, host)->copy_per_byte;
}

uint64_t fabric_host_buffered_limit(const struct fabric *f, uint32_t host)
{
    return fabric_model_at(f, host)->buffered_limit;
}

double fabric_host_poll_cost(const struct fabric *f, uint32_t host)
{
    return fabric_model_at(f, host)->poll_cost;
}

double fabric_issue_cost(const struct fabric *f, enum fabric_kind kind, uint64_t bytes, bool local)
{
    return issue_cost(&f->model, kind, bytes, local);
}

double fabric_copy_cost(const struct fabric *f, uint64_t bytes)
{
    return (double)bytes * f->model.copy_per_byte;
}

uint64_t fabric_buffered_limit(const struct fabric *f)
{
    return f->model.buffered_limit;
}

double fabric_poll_cost(const struct fabric *f)
{
    return f->model.poll_cost;
}
