/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inter_move: chains of the operations of inter-communicators that only move data. One step sends each message
 * where it belongs; or what a side has to give is brought together at its leader, and the other leader spreads it.
 */
#include "mpi/collective/inter.h"

#include <stdlib.h>

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

/* --- barrier -------------------------------------------------------------------------------------------- */

void mpi_inter_barrier(struct mpi_draft *d)
{
    enum coll_inter_key how = mpi_inter_choose(d, COLL_INTER_BARRIER, 0, 0);
    if (how == COLL_INTER_BARRIER_WHOLE) {
        mpi_inter_step_of_all(d, COLL_BARRIER);
        return;
    }
    struct mpi_spot mine = mpi_inter_temporary(d, 1), told = mpi_inter_temporary(d, 1);
    mpi_inter_step(d, COLL_BARRIER);
    if (how == COLL_INTER_BARRIER_LEADERS) {
        mpi_inter_swap(d, mine, told, 1, 1);
        mpi_inter_spread(d, told, 1);
        return;
    }
    for (int from = 0; from < 2; from++) {
        mpi_inter_cross(d, from, mine, told, 1);
        if (d->comm->side != from)
            mpi_inter_spread(d, told, 1);
    }
}

/* --- with a root ---------------------------------------------------------------------------------------- */

/* By way of the other side's leader, or, flat, from the root to each member there. */
void mpi_inter_broadcast(struct mpi_draft *d, int root, const struct mpi_data *data)
{
    bool flat = mpi_inter_choose(d, COLL_INTER_BROADCAST, 0, 0) == COLL_INTER_BROADCAST_FLAT;
    bool receives = root >= 0 && (flat || mpi_leads(d));
    enum mpi_whom to = flat ? MPI_EVERYBODY : MPI_ONE;
    if (root >= 0)
        mpi_draft_dest(d, data);
    else if (root == MPI_ROOT)
        mpi_draft_source(d, data);
    struct mpi_step *s =
        mpi_inter_exchange(d, COLL_NEIGHBOR_ALLGATHER, receives ? MPI_ONE : MPI_NOBODY,
                           root == MPI_ROOT ? to : MPI_NOBODY, receives ? (uint32_t)root : MPI_LEADER);
    use_buffers(d, s, data->bytes, data->bytes);
    if (root >= 0 && !flat)
        mpi_inter_spread(d, mpi_inter_dest(d), data->bytes);
}

/* All that a side has or gets, in one message between the root and the side's leader: to the root, or from
 * it. `part`: the root's of a member; `all`: at the leader. */
static void pass_by_leader(struct mpi_draft *d, int root, bool to_root, uint64_t part, struct mpi_spot all)
{
    bool leads = root >= 0 && mpi_leads(d), roots = root == MPI_ROOT;
    uint64_t side = root >= 0 ? d->call.bytes * d->comm->group->size : 0,
             other = part * d->comm->remote->size;
    struct mpi_step *s = mpi_inter_exchange(
        d, COLL_NEIGHBOR_ALLTOALL, (to_root ? roots : leads) ? MPI_ONE : MPI_NOBODY,
        (to_root ? leads : roots) ? MPI_ONE : MPI_NOBODY, leads ? (uint32_t)root : MPI_LEADER);
    s->call.bytes = s->local.source.part = to_root ? side : other;
    s->local.dest.part = to_root ? other : side;
    mpi_step_takes(s, to_root ? all : mpi_inter_source(d));
    mpi_step_gives(s, to_root ? mpi_inter_dest(d) : all);
}

static void gather_through_leader(struct mpi_draft *d, int root, uint64_t part)
{
    struct mpi_spot all = {NULL, NULL, true};
    if (root >= 0)
        all = mpi_inter_gather_side(d, d->call.bytes);
    pass_by_leader(d, root, true, part, all);
}

void mpi_inter_gather(struct mpi_draft *d, int root, uint64_t part)
{
    bool receives = root == MPI_ROOT, sends = root >= 0, even = d->call.op == COLL_GATHER;
    uint64_t total = receives ? part * d->comm->remote->size : d->call.bytes * d->comm->group->size;
    enum coll_inter_key how = mpi_inter_choose(d, even ? COLL_INTER_GATHER : COLL_INTER_GATHERV, 0,
                                               even && (receives || sends) ? total : 0);
    if (how == COLL_INTER_GATHER_LOCAL) {
        gather_through_leader(d, root, part);
        return;
    }
    struct mpi_step *s = mpi_inter_exchange(d, COLL_NEIGHBOR_ALLTOALL, receives ? MPI_EVERYBODY : MPI_NOBODY,
                                            sends ? MPI_ONE : MPI_NOBODY, (uint32_t)root);
    use_buffers(d, s, d->call.bytes, part);
}

static void scatter_through_leader(struct mpi_draft *d, int root, uint64_t part)
{
    struct mpi_spot all = {NULL, NULL, true};
    if (root >= 0 && mpi_leads(d))
        all = mpi_inter_temporary(d, d->call.bytes * d->comm->group->size);
    pass_by_leader(d, root, false, part, all);
    if (root < 0)
        return;
    struct mpi_step *s = mpi_inter_step(d, COLL_SCATTER);
    s->call.root = MPI_LEADER;
    s->call.bytes = d->call.bytes;
    mpi_step_takes(s, all);
    mpi_step_gives(s, mpi_inter_dest(d));
}

void mpi_inter_scatter(struct mpi_draft *d, int root, uint64_t part)
{
    bool sends = root == MPI_ROOT, receives = root >= 0, even = d->call.op == COLL_SCATTER;
    uint64_t total = sends ? part * d->comm->remote->size : d->call.bytes * d->comm->group->size;
    enum coll_inter_key how = mpi_inter_choose(d, even ? COLL_INTER_SCATTER : COLL_INTER_SCATTERV, 0,
                                               even && (receives || sends) ? total : 0);
    if (how == COLL_INTER_SCATTER_REMOTE_SEND) {
        scatter_through_leader(d, root, part);
        return;
    }
    struct mpi_step *s = mpi_inter_exchange(d, COLL_NEIGHBOR_ALLTOALL, receives ? MPI_ONE : MPI_NOBODY,
                                            sends ? MPI_EVERYBODY : MPI_NOBODY, (uint32_t)root);
    use_buffers(d, s, part, d->call.bytes);
}

/* --- to all --------------------------------------------------------------------------------------------- */

static void allgather_at_once(struct mpi_draft *d, uint64_t received)
{
    struct mpi_step *s =
        mpi_inter_exchange(d, COLL_NEIGHBOR_ALLGATHER, MPI_EVERYBODY, MPI_EVERYBODY, MPI_LEADER);
    use_buffers(d, s, d->call.bytes, received);
}

static void allgather_through_leaders(struct mpi_draft *d, uint64_t received, bool in_turn)
{
    uint64_t sent = d->call.bytes * d->comm->group->size, all = received * d->comm->remote->size;
    struct mpi_spot mine = mpi_inter_gather_side(d, d->call.bytes), dest = mpi_inter_dest(d);
    if (!in_turn) {
        mpi_inter_swap(d, mine, dest, sent, all);
        mpi_inter_spread(d, dest, all);
        return;
    }
    for (int from = 0; from < 2; from++) {
        mpi_inter_cross(d, from, mine, dest, d->comm->side == from ? sent : all);
        if (d->comm->side != from)
            mpi_inter_spread(d, dest, all);
    }
}

void mpi_inter_allgather(struct mpi_draft *d, uint64_t received)
{
    uint64_t total = d->call.bytes * d->comm->group->size + received * d->comm->remote->size;
    switch (mpi_inter_choose(d, COLL_INTER_ALLGATHER, 0, total)) {
    case COLL_INTER_ALLGATHER_GATHER_EXCHANGE:
        allgather_through_leaders(d, received, false);
        return;
    case COLL_INTER_ALLGATHER_LOCAL_GATHER:
        allgather_through_leaders(d, received, true);
        return;
    case COLL_INTER_ALLGATHER_SHARES:
        mpi_inter_allgather_shares(d, received);
        return;
    default:
        allgather_at_once(d, received);
    }
}

/* All parts as items of one layout. */
static struct mpi_spot all_parts(struct mpi_draft *d, uint64_t *bytes)
{
    const struct mpi_parts *p = d->dest_parts;
    const struct types_layout *l = d->local.dest.layout ? d->local.dest.layout : types_layout_of(TYPES_BYTE);
    int64_t *count = base_alloc(2 * ((size_t)p->n + 1) * sizeof *count, "allgatherv"), *at = count + p->n + 1;
    int64_t extent = types_layout_bounds(l).extent;
    struct base_status st;
    for (uint32_t k = 0; k < p->n; k++) {
        count[k] = coll_side_entry(&d->local.dest, p->counts, k);
        at[k] = coll_side_entry(&d->local.dest, p->at, k) * extent;
    }
    d->chain->layout = types_layout_hindexed(p->n, count, at, l, &st);
    free(count);
    *bytes = d->chain->layout ? types_layout_size(d->chain->layout) : 0;
    return (struct mpi_spot){d->call.dest, d->chain->layout, false};
}

void mpi_inter_allgatherv(struct mpi_draft *d)
{
    if (mpi_inter_choose(d, COLL_INTER_ALLGATHERV, 0, 0) != COLL_INTER_ALLGATHERV_REMOTE_GATHER) {
        allgather_at_once(d, 0);
        return;
    }
    struct mpi_step *s = mpi_inter_exchange(d, COLL_NEIGHBOR_ALLGATHER,
                                            mpi_leads(d) ? MPI_EVERYBODY : MPI_NOBODY, MPI_ONE, MPI_LEADER);
    uint64_t bytes;
    use_buffers(d, s, d->call.bytes, 0);
    struct mpi_spot all = all_parts(d, &bytes);
    mpi_inter_spread(d, all, bytes);
}

void mpi_inter_alltoall(struct mpi_draft *d, uint64_t sent, uint64_t received)
{
    const struct mpi_comm *comm = d->comm;
    enum coll_inter_op op = d->call.op == COLL_ALLTOALL    ? COLL_INTER_ALLTOALL
                            : d->call.op == COLL_ALLTOALLV ? COLL_INTER_ALLTOALLV
                                                           : COLL_INTER_ALLTOALLW;
    enum coll_inter_key how =
        mpi_inter_choose(d, op, 0, (sent + received) * comm->group->size * comm->remote->size);
    struct mpi_step *s =
        mpi_inter_exchange(d, COLL_NEIGHBOR_ALLTOALL, MPI_EVERYBODY, MPI_EVERYBODY, MPI_LEADER);
    if (how == COLL_INTER_ALLTOALL_PAIRWISE || how == COLL_INTER_ALLTOALLV_PAIRWISE ||
        how == COLL_INTER_ALLTOALLW_PAIRWISE)
        s->call.algorithm = "pairwise";
    use_buffers(d, s, sent, received);
}
