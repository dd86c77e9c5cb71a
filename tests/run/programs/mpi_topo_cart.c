/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian grids of many shapes: coordinates, ranks, shifts, parts of grids; and balanced dimensions. */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 1
// stdout: right
// run: -np 2
// stdout: right
// run: -np 7
// stdout: right
// run: -np 64
// stdout: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 5 };
static int me, size;
static unsigned state = 5;

static int below(int n)
{
    state = state * 1103515245u + 12345;
    return (int)(state >> 8) % n;
}

static void expect(int good, const char *what, int a, int b)
{
    if (good)
        return;
    printf("rank %d: %s: %d, %d\n", me, what, a, b);
    exit(1);
}

struct grid {
    int n, dims[MOST], periods[MOST], places;
};

static int rank_of(const struct grid *g, const int *at)
{
    int rank = 0;
    for (int d = 0; d < g->n; d++) {
        int x = at[d];
        if (x < 0 || x >= g->dims[d]) {
            if (!g->periods[d])
                return MPI_PROC_NULL;
            x = ((x % g->dims[d]) + g->dims[d]) % g->dims[d];
        }
        rank = rank * g->dims[d] + x;
    }
    return rank;
}

static void check_shifts(MPI_Comm cart, const struct grid *g, const int *mine)
{
    for (int d = 0; d < g->n; d++)
        for (int by = -3; by <= 3; by++) {
            int from, to, at[MOST];
            MPI_Cart_shift(cart, d, by, &from, &to);
            for (int k = 0; k < g->n; k++)
                at[k] = mine[k];
            at[d] = mine[d] + by;
            expect(to == rank_of(g, at), "destination of a shift", to, by);
            at[d] = mine[d] - by;
            expect(from == rank_of(g, at), "source of a shift", from, by);
        }
}

static void check_grid(MPI_Comm cart, const struct grid *g)
{
    int n, kind, rank, dims[MOST], periods[MOST], coords[MOST], other[MOST];
    MPI_Comm_rank(cart, &rank);
    MPI_Comm_size(cart, &n);
    expect(n == g->places && rank == me, "size and rank", n, rank);
    MPI_Topo_test(cart, &kind);
    MPI_Cartdim_get(cart, &n);
    expect(kind == MPI_CART && n == g->n, "kind and dimensions", kind, n);
    MPI_Cart_get(cart, MOST, dims, periods, coords);
    for (int d = 0; d < n; d++)
        expect(dims[d] == g->dims[d] && periods[d] == g->periods[d], "dimension", d, dims[d]);
    expect(rank_of(g, coords) == rank, "my coordinates", rank_of(g, coords), rank);
    for (int r = 0; r < g->places; r++) {
        int back;
        MPI_Cart_coords(cart, r, MOST, other);
        MPI_Cart_rank(cart, other, &back);
        expect(back == r && rank_of(g, other) == r, "coordinates of a rank", r, back);
        for (int d = 0; d < n; d++)
            if (g->periods[d])
                other[d] += g->dims[d] * (d % 2 ? 3 : -2);
        MPI_Cart_rank(cart, other, &back);
        expect(back == r, "coordinates beyond the edge", r, back);
    }
    check_shifts(cart, g, coords);
}

/* The grid of the dimensions that are kept, of those who have my coordinates in the others. */
static void check_part(MPI_Comm cart, const struct grid *g)
{
    MPI_Comm part;
    struct grid kept = {.places = 1};
    int remain[MOST], coords[MOST], at[MOST], rank, n;
    MPI_Cart_coords(cart, me, MOST, coords);
    for (int d = 0; d < g->n; d++)
        if ((remain[d] = below(2))) {
            at[kept.n] = coords[d];
            kept.dims[kept.n] = g->dims[d];
            kept.periods[kept.n++] = g->periods[d];
            kept.places *= g->dims[d];
        }
    MPI_Cart_sub(cart, remain, &part);
    MPI_Comm_rank(part, &rank);
    MPI_Comm_size(part, &n);
    expect(rank == rank_of(&kept, at) && n == kept.places, "rank and size in a part", rank, n);
    MPI_Cartdim_get(part, &n);
    expect(n == kept.n, "dimensions of a part", n, kept.n);
    int word = me, got = -1, to = (rank + 1) % kept.places, from = (rank + kept.places - 1) % kept.places;
    MPI_Send(&word, 1, MPI_INT, to, 1, part);
    MPI_Recv(&got, 1, MPI_INT, from, 1, part, MPI_STATUS_IGNORE);
    MPI_Cart_coords(cart, got, MOST, at);
    for (int d = 0; d < g->n; d++)
        expect(remain[d] || at[d] == coords[d], "a member of my part", got, d);
    MPI_Comm_free(&part);
}

static void one_grid(void)
{
    struct grid g = {.n = below(MOST), .places = 1};
    MPI_Comm cart, copy;
    int mapped;
    for (int d = 0; d < g.n; d++) {
        g.dims[d] = 1 + below(4);
        if (g.places * g.dims[d] > size)
            g.dims[d] = 1;
        g.places *= g.dims[d];
        g.periods[d] = below(2);
    }
    MPI_Cart_map(MPI_COMM_WORLD, g.n, g.dims, g.periods, &mapped);
    expect(mapped == (me < g.places ? me : MPI_UNDEFINED), "map", mapped, g.places);
    MPI_Cart_create(MPI_COMM_WORLD, g.n, g.dims, g.periods, 1, &cart);
    expect((cart == MPI_COMM_NULL) == (me >= g.places), "who has a place", me, g.places);
    if (cart == MPI_COMM_NULL) {
        for (int d = 0; d < g.n; d++) /* draws as the others do */
            below(2);
        return;
    }
    MPI_Comm_dup(cart, &copy);
    check_grid(cart, &g);
    MPI_Comm_free(&cart);
    check_grid(copy, &g);
    check_part(copy, &g);
    MPI_Comm_free(&copy);
}

static void balance(int nodes, int n, const int *given, const int *expected)
{
    int dims[MOST];
    for (int d = 0; d < n; d++)
        dims[d] = given[d];
    MPI_Dims_create(nodes, n, dims);
    for (int d = 0; d < n; d++)
        expect(dims[d] == expected[d], "balanced dimension", nodes, dims[d]);
}

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < 30; k++)
        one_grid();
    balance(6, 2, (int[]){0, 0}, (int[]){3, 2});
    balance(7, 3, (int[]){0, 0, 0}, (int[]){7, 1, 1});
    balance(72, 2, (int[]){0, 0}, (int[]){9, 8});
    balance(6, 3, (int[]){0, 3, 0}, (int[]){2, 3, 1}); /* the standard's example */
    balance(1000000000, 3, (int[]){0, 0, 0}, (int[]){1000, 1000, 1000});
    balance(4096, 4, (int[]){0, 0, 0, 0}, (int[]){8, 8, 8, 8});
    MPI_Finalize();
    if (me == 0)
        puts("right");
    return 0;
}
