/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives: each function plays a blocking call and the one that makes a request (c->later). */
#include "play/play.h"

/* How many ranks' data a rank has to do with: the members, or, of an inter-communicator, the remote group's. */
static int members(MPI_Comm comm)
{
    int inter, n;
    MPI_Comm_test_inter(comm, &inter);
    if (inter)
        MPI_Comm_remote_size(comm, &n);
    else
        MPI_Comm_size(comm, &n);
    return n;
}

/* A vector with an element for each member, if there is an array at all. */
static void check_length(const struct play_call *c, uint32_t k, int n)
{
    if (c->part[k].n >= 0 && c->part[k].n < n)
        play_stop(c->play, c->f->param[k].name, "an element for each member of the communicator");
}

static void barrier(struct play_call *c)
{
    if (c->later)
        MPI_Ibarrier(play_comm(c, 0), &c->later->request);
    else
        MPI_Barrier(play_comm(c, 0));
}

static void bcast(struct play_call *c)
{
    int count = play_int(c, 1), root = play_int(c, 3);
    MPI_Datatype type = play_type(c, 2);
    MPI_Comm comm = play_comm(c, 4);
    void *buffer = play_into(c, 0, count, type);
    if (c->later)
        MPI_Ibcast(buffer, count, type, root, comm, &c->later->request);
    else
        MPI_Bcast(buffer, count, type, root, comm);
}

static void reduce(struct play_call *c)
{
    int count = play_int(c, 2), root = play_int(c, 5);
    MPI_Datatype type = play_type(c, 3);
    MPI_Op op = play_op(c, 4);
    MPI_Comm comm = play_comm(c, 6);
    const void *from = play_from(c, 0, count, type);
    void *into = play_into(c, 1, count, type);
    if (c->later)
        MPI_Ireduce(from, into, count, type, op, root, comm, &c->later->request);
    else
        MPI_Reduce(from, into, count, type, op, root, comm);
}

typedef int (*combine_fn)(const void *from, void *into, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm);
typedef int (*icombine_fn)(const void *from, void *into, int count, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm, MPI_Request *request);

/* Reductions of equal arguments; `n` elements are sent. */
static void combine(struct play_call *c, MPI_Aint n, combine_fn fn, icombine_fn later)
{
    int count = play_int(c, 2);
    MPI_Datatype type = play_type(c, 3);
    MPI_Op op = play_op(c, 4);
    MPI_Comm comm = play_comm(c, 5);
    const void *from = play_from(c, 0, n, type);
    void *into = play_into(c, 1, n, type);
    if (c->later)
        later(from, into, count, type, op, comm, &c->later->request);
    else
        fn(from, into, count, type, op, comm);
}

static void allreduce(struct play_call *c)
{
    combine(c, play_int(c, 2), MPI_Allreduce, MPI_Iallreduce);
}

static void scan(struct play_call *c)
{
    combine(c, play_int(c, 2), MPI_Scan, MPI_Iscan);
}

static void exscan(struct play_call *c)
{
    combine(c, play_int(c, 2), MPI_Exscan, MPI_Iexscan);
}

static void reduce_scatter_block(struct play_call *c)
{
    MPI_Aint n = (MPI_Aint)play_int(c, 2) * members(play_comm(c, 5));
    combine(c, n, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block);
}

static void reduce_scatter(struct play_call *c)
{
    MPI_Datatype type = play_type(c, 3);
    MPI_Op op = play_op(c, 4);
    MPI_Comm comm = play_comm(c, 5);
    int *counts = play_ints(c, 2), size;
    MPI_Aint n = 0;
    MPI_Comm_size(comm, &size);
    check_length(c, 2, size);
    for (int k = 0; k < play_length(c, 2); k++)
        n += counts[k];
    const void *from = play_from(c, 0, n, type);
    void *into = play_into(c, 1, n, type);
    if (c->later)
        MPI_Ireduce_scatter(from, into, counts, type, op, comm, &c->later->request);
    else
        MPI_Reduce_scatter(from, into, counts, type, op, comm);
}

/* --- data of each rank ---------------------------------------------------------------------------------- */

static void gather(struct play_call *c)
{
    int out = play_int(c, 1), in = play_int(c, 4), root = play_int(c, 6);
    MPI_Datatype sent = play_type(c, 2), received = play_type(c, 5);
    MPI_Comm comm = play_comm(c, 7);
    int rank;
    MPI_Comm_rank(comm, &rank);
    const void *from = play_from(c, 0, out, sent);
    void *into =
        play_into(c, 3, rank == root || root == MPI_ROOT ? (MPI_Aint)in * members(comm) : 0, received);
    if (c->later)
        MPI_Igather(from, out, sent, into, in, received, root, comm, &c->later->request);
    else
        MPI_Gather(from, out, sent, into, in, received, root, comm);
}

static void scatter(struct play_call *c)
{
    int out = play_int(c, 1), in = play_int(c, 4), root = play_int(c, 6);
    MPI_Datatype sent = play_type(c, 2), received = play_type(c, 5);
    MPI_Comm comm = play_comm(c, 7);
    int rank;
    MPI_Comm_rank(comm, &rank);
    const void *from =
        play_from(c, 0, rank == root || root == MPI_ROOT ? (MPI_Aint)out * members(comm) : 0, sent);
    void *into = play_into(c, 3, in, received);
    if (c->later)
        MPI_Iscatter(from, out, sent, into, in, received, root, comm, &c->later->request);
    else
        MPI_Scatter(from, out, sent, into, in, received, root, comm);
}

static void allgather(struct play_call *c)
{
    int out = play_int(c, 1), in = play_int(c, 4);
    MPI_Datatype sent = play_type(c, 2), received = play_type(c, 5);
    MPI_Comm comm = play_comm(c, 6);
    const void *from = play_from(c, 0, out, sent);
    void *into = play_into(c, 3, (MPI_Aint)in * members(comm), received);
    if (c->later)
        MPI_Iallgather(from, out, sent, into, in, received, comm, &c->later->request);
    else
        MPI_Allgather(from, out, sent, into, in, received, comm);
}

static void alltoall(struct play_call *c)
{
    int out = play_int(c, 1), in = play_int(c, 4);
    MPI_Datatype sent = play_type(c, 2), received = play_type(c, 5);
    MPI_Comm comm = play_comm(c, 6);
    const void *from = play_from(c, 0, (MPI_Aint)out * members(comm), sent);
    void *into = play_into(c, 3, (MPI_Aint)in * members(comm), received);
    if (c->later)
        MPI_Ialltoall(from, out, sent, into, in, received, comm, &c->later->request);
    else
        MPI_Alltoall(from, out, sent, into, in, received, comm);
}

/* --- with a count for each rank ------------------------------------------------------------------------- */

static void gatherv(struct play_call *c)
{
    int out = play_int(c, 1), root = play_int(c, 7), n = play_length(c, 4);
    MPI_Datatype sent = play_type(c, 2), received = play_type(c, 6);
    MPI_Comm comm = play_comm(c, 8);
    check_length(c, 4, members(comm));
    check_length(c, 5, n);
    int *counts = play_ints(c, 4), *displs = play_ints(c, 5);
    const void *from = play_from(c, 0, out, sent);
    void *into = play_into(c, 3, play_reach(counts, displs, n), received);
    if (c->later)
        MPI_Igatherv(from, out, sent, into, counts, displs, received, root, comm, &c->later->request);
    else
        MPI_Gatherv(from, out, sent, into, counts, displs, received, root, comm);
}

static void scatterv(struct play_call *c)
{
    int in = play_int(c, 5), root = play_int(c, 7), n = play_length(c, 1);
    MPI_Datatype sent = play_type(c, 3), received = play_type(c, 6);
    MPI_Comm comm = play_comm(c, 8);
    check_length(c, 1, members(comm));
    check_length(c, 2, n);
    int *counts = play_ints(c, 1), *displs = play_ints(c, 2);
    const void *from = play_from(c, 0, play_reach(counts, displs, n), sent);
    void *into = play_into(c, 4, in, received);
    if (c->later)
        MPI_Iscatterv(from, counts, displs, sent, into, in, received, root, comm, &c->later->request);
    else
        MPI_Scatterv(from, counts, displs, sent, into, in, received, root, comm);
}

static void allgatherv(struct play_call *c)
{
    int out = play_int(c, 1), n = play_length(c, 4);
    MPI_Datatype sent = play_type(c, 2), received = play_type(c, 6);
    MPI_Comm comm = play_comm(c, 7);
    check_length(c, 4, members(comm));
    check_length(c, 5, n);
    int *counts = play_ints(c, 4), *displs = play_ints(c, 5);
    const void *from = play_from(c, 0, out, sent);
    void *into = play_into(c, 3, play_reach(counts, displs, n), received);
    if (c->later)
        MPI_Iallgatherv(from, out, sent, into, counts, displs, received, comm, &c->later->request);
    else
        MPI_Allgatherv(from, out, sent, into, counts, displs, received, comm);
}

static void alltoallv(struct play_call *c)
{
    int n = play_length(c, 5), sends = play_length(c, 1);
    MPI_Datatype sent = play_type(c, 3), received = play_type(c, 7);
    MPI_Comm comm = play_comm(c, 8);
    for (uint32_t k = 1; k < 7; k++)
        if (k != 3 && k != 4)
            check_length(c, k, members(comm));
    int *out = play_ints(c, 1), *out_at = play_ints(c, 2), *in = play_ints(c, 5), *in_at = play_ints(c, 6);
    const void *from = play_from(c, 0, play_reach(out, out_at, sends), sent);
    void *into = play_into(c, 4, play_reach(in, in_at, n), received);
    if (c->later)
        MPI_Ialltoallv(from, out, out_at, sent, into, in, in_at, received, comm, &c->later->request);
    else
        MPI_Alltoallv(from, out, out_at, sent, into, in, in_at, received, comm);
}

const struct play_entry play_collectives[] = {{RECORD_MPI_BARRIER, barrier},
                                              {RECORD_MPI_IBARRIER, barrier},
                                              {RECORD_MPI_BCAST, bcast},
                                              {RECORD_MPI_IBCAST, bcast},
                                              {RECORD_MPI_REDUCE, reduce},
                                              {RECORD_MPI_IREDUCE, reduce},
                                              {RECORD_MPI_ALLREDUCE, allreduce},
                                              {RECORD_MPI_IALLREDUCE, allreduce},
                                              {RECORD_MPI_SCAN, scan},
                                              {RECORD_MPI_ISCAN, scan},
                                              {RECORD_MPI_EXSCAN, exscan},
                                              {RECORD_MPI_IEXSCAN, exscan},
                                              {RECORD_MPI_REDUCE_SCATTER, reduce_scatter},
                                              {RECORD_MPI_IREDUCE_SCATTER, reduce_scatter},
                                              {RECORD_MPI_REDUCE_SCATTER_BLOCK, reduce_scatter_block},
                                              {RECORD_MPI_IREDUCE_SCATTER_BLOCK, reduce_scatter_block},
                                              {RECORD_MPI_GATHER, gather},
                                              {RECORD_MPI_IGATHER, gather},
                                              {RECORD_MPI_SCATTER, scatter},
                                              {RECORD_MPI_ISCATTER, scatter},
                                              {RECORD_MPI_ALLGATHER, allgather},
                                              {RECORD_MPI_IALLGATHER, allgather},
                                              {RECORD_MPI_ALLTOALL, alltoall},
                                              {RECORD_MPI_IALLTOALL, alltoall},
                                              {RECORD_MPI_GATHERV, gatherv},
                                              {RECORD_MPI_IGATHERV, gatherv},
                                              {RECORD_MPI_SCATTERV, scatterv},
                                              {RECORD_MPI_ISCATTERV, scatterv},
                                              {RECORD_MPI_ALLGATHERV, allgatherv},
                                              {RECORD_MPI_IALLGATHERV, allgatherv},
                                              {RECORD_MPI_ALLTOALLV, alltoallv},
                                              {RECORD_MPI_IALLTOALLV, alltoallv},
                                              {0, NULL}};
