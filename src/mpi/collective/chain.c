/* SPDX-License-Identifier: BSD-3-Clause */
/* chain: carries out the steps of collectives on inter-communicators (draft.h). */
#include "mpi/collective/draft.h"

#include <stdlib.h>

static struct mpi_draft *first_of(const struct mpi_rank *self, const struct mpi_comm *comm)
{
    struct mpi_draft *q = self->chains;
    while (q && q->comm != comm)
        q = q->chain->next;
    return q;
}

static void remove_chain(struct mpi_rank *self, struct mpi_draft *record)
{
    struct mpi_draft **at = &self->chains;
    while (*at != record)
        at = &(*at)->chain->next;
    *at = record->chain->next;
}

static void next_step(void *arg);

static void begin(struct mpi_draft *q)
{
    q->chain->at = 0;
    next_step(q);
}

static void finish(struct mpi_draft *q)
{
    struct mpi_rank *self = q->comm->owner;
    if (q->standing) {
        mpi_coll_complete(q);
        return;
    }
    struct mpi_comm *comm = mpi_comm_retain(q->comm);
    remove_chain(self, q);
    mpi_coll_complete(q);
    struct mpi_draft *waiting = first_of(self, comm);
    mpi_comm_release(comm);
    if (waiting)
        begin(waiting);
}

static void prepare(struct mpi_draft *q, struct mpi_step *s)
{
    s->local.neighbors = s->neighbors;
    s->local.user = q->op ? &q->user : NULL;
    s->call.local = &s->local;
    mpi_draft_zero(&s->call, &s->local);
}

void mpi_chain_pending(struct mpi_draft *q, struct rank_pending *p)
{
    struct mpi_chain *chain = q->chain;
    struct rank *r = q->comm->owner->rank;
    p->order = rank_order_release(r);
    p->action = rank_action_begin(r, q->call.name);
    for (uint32_t k = 0; k < chain->n; k++) {
        prepare(q, &chain->step[k]);
        chain->step[k].call.pending = p;
        coll_uses(p->action, r, &chain->step[k].call);
    }
}

static void next_step(void *arg)
{
    struct mpi_draft *q = arg;
    struct mpi_chain *chain = q->chain;
    if (chain->at == chain->n) {
        finish(q);
        return;
    }
    struct mpi_step *s = &chain->step[chain->at++];
    prepare(q, s);
    coll_start(q->comm->owner->rank, &s->call, next_step, q);
}

void mpi_chain_start(struct mpi_draft *q)
{
    struct mpi_rank *self = q->comm->owner;
    bool waits = first_of(self, q->comm) != NULL;
    struct mpi_draft **at = &self->chains;
    q->done = false;
    if (q->standing) {
        begin(q);
        return;
    }
    while (*at)
        at = &(*at)->chain->next;
    q->chain->next = NULL;
    *at = q;
    if (!waits)
        begin(q);
}

void mpi_chain_release(struct mpi_chain *chain)
{
    for (uint32_t k = 0; k < chain->n; k++)
        coll_neighbors_release(chain->step[k].neighbors);
    for (uint32_t k = 0; k < chain->temps; k++)
        free(chain->temp[k]);
    for (uint32_t k = 0; k < chain->lists; k++)
        mpi_parts_release(chain->parts[k]);
    types_layout_release(chain->layout);
    free(chain);
}
