// SPDX-License-Identifier: BSD-3-Clause
// Error classes of wrong arguments of collectives and of operations. Nothing is started by a call that fails,
// so correct calls work afterwards.
// run: -np 4
// stdout: errors: right
#include "mpi_coll.h"

#define FAILS(class, call)                                                                                   \
    do {                                                                                                     \
        int rc_ = (call), class_ = -1;                                                                       \
        what = #call;                                                                                        \
        MPI_Error_class(rc_, &class_);                                                                       \
        if (class_ != (class))                                                                               \
            fprintf(stderr, "class %d, expected " #class "\n", class_);                                      \
        CHECK(class_ == (class));                                                                            \
    } while (0)

static int a[64], b[64], counts[8], at[8];

static void nothing(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)len, (void)type;
}

static void test_arguments(MPI_Comm comm)
{
    MPI_Request q;
    MPI_Datatype raw;
    MPI_Type_contiguous(2, MPI_INT, &raw);
    FAILS(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    FAILS(MPI_ERR_COMM, MPI_Bcast(a, 1, MPI_INT, 0, MPI_COMM_NULL));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(a, 1, MPI_INT, -1, comm));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(a, 1, MPI_INT, ranks, comm));
    FAILS(MPI_ERR_ROOT, MPI_Ibcast(a, 1, MPI_INT, MPI_ROOT, comm, &q));
    FAILS(MPI_ERR_ROOT, MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, ranks, comm));
    FAILS(MPI_ERR_COUNT, MPI_Bcast(a, -1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(a, 1, MPI_DATATYPE_NULL, 0, comm));
    FAILS(MPI_ERR_TYPE, MPI_Allgather(a, 1, raw, b, 2, MPI_INT, comm));
    FAILS(MPI_ERR_TYPE, MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, comm));
    FAILS(MPI_ERR_ARG, MPI_Ibarrier(comm, NULL));
    FAILS(MPI_ERR_ARG, MPI_Barrier_init(comm, MPI_INFO_NULL, NULL));
    counts[2] = -1;
    FAILS(MPI_ERR_COUNT, MPI_Allgatherv(a, 1, MPI_INT, b, counts, at, MPI_INT, comm));
    FAILS(MPI_ERR_COUNT, MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_COUNT, MPI_Alltoallv(a, at, at, MPI_INT, b, counts, at, MPI_INT, comm));
    counts[2] = 0;
    FAILS(MPI_ERR_ARG, MPI_Alltoallv(a, NULL, at, MPI_INT, b, counts, at, MPI_INT, comm));
    FAILS(MPI_ERR_ARG, MPI_Allgatherv(a, 1, MPI_INT, b, counts, NULL, MPI_INT, comm));
    FAILS(MPI_ERR_TRUNCATE, MPI_Allgather(a, 2, MPI_INT, b, 1, MPI_INT, comm));
    FAILS(MPI_ERR_COUNT, MPI_Alltoall(a, 1, MPI_INT, b, 2, MPI_INT, comm));
    MPI_Type_free(&raw);
}

static void test_buffers(MPI_Comm comm)
{
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(a, a, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allreduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Scan(a, a, 1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Allgather(b + me, 1, MPI_INT, b, 1, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Alltoall(b, 1, MPI_INT, b, 1, MPI_INT, comm));
    if (me == 0) {
        FAILS(MPI_ERR_BUFFER, MPI_Gather(a, 1, MPI_INT, a, 1, MPI_INT, 0, comm));
        FAILS(MPI_ERR_BUFFER, MPI_Scatter(a, 1, MPI_INT, a, 1, MPI_INT, 0, comm));
    } else {
        FAILS(MPI_ERR_BUFFER, MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, a, 1, MPI_INT, 0, comm));
    }
}

static void test_operations(MPI_Comm comm)
{
    MPI_Op op, freed;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(nothing, 1, &op);
    freed = op;
    MPI_Op_free(&op);
    FAILS(MPI_ERR_OP, MPI_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(a, b, 1, MPI_INT, freed, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(a, b, 1, MPI_BYTE, MPI_MAX, comm));
    FAILS(MPI_ERR_OP, MPI_Reduce(a, b, 1, MPI_DOUBLE, MPI_BAND, 0, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(a, b, 1, pair, MPI_SUM, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(a, b, 1, MPI_INT, MPI_MAXLOC, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(a, b, 1, MPI_INT, MPI_REPLACE, comm));
    FAILS(MPI_ERR_OP, MPI_Op_free(&freed));
    op = MPI_SUM;
    FAILS(MPI_ERR_OP, MPI_Op_free(&op));
    FAILS(MPI_ERR_ARG, MPI_Op_create(NULL, 1, &op));
    FAILS(MPI_ERR_ARG, MPI_Op_commutative(MPI_SUM, NULL));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce_local(a, a, 1, MPI_INT, MPI_SUM));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce_local(MPI_IN_PLACE, a, 1, MPI_INT, MPI_SUM));
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    test_arguments(comm);
    test_buffers(comm);
    test_operations(comm);
    what = "afterwards";
    CHECK(MPI_Allreduce(&ranks, b, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && b[0] == ranks * ranks);
    CHECK(MPI_Exscan(&me, b, 0, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    MPI_Comm_free(&comm);
    return finish("errors");
}
