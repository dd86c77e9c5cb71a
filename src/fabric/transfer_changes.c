/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transfer_changes: what changes under transfers that are on their way: latencies, bandwidths, links and hosts that
 * fail (docs/network-models.md).
 */
#include "fabric/parts.h"

void fabric_transfer_limit(struct fabric_transfer *t, double weight, double bound)
{
    t->weight = BASE_UNLIKELY(t->memory > 0) ? t->memory : weight > 0 ? weight : 1;
    t->bound = bound;
    if (t->flow && !t->framed)
        fluid_change(t->fabric->fluid, t->flow, t->weight, t->bound);
}

static struct fabric_transfer *of_ring(struct fabric_ring *r)
{
    return BASE_CONTAINER(r, struct fabric_transfer, ring);
}

void fabric_transfers_latency(struct fabric *f, uint32_t link, double change)
{
    for (struct fabric_ring *r = f->transfers.next; f->network.shares && r != &f->transfers; r = r->next) {
        struct fabric_transfer *t = of_ring(r);
        if (!fabric_path_crosses(t->path, link))
            continue;
        t->latency += change;
        t->penalty += change;
        fabric_transfer_limit(t, t->penalty, fabric_bound(&f->network, t->top, t->latency));
    }
}

void fabric_transfers_bandwidth(struct fabric *f, uint32_t link, double change)
{
    for (struct fabric_ring *r = f->transfers.next; f->network.shares && r != &f->transfers; r = r->next) {
        struct fabric_transfer *t = of_ring(r);
        if (!fabric_path_crosses(t->path, link))
            continue;
        t->penalty += change;
        fabric_transfer_limit(t, t->penalty, t->bound);
    }
}

/* `done` may start and cancel others, so those that are to fail are moved to a ring of their own. */
static void fail_all(struct fabric *f, struct fabric_ring *failing, struct fabric_failure why)
{
    while (!fabric_ring_empty(failing)) {
        struct fabric_transfer *t = of_ring(failing->next);
        fabric_outcome_fn done = t->done;
        void *arg = t->arg;
        f->failing = why;
        fabric_transfer_cancel(f, t);
        done(f, arg, FABRIC_FAILED);
    }
}

static void fail_those(struct fabric *f, bool (*affected)(const struct fabric_transfer *t, uint32_t id),
                       struct fabric_failure why)
{
    struct fabric_ring failing;
    fabric_ring_init(&failing);
    for (struct fabric_ring *r = f->transfers.next, *next; r != &f->transfers; r = next) {
        next = r->next;
        if (!of_ring(r)->path || !affected(of_ring(r), why.id))
            continue;
        fabric_ring_leave(r);
        fabric_ring_join(&failing, r);
    }
    fail_all(f, &failing, why);
}

static bool crosses_link(const struct fabric_transfer *t, uint32_t link)
{
    return fabric_path_crosses(t->path, link);
}

static bool is_of_host(const struct fabric_transfer *t, uint32_t host)
{
    return t->path->key >> 32 == host || (uint32_t)t->path->key == host;
}

void fabric_transfers_fail_link(struct fabric *f, uint32_t link)
{
    fail_those(f, crosses_link, (struct fabric_failure){FABRIC_LINK, link});
}

void fabric_transfers_fail_host(struct fabric *f, uint32_t host)
{
    fail_those(f, is_of_host, (struct fabric_failure){FABRIC_HOST, host});
}
