/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs: random ones that all know, and distributed ones whose edges come from anywhere. */
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
#include <string.h>

enum { MOST = 64 };
static int me, size;
static unsigned state = 11;

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

/* --- graphs that all know ---------------------------------------------------------------------------- */

static void graph(void)
{
    int nodes = below(size + 1), indx[MOST], edges[MOST * 8], n = 0, kind, a, b, got[MOST * 8],
        got_index[MOST];
    MPI_Comm g, copy;
    for (int k = 0; k < nodes; k++) {
        for (int j = below(5); j > 0; j--)
            edges[n++] = below(nodes);
        indx[k] = n;
    }
    MPI_Graph_create(MPI_COMM_WORLD, nodes, indx, edges, 0, &g);
    expect((g == MPI_COMM_NULL) == (me >= nodes), "who is in the graph", me, nodes);
    if (g == MPI_COMM_NULL)
        return;
    MPI_Comm_dup(g, &copy);
    MPI_Comm_free(&g);
    MPI_Topo_test(copy, &kind);
    MPI_Graphdims_get(copy, &a, &b);
    expect(kind == MPI_GRAPH && a == nodes && b == n, "dimensions", a, b);
    MPI_Graph_get(copy, MOST, MOST * 8, got_index, got);
    expect(!memcmp(got_index, indx, sizeof(int) * (size_t)nodes) &&
               !memcmp(got, edges, sizeof(int) * (size_t)n),
           "the whole graph", nodes, n);
    for (int k = 0; k < nodes; k++) {
        int first = k ? indx[k - 1] : 0;
        MPI_Graph_neighbors_count(copy, k, &a);
        expect(a == indx[k] - first, "neighbours", k, a);
        MPI_Graph_neighbors(copy, k, a, got);
        expect(!memcmp(got, edges + first, sizeof(int) * (size_t)a), "the neighbours of", k, a);
    }
    MPI_Graph_map(MPI_COMM_SELF, 1, (int[]){0}, edges, &a);
    expect(a == 0, "map", a, 0);
    MPI_Comm_free(&copy);
}

/* --- distributed ones: the number of edges from i to j, and the sum of their weights ----------------- */

static int count[MOST][MOST], weight[MOST][MOST];

static void check_side(int n, const int *peers, const int *weights, int in, int weighted)
{
    int seen[MOST] = {0}, sum[MOST] = {0};
    for (int k = 0; k < n; k++) {
        seen[peers[k]]++;
        sum[peers[k]] += weighted ? weights[k] : 0;
    }
    for (int k = 0; k < size; k++) {
        int from = in ? k : me, to = in ? me : k;
        expect(seen[k] == count[from][to], in ? "edges from" : "edges to", k, seen[k]);
        expect(!weighted || sum[k] == weight[from][to], in ? "weight from" : "weight to", k, sum[k]);
    }
}

static void check_edges(MPI_Comm g, int weighted)
{
    int in, out, has, kind, a[MOST * 8], b[MOST * 8], wa[MOST * 8], wb[MOST * 8];
    MPI_Topo_test(g, &kind);
    MPI_Dist_graph_neighbors_count(g, &in, &out, &has);
    expect(kind == MPI_DIST_GRAPH && !has == !weighted, "kind and weights", kind, has);
    MPI_Dist_graph_neighbors(g, in, a, wa, out, b, wb);
    check_side(in, a, wa, 1, weighted);
    check_side(out, b, wb, 0, weighted);
}

/* Every rank draws the same edges; each is contributed by one that has nothing to do with it. */
static void distributed(int weighted)
{
    int n = 0, sources[MOST * 4], degrees[MOST * 4], to[MOST * 4], weights[MOST * 4];
    MPI_Comm g, copy;
    memset(count, 0, sizeof count);
    memset(weight, 0, sizeof weight);
    for (int k = 0; k < 3 * size; k++) {
        int by = below(size), s = below(size), d = below(size), w = below(9);
        count[s][d]++;
        weight[s][d] += w;
        if (by != me)
            continue;
        sources[n] = s;
        degrees[n] = 1;
        to[n] = d;
        weights[n++] = w;
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, to, weighted ? weights : MPI_UNWEIGHTED,
                          MPI_INFO_NULL, 1, &g);
    MPI_Comm_dup(g, &copy);
    MPI_Comm_free(&g);
    check_edges(copy, weighted);
    MPI_Comm_free(&copy);
}

/* Each rank names its own edges, in an order that must stay. */
static void adjacent(int weighted)
{
    int in = 0, out = 0, a[MOST], b[MOST], wa[MOST], wb[MOST], ga[MOST], gb[MOST], gwa[MOST], gwb[MOST];
    MPI_Comm g;
    memset(count, 0, sizeof count);
    memset(weight, 0, sizeof weight);
    for (int k = 0; k < size; k++)
        for (int j = 0; j < size; j++)
            if (below(3) == 0) {
                count[k][j] = 1;
                weight[k][j] = below(9);
            }
    for (int k = size - 1; k >= 0; k--) {
        if (count[k][me]) {
            a[in] = k;
            wa[in++] = weight[k][me];
        }
        if (count[me][k]) {
            b[out] = k;
            wb[out++] = weight[me][k];
        }
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, a,
                                   !weighted ? MPI_UNWEIGHTED
                                   : in      ? wa
                                             : MPI_WEIGHTS_EMPTY,
                                   out, b,
                                   !weighted ? MPI_UNWEIGHTED
                                   : out     ? wb
                                             : MPI_WEIGHTS_EMPTY,
                                   MPI_INFO_NULL, 0, &g);
    check_edges(g, weighted);
    MPI_Dist_graph_neighbors(g, in, ga, weighted ? gwa : MPI_UNWEIGHTED, out, gb,
                             weighted ? gwb : MPI_UNWEIGHTED);
    expect(!memcmp(ga, a, sizeof(int) * (size_t)in) && !memcmp(gb, b, sizeof(int) * (size_t)out), "order", in,
           out);
    MPI_Comm_free(&g);
}

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < 12; k++) {
        graph();
        distributed(k % 2);
        adjacent(k % 2);
    }
    MPI_Finalize();
    if (me == 0)
        puts("right");
    return 0;
}
