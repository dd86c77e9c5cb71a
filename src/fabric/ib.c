/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ib: the model IB (J. Vienne's thesis, Grenoble 2010, as SimGrid has it). A transfer's bound is its initial
 * bound divided by a penalty, which depends on how many transfers its source is sending and its destination
 * is receiving.
 *
 *   out   of a source of n > 1 transfers: n x Bs; x ys, if one goes to a host that receives more than two
 *   in    at a destination of several transfers: those of the same source x Be x the number of its sources
 *   penalty = max(in, the source's largest out)
 *
 * When a transfer starts or ends, SimGrid recomputes the penalties of all hosts that transfers connect to its
 * source, and of no others; we do the same.
 */
#include "fabric/parts.h"

#include <stdlib.h>

/* The transfers of one pair of hosts. */
struct fabric_pair {
    struct fabric_ring outs, ins; /* among those of its source, of its destination */
    struct fabric_ring transfers;
    uint32_t from, to, active;
};
struct node {
    struct fabric_ring outs, ins; /* pairs */
    uint32_t sends, receives;     /* transfers */
    uint32_t sources;             /* pairs in `ins` */
    uint32_t visited;             /* number of the last round that visited it */
};
struct fabric_ib {
    struct node *nodes;
    struct base_pool pairs;
    BASE_ARRAY(uint32_t) next; /* hosts that the round has still to visit */
    uint32_t round;
};

static struct fabric_ib *ib_create(struct fabric *f)
{
    struct fabric_ib *ib = base_zalloc(sizeof *ib, "the IB model");
    ib->nodes = base_zalloc(f->hosts * sizeof *ib->nodes, "hosts of the IB model");
    for (uint32_t h = 0; h < f->hosts; h++) {
        fabric_ring_init(&ib->nodes[h].outs);
        fabric_ring_init(&ib->nodes[h].ins);
    }
    base_pool_init(&ib->pairs, sizeof(struct fabric_pair), "pairs of hosts of the IB model");
    return ib;
}

void fabric_ib_release(struct fabric *f)
{
    if (!f->ib)
        return;
    free(f->ib->nodes);
    free(f->ib->next.at);
    base_pool_release(&f->ib->pairs);
    free(f->ib);
}

/* --- penalties ------------------------------------------------------------------------------------- */

static struct fabric_pair *of_outs(struct fabric_ring *r)
{
    return BASE_CONTAINER(r, struct fabric_pair, outs);
}

static struct fabric_pair *of_ins(struct fabric_ring *r)
{
    return BASE_CONTAINER(r, struct fabric_pair, ins);
}

static double penalty_out(const struct fabric *f, const struct node *from)
{
    double most = 1;
    for (struct fabric_ring *r = from->outs.next; from->sends > 1 && r != &from->outs; r = r->next) {
        bool crowd = f->ib->nodes[of_outs(r)->to].receives > 2;
        most = fmax(most, from->sends * f->network.bs * (crowd ? f->network.ys : 1));
    }
    return most;
}

static void slow_pair(struct fabric *f, const struct fabric_pair *pair, double out)
{
    const struct node *to = &f->ib->nodes[pair->to];
    double in = to->receives == 1 ? 1 : pair->active * f->network.be * to->sources, penalty = fmax(in, out);
    for (struct fabric_ring *r = pair->transfers.next; r != &pair->transfers; r = r->next) {
        struct fabric_transfer *t = BASE_CONTAINER(r, struct fabric_transfer, slowed[0].mates);
        fabric_transfer_limit(t, t->weight, t->slowed->bound / penalty);
    }
}

static void come_to(struct fabric_ib *ib, uint32_t host)
{
    if (ib->nodes[host].visited == ib->round)
        return;
    ib->nodes[host].visited = ib->round;
    BASE_ARRAY_PUSH(&ib->next, host);
}

/* Updates the penalties at all hosts that transfers connect to a host. */
static void renew_from(struct fabric *f, uint32_t host)
{
    struct fabric_ib *ib = f->ib;
    ib->round++;
    come_to(ib, host);
    while (ib->next.n) {
        struct node *at = &ib->nodes[ib->next.at[--ib->next.n]];
        double out = penalty_out(f, at);
        for (struct fabric_ring *r = at->outs.next; r != &at->outs; r = r->next) {
            slow_pair(f, of_outs(r), out);
            come_to(ib, of_outs(r)->to);
        }
        for (struct fabric_ring *r = at->ins.next; r != &at->ins; r = r->next)
            come_to(ib, of_ins(r)->from);
    }
}

/* --- coming and going ------------------------------------------------------------------------------ */

static struct fabric_pair *pair_create(struct fabric_ib *ib, uint32_t from, uint32_t to)
{
    struct fabric_pair *pair = base_pool_get(&ib->pairs);
    pair->from = from;
    pair->to = to;
    pair->active = 0;
    fabric_ring_init(&pair->transfers);
    fabric_ring_join(&ib->nodes[from].outs, &pair->outs);
    fabric_ring_join(&ib->nodes[to].ins, &pair->ins);
    ib->nodes[to].sources++;
    return pair;
}

void fabric_ib_join(struct fabric *f, struct fabric_transfer *t)
{
    uint32_t from = (uint32_t)(t->path->key >> 32), to = (uint32_t)t->path->key;
    if (from == to)
        return;
    if (!f->ib)
        f->ib = ib_create(f);
    if (!t->path->pair)
        t->path->pair = pair_create(f->ib, from, to);
    t->slowed->bound = t->bound;
    fabric_ring_join(&t->path->pair->transfers, &t->slowed->mates);
    t->path->pair->active++;
    f->ib->nodes[from].sends++;
    f->ib->nodes[to].receives++;
    renew_from(f, from);
}

void fabric_ib_leave(struct fabric *f, struct fabric_transfer *t)
{
    struct fabric_pair *pair = t->path->pair;
    if (!pair)
        return;
    uint32_t from = pair->from;
    fabric_ring_leave(&t->slowed->mates);
    f->ib->nodes[from].sends--;
    f->ib->nodes[pair->to].receives--;
    if (--pair->active == 0) {
        f->ib->nodes[pair->to].sources--;
        fabric_ring_leave(&pair->outs);
        fabric_ring_leave(&pair->ins);
        base_pool_put(&f->ib->pairs, pair);
        t->path->pair = NULL;
    }
    renew_from(f, from);
}
