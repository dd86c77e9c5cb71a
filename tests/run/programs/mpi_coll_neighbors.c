// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives in their three forms on Cartesian grids, with edges and with rings of one and two
// members, on random graphs with parallel edges and loops, and with a stencil; by every algorithm. (MPI-5.0
// sections 8.6 to 8.8)
// run: -np 1
// stdout: neighbours: right
// run: -np 2
// stdout: neighbours: right
// run: -np 7
// stdout: neighbours: right
// run: -np 12
// stdout: neighbours: right
// run: -np 12 --set coll.neighbor-allgather=cartesian --set coll.neighbor-alltoall=cartesian
// stdout: neighbours: right
// run: -np 7 --set coll.neighbor-allgather=digits --set coll.neighbor-alltoall=digits
// stdout: neighbours: right
// run: -np 13 --set coll.radix=3 --set coll.neighbor-allgather=digits --set coll.neighbor-alltoall=digits
// stdout: neighbours: right
// run: -np 12 --set coll.neighbor-allgather=common-neighbors --set coll.neighbor-alltoall=common-neighbors
// stdout: neighbours: right
// run: -np 13 --set coll.radix=4 --set coll.neighbor-allgather=common-neighbors --set coll.neighbor-alltoall=common-neighbors
// stdout: neighbours: right
// run: -np 7 --set coll.neighbor-allgather=distance-halving --set coll.neighbor-alltoall=distance-halving
// stdout: neighbours: right
// run: -np 13 --map-by host --platform $DIR/collective_hosts.xml --set coll.neighbor-allgather=distance-halving --set coll.neighbor-alltoall=two-step
// stdout: neighbours: right
// run: -np 12 --platform $DIR/collective_hosts.xml --set coll.neighbor-allgather=two-step --set coll.neighbor-alltoall=three-step
// stdout: neighbours: right
// run: -np 16 --map-by host --platform $DIR/collective_hosts.xml --set coll.neighbor-allgather=three-step --set coll.neighbor-alltoall=two-step
// stdout: neighbours: right
// run: -np 13 --platform $DIR/collective_hosts.xml --set coll.neighbor-allgather=three-step-each --set coll.neighbor-alltoall=distance-halving
// stdout: neighbours: right
#include "mpi_coll.h"

enum { MOST = 64, ROUNDS = 2 };

static MPI_Comm comm;
static int n_from, n_to, from_rank[MOST], to_rank[MOST];
/* Which part of its source's a part is: the number of the edge in the source's list. */
static int from_edge[MOST];
static const struct kind *mine, *other;

static void test_allgather(int items)
{
    struct image from = image_make(mine, 0, items), to = image_make(other, 0, items * n_from);
    int counts[MOST], at[MOST];
    fill(&from, mine, 0, items, me, -1);
    for (int k = 0; k < n_from; k++) {
        counts[k] = items;
        at[k] = items * (n_from - 1 - k);
        if (from_rank[k] != MPI_PROC_NULL)
            expect(&to, other, k * items, items, from_rank[k], -1);
    }
    FORM(Neighbor_allgather, Ineighbor_allgather, &to, image_at(&from), items, mine->type, image_at(&to),
         items, other->type, comm);
    image_check(&to, __LINE__);
    image_free(&to);
    to = image_make(other, 0, items * n_from);
    for (int k = 0; k < n_from; k++)
        if (from_rank[k] != MPI_PROC_NULL)
            expect(&to, other, at[k], items, from_rank[k], -1);
    FORM(Neighbor_allgatherv, Ineighbor_allgatherv, &to, image_at(&from), items, mine->type, image_at(&to),
         counts, at, other->type, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_alltoall(int items)
{
    struct image from = image_make(mine, 0, items * n_to), to = image_make(other, 0, items * n_from);
    for (int k = 0; k < n_to; k++)
        fill(&from, mine, k * items, items, me, k);
    for (int k = 0; k < n_from; k++)
        if (from_rank[k] != MPI_PROC_NULL)
            expect(&to, other, k * items, items, from_rank[k], from_edge[k]);
    FORM(Neighbor_alltoall, Ineighbor_alltoall, &to, image_at(&from), items, mine->type, image_at(&to), items,
         other->type, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static int size_of(int rank, int edge)
{
    return (rank * 3 + edge) % 4;
}

static void test_alltoallvw(void)
{
    int out[MOST], in[MOST], out_at[MOST], in_at[MOST], end = 0, in_end = 0;
    MPI_Aint out_bytes[MOST], in_bytes[MOST];
    MPI_Datatype out_type[MOST], in_type[MOST];
    for (int k = 0; k < n_to; k++) {
        out[k] = size_of(me, k), out_at[k] = end, out_type[k] = mine->type;
        out_bytes[k] = end * mine->extent * 4;
        end += out[k];
    }
    for (int k = 0; k < n_from; k++) {
        in[k] = from_rank[k] == MPI_PROC_NULL ? 1 : size_of(from_rank[k], from_edge[k]);
        in_at[k] = in_end, in_type[k] = other->type;
        in_bytes[k] = in_end * other->extent * 4;
        in_end += in[k];
    }
    struct image from = image_make(mine, 0, end), to = image_make(other, 0, in_end);
    for (int k = 0; k < n_to; k++)
        fill(&from, mine, out_at[k], out[k], me, k);
    for (int k = 0; k < n_from; k++)
        if (from_rank[k] != MPI_PROC_NULL)
            expect(&to, other, in_at[k], in[k], from_rank[k], from_edge[k]);
    FORM(Neighbor_alltoallv, Ineighbor_alltoallv, &to, image_at(&from), out, out_at, mine->type,
         image_at(&to), in, in_at, other->type, comm);
    image_check(&to, __LINE__);
    for (int k = 0; k < to.size; k++)
        to.memory[k] = GAP;
    FORM(Neighbor_alltoallw, Ineighbor_alltoallw, &to, image_at(&from), out, out_bytes, out_type,
         image_at(&to), in, in_bytes, in_type, comm);
    image_check(&to, __LINE__);
    image_free(&from), image_free(&to);
}

static void test_all(void)
{
    for (int round = 0; round < ROUNDS * FORMS; round++) {
        form = round % FORMS;
        stream = (unsigned)round;
        mine = &kinds[(below(KINDS) + (unsigned)me) % KINDS];
        other = &kinds[(below(KINDS) + (unsigned)me) % KINDS];
        int items = (int)below(5);
        test_allgather(items);
        test_alltoall(items);
        test_alltoallvw();
    }
}

/* --- topologies ----------------------------------------------------------------------------------------- */

static void test_grid(int dims, const int *size, const int *periods)
{
    MPI_Cart_create(MPI_COMM_WORLD, dims, size, periods, 0, &comm);
    if (comm == MPI_COMM_NULL)
        return;
    n_from = n_to = 2 * dims;
    for (int d = 0; d < dims; d++) {
        MPI_Cart_shift(comm, d, 1, &from_rank[2 * d], &from_rank[2 * d + 1]);
        /* what it sends upwards is its second part of the dimension, and comes from below */
        from_edge[2 * d] = 2 * d + 1;
        from_edge[2 * d + 1] = 2 * d;
    }
    test_all();
    MPI_Comm_free(&comm);
}

/* The edges of a random graph: a matrix of how many there are. */
static void test_graph(void)
{
    enum { RANKS = 16 };
    static int edges[RANKS][RANKS];
    stream = 4711;
    for (int a = 0; a < ranks; a++)
        for (int b = 0; b < ranks; b++)
            edges[a][b] = below(3) ? 0 : 1 + (int)below(2);
    n_from = n_to = 0;
    for (int r = 0; r < ranks; r++) {
        int before = 0;
        for (int k = 0; k < me; k++)
            before += edges[r][k];
        for (int k = 0; k < edges[r][me]; k++) {
            from_rank[n_from] = r;
            from_edge[n_from++] = before + k;
        }
        for (int k = 0; k < edges[me][r]; k++)
            to_rank[n_to++] = r;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n_from, from_rank, MPI_UNWEIGHTED, n_to, to_rank,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    test_all();
    MPI_Comm_free(&comm);
}

/* A stencil with corners on a torus, as a distributed graph on it: what goes along offset k comes from the other side. */
static void test_stencil(void)
{
    int size[2] = {0, 0};
    MPI_Comm grid;
    MPI_Dims_create(ranks, 2, size);
    MPI_Cart_create(MPI_COMM_WORLD, 2, size, (int[]){1, 1}, 0, &grid);
    n_from = n_to = 0;
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++) {
            int to_x = (me / size[1] + x + size[0]) % size[0], to_y = (me % size[1] + y + size[1]) % size[1];
            int from_x = (me / size[1] - x + size[0]) % size[0],
                from_y = (me % size[1] - y + size[1]) % size[1];
            if (!x && !y)
                continue;
            from_edge[n_from] = n_to;
            from_rank[n_from++] = from_x * size[1] + from_y;
            to_rank[n_to++] = to_x * size[1] + to_y;
        }
    MPI_Dist_graph_create_adjacent(grid, n_from, from_rank, MPI_UNWEIGHTED, n_to, to_rank, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    MPI_Comm_free(&grid);
    test_all();
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    kinds_make();
    test_grid(1, &ranks, (int[]){0});
    test_grid(1, &ranks, (int[]){1});
    test_grid(2, (int[]){ranks, 1}, (int[]){1, 1});
    if (ranks >= 2)
        test_grid(2, (int[]){2, ranks / 2}, (int[]){1, 0});
    if (ranks >= 12)
        test_grid(3, (int[]){3, 2, 2}, (int[]){1, 1, 0});
    test_graph();
    test_stencil();
    kinds_free();
    return finish("neighbours");
}
