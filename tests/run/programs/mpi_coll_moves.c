// SPDX-License-Identifier: BSD-3-Clause
// Collectives that move data, in their three forms, with random counts, roots and datatypes, against what a
// naive computation leaves in the memory. (MPI-5.0 sections 6.3 to 6.8)
// run: -np 1
// stdout: moves: right
// run: -np 2
// stdout: moves: right
// run: -np 3
// stdout: moves: right
// run: -np 7
// stdout: moves: right
// run: -np 16
// stdout: moves: right
// run: -np 33
// stdout: moves: right
#include "mpi_coll.h"

enum { MOST = 40, ROUNDS = 12 };

static const struct kind *mine, *other; /* of this rank's send and receive buffers */
static int counts[MOST], at[MOST], matrix[MOST][MOST];
static MPI_Comm comm = MPI_COMM_WORLD;

/* Parts in random order, with gaps; returns the end. */
static int spread(int *place, const int *count, int n)
{
    int order[MOST], end = 0;
    for (int k = 0; k < n; k++) {
        int o = (int)below((unsigned)k + 1);
        order[k] = order[o];
        order[o] = k;
    }
    for (int k = 0; k < n; k++) {
        place[order[k]] = end;
        end += count[order[k]] + (int)below(3);
    }
    return end;
}

static void test_bcast(int root, int items)
{
    struct image i = image_make(mine, 0, items);
    if (me == root)
        fill(&i, mine, 0, items, root, -1);
    expect(&i, mine, 0, items, root, -1);
    FORM(Bcast, Ibcast, &i, image_at(&i), items, mine->type, root, comm);
    image_check(&i, __LINE__);
    image_free(&i);
}

static void test_gather(int root, int items, int in_place)
{
    struct image from = image_make(mine, 0, items), to = image_make(other, 0, items * ranks);
    fill(&from, mine, 0, items, me, -1);
    in_place = in_place && me == root;
    for (int r = 0; r < ranks && me == root; r++)
        expect(&to, other, r * items, items, r, -1);
    if (in_place)
        fill(&to, other, me * items, items, me, -1);
    FORM(Gather, Igather, &to, in_place ? MPI_IN_PLACE : image_at(&from), items, mine->type,
         me == root ? image_at(&to) : NULL, me == root ? items : -5,
         me == root ? other->type : MPI_DATATYPE_NULL, root, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_gatherv(int root, int in_place)
{
    int end = spread(at, counts, ranks);
    struct image from = image_make(mine, 0, counts[me]), to = image_make(other, 0, end);
    fill(&from, mine, 0, counts[me], me, -1);
    in_place = in_place && me == root;
    for (int r = 0; r < ranks && me == root; r++)
        expect(&to, other, at[r], counts[r], r, -1);
    if (in_place)
        fill(&to, other, at[me], counts[me], me, -1);
    FORM(Gatherv, Igatherv, &to, in_place ? MPI_IN_PLACE : image_at(&from), counts[me], mine->type,
         me == root ? image_at(&to) : NULL, me == root ? counts : NULL, me == root ? at : NULL,
         me == root ? other->type : MPI_DATATYPE_NULL, root, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_scatter(int root, int items, int in_place)
{
    struct image from = image_make(mine, 0, items * ranks), to = image_make(other, 0, items);
    for (int r = 0; r < ranks && me == root; r++)
        fill(&from, mine, r * items, items, root, r);
    in_place = in_place && me == root;
    if (!in_place)
        expect(&to, other, 0, items, root, me);
    FORM(Scatter, Iscatter, &to, me == root ? image_at(&from) : NULL, me == root ? items : -5,
         me == root ? mine->type : MPI_DATATYPE_NULL, in_place ? MPI_IN_PLACE : image_at(&to), items,
         other->type, root, comm);
    image_check(&to, __LINE__), image_check(&from, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_scatterv(int root, int in_place)
{
    int end = spread(at, counts, ranks);
    struct image from = image_make(mine, 0, end), to = image_make(other, 0, counts[me]);
    for (int r = 0; r < ranks && me == root; r++)
        fill(&from, mine, at[r], counts[r], root, r);
    in_place = in_place && me == root;
    if (!in_place)
        expect(&to, other, 0, counts[me], root, me);
    FORM(Scatterv, Iscatterv, &to, me == root ? image_at(&from) : NULL, me == root ? counts : NULL,
         me == root ? at : NULL, me == root ? mine->type : MPI_DATATYPE_NULL,
         in_place ? MPI_IN_PLACE : image_at(&to), counts[me], other->type, root, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_allgather(int items, int in_place)
{
    struct image from = image_make(mine, 0, items), to = image_make(other, 0, items * ranks);
    fill(&from, mine, 0, items, me, -1);
    for (int r = 0; r < ranks; r++)
        expect(&to, other, r * items, items, r, -1);
    if (in_place)
        fill(&to, other, me * items, items, me, -1);
    FORM(Allgather, Iallgather, &to, in_place ? MPI_IN_PLACE : image_at(&from), items, mine->type,
         image_at(&to), items, other->type, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_allgatherv(int in_place)
{
    int end = spread(at, counts, ranks);
    struct image from = image_make(mine, 0, counts[me]), to = image_make(other, 0, end);
    fill(&from, mine, 0, counts[me], me, -1);
    for (int r = 0; r < ranks; r++)
        expect(&to, other, at[r], counts[r], r, -1);
    if (in_place)
        fill(&to, other, at[me], counts[me], me, -1);
    FORM(Allgatherv, Iallgatherv, &to, in_place ? MPI_IN_PLACE : image_at(&from), counts[me], mine->type,
         image_at(&to), counts, at, other->type, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_alltoall(int items, int in_place)
{
    struct image from = image_make(mine, 0, items * ranks), to = image_make(other, 0, items * ranks);
    for (int r = 0; r < ranks; r++) {
        fill(&from, mine, r * items, items, me, r);
        if (in_place)
            fill(&to, other, r * items, items, me, r);
        expect(&to, other, r * items, items, r, me);
    }
    FORM(Alltoall, Ialltoall, &to, in_place ? MPI_IN_PLACE : image_at(&from), items, mine->type,
         image_at(&to), items, other->type, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

/* Of what each sends to each; in place the matrix is symmetric. */
static void make_matrix(int in_place)
{
    for (int a = 0; a < ranks; a++)
        for (int b = 0; b < ranks; b++)
            matrix[a][b] = in_place && b < a ? matrix[b][a] : (int)below(3);
}

static void test_alltoallv(int in_place)
{
    int incoming[MOST], to_at[MOST];
    make_matrix(in_place);
    for (int r = 0; r < ranks; r++)
        incoming[r] = matrix[r][me];
    int end = spread(at, matrix[me], ranks), to_end = spread(to_at, incoming, ranks);
    struct image from = image_make(mine, 0, end), to = image_make(other, 0, to_end);
    for (int r = 0; r < ranks; r++) {
        fill(&from, mine, at[r], matrix[me][r], me, r);
        if (in_place)
            fill(&to, other, to_at[r], incoming[r], me, r);
        expect(&to, other, to_at[r], incoming[r], r, me);
    }
    FORM(Alltoallv, Ialltoallv, &to, in_place ? MPI_IN_PLACE : image_at(&from), matrix[me], at, mine->type,
         image_at(&to), incoming, to_at, other->type, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

/* Each part has a datatype of its own; every second time from MPI_BOTTOM. */
static void test_alltoallw(int in_place, int bottom)
{
    enum { ROOM = 40 };
    int incoming[MOST], from_at[MOST], to_at[MOST];
    MPI_Datatype from_type[MOST], to_type[MOST];
    const struct kind *wide = &kinds[3];
    make_matrix(in_place);
    struct image from = image_make(wide, 0, ROOM * ranks), to = image_make(wide, 0, ROOM * ranks);
    struct image from_part[MOST], to_part[MOST];
    for (int r = 0; r < ranks; r++) {
        const struct kind *a = &kinds[(me + r) % KINDS], *b = &kinds[(me + r + (in_place ? 0 : 1)) % KINDS];
        incoming[r] = matrix[r][me];
        from_part[r] = from, to_part[r] = to;
        from_part[r].zero += r * ROOM + 8;
        to_part[r].zero += (ranks - 1 - r) * ROOM + 8;
        from_at[r] = (r * ROOM + 8) * (int)sizeof(int);
        to_at[r] = ((ranks - 1 - r) * ROOM + 8) * (int)sizeof(int);
        from_type[r] = a->type, to_type[r] = b->type;
        fill(&from_part[r], a, 0, matrix[me][r], me, r);
        if (in_place)
            fill(&to_part[r], b, 0, incoming[r], me, r);
        expect(&to_part[r], b, 0, incoming[r], r, me);
    }
    if (bottom && !in_place && (size_t)image_at(&from) < 0x60000000) { /* it fits in an int */
        for (int r = 0; r < ranks; r++)
            from_at[r] += (int)(size_t)image_at(&from);
    } else {
        bottom = 0;
    }
    FORM(Alltoallw, Ialltoallw, &to,
         in_place ? MPI_IN_PLACE
         : bottom ? MPI_BOTTOM
                  : image_at(&from),
         matrix[me], from_at, from_type, image_at(&to), incoming, to_at, to_type, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void choose(void)
{
    unsigned a = below(KINDS), b = below(KINDS), same = below(3) == 0;
    mine = &kinds[same ? a : (a + (unsigned)me) % KINDS];
    other = &kinds[same ? b : (b + (unsigned)me) % KINDS];
    for (int r = 0; r < ranks; r++)
        counts[r] = (int)below(5);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    kinds_make();
    for (int k = 0; k < ROUNDS * FORMS; k++) {
        stream = 1000003ULL * (unsigned)k; /* displacements draw different numbers at different ranks */
        form = k % FORMS;
        choose();
        int root = (int)below((unsigned)ranks), items = below(4) ? (int)below(20) : 0,
            in_place = below(3) == 0;
        FORM(Barrier, Ibarrier, &((struct image){0}), comm);
        test_bcast(root, items);
        test_gather(root, items, in_place);
        test_scatter(root, items, in_place);
        test_allgather(items, in_place);
        test_alltoall(items, in_place);
        test_gatherv(root, in_place);
        test_scatterv(root, in_place);
        test_allgatherv(in_place);
        test_alltoallv(in_place);
        test_alltoallw(in_place, k % 2);
    }
    kinds_free();
    return finish("moves");
}
