/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inter_reduce: chains of the reductions of inter-communicators: a side's operands are reduced at its leader;
 * leaders, or leader and root, exchange the sums; a leader spreads or scatters what it got. Algorithms in which
 * every member works on a share are in inter_shares.c.
 */
#include "mpi/collective/inter.h"

/* The side's operands, reduced, in the leader's temporary memory. */
static struct mpi_spot reduce_side(struct mpi_draft *d)
{
    struct mpi_spot sum = {NULL, NULL, true};
    struct mpi_step *s = mpi_inter_step(d, COLL_REDUCE_ROOT);
    mpi_step_takes(s, mpi_inter_source(d));
    s->call.bytes = d->call.bytes;
    s->call.element = d->call.element;
    s->call.operator= d->call.operator;
    s->call.root = MPI_LEADER;
    if (mpi_leads(d))
        sum = mpi_inter_temporary(d, d->call.bytes);
    mpi_step_gives(s, sum);
    return sum;
}

static void reduce_through_leader(struct mpi_draft *d, int root)
{
    bool gets = root == MPI_ROOT, sends = root >= 0 && mpi_leads(d);
    struct mpi_spot sum = {NULL, NULL, true};
    if (root >= 0)
        sum = reduce_side(d);
    struct mpi_step *s =
        mpi_inter_exchange(d, COLL_NEIGHBOR_ALLGATHER, gets ? MPI_ONE : MPI_NOBODY,
                           sends ? MPI_ONE : MPI_NOBODY, sends ? (uint32_t)root : MPI_LEADER);
    s->call.bytes = s->local.dest.part = d->call.bytes;
    mpi_step_takes(s, sum);
    mpi_step_gives(s, mpi_inter_dest(d));
}

void mpi_inter_reduce(struct mpi_draft *d, int root)
{
    if (mpi_inter_choose(d, COLL_INTER_REDUCE, 0, 0) == COLL_INTER_REDUCE_SHARES)
        mpi_inter_reduce_shares(d, root);
    else
        reduce_through_leader(d, root);
}

/* Each leader gets the other side's sum at `dest`. `in_turn`: the second side begins when it has the first one's.
 * */
static void exchange_sums(struct mpi_draft *d, struct mpi_spot dest, bool in_turn)
{
    struct mpi_spot sum = {NULL, NULL, true};
    if (!in_turn || d->comm->side == 0)
        sum = reduce_side(d);
    if (!in_turn) {
        mpi_inter_swap(d, sum, dest, d->call.bytes, d->call.bytes);
        return;
    }
    mpi_inter_cross(d, 0, sum, dest, d->call.bytes);
    if (d->comm->side != 0)
        sum = reduce_side(d);
    mpi_inter_cross(d, 1, sum, dest, d->call.bytes);
}

void mpi_inter_allreduce(struct mpi_draft *d)
{
    enum coll_inter_key how = mpi_inter_choose(d, COLL_INTER_ALLREDUCE, d->call.bytes, d->call.bytes);
    if (how == COLL_INTER_ALLREDUCE_SHARES) {
        mpi_inter_allreduce_shares(d);
        return;
    }
    exchange_sums(d, mpi_inter_dest(d), how == COLL_INTER_ALLREDUCE_REMOTE_REDUCE);
    mpi_inter_spread(d, mpi_inter_dest(d), d->call.bytes);
}

void mpi_inter_reduce_scatter(struct mpi_draft *d, const struct mpi_parts *parts, uint64_t mine)
{
    enum coll_inter_key how = mpi_inter_choose(
        d, parts ? COLL_INTER_REDUCE_SCATTER : COLL_INTER_REDUCE_SCATTER_BLOCK, 0, d->call.bytes);
    struct mpi_spot all = {NULL, NULL, true};
    if (how == COLL_INTER_REDUCE_SCATTER_BLOCK_SHARES) {
        mpi_inter_reduce_scatter_shares(d);
        return;
    }
    if (mpi_leads(d))
        all = mpi_inter_temporary(d, d->call.bytes);
    exchange_sums(d, all,
                  how == COLL_INTER_REDUCE_SCATTER_REMOTE_REDUCE ||
                      how == COLL_INTER_REDUCE_SCATTER_BLOCK_REMOTE_REDUCE);
    struct mpi_step *s = mpi_inter_step(d, parts ? COLL_SCATTERV : COLL_SCATTER);
    s->call.root = MPI_LEADER;
    s->call.bytes = mine;
    mpi_step_takes(s, all);
    mpi_step_gives(s, mpi_inter_dest(d));
    if (mpi_leads(d) && parts)
        mpi_parts_use(d, &s->local.source, parts, NULL);
}
