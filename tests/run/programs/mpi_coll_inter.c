// SPDX-License-Identifier: BSD-3-Clause
// Collectives of inter-communicators of uneven sides, in their three forms, and several at a time. (MPI-5.0
// sections 6.2.2 and 6.2.3)
// run: -np 2
// stdout: inter: right
// run: -np 3
// stdout: inter: right
// run: -np 7
// stdout: inter: right
// run: -np 16
// stdout: inter: right
// run: -np 7 --set coll/inter-barrier=leaders --set coll/inter-broadcast=flat --set coll/inter-gather=local-gather-remote-send --set coll/inter-scatter=remote-send-local-scatter --set coll/inter-allgather=gather-exchange-broadcast --set coll/inter-allgatherv=remote-gather-local-broadcast --set coll/inter-alltoall=pairwise-exchange --set coll/inter-alltoallv=pairwise-exchange --set coll/inter-alltoallw=pairwise-exchange
// stdout: inter: right
// run: -np 16 --set coll/inter-reduce=reduce-scatter-gather --set coll/inter-allreduce=reduce-scatter-exchange-allgather --set coll/inter-reduce-scatter=remote-reduce-local-scatter --set coll/inter-reduce-scatter-block=reduce-scatter-exchange --set coll/inter-allgather=exchange-allgather
// stdout: inter: right
// run: -np 9 --set coll/inter-reduce=reduce-scatter-gather --set coll/inter-allreduce=reduce-scatter-exchange-allgather --set coll/inter-reduce-scatter-block=reduce-scatter-exchange --set coll/inter-allgather=exchange-allgather
// stdout: inter: right
// run: -np 12 --set coll/selector=mpich
// stdout: inter: right
// run: -np 11 --set coll/inter-barrier=mpich:bcast --set coll/inter-allgather=mpich:local_gather_remote_bcast --set coll/inter-allreduce=mpich:remote_reduce_local_bcast --set coll/inter-reduce-scatter-block=mpich:remote_reduce_local_scatter
// stdout: inter: right
#include "mpi_coll.h"

enum { MOST = 20, ROUNDS = 4 };

static MPI_Comm comm, local;
static int side, place, mine, others; /* mine, others: members of the two sides */
static int first[2];                  /* rank in the world of each side's first member */
static const struct kind *here, *there;

static int world_rank(int which, int k)
{
    return first[which] + k;
}
static int other_rank(int k)
{
    return world_rank(!side, k);
}

/* Member `who` of side `giving` is the root. */
static int root_argument(int giving, int who)
{
    return side != giving ? who : place == who ? MPI_ROOT : MPI_PROC_NULL;
}

static void test_bcast(int giving, int who, int items)
{
    struct image i = image_make(here, 0, items);
    int root = root_argument(giving, who), from = world_rank(giving, who);
    if (root == MPI_ROOT)
        fill(&i, here, 0, items, from, -1);
    else if (root >= 0)
        expect(&i, here, 0, items, from, -1);
    FORM(Bcast, Ibcast, &i, image_at(&i), items, here->type, root, comm);
    image_check(&i, __LINE__);
    image_free(&i);
}

static void test_gather(int taking, int who, int items)
{
    struct image from = image_make(here, 0, items), to = image_make(there, 0, items * others);
    int root = root_argument(taking, who), counts[MOST], at[MOST];
    fill(&from, here, 0, items, me, -1);
    for (int r = 0; r < others; r++) {
        counts[r] = items;
        at[r] = items * (others - 1 - r);
        if (root == MPI_ROOT)
            expect(&to, there, r * items, items, other_rank(r), -1);
    }
    FORM(Gather, Igather, &to, image_at(&from), items, here->type, image_at(&to), items, there->type, root,
         comm);
    image_check(&to, __LINE__);
    for (int r = 0; r < others && root == MPI_ROOT; r++)
        expect(&to, there, at[r], items, other_rank(r), -1);
    FORM(Gatherv, Igatherv, &to, image_at(&from), items, here->type, image_at(&to), counts, at, there->type,
         root, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_scatter(int giving, int who, int items)
{
    struct image from = image_make(here, 0, items * others), to = image_make(there, 0, items);
    int root = root_argument(giving, who), counts[MOST], at[MOST];
    for (int r = 0; r < others; r++) {
        counts[r] = items;
        at[r] = items * r;
        fill(&from, here, at[r], items, me, r);
    }
    if (root >= 0)
        expect(&to, there, 0, items, other_rank(who), place);
    FORM(Scatter, Iscatter, &to, image_at(&from), items, here->type, image_at(&to), items, there->type, root,
         comm);
    image_check(&to, __LINE__);
    FORM(Scatterv, Iscatterv, &to, image_at(&from), counts, at, here->type, image_at(&to), items, there->type,
         root, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

/* The sides send parts of different sizes: a[0] and a[1]. */
static void test_all(const int *items)
{
    int out = items[side], in = items[!side], counts[MOST], at[MOST];
    struct image from = image_make(here, 0, out * others), to = image_make(there, 0, in * others);
    fill(&from, here, 0, out, me, -1);
    for (int r = 0; r < others; r++) {
        expect(&to, there, r * in, in, other_rank(r), -1);
        counts[r] = in;
        at[r] = r * in;
    }
    FORM(Allgather, Iallgather, &to, image_at(&from), out, here->type, image_at(&to), in, there->type, comm);
    image_check(&to, __LINE__);
    FORM(Allgatherv, Iallgatherv, &to, image_at(&from), out, here->type, image_at(&to), counts, at,
         there->type, comm);
    image_check(&to, __LINE__);
    for (int r = 0; r < others; r++) {
        fill(&from, here, r * out, out, me, r);
        expect(&to, there, r * in, in, other_rank(r), place);
    }
    FORM(Alltoall, Ialltoall, &to, image_at(&from), out, here->type, image_at(&to), in, there->type, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_alltoallw(void)
{
    int out[MOST], in[MOST], out_at[MOST], in_at[MOST], end = 0, in_end = 0;
    MPI_Datatype out_type[MOST], in_type[MOST];
    for (int r = 0; r < others; r++) {
        out[r] = (place + r) % 3, in[r] = (place + r) % 3;
        out_at[r] = end * here->extent * 4, in_at[r] = in_end * there->extent * 4;
        out_type[r] = here->type, in_type[r] = there->type;
        end += out[r], in_end += in[r];
    }
    struct image from = image_make(here, 0, end), to = image_make(there, 0, in_end);
    for (int r = 0; r < others; r++) {
        fill(&from, here, out_at[r] / here->extent / 4, out[r], me, r);
        expect(&to, there, in_at[r] / there->extent / 4, in[r], other_rank(r), place);
    }
    FORM(Alltoallw, Ialltoallw, &to, image_at(&from), out, out_at, out_type, image_at(&to), in, in_at,
         in_type, comm);
    image_check(&to, __LINE__);
    for (int r = 0; r < others; r++)
        out_at[r] /= here->extent * 4, in_at[r] /= there->extent * 4;
    FORM(Alltoallv, Ialltoallv, &to, image_at(&from), out, out_at, here->type, image_at(&to), in, in_at,
         there->type, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

/* --- reductions ----------------------------------------------------------------------------------------- */

/* The last operand: neither commutes, nor may operands be taken in another order. */
static void last_of(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)len, (void)type;
}

static int sum_of(int which, int members, int k)
{
    int sum = 0;
    for (int r = 0; r < members; r++)
        sum += world_rank(which, r) * 3 + k;
    return sum;
}

static void test_reduce(int taking, int who, int n, MPI_Op last)
{
    struct image to = image_make(&kinds[0], 0, n);
    int *from = malloc((size_t)(2 * n + 1) * sizeof(int)), root = root_argument(taking, who);
    for (int k = 0; k < 2 * n; k++)
        from[k] = me * 3 + k;
    for (int k = 0; k < 2 * n && root == MPI_ROOT; k++)
        to.expected[to.zero + k] = sum_of(!side, others, k);
    FORM(Reduce, Ireduce, &to, from, image_at(&to), 2 * n, MPI_INT, MPI_SUM, root, comm);
    image_check(&to, __LINE__);
    for (int k = 0; k < 2 * n; k++)
        to.expected[to.zero + k] = other_rank(others - 1) * 3 + k;
    FORM(Allreduce, Iallreduce, &to, from, image_at(&to), 2 * n, MPI_INT, last, comm);
    image_check(&to, __LINE__);
    free(from);
    image_free(&to);
}

/* Both sides get as many items in all; the first member of a side gets more. */
static void test_reduce_scatter(int n)
{
    int counts[MOST], all = n * mine * others, before = 0;
    int *from = malloc((size_t)(all + 1 + 2 * n) * sizeof(int));
    struct image to = image_make(&kinds[0], 0, all + 2 * n);
    for (int r = 0; r < mine; r++)
        counts[r] = n * others;
    if (mine > 1)
        counts[0] += n, counts[1] -= n;
    for (int r = 0; r < place; r++)
        before += counts[r];
    for (int k = 0; k < all; k++)
        from[k] = me * 3 + k;
    for (int k = 0; k < counts[place]; k++)
        to.expected[to.zero + k] = sum_of(!side, others, before + k);
    FORM(Reduce_scatter, Ireduce_scatter, &to, from, image_at(&to), counts, MPI_INT, MPI_SUM, comm);
    image_check(&to, __LINE__);
    image_free(&to);
    to = image_make(&kinds[0], 0, all + 2 * n);
    for (int k = 0; k < n * others; k++)
        to.expected[to.zero + k] = sum_of(!side, others, place * n * others + k);
    FORM(Reduce_scatter_block, Ireduce_scatter_block, &to, from, image_at(&to), n * others, MPI_INT, MPI_SUM,
         comm);
    image_check(&to, __LINE__);
    free(from);
    image_free(&to);
}

/* Chains of several steps under way at once; members start them at different times, and look at other things
 * meanwhile. */
static void test_many(void)
{
    enum { MANY = 12 };
    int from[MANY], to[MANY], told[MANY], n = 0;
    MPI_Request q[2 * MANY];
    what = "many";
    for (int k = 0; k < MANY; k++) {
        from[k] = me + k;
        told[k] = side == k % 2 && place == 0 ? 100 + k : -1;
        MPI_Iallreduce(&from[k], &to[k], 1, MPI_INT, MPI_MAX, comm, &q[n++]);
        MPI_Ibcast(&told[k], 1, MPI_INT, root_argument(k % 2, 0), comm, &q[n++]);
        if ((me + k) % 3 == 0)
            MPI_Wait(&q[(me + k) % n], MPI_STATUS_IGNORE);
    }
    MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
    for (int k = 0; k < MANY; k++) {
        CHECK(to[k] == other_rank(others - 1) + k);
        CHECK(told[k] == 100 + k || (side == k % 2 && place));
    }
}

int main(int argc, char **argv)
{
    MPI_Op last;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    kinds_make();
    MPI_Op_create(last_of, 0, &last);
    for (int split = 1; split < ranks; split += 1 + split / 2) {
        first[1] = split;
        side = me >= split;
        MPI_Comm_split(MPI_COMM_WORLD, side, 0, &local);
        MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, first[!side], 5, &comm);
        MPI_Comm_rank(comm, &place);
        MPI_Comm_size(comm, &mine);
        MPI_Comm_remote_size(comm, &others);
        for (int round = 0; round < ROUNDS * FORMS; round++) {
            form = round % FORMS;
            stream = (unsigned)(round * 1000 + split);
            here = &kinds[(below(KINDS) + (unsigned)me) % KINDS];
            there = &kinds[(below(KINDS) + (unsigned)me) % KINDS];
            int giving = (int)below(2), members = giving ? ranks - split : split;
            int who = (int)below((unsigned)members), items = (int)below(6),
                sizes[2] = {(int)below(4), (int)below(4)};
            FORM(Barrier, Ibarrier, &((struct image){0}), comm);
            test_bcast(giving, who, items);
            test_gather(giving, who, items);
            test_scatter(giving, who, items);
            test_all(sizes);
            test_alltoallw();
            test_reduce(giving, who, items, last);
            test_reduce_scatter(items);
        }
        test_many();
        MPI_Comm_free(&comm);
        MPI_Comm_free(&local);
    }
    MPI_Op_free(&last);
    kinds_free();
    return finish("inter");
}
