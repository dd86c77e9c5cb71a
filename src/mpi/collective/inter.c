/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inter: collectives of inter-communicators as chains (draft.h; MPI-5.0 section 6.2.3). What one side has to
 * give is brought together at its leader, place 0; leaders, or leader and root, exchange it; the other leader
 * spreads it. Gathers, scatters and all-to-alls have one step: each message goes where it belongs.
 */
#include "mpi/collective/draft.h"

#include <stdlib.h>

enum { LEADER = 0 };

/* --- steps ---------------------------------------------------------------------------------------------- */

static struct mpi_step *step(struct mpi_draft *d, enum coll_op op)
{
    if (!d->chain)
        d->chain = base_zalloc(sizeof *d->chain, "collectives of inter-communicators");
    struct mpi_step *s = &d->chain->step[d->chain->n++];
    s->call = (struct coll_call){.name = d->call.name,
                                 .op = op,
                                 .me = d->comm->me,
                                 .group = *d->comm->group,
                                 .transport = d->call.transport,
                                 .names = d->call.names};
    return s;
}

/* On all members. Communicators are made on space->all meanwhile, so these have an id of their own. */
static struct mpi_step *step_of_all(struct mpi_draft *d, enum coll_op op)
{
    struct mpi_step *s = step(d, op);
    s->call.group = d->comm->space->all;
    s->call.group.id = d->comm->space->context + MPI_ALL_COLLECTIVES;
    s->call.me = mpi_comm_place(d->comm);
    return s;
}

/* A place of the other side among all members. */
static uint32_t place_of(const struct mpi_comm *comm, uint32_t remote)
{
    return comm->side ? remote : comm->space->side[0].size + remote;
}

/* The members from, and to, whom this one gets something: none, one (place `who` of the other side), or all.
 * */
enum whom { NOBODY, ONE, EVERYBODY };

static uint32_t list(const struct mpi_draft *d, uint32_t *out, enum whom whom, uint32_t who)
{
    uint32_t n = whom == EVERYBODY ? d->comm->remote->size : whom == ONE;
    for (uint32_t k = 0; k < n; k++)
        out[k] = place_of(d->comm, whom == ONE ? who : k);
    return n;
}

static struct mpi_step *exchange(struct mpi_draft *d, enum coll_op op, enum whom from, enum whom to,
                                 uint32_t who)
{
    struct mpi_step *s = step_of_all(d, op);
    struct base_status st;
    uint32_t n = d->comm->remote->size;
    uint32_t *places = base_alloc(2 * (size_t)n * sizeof *places, "neighbours");
    struct coll_graph g = {.from = places, .to = places + n};
    g.n_from = list(d, places, from, who);
    g.n_to = list(d, places + n, to, who);
    s->neighbors = coll_neighbors_create(&g, s->call.me, &st);
    BASE_ASSERT("nobody is in both sides", s->neighbors);
    free(places);
    return s;
}

/* The draft's buffers, and lengths of their parts where those are equal. */
static void use_buffers(const struct mpi_draft *d, struct mpi_step *s, uint64_t sent, uint64_t received)
{
    s->local = d->local;
    s->local.source.part = sent;
    s->local.dest.part = received;
    s->call.source = d->call.source;
    s->call.dest = d->call.dest;
    s->call.bytes = sent;
}

/* --- one step ---------------------------------------------------------------------------------------------
 * */

void mpi_inter_barrier(struct mpi_draft *d)
{
    step_of_all(d, COLL_BARRIER);
}

void mpi_inter_gather(struct mpi_draft *d, int root, uint64_t part)
{
    bool receives = root == MPI_ROOT, sends = root >= 0;
    struct mpi_step *s = exchange(d, COLL_NEIGHBOR_ALLTOALL, receives ? EVERYBODY : NOBODY,
                                  sends ? ONE : NOBODY, (uint32_t)root);
    use_buffers(d, s, d->call.bytes, part);
}

void mpi_inter_scatter(struct mpi_draft *d, int root, uint64_t part)
{
    bool sends = root == MPI_ROOT, receives = root >= 0;
    struct mpi_step *s = exchange(d, COLL_NEIGHBOR_ALLTOALL, receives ? ONE : NOBODY,
                                  sends ? EVERYBODY : NOBODY, (uint32_t)root);
    use_buffers(d, s, part, d->call.bytes);
}

void mpi_inter_allgather(struct mpi_draft *d, uint64_t received)
{
    struct mpi_step *s = exchange(d, COLL_NEIGHBOR_ALLGATHER, EVERYBODY, EVERYBODY, 0);
    use_buffers(d, s, d->call.bytes, received);
}

void mpi_inter_alltoall(struct mpi_draft *d, uint64_t sent, uint64_t received)
{
    struct mpi_step *s = exchange(d, COLL_NEIGHBOR_ALLTOALL, EVERYBODY, EVERYBODY, 0);
    use_buffers(d, s, sent, received);
}

/* --- several steps ----------------------------------------------------------------------------------------
 * */

static void *temporary(struct mpi_draft *d, int k, uint64_t bytes)
{
    return d->chain->temp[k] = base_zalloc(bytes + 1, "collectives of inter-communicators");
}

/* The leader has `bytes` at `at`, as `side` says; the others of its side get them in the draft's dest. */
static void spread(struct mpi_draft *d, uint64_t bytes)
{
    struct mpi_step *s = step(d, COLL_BROADCAST);
    s->call.bytes = bytes;
    s->call.root = LEADER;
    if (d->comm->me == LEADER) {
        s->call.source = d->call.dest;
        s->call.inner_source = true; /* told as written */
        s->local.source = d->local.dest;
    } else {
        s->call.dest = d->call.dest;
        s->local.dest = d->local.dest;
    }
}

/* By way of the other side's leader, or, `flat`, from the root to each member there. */
void mpi_inter_broadcast(struct mpi_draft *d, int root, const struct mpi_data *data, bool flat)
{
    bool receives = root >= 0 && (flat || d->comm->me == LEADER);
    enum whom to = flat ? EVERYBODY : ONE;
    if (root >= 0)
        mpi_draft_dest(d, data);
    else if (root == MPI_ROOT)
        mpi_draft_source(d, data);
    struct mpi_step *s = exchange(d, COLL_NEIGHBOR_ALLGATHER, receives ? ONE : NOBODY,
                                  root == MPI_ROOT ? to : NOBODY, receives ? (uint32_t)root : LEADER);
    use_buffers(d, s, data->bytes, data->bytes);
    if (root >= 0 && !flat)
        spread(d, data->bytes);
}

/* The side's operands, reduced, in the leader's temporary memory. */
static void *reduce_side(struct mpi_draft *d)
{
    struct mpi_step *s = step(d, COLL_REDUCE_ROOT);
    s->call.source = d->call.source;
    s->local.source = d->local.source;
    s->call.bytes = d->call.bytes;
    s->call.element = d->call.element;
    s->call.operator= d->call.operator;
    s->call.root = LEADER;
    s->call.inner_dest = true;
    if (d->comm->me == LEADER)
        s->call.dest = temporary(d, 0, d->call.bytes);
    return s->call.dest;
}

void mpi_inter_reduce(struct mpi_draft *d, int root)
{
    bool gets = root == MPI_ROOT, leads = root >= 0 && d->comm->me == LEADER;
    void *sum = root >= 0 ? reduce_side(d) : NULL;
    struct mpi_step *s = exchange(d, COLL_NEIGHBOR_ALLGATHER, gets ? ONE : NOBODY, leads ? ONE : NOBODY,
                                  leads ? (uint32_t)root : LEADER);
    s->call.bytes = s->local.dest.part = d->call.bytes;
    s->call.source = sum;
    s->call.inner_source = true;
    s->call.dest = d->call.dest;
    s->local.dest.layout = d->local.dest.layout;
}

/* Leaders exchange what their sides have. */
static struct mpi_step *exchange_sums(struct mpi_draft *d, const void *sum)
{
    enum whom whom = d->comm->me == LEADER ? ONE : NOBODY;
    struct mpi_step *s = exchange(d, COLL_NEIGHBOR_ALLGATHER, whom, whom, LEADER);
    s->call.bytes = s->local.dest.part = d->call.bytes;
    s->call.source = sum;
    s->call.inner_source = true;
    return s;
}

void mpi_inter_allreduce(struct mpi_draft *d)
{
    struct mpi_step *s = exchange_sums(d, reduce_side(d));
    s->call.dest = d->call.dest;
    s->local.dest.layout = d->local.dest.layout;
    spread(d, d->call.bytes);
}

void mpi_inter_reduce_scatter(struct mpi_draft *d, const struct mpi_parts *parts, uint64_t mine)
{
    struct mpi_step *s = exchange_sums(d, reduce_side(d));
    bool leads = d->comm->me == LEADER;
    s->call.inner_dest = true;
    if (leads)
        s->call.dest = temporary(d, 1, d->call.bytes);
    void *sum = s->call.dest;
    s = step(d, parts ? COLL_SCATTERV : COLL_SCATTER);
    s->call.root = LEADER;
    s->call.bytes = mine;
    s->call.dest = d->call.dest;
    s->local.dest.layout = d->local.dest.layout;
    s->call.source = sum;
    s->call.inner_source = true;
    if (leads && parts)
        mpi_parts_use(d, &s->local.source, parts, NULL);
}
