/* SPDX-License-Identifier: BSD-3-Clause */
/* inter: steps of chains of inter-communicators (inter.h; MPI-5.0 section 6.2.3). */
#include "mpi/collective/inter.h"

#include <stdlib.h>

static bool has_root(enum coll_inter_op op)
{
    return op == COLL_INTER_BROADCAST || op == COLL_INTER_GATHER || op == COLL_INTER_GATHERV ||
           op == COLL_INTER_SCATTER || op == COLL_INTER_SCATTERV || op == COLL_INTER_REDUCE;
}

/* On average; of reduce-scatters those of the result. */
static uint64_t bytes_of_part(const struct mpi_draft *d, enum coll_inter_op op)
{
    const struct mpi_parts *p = d->source_parts;
    uint64_t sum = 0;
    if (op == COLL_INTER_REDUCE_SCATTER || op == COLL_INTER_REDUCE_SCATTER_BLOCK)
        return d->call.bytes / d->comm->group->size;
    if (!p || !p->n)
        return d->call.bytes;
    for (uint32_t k = 0; k < p->n; k++)
        sum += mpi_parts_bytes(p, k, d->local.source.layout);
    return sum / p->n;
}

enum coll_inter_key mpi_inter_choose(const struct mpi_draft *d, enum coll_inter_op op, uint64_t part,
                                     uint64_t total)
{
    bool rooted = has_root(op), side = d->comm->side != 0;
    const struct coll_inter_call c = {.op = op,
                                      .tells = mpi_leads(d) && (rooted ? (int)d->call.root >= 0 : !side),
                                      .second_has_root = rooted && !side,
                                      .all = &d->comm->space->all,
                                      .first = d->comm->space->side[0].size,
                                      .bytes = bytes_of_part(d, op),
                                      .ranks = d->comm->space->all.size,
                                      .part = part,
                                      .total = total,
                                      .nonblocking = d->call.nonblocking,
                                      .ordered = d->call.operator.ordered,
                                      .user = d->op != NULL};
    return coll_inter_choose(d->comm->owner->job->job, &c);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

struct mpi_step *mpi_inter_step(struct mpi_draft *d, enum coll_op op)
{
    if (!d->chain)
        d->chain = base_zalloc(sizeof *d->chain, "collectives of inter-communicators");
    BASE_ASSERT("M41", d->chain->n < MPI_CHAIN_STEPS);
    bool learns = op == COLL_GATHERV || op == COLL_SCATTERV; /* sizes, from what is received */
    struct mpi_step *s = &d->chain->step[d->chain->n++];
    s->call = (struct coll_call){.name = d->call.name,
                                 .op = op,
                                 .me = d->comm->me,
                                 .group = *d->comm->group,
                                 .transport = d->call.transport,
                                 .names = d->call.names,
                                 .chained = true,
                                 .folded = d->comm->owner->job->moves_nothing && !learns,
                                 .nonblocking = d->call.nonblocking};
    return s;
}

/* Communicators are made on space->all meanwhile, so these have an id of their own. */
struct mpi_step *mpi_inter_step_of_all(struct mpi_draft *d, enum coll_op op)
{
    struct mpi_step *s = mpi_inter_step(d, op);
    s->call.group = d->comm->space->all;
    s->call.group.id = d->comm->space->context + MPI_ALL_COLLECTIVES;
    s->call.me = mpi_comm_place(d->comm);
    return s;
}

struct mpi_step *mpi_inter_exchange_with(struct mpi_draft *d, enum coll_op op, struct mpi_peers from,
                                         struct mpi_peers to)
{
    struct mpi_step *s = mpi_inter_step_of_all(d, op);
    struct base_status st;
    uint32_t base = d->comm->side ? 0 : d->comm->space->side[0].size; /* the other side's first place */
    uint32_t *places = base_alloc(((size_t)from.n + to.n + 1) * sizeof *places, "neighbours");
    struct coll_graph g = {.from = places, .to = places + from.n, .n_from = from.n, .n_to = to.n};
    for (uint32_t k = 0; k < from.n; k++)
        places[k] = base + mpi_peer(&from, k);
    for (uint32_t k = 0; k < to.n; k++)
        places[from.n + k] = base + mpi_peer(&to, k);
    s->call.sides = d->comm->space->side[0].size;
    s->neighbors = coll_neighbors_create(&g, s->call.me, &st);
    BASE_ASSERT("nobody is in both sides", s->neighbors);
    free(places);
    return s;
}

static struct mpi_peers peers_of(const struct mpi_draft *d, enum mpi_whom whom, uint32_t who)
{
    struct mpi_peers all = {.n = d->comm->remote->size}, one = {.n = 1, .first = who}, none = {.n = 0};
    return whom == MPI_EVERYBODY ? all : whom == MPI_ONE ? one : none;
}

struct mpi_step *mpi_inter_exchange(struct mpi_draft *d, enum coll_op op, enum mpi_whom from,
                                    enum mpi_whom to, uint32_t who)
{
    return mpi_inter_exchange_with(d, op, peers_of(d, from, who), peers_of(d, to, who));
}

/* --- memory --------------------------------------------------------------------------------------------- */

struct mpi_spot mpi_inter_temporary(struct mpi_draft *d, uint64_t bytes)
{
    struct mpi_chain *chain = d->chain;
    if (!chain)
        chain = d->chain = base_zalloc(sizeof *chain, "collectives of inter-communicators");
    BASE_ASSERT("M41", chain->temps < MPI_CHAIN_TEMPS);
    void *at = base_zalloc(bytes + 1, "collectives of inter-communicators");
    chain->temp[chain->temps++] = at;
    return (struct mpi_spot){at, NULL, true};
}

struct mpi_spot mpi_inter_dest(const struct mpi_draft *d)
{
    return (struct mpi_spot){d->call.dest, d->local.dest.layout, false};
}

struct mpi_spot mpi_inter_source(const struct mpi_draft *d)
{
    return (struct mpi_spot){(void *)(uintptr_t)d->call.source, d->local.source.layout, false};
}

void mpi_step_takes(struct mpi_step *s, struct mpi_spot from)
{
    s->call.source = from.address;
    s->call.inner_source = from.inner;
    s->local.source.layout = from.layout;
}

void mpi_step_gives(struct mpi_step *s, struct mpi_spot to)
{
    s->call.dest = to.address;
    s->call.inner_dest = to.inner;
    s->local.dest.layout = to.layout;
}

/* --- what several operations do ------------------------------------------------------------------------- */

static void exchange_whole(struct mpi_draft *d, enum mpi_whom from, enum mpi_whom to, struct mpi_spot source,
                           struct mpi_spot dest, uint64_t sent, uint64_t received)
{
    struct mpi_step *s = mpi_inter_exchange(d, COLL_NEIGHBOR_ALLGATHER, from, to, MPI_LEADER);
    s->call.bytes = sent;
    s->local.dest.part = received;
    mpi_step_takes(s, source);
    mpi_step_gives(s, dest);
}

void mpi_inter_cross(struct mpi_draft *d, int from, struct mpi_spot source, struct mpi_spot dest,
                     uint64_t bytes)
{
    bool sends = mpi_leads(d) && d->comm->side == from, gets = mpi_leads(d) && d->comm->side != from;
    exchange_whole(d, gets ? MPI_ONE : MPI_NOBODY, sends ? MPI_ONE : MPI_NOBODY, source, dest, bytes, bytes);
}

void mpi_inter_swap(struct mpi_draft *d, struct mpi_spot source, struct mpi_spot dest, uint64_t sent,
                    uint64_t received)
{
    enum mpi_whom whom = mpi_leads(d) ? MPI_ONE : MPI_NOBODY;
    exchange_whole(d, whom, whom, source, dest, sent, received);
}

void mpi_inter_spread(struct mpi_draft *d, struct mpi_spot at, uint64_t bytes)
{
    struct mpi_step *s = mpi_inter_step(d, COLL_BROADCAST);
    s->call.bytes = bytes;
    s->call.root = MPI_LEADER;
    if (!mpi_leads(d)) {
        mpi_step_gives(s, at);
        return;
    }
    at.inner = true; /* told as written */
    mpi_step_takes(s, at);
}

struct mpi_spot mpi_inter_gather_side(struct mpi_draft *d, uint64_t bytes)
{
    struct mpi_spot all = {NULL, NULL, true};
    struct mpi_step *s = mpi_inter_step(d, COLL_GATHER);
    s->call.bytes = bytes;
    s->call.root = MPI_LEADER;
    mpi_step_takes(s, mpi_inter_source(d));
    if (mpi_leads(d))
        all = mpi_inter_temporary(d, d->comm->group->size * bytes);
    mpi_step_gives(s, all);
    return all;
}
