// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives on random directed graphs, with parallel edges, loops, members without edges and parts
// that nothing joins, where sizes agree along edges alone: blocking, started and persistent, and with a datatype
// for each edge. What each edge must bring is computed by itself, and so it is by every algorithm.
// run: -np 1
// stdout: random graphs: right
// run: -np 9
// stdout: random graphs: right
// run: -np 9 --set coll.neighbor-allgather=digits --set coll.neighbor-alltoall=digits
// stdout: random graphs: right
// run: -np 12 --set coll.neighbor-allgather=cartesian --set coll.neighbor-alltoall=cartesian
// stdout: random graphs: right
// run: -np 12 --set coll.neighbor-allgather=common-neighbors --set coll.neighbor-alltoall=common-neighbors
// stdout: random graphs: right
// run: -np 13 --set coll.neighbor-allgather=distance-halving --set coll.neighbor-alltoall=distance-halving
// stdout: random graphs: right
// run: -np 12 --platform $DIR/collective_hosts.xml --set coll.neighbor-allgather=two-step --set coll.neighbor-alltoall=two-step
// stdout: random graphs: right
// run: -np 14 --map-by host --platform $DIR/collective_hosts.xml --set coll.neighbor-allgather=three-step --set coll.neighbor-alltoall=three-step
// stdout: random graphs: right
// run: -np 13 --platform $DIR/collective_hosts.xml --set coll.neighbor-allgather=three-step-each --set coll.neighbor-alltoall=distance-halving
// stdout: random graphs: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEDS = 24,
    MOST_RANKS = 16,
    MOST_EDGES = 6 * MOST_RANKS,
    MOST_ITEMS = 9,
    ROOM = MOST_EDGES * MOST_ITEMS
};

static int me, ranks, wrong;
static unsigned seed, state;

static int below(int n)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)n);
}

// --- the graph, which all members make ------------------------------------------------------------------------

static struct edge {
    int from, to, part; // part: the same for edges whose sizes must agree where there is one size a member
} edge[MOST_EDGES];
static int n_edges;
static int in[MOST_EDGES], out[MOST_EDGES], n_in, n_out; // my edges, in the order of my lists

static void connect(int from, int to)
{
    edge[n_edges] = (struct edge){from, to, n_edges};
    n_edges++;
}

static void make_edges(void)
{
    n_edges = 0;
    int kind = below(3), step = 1 + below(ranks);
    for (int k = below(3 * ranks); kind == 0 && k > 0; k--) { // anything; the last members may have no edges
        int from = below(1 + below(ranks)), to = below(8) ? below(ranks) : from;
        connect(from, to);
        if (!below(6))
            connect(from, to);
    }
    for (int k = 0; kind && k < ranks; k++) { // a ring that may fall into parts; one way or both ways
        connect(k, (k + step) % ranks);
        connect(k, (k + 3 * step) % ranks);
        if (kind == 2)
            connect((k + step) % ranks, k);
    }
    for (int more = 1; more;) {
        more = 0;
        for (int k = 0; k < n_edges; k++)
            for (int j = 0; j < n_edges; j++)
                if (edge[j].part > edge[k].part && (edge[j].from == edge[k].from || edge[j].to == edge[k].to))
                    edge[j].part = edge[k].part, more = 1;
    }
}

static MPI_Comm make_graph(void)
{
    static const int weight[MOST_EDGES];
    int sources[MOST_EDGES], destinations[MOST_EDGES];
    MPI_Comm comm;
    make_edges();
    n_in = n_out = 0;
    for (int k = 0; k < n_edges; k++) {
        if (edge[k].to == me)
            sources[n_in] = edge[k].from, in[n_in++] = k;
        if (edge[k].from == me)
            destinations[n_out] = edge[k].to, out[n_out++] = k;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n_in, sources, weight, n_out, destinations, weight,
                                   MPI_INFO_NULL, 0, &comm);
    return comm;
}

// --- sizes and values -------------------------------------------------------------------------------------------

// Items of an edge: of one size a member (0), of a size for each source (1), of any size (2).
static int items_of(int e, int form)
{
    unsigned key = form == 0   ? (unsigned)edge[e].part
                   : form == 1 ? 500u + (unsigned)edge[e].from
                               : 1000u + (unsigned)e;
    key = (key + seed * 77u) * 2654435761u;
    return (int)((key >> 16) % (MOST_ITEMS + 1));
}

// Of an allgather all edges of a source bring the same.
static int value(int e, int k, int all)
{
    return 1 + k + 100 * (all ? edge[e].from : 50 + e);
}

static int source[ROOM], dest[ROOM], source_count[MOST_EDGES], source_at[MOST_EDGES], dest_count[MOST_EDGES],
    dest_at[MOST_EDGES];

static void lay(const int *mine, int n, int form, int *count, int *at)
{
    for (int j = 0, end = 0; j < n; end += count[j++]) {
        count[j] = items_of(mine[j], form);
        at[j] = end;
    }
}

static void prepare(int form, int all)
{
    lay(out, n_out, form, source_count, source_at);
    lay(in, n_in, form, dest_count, dest_at);
    for (int j = 0; j < n_out; j++)
        for (int k = 0; k < source_count[j]; k++)
            source[(all ? 0 : source_at[j]) + k] = value(out[j], k, all);
    memset(dest, 0, sizeof dest);
}

static void check(const char *what, int all)
{
    int end = 0, bad = 0;
    for (int j = 0; j < n_in; end = dest_at[j] + dest_count[j], j++)
        for (int k = 0; k < dest_count[j]; k++)
            bad += dest[dest_at[j] + k] != value(in[j], k, all);
    for (; end < ROOM; end++)
        bad += dest[end] != 0;
    if (bad)
        printf("%s of member %d is wrong, seed %u\n", what, me, seed);
    wrong += bad;
    memset(dest, 0, sizeof dest);
}

// --- the calls --------------------------------------------------------------------------------------------------

#define FORMS(name, all, ...)                                                                                \
    do {                                                                                                     \
        MPI_Request request;                                                                                 \
        MPI_Neighbor_##name(__VA_ARGS__);                                                                    \
        check(#name, all);                                                                                   \
        MPI_Ineighbor_##name(__VA_ARGS__, &request);                                                         \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                               \
        check("started " #name, all);                                                                        \
        MPI_Neighbor_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request);                                    \
        for (int start = 0; start < 2; start++) {                                                            \
            MPI_Start(&request);                                                                             \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                                           \
            check("persistent " #name, all);                                                                 \
        }                                                                                                    \
        MPI_Request_free(&request);                                                                          \
    } while (0)

// The sources' type: an int, two ints or three, where they make up the part; the destinations': always ints.
static void exchange_types(MPI_Comm comm)
{
    MPI_Datatype pair, triple, source_type[MOST_EDGES], dest_type[MOST_EDGES];
    MPI_Aint source_bytes[MOST_EDGES], dest_bytes[MOST_EDGES];
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_contiguous(3, MPI_INT, &triple);
    MPI_Type_commit(&pair), MPI_Type_commit(&triple);
    prepare(2, 0);
    for (int j = 0; j < n_out; j++) {
        int by = source_count[j] % 3 == 0 ? 3 : source_count[j] % 2 == 0 ? 2 : 1;
        source_type[j] = by == 3 ? triple : by == 2 ? pair : MPI_INT;
        source_count[j] /= by;
        source_bytes[j] = source_at[j] * (MPI_Aint)sizeof(int);
    }
    for (int j = 0; j < n_in; j++) {
        dest_type[j] = MPI_INT;
        dest_bytes[j] = dest_at[j] * (MPI_Aint)sizeof(int);
    }
    FORMS(alltoallw, 0, source, source_count, source_bytes, source_type, dest, dest_count, dest_bytes,
          dest_type, comm);
    MPI_Type_free(&pair), MPI_Type_free(&triple);
}

static void exchange(MPI_Comm comm)
{
    prepare(0, 1);
    int sent = n_out ? source_count[0] : 0, received = n_in ? dest_count[0] : 0;
    FORMS(allgather, 1, source, sent, MPI_INT, dest, received, MPI_INT, comm);
    prepare(0, 0);
    FORMS(alltoall, 0, source, sent, MPI_INT, dest, received, MPI_INT, comm);
    prepare(1, 1);
    sent = n_out ? source_count[0] : 0;
    FORMS(allgatherv, 1, source, sent, MPI_INT, dest, dest_count, dest_at, MPI_INT, comm);
    prepare(2, 0);
    FORMS(alltoallv, 0, source, source_count, source_at, MPI_INT, dest, dest_count, dest_at, MPI_INT, comm);
    exchange_types(comm);
}

int main(int argc, char **argv)
{
    int all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    unsigned only = argc > 1 ? (unsigned)atoi(argv[1]) : 0; // repeats one seed
    for (seed = only ? only : 1; seed <= (only ? only : SEEDS); seed++) {
        state = seed * 2654435761u + (unsigned)ranks;
        MPI_Comm comm = make_graph();
        exchange(comm);
        MPI_Comm_free(&comm);
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!me)
        printf("random graphs: %s\n", all ? "wrong" : "right");
    MPI_Finalize();
    return 0;
}
