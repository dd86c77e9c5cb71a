// SPDX-License-Identifier: BSD-3-Clause
// Collectives of inter-communicators with random sides, roots and lengths, some of them long, blocking and not,
// against what each member computes by itself; reductions also with an operation that does not commute, on a
// datatype with gaps. (MPI-5.0 section 6.2.3)
// run: -np 21
// stdout: random sides: right
// run: -np 40 --set coll/selector=mpich
// stdout: random sides: right
// run: -np 23 --set coll/inter-allgather=exchange-allgather --set coll/inter-allreduce=reduce-scatter-exchange-allgather --set coll/inter-reduce=reduce-scatter-gather --set coll/inter-reduce-scatter=remote-reduce-local-scatter --set coll/inter-reduce-scatter-block=reduce-scatter-exchange --set coll/inter-barrier=broadcast
// stdout: random sides: right
// run: -np 38 --set coll/inter-allgather=ompi:inter --set coll/inter-allgatherv=ompi:inter --set coll/inter-gather=ompi:inter --set coll/inter-scatter=ompi:inter --set coll/inter-alltoall=pairwise-exchange --set coll/inter-barrier=leaders --set coll/inter-reduce-scatter-block=mpich:remote_reduce_local_scatter
// stdout: random sides: right
// run: -np 13 --check races --set coll/inter-allgather=exchange-allgather --set coll/inter-allreduce=reduce-scatter-exchange-allgather --set coll/inter-reduce=reduce-scatter-gather --set coll/inter-reduce-scatter-block=reduce-scatter-exchange
// stdout: random sides: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 12, MOST = 20, LONG = 700, PRIME = 9973, GAP = 3 };

static int me, ranks, wrong, step;
static unsigned stream;
static MPI_Comm comm;
static int side, place, n[2], base[2]; /* members of the sides; their first ranks */
static MPI_Datatype pair;              /* two ints with a gap between and behind */
static MPI_Op compose;

/* The same numbers at all ranks. */
static int below(int limit)
{
    stream = stream * 1664525U + 1013904223U;
    return limit ? (int)((stream >> 8) % (unsigned)limit) : 0;
}

static int value(int rank, int k)
{
    return (rank * 7919 + k * 104729 + step * 31) % PRIME;
}

#define CHECK(what, is, must)                                                                                \
    do {                                                                                                     \
        int is_ = (is), must_ = (must);                                                                      \
        if (is_ != must_ && wrong++ < 3)                                                                     \
            printf("rank %d, %s, step %d: %d, expected %d\n", me, what, step, is_, must_);                   \
    } while (0)

/* Blocking, or started and waited for. */
#define CALL(blocking, started, ...)                                                                         \
    do {                                                                                                     \
        MPI_Request q_;                                                                                      \
        if (step++ % 2) {                                                                                    \
            MPI_##started(__VA_ARGS__, &q_);                                                                 \
            MPI_Wait(&q_, MPI_STATUS_IGNORE);                                                                \
        } else {                                                                                             \
            MPI_##blocking(__VA_ARGS__);                                                                     \
        }                                                                                                    \
    } while (0)

/* x -> a x + b, of which x -> c (a x + b) + d is made. */
static void compose_all(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int *f = in, *g = inout;
    (void)type;
    for (int k = 0; k < *len; k++, f += 2 * GAP, g += 2 * GAP) {
        int a = (int)((long)f[0] * g[0] % PRIME), b = (int)(((long)f[GAP] * g[0] + g[GAP]) % PRIME);
        g[0] = a;
        g[GAP] = b;
    }
}

static int root_of(int giving, int who)
{
    return side != giving ? who : place == who ? MPI_ROOT : MPI_PROC_NULL;
}

static int *ints(int count)
{
    return calloc((size_t)count + 1, sizeof(int));
}

static int *filled(int count)
{
    int *a = ints(count);
    for (int k = 0; k < count; k++)
        a[k] = value(me, k);
    return a;
}

static int there(int k)
{
    return base[!side] + k;
}

static void move_with_root(int m)
{
    int with = below(2), who = below(n[with]), root = root_of(with, who), others = n[!with];
    step += 2; /* values are those of this step in both calls */
    int s = step, *a = root == MPI_ROOT ? filled(m) : ints(m);
    CALL(Bcast, Ibcast, a, m, MPI_INT, root, comm);
    step = s;
    for (int k = 0; k < m; k++)
        if (root >= 0)
            CHECK("bcast", a[k], value(base[with] + who, k));
    free(a);
    int *mine = filled(m), *all = ints(m * others), *to = ints(m);
    CALL(Gather, Igather, mine, m, MPI_INT, all, m, MPI_INT, root, comm);
    step = s;
    for (int k = 0; k < m * others && root == MPI_ROOT; k++)
        CHECK("gather", all[k], value(base[!with] + k / m, k % m));
    for (int k = 0; k < m * others; k++)
        all[k] = value(me, k);
    CALL(Scatter, Iscatter, all, m, MPI_INT, to, m, MPI_INT, root, comm);
    step = s;
    for (int k = 0; k < m && root >= 0; k++)
        CHECK("scatter", to[k], value(base[with] + who, place * m + k));
    free(mine), free(all), free(to);
}

static void move_to_all(int m0, int m1)
{
    int m[2] = {m0, m1}, others = n[!side], in = m[!side], out = m[side], s = ++step;
    int *mine = filled(out * others), *all = ints((in + MOST) * others * 2), counts[MOST], at[MOST];
    CALL(Allgather, Iallgather, mine, out, MPI_INT, all, in, MPI_INT, comm);
    step = s;
    for (int k = 0; k < in * others; k++)
        CHECK("allgather", all[k], value(there(k / in), k % in));
    CALL(Alltoall, Ialltoall, mine, out, MPI_INT, all, in, MPI_INT, comm);
    step = s;
    for (int k = 0; k < in * others; k++)
        CHECK("alltoall", all[k], value(there(k / in), place * in + k % in));
    int room = 0;
    for (int r = others; r--;) { /* with gaps, the last one first */
        counts[r] = in ? in - r % 3 % in : 0;
        at[r] = room;
        room += counts[r] + 1;
    }
    memset(all, 0, sizeof *all * (size_t)room);
    CALL(Allgatherv, Iallgatherv, mine, out ? out - place % 3 % out : 0, MPI_INT, all, counts, at, MPI_INT,
         comm);
    step = s;
    for (int r = 0; r < others; r++) {
        for (int k = 0; k < counts[r]; k++)
            CHECK("allgatherv", all[at[r] + k], value(there(r), k));
        CHECK("allgatherv, behind a part", all[at[r] + counts[r]], 0);
    }
    free(mine), free(all);
}

/* Pair k of the other side, or of side `of`, composed in order of place. */
static void expect_pair(const char *what, const int *got, int of, int k)
{
    int a = 1, b = 0;
    for (int r = 0; r < n[of]; r++) {
        int c = value(base[of] + r, 2 * k) + 1, d = value(base[of] + r, 2 * k + 1);
        a = (int)((long)a * c % PRIME);
        b = (int)(((long)b * c + d) % PRIME);
    }
    CHECK(what, got[0], a);
    CHECK(what, got[GAP], b);
    CHECK("a gap", got[1], 0);
}

static void reduce_pairs(int with, int who, int count)
{
    int root = root_of(with, who), s = ++step, total = count * n[0] * n[1], *from = ints(2 * GAP * total);
    int *to = ints(2 * GAP * total), counts[MOST], before = 0;
    for (int k = 0; k < total; k++) {
        from[2 * GAP * k] = value(me, 2 * k) + 1;
        from[2 * GAP * k + GAP] = value(me, 2 * k + 1);
    }
    CALL(Reduce, Ireduce, from, to, total, pair, compose, root, comm);
    step = s;
    for (int k = 0; k < total && root == MPI_ROOT; k++)
        expect_pair("reduce", to + 2 * GAP * k, !side, k);
    CALL(Allreduce, Iallreduce, from, to, total, pair, compose, comm);
    step = s;
    for (int k = 0; k < total; k++)
        expect_pair("allreduce", to + 2 * GAP * k, !side, k);
    CALL(Reduce_scatter_block, Ireduce_scatter_block, from, to, total / n[side], pair, compose, comm);
    step = s;
    for (int k = 0; k < total / n[side]; k++)
        expect_pair("reduce_scatter_block", to + 2 * GAP * k, !side, place * (total / n[side]) + k);
    for (int r = 0; r < n[side]; r++)
        counts[r] = r ? 0 : total;
    for (int r = 1, left = total; r < n[side]; r++) {
        counts[r] = left / 3;
        left -= counts[r];
        counts[0] = left;
    }
    for (int r = 0; r < place; r++)
        before += counts[r];
    CALL(Reduce_scatter, Ireduce_scatter, from, to, counts, pair, compose, comm);
    step = s;
    for (int k = 0; k < counts[place]; k++)
        expect_pair("reduce_scatter", to + 2 * GAP * k, !side, before + k);
    free(from), free(to);
}

static void sum_long(int m)
{
    int s = ++step, *from = filled(m), *to = ints(m);
    CALL(Allreduce, Iallreduce, from, to, m, MPI_INT, MPI_SUM, comm);
    step = s;
    for (int k = 0; k < m; k++) {
        int sum = 0;
        for (int r = 0; r < n[!side]; r++)
            sum += value(there(r), k);
        CHECK("sum", to[k], sum);
    }
    free(from), free(to);
}

static void trial(void)
{
    MPI_Comm used, local;
    n[0] = 1 + below(ranks - 1 < MOST ? ranks - 1 : MOST);
    n[1] = 1 + below(ranks - n[0] < MOST ? ranks - n[0] : MOST);
    base[0] = below(ranks - n[0] - n[1] + 1);
    base[1] = base[0] + n[0];
    int in = me >= base[0] && me < base[1] + n[1];
    int m = below(3) ? below(20) : below(LONG), m1 = below(20), with = below(2), who = below(n[with]);
    unsigned kept = stream;
    side = me >= base[1];
    MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, 0, &used);
    if (in) {
        MPI_Comm_split(used, side, 0, &local);
        MPI_Intercomm_create(local, 0, used, side ? 0 : n[0], 3, &comm);
        MPI_Comm_rank(comm, &place);
        CALL(Barrier, Ibarrier, comm);
        move_with_root(m);
        move_to_all(m, m1);
        reduce_pairs(with, who, below(3));
        sum_long(m);
        MPI_Comm_free(&comm);
        MPI_Comm_free(&local);
        MPI_Comm_free(&used);
    }
    stream = kept;
}

int main(int argc, char **argv)
{
    MPI_Datatype packed;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_vector(2, 1, GAP, MPI_INT, &packed);
    MPI_Type_create_resized(packed, 0, 2 * GAP * (MPI_Aint)sizeof(int), &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose_all, 0, &compose);
    for (int k = 0; k < TRIALS; k++) {
        stream = (unsigned)(k * 77 + ranks);
        below(1);
        step = 100 * k;
        trial();
    }
    MPI_Op_free(&compose);
    MPI_Type_free(&packed);
    MPI_Type_free(&pair);
    int all = 0;
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("random sides: %s\n", all ? "wrong" : "right");
    MPI_Finalize();
    return 0;
}
