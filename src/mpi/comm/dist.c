/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dist: distributed graphs (MPI-5.0 section 8.5.4): each member contributes edges, and knows its own in the
 * end. Edges of a member are in the order of the contributing ranks, then of their lists. Nobody's rank
 * changes with reorder.
 */
#include "mpi/calls.h"
#include "mpi/comm/topology.h"

#include <stdlib.h>
#include <string.h>

/* --- records ----------------------------------------------------------------------------------------- */

/* Where the lists of a record begin. */
static const int *firsts(const struct mpi_topology *t, int side)
{
    return t->list + (side ? t->n + 1 : 0);
}

static uint32_t total(const struct mpi_topology *t, int side)
{
    return (uint32_t)firsts(t, side)[t->n];
}

static uint32_t peers_at(const struct mpi_topology *t, int side)
{
    return 2 * (t->n + 1) + (side ? total(t, 0) : 0);
}

struct mpi_edges mpi_dist_edges(const struct mpi_topology *t, uint32_t me, int side)
{
    uint32_t first = (uint32_t)firsts(t, side)[me], all = total(t, 0) + total(t, 1);
    const int *peers = t->list + peers_at(t, side) + first;
    return (struct mpi_edges){peers, t->weighted ? peers + all : NULL,
                              (uint32_t)firsts(t, side)[me + 1] - first};
}

/* --- contributions
 * ------------------------------------------------------------------------------------------ */

enum { IN = 1, OUT = 2 };
struct edge {
    int source, destination, weight;
    int lists; /* IN: goes to the destination's list, OUT: to the source's */
};
struct edges {
    uint32_t n;
    bool weighted;
    struct edge edge[];
};

/* Counts, then writes, the edges of each member; `fill` is how many each has so far. */
static void sort_edges(struct mpi_topology *t, const struct mpi_meeting *m, int side)
{
    uint32_t *fill = base_zalloc((t->n + 1) * sizeof *fill, "topologies");
    uint32_t at = peers_at(t, side), all = total(t, 0) + total(t, 1);
    for (uint32_t k = 0; k < m->all.size; k++) {
        const struct edges *e = m->seat[k].given;
        for (uint32_t j = 0; j < e->n; j++) {
            const struct edge *x = &e->edge[j];
            int owner = side ? x->source : x->destination, peer = side ? x->destination : x->source;
            if (!(x->lists & (side ? OUT : IN)))
                continue;
            uint32_t place = at + (uint32_t)firsts(t, side)[owner] + fill[owner]++;
            t->list[place] = peer;
            if (t->weighted)
                t->list[place + all] = x->weight;
        }
    }
    free(fill);
}

static void solve(struct mpi_job *job, struct mpi_meeting *m)
{
    uint32_t n = m->all.size;
    const struct edges *first = m->seat[0].given;
    uint32_t *count[2] = {base_zalloc((n + 1) * sizeof **count, "topologies"),
                          base_zalloc((n + 1) * sizeof **count, "topologies")};
    uint32_t all = 0;
    bool weighted = first->weighted;
    for (uint32_t k = 0; k < n; k++) {
        const struct edges *e = m->seat[k].given;
        if (e->weighted != weighted)
            mpi_meeting_fail(m, MPI_ERR_ARG, "some members passed weights, and others MPI_UNWEIGHTED");
        for (uint32_t j = 0; j < e->n; j++) {
            count[0][e->edge[j].destination] += (e->edge[j].lists & IN) != 0;
            count[1][e->edge[j].source] += (e->edge[j].lists & OUT) != 0;
            all += e->edge[j].lists == (IN | OUT) ? 2 : 1;
        }
    }
    struct mpi_topology *t = mpi_topology_create(MPI_DIST_GRAPH, n, 2 * (n + 1) + (weighted ? 2 : 1) * all);
    t->weighted = weighted;
    if (m->space->topology && m->space->topology->kind == MPI_CART)
        t->grid = mpi_topology_retain(m->space->topology);
    for (uint32_t k = 0; k < n; k++) {
        t->list[k + 1] = t->list[k] + (int)count[0][k];
        t->list[n + 1 + k + 1] = t->list[n + 1 + k] + (int)count[1][k];
    }
    free(count[0]);
    free(count[1]);
    sort_edges(t, m, 0);
    sort_edges(t, m, 1);
    m->topology = t;
    if (!m->error)
        mpi_solve_first(job, m, n);
}

/* Makes the communicator of what the members contribute; takes over e. */
static int create(struct mpi_call *c, struct mpi_comm *of, struct edges *e, MPI_Comm *newcomm)
{
    struct mpi_comm *made;
    struct mpi_meeting *m = mpi_meeting_enter(c, of);
    m->given = true;
    m->seat[of->me].given = e;
    mpi_meeting_agree(c, m, of->me, solve);
    int rc = mpi_meeting_leave(c, m, of->me, of, &made);
    return mpi_comm_give(rc, made, newcomm);
}

static struct edges *edges_create(uint32_t n, bool weighted)
{
    struct edges *e = base_alloc(sizeof *e + n * sizeof *e->edge, "topologies");
    e->n = n;
    e->weighted = weighted;
    return e;
}

static int check_ranks(struct mpi_call *c, struct mpi_comm *of, const int *rank, int64_t n, const char *what)
{
    int rc = mpi_check_array(c, of, rank, n, what);
    for (int64_t k = 0; k < n && !rc; k++)
        if (rank[k] < 0 || (uint32_t)rank[k] >= of->group->size)
            rc = mpi_fail(c, &of->guarded, MPI_ERR_RANK,
                          "number %lld of the %s is %d: the communicator has %u members", (long long)k, what,
                          rank[k], of->group->size);
    return rc;
}

static int check_weights(struct mpi_call *c, struct mpi_comm *of, const int *weights, int64_t n)
{
    if (!weights || (weights == MPI_WEIGHTS_EMPTY && n))
        return n ? mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the weights of %lld edges are %s", (long long)n,
                            weights ? "MPI_WEIGHTS_EMPTY" : "NULL")
                 : MPI_SUCCESS;
    for (int64_t k = 0; k < n && weights != MPI_UNWEIGHTED; k++)
        if (weights[k] < 0)
            return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "weight %lld is %d: expected 0 or more",
                            (long long)k, weights[k]);
    return MPI_SUCCESS;
}

int mpi_dist_graph_create(struct mpi_call *c, MPI_Comm comm_old, int n, const int sources[],
                          const int degrees[], const int destinations[], const int weights[], MPI_Info info,
                          int reorder, MPI_Comm *comm_dist_graph)
{
    int rc = MPI_SUCCESS;
    int64_t count = 0;
    struct mpi_comm *of = mpi_comm_of(c, comm_old, &rc);
    (void)reorder;
    if (!of || (rc = mpi_comm_check_new(c, comm_dist_graph)) || (rc = mpi_comm_check_intra(c, of)) ||
        (rc = mpi_comm_check_info(c, &of->guarded, info)))
        return rc;
    if (n < 0)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the number of sources is %d: expected 0 or more", n);
    if ((rc = check_ranks(c, of, sources, n, "sources")) ||
        (rc = mpi_check_array(c, of, degrees, n, "degrees")))
        return rc;
    for (int k = 0; k < n; count += degrees[k++])
        if (degrees[k] < 0)
            return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "degree %d is %d: expected 0 or more", k,
                            degrees[k]);
    if ((rc = check_ranks(c, of, destinations, count, "destinations")) ||
        (rc = check_weights(c, of, weights, count)))
        return rc;
    bool weighted = weights != MPI_UNWEIGHTED;
    struct edges *e = edges_create((uint32_t)count, weighted);
    for (int k = 0, at = 0; k < n; k++)
        for (int j = 0; j < degrees[k]; j++, at++)
            e->edge[at] = (struct edge){sources[k], destinations[at], weighted ? weights[at] : 0, IN | OUT};
    return create(c, of, e, comm_dist_graph);
}

int mpi_dist_graph_create_adjacent(struct mpi_call *c, MPI_Comm comm_old, int indegree, const int sources[],
                                   const int sourceweights[], int outdegree, const int destinations[],
                                   const int destweights[], MPI_Info info, int reorder,
                                   MPI_Comm *comm_dist_graph)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm_old, &rc);
    (void)reorder;
    if (!of || (rc = mpi_comm_check_new(c, comm_dist_graph)) || (rc = mpi_comm_check_intra(c, of)) ||
        (rc = mpi_comm_check_info(c, &of->guarded, info)))
        return rc;
    if (indegree < 0 || outdegree < 0)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the degrees are %d and %d: expected 0 or more",
                        indegree, outdegree);
    if ((rc = check_ranks(c, of, sources, indegree, "sources")) ||
        (rc = check_ranks(c, of, destinations, outdegree, "destinations")) ||
        (rc = check_weights(c, of, sourceweights, indegree)) ||
        (rc = check_weights(c, of, destweights, outdegree)))
        return rc;
    bool weighted = sourceweights != MPI_UNWEIGHTED;
    if (weighted != (destweights != MPI_UNWEIGHTED))
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "only one of the arrays of weights is MPI_UNWEIGHTED");
    struct edges *e = edges_create((uint32_t)indegree + (uint32_t)outdegree, weighted);
    for (int k = 0; k < indegree; k++)
        e->edge[k] = (struct edge){sources[k], (int)of->me, weighted ? sourceweights[k] : 0, IN};
    for (int k = 0; k < outdegree; k++)
        e->edge[indegree + k] =
            (struct edge){(int)of->me, destinations[k], weighted ? destweights[k] : 0, OUT};
    return create(c, of, e, comm_dist_graph);
}

/* --- asking
 * ------------------------------------------------------------------------------------------------- */

int mpi_dist_graph_neighbors_count(struct mpi_call *c, MPI_Comm comm, int *indegree, int *outdegree,
                                   int *weighted)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_DIST_GRAPH, &of, &rc);
    if (!t || (rc = mpi_check_array(c, of, indegree, 1, "one degree")) ||
        (rc = mpi_check_array(c, of, outdegree, 1, "one degree")) ||
        (rc = mpi_check_array(c, of, weighted, 1, "one flag")))
        return rc;
    *indegree = (int)mpi_dist_edges(t, of->me, 0).n;
    *outdegree = (int)mpi_dist_edges(t, of->me, 1).n;
    *weighted = t->weighted;
    return MPI_SUCCESS;
}

static int write_edges(struct mpi_call *c, struct mpi_comm *of, struct mpi_edges e, int room, int *peers,
                       int *weights)
{
    int rc;
    if (room < 0)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "an array has room for %d edges: expected 0 or more",
                        room);
    uint32_t n = (uint32_t)room < e.n ? (uint32_t)room : e.n;
    bool weighted = e.weights && weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY;
    if ((rc = mpi_check_array(c, of, peers, n, "neighbours")) ||
        (weighted && (rc = mpi_check_array(c, of, weights, n, "weights"))))
        return rc;
    for (uint32_t k = 0; k < n; k++)
        peers[k] = e.peers[k];
    for (uint32_t k = 0; k < n && weighted; k++)
        weights[k] = e.weights[k];
    return MPI_SUCCESS;
}

int mpi_dist_graph_neighbors(struct mpi_call *c, MPI_Comm comm, int maxindegree, int sources[],
                             int sourceweights[], int maxoutdegree, int destinations[], int destweights[])
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_DIST_GRAPH, &of, &rc);
    if (!t || (rc = write_edges(c, of, mpi_dist_edges(t, of->me, 0), maxindegree, sources, sourceweights)))
        return rc;
    return write_edges(c, of, mpi_dist_edges(t, of->me, 1), maxoutdegree, destinations, destweights);
}
