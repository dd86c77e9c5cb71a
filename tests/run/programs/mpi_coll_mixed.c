// SPDX-License-Identifier: BSD-3-Clause
// Collectives of several communicators under way at once, started in one order and completed in another, mixed
// with blocking ones and with messages that wait; objects that are freed meanwhile; arrays and buffers on the
// stack. (MPI-5.0 sections 6.12 and 6.13)
// run: -np 2
// stdout: mixed: right
// run: -np 5
// stdout: mixed: right
// run: -np 16
// stdout: mixed: right
// run: -np 7 --quiet --cfg=smpi/coll-selector:automatic
// stdout: mixed: right
#include "mpi_coll.h"

enum { MOST = 16, MANY = 30 };

static MPI_Comm world, half;

static void affine(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int k = 0; k < *len; k++) {
        const int *a = (int *)in + 2 * k;
        int *b = (int *)inout + 2 * k, c = a[1] * b[0] + b[1];
        b[0] = a[0] * b[0] % 1009;
        b[1] = c % 1009;
    }
}

/* Data on the stack: other ranks' stacks are not there while they wait. */
static int on_the_stack(int k)
{
    int counts[MOST], at[MOST], out[MOST], in[MOST], both[MOST], all[2 * MOST], sum, own[2] = {me, k};
    MPI_Request q[3];
    for (int r = 0; r < ranks; r++) {
        counts[r] = 1, at[r] = ranks - 1 - r, out[ranks - 1 - r] = me * 100 + r + k;
        in[r] = -1;
        both[ranks - 1 - r] = out[ranks - 1 - r];
    }
    MPI_Ialltoallv(out, counts, at, MPI_INT, in, counts, at, MPI_INT, world, &q[0]);
    MPI_Iallgather(own, 2, MPI_INT, all, 2, MPI_INT, world, &q[1]);
    MPI_Iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM, world, &q[2]);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, both, counts, at, MPI_INT, world);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    for (int r = 0; r < ranks; r++) {
        CHECK(in[ranks - 1 - r] == r * 100 + me + k);
        CHECK(both[ranks - 1 - r] == r * 100 + me + k);
        CHECK(all[2 * r] == r && all[2 * r + 1] == k);
    }
    return sum;
}

static void test_stacks(void)
{
    what = "stacks";
    for (int k = 0; k < 5; k++)
        CHECK(on_the_stack(k) == ranks * (ranks - 1) / 2);
}

/* Members begin the same collectives in the same order, but look after them in orders of their own. */
static void test_many(void)
{
    static int from[MANY][2], to[MANY][2], told[MANY];
    MPI_Request q[3 * MANY];
    int n = 0, size, place, left;
    MPI_Comm_size(half, &size);
    MPI_Comm_rank(half, &place);
    what = "many";
    for (int k = 0; k < MANY; k++) {
        from[k][0] = me, from[k][1] = k;
        told[k] = place == k % size ? 100 * k : -1;
        MPI_Iallreduce(from[k], to[k], 2, MPI_INT, k % 2 ? MPI_MAX : MPI_MIN, world, &q[n++]);
        MPI_Ibcast(&told[k], 1, MPI_INT, k % size, half, &q[n++]);
        MPI_Ibarrier(k % 3 ? world : half, &q[n++]);
        if ((me + k) % 4 == 0)
            MPI_Wait(&q[(unsigned)(me * 7 + k) % (unsigned)n], MPI_STATUS_IGNORE);
        if (k % 5 == 0)
            MPI_Barrier(half);
    }
    do
        MPI_Waitany(n, q, &left, MPI_STATUS_IGNORE);
    while (left != MPI_UNDEFINED);
    for (int k = 0; k < MANY; k++) {
        CHECK(to[k][0] == (k % 2 ? ranks - 1 : 0) && to[k][1] == k);
        CHECK(told[k] == 100 * k);
    }
}

/* A receive and a long message that are pending while collectives run. */
static void test_messages(void)
{
    enum { LONG = 50000 };
    int *out = malloc(LONG * sizeof(int)), *in = malloc(LONG * sizeof(int)), right = (me + 1) % ranks,
        sum = 0;
    int left = (me + ranks - 1) % ranks, small = -1;
    MPI_Request q[3];
    what = "messages";
    for (int k = 0; k < LONG; k++)
        out[k] = me + k;
    MPI_Irecv(&small, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &q[0]);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, world);
    CHECK(sum == ranks * (ranks - 1) / 2);
    MPI_Send(&right, 1, MPI_INT, right, 3, world);
    MPI_Isend(out, LONG, MPI_INT, right, 4, world, &q[1]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    CHECK(small == me);
    MPI_Bcast(&sum, 1, MPI_INT, ranks - 1, world);
    MPI_Irecv(in, LONG, MPI_INT, left, 4, world, &q[2]);
    MPI_Barrier(world);
    MPI_Waitall(2, &q[1], MPI_STATUSES_IGNORE);
    CHECK(in[0] == left && in[LONG - 1] == left + LONG - 1);
    free(out), free(in);
}

/* Handles may be freed while collectives need what they stand for. */
static void test_freed(void)
{
    MPI_Op op;
    MPI_Comm comm;
    MPI_Datatype pair;
    MPI_Request q[2];
    int from[2] = {me + 1, 2 * me}, to[2], all[2 * MOST], expected[2] = {1, 0};
    what = "freed";
    MPI_Comm_dup(world, &comm);
    MPI_Op_create(affine, 0, &op);
    MPI_Type_vector(2, 1, 1, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Iallreduce(from, to, 1, pair, op, comm, &q[0]);
    MPI_Iallgather(from, 1, pair, all, 1, pair, comm, &q[1]);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    for (int r = 0; r < ranks; r++) {
        int next[2] = {r + 1, 2 * r}, len = 1;
        affine(expected, next, &len, NULL);
        memcpy(expected, next, sizeof next);
        CHECK(all[2 * r] == r + 1 && all[2 * r + 1] == 2 * r);
    }
    CHECK(to[0] == expected[0] && to[1] == expected[1]);
}

/* Persistent ones of one communicator, started in turn and at once, with new data each time. */
static void test_restarted(void)
{
    static int from[2], to[2][2], told;
    MPI_Request q[3];
    what = "restarted";
    MPI_Allreduce_init(from, to[0], 2, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &q[0]);
    MPI_Scan_init(from, to[1], 2, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &q[1]);
    MPI_Bcast_init(&told, 1, MPI_INT, ranks / 2, world, MPI_INFO_NULL, &q[2]);
    for (int k = 0; k < 6; k++) {
        from[0] = me + k, from[1] = k;
        told = me == ranks / 2 ? k : -1;
        if (me % 2) /* started in any order (section 6.13) */
            MPI_Start(&q[2]), MPI_Start(&q[1]), MPI_Start(&q[0]);
        else
            MPI_Startall(3, q);
        MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
        CHECK(to[0][0] == ranks * (ranks - 1) / 2 + k * ranks && to[0][1] == k * ranks);
        CHECK(to[1][0] == me * (me + 1) / 2 + k * (me + 1) && to[1][1] == k * (me + 1));
        CHECK(told == k);
        MPI_Start(&q[1]);
        MPI_Barrier(world);
        MPI_Wait(&q[1], MPI_STATUS_IGNORE);
    }
    for (int k = 0; k < 3; k++)
        MPI_Request_free(&q[k]);
}

/* Datatypes of absolute addresses: the buffer is MPI_BOTTOM, which is address 0. */
static MPI_Datatype absolute(int *first, int *second)
{
    MPI_Aint at[2];
    MPI_Datatype type;
    MPI_Get_address(first, &at[0]);
    MPI_Get_address(second, &at[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, at, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

static void test_bottom(void)
{
    int a = me, here[2] = {-1, -1}, all[2 * MOST], parts[2 * MOST];
    static int b;
    MPI_Datatype type = absolute(&a, &b);
    what = "bottom";
    b = 10 * me;
    MPI_Gather(MPI_BOTTOM, 1, type, all, 2, MPI_INT, 0, world);
    MPI_Allgather(MPI_BOTTOM, 1, type, parts, 2, MPI_INT, world);
    for (int r = 0; r < ranks; r++) {
        CHECK(me || (all[2 * r] == r && all[2 * r + 1] == 10 * r));
        CHECK(parts[2 * r] == r && parts[2 * r + 1] == 10 * r);
        parts[2 * r] = r + 5;
    }
    MPI_Bcast(MPI_BOTTOM, 1, type, ranks - 1, world);
    CHECK(a == ranks - 1 && b == 10 * (ranks - 1));
    MPI_Scatter(parts, 2, MPI_INT, MPI_BOTTOM, 1, type, 0, world);
    CHECK(a == me + 5 && b == 10 * me);
    MPI_Sendrecv(MPI_BOTTOM, 1, type, me, 0, here, 2, MPI_INT, me, 0, world, MPI_STATUS_IGNORE);
    CHECK(here[0] == a && here[1] == b);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half);
    test_stacks();
    test_many();
    test_messages();
    test_freed();
    test_restarted();
    test_bottom();
    MPI_Comm_free(&half);
    MPI_Comm_free(&world);
    return finish("mixed");
}
