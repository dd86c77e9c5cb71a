/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * between: what a rank of `pgasim tune` does to try a collective of an inter-communicator (coll/inter.h): it starts
 * the library, joins two halves of MPI_COMM_WORLD, and calls. Its code is no program's, but the calls are the same.
 */
#include "mpi/calls.h"

#include <stdlib.h>

/* A call of the rank; errors end the job, as they are ours. */
#define CALL(name, function, ...)                                                                            \
    do {                                                                                                     \
        struct mpi_call c = MPI_ENTER_FULL_ANYTIME(name);                                                    \
        int rc = mpi_leave(&c, function(&c, __VA_ARGS__));                                                   \
        BASE_ASSERT("a trial's calls are right", rc == MPI_SUCCESS);                                         \
    } while (0)

struct between {
    const struct coll_inter_trial *t;
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Count items;                         /* of a part */
    uint32_t mine, other;                    /* members of the two sides */
    int root;                                /* the argument of calls that have one */
    struct mpi_numbers counts, at, bytes_at; /* of the other side's parts */
    const MPI_Datatype *types;
};

static struct mpi_numbers list_of(uint32_t n, int64_t from, int64_t step)
{
    int64_t *list = base_alloc((n + 1) * sizeof *list, "parts of a trial");
    for (uint32_t k = 0; k < n; k++)
        list[k] = from + k * step;
    return (struct mpi_numbers){list, true};
}

static void join_sides(struct between *b, struct rank *r)
{
    const struct coll_inter_trial *t = b->t;
    int side = r->id >= t->first;
    MPI_Comm half;
    CALL("MPI_Init", mpi_init, NULL, NULL);
    CALL("MPI_Comm_split", mpi_comm_split, MPI_COMM_WORLD, side, (int)r->id, &half);
    CALL("MPI_Intercomm_create", mpi_intercomm_create, half, 0, MPI_COMM_WORLD, side ? 0 : (int)t->first, 0,
         &b->comm);
    CALL("MPI_Comm_free", mpi_comm_free, &half);
    b->mine = side ? t->ranks - t->first : t->first;
    b->other = t->ranks - b->mine;
    b->root = side ? 0 : r->id == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

/* Parts in order of place, as long as each other. */
static void list_parts(struct between *b)
{
    MPI_Datatype *types = base_alloc((b->other + 1) * sizeof *types, "parts of a trial");
    for (uint32_t k = 0; k < b->other; k++)
        types[k] = b->type;
    b->types = types;
    b->counts = list_of(b->other, b->items, 0);
    b->at = list_of(b->other, 0, b->items);
    b->bytes_at = list_of(b->other, 0, (int64_t)b->t->bytes);
}

/* The parts of a side's sum, which is as long on both sides: each member's. */
static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void reduce_scatter(const struct between *b)
{
    const struct coll_inter_trial *t = b->t;
    uint32_t by = common_divisor(b->mine, b->other);
    MPI_Count share = b->items * by / (b->mine > b->other ? b->mine : b->other),
              part = (share ? share : 1) * (b->other / by);
    if (t->op == COLL_INTER_REDUCE_SCATTER_BLOCK) {
        CALL("MPI_Reduce_scatter_block", mpi_reduce_scatter_block, t->source, t->dest, part, b->type, MPI_MAX,
             b->comm);
        return;
    }
    struct mpi_numbers counts = list_of(b->mine, part, 0);
    CALL("MPI_Reduce_scatter", mpi_reduce_scatter, t->source, t->dest, counts, b->type, MPI_MAX, b->comm);
    free((void *)(uintptr_t)counts.at);
}

static void exchange(const struct between *b)
{
    const struct coll_inter_trial *t = b->t;
    switch (t->op) {
    case COLL_INTER_ALLGATHER:
        CALL("MPI_Allgather", mpi_allgather, t->source, b->items, b->type, t->dest, b->items, b->type,
             b->comm);
        break;
    case COLL_INTER_ALLGATHERV:
        CALL("MPI_Allgatherv", mpi_allgatherv, t->source, b->items, b->type, t->dest, b->counts, b->at,
             b->type, b->comm);
        break;
    case COLL_INTER_ALLTOALL:
        CALL("MPI_Alltoall", mpi_alltoall, t->source, b->items, b->type, t->dest, b->items, b->type, b->comm);
        break;
    case COLL_INTER_ALLTOALLV:
        CALL("MPI_Alltoallv", mpi_alltoallv, t->source, b->counts, b->at, b->type, t->dest, b->counts, b->at,
             b->type, b->comm);
        break;
    default:
        CALL("MPI_Alltoallw", mpi_alltoallw, t->source, b->counts, b->bytes_at, b->types, t->dest, b->counts,
             b->bytes_at, b->types, b->comm);
        break;
    }
}

static void call(const struct between *b)
{
    const struct coll_inter_trial *t = b->t;
    switch (t->op) {
    case COLL_INTER_BARRIER:
        CALL("MPI_Barrier", mpi_barrier, b->comm);
        break;
    case COLL_INTER_BROADCAST:
        CALL("MPI_Bcast", mpi_bcast, t->dest, b->items, b->type, b->root, b->comm);
        break;
    case COLL_INTER_GATHER:
        CALL("MPI_Gather", mpi_gather, t->source, b->items, b->type, t->dest, b->items, b->type, b->root,
             b->comm);
        break;
    case COLL_INTER_GATHERV:
        CALL("MPI_Gatherv", mpi_gatherv, t->source, b->items, b->type, t->dest, b->counts, b->at, b->type,
             b->root, b->comm);
        break;
    case COLL_INTER_SCATTER:
        CALL("MPI_Scatter", mpi_scatter, t->source, b->items, b->type, t->dest, b->items, b->type, b->root,
             b->comm);
        break;
    case COLL_INTER_SCATTERV:
        CALL("MPI_Scatterv", mpi_scatterv, t->source, b->counts, b->at, b->type, t->dest, b->items, b->type,
             b->root, b->comm);
        break;
    case COLL_INTER_REDUCE:
        CALL("MPI_Reduce", mpi_reduce, t->source, t->dest, b->items, b->type, MPI_MAX, b->root, b->comm);
        break;
    case COLL_INTER_ALLREDUCE:
        CALL("MPI_Allreduce", mpi_allreduce, t->source, t->dest, b->items, b->type, MPI_MAX, b->comm);
        break;
    case COLL_INTER_REDUCE_SCATTER:
    case COLL_INTER_REDUCE_SCATTER_BLOCK:
        reduce_scatter(b);
        break;
    default:
        exchange(b);
        break;
    }
}

void mpi_between(struct rank *r, const struct coll_inter_trial *t)
{
    bool doubles = t->bytes % sizeof(double) == 0;
    struct between b = {.t = t,
                        .type = doubles ? MPI_DOUBLE : MPI_SIGNED_CHAR,
                        .items = (MPI_Count)(doubles ? t->bytes / sizeof(double) : t->bytes)};
    join_sides(&b, r);
    list_parts(&b);
    mpi_rank_of(r)->job->moves_nothing = true;
    t->ready(t->arg);
    for (uint32_t k = 0; k < t->times; k++)
        call(&b);
    t->done(t->arg);
    free((void *)(uintptr_t)b.counts.at);
    free((void *)(uintptr_t)b.at.at);
    free((void *)(uintptr_t)b.bytes_at.at);
    free((void *)(uintptr_t)b.types);
    CALL("MPI_Comm_free", mpi_comm_free, &b.comm);
    struct mpi_call c = MPI_ENTER_FULL("MPI_Finalize");
    (void)mpi_leave(&c, mpi_finalize(&c));
}
