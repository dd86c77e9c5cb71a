/* SPDX-License-Identifier: BSD-3-Clause */
/* graph: graphs that every member knows (MPI-5.0 section 8.5.3). Nobody's rank changes with reorder. */
#include "mpi/calls.h"
#include "mpi/comm/topology.h"

#include <string.h>

static int check_graph(struct mpi_call *c, struct mpi_comm *of, int nnodes, const int *indx, const int *edges)
{
    int rc, before = 0;
    if ((rc = mpi_comm_check_intra(c, of)))
        return rc;
    if (nnodes < 0 || (uint32_t)nnodes > of->group->size)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the graph has %d nodes: expected 0 to %u, the members",
                        nnodes, of->group->size);
    if ((rc = mpi_check_array(c, of, indx, nnodes, "indices")))
        return rc;
    for (int k = 0; k < nnodes; before = indx[k++])
        if (indx[k] < before)
            return mpi_fail(c, &of->guarded, MPI_ERR_ARG,
                            "index %d is %d: expected at least %d, the one before", k, indx[k], before);
    if ((rc = mpi_check_array(c, of, edges, before, "edges")))
        return rc;
    for (int k = 0; k < before; k++)
        if (edges[k] < 0 || edges[k] >= nnodes)
            return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "edge %d leads to %d: the graph has %d nodes", k,
                            edges[k], nnodes);
    return MPI_SUCCESS;
}

int mpi_graph_create(struct mpi_call *c, MPI_Comm comm_old, int nnodes, const int indx[], const int edges[],
                     int reorder, MPI_Comm *comm_graph)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm_old, &rc);
    (void)reorder;
    if (!of || (rc = mpi_comm_check_new(c, comm_graph)) || (rc = check_graph(c, of, nnodes, indx, edges)))
        return rc;
    uint32_t n = (uint32_t)nnodes, m = n ? (uint32_t)indx[n - 1] : 0;
    struct mpi_topology *t = mpi_topology_create(MPI_GRAPH, n, n + m);
    if (n)
        memcpy(t->list, indx, n * sizeof *indx);
    if (m)
        memcpy(t->list + n, edges, m * sizeof *edges);
    return mpi_comm_create_topology(c, of, t, n, comm_graph);
}

int mpi_graph_map(struct mpi_call *c, MPI_Comm comm, int nnodes, const int indx[], const int edges[],
                  int *newrank)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of || (rc = mpi_check_array(c, of, newrank, 1, "one rank")) ||
        (rc = check_graph(c, of, nnodes, indx, edges)))
        return rc;
    *newrank = of->me < (uint32_t)nnodes ? (int)of->me : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int mpi_graphdims_get(struct mpi_call *c, MPI_Comm comm, int *nnodes, int *nedges)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_GRAPH, &of, &rc);
    if (!t || (rc = mpi_check_array(c, of, nnodes, 1, "one number")) ||
        (rc = mpi_check_array(c, of, nedges, 1, "one number")))
        return rc;
    *nnodes = (int)t->n;
    *nedges = (int)(t->length - t->n);
    return MPI_SUCCESS;
}

static uint32_t least(int a, uint32_t b)
{
    return (uint32_t)a < b ? (uint32_t)a : b;
}

int mpi_graph_get(struct mpi_call *c, MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[])
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_GRAPH, &of, &rc);
    if (!t)
        return rc;
    if (maxindex < 0 || maxedges < 0)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG,
                        "the arrays have room for %d and %d: expected 0 or more", maxindex, maxedges);
    uint32_t n = least(maxindex, t->n), m = least(maxedges, t->length - t->n);
    if ((rc = mpi_check_array(c, of, indx, n, "indices")) || (rc = mpi_check_array(c, of, edges, m, "edges")))
        return rc;
    for (uint32_t k = 0; k < n; k++)
        indx[k] = t->list[k];
    for (uint32_t k = 0; k < m; k++)
        edges[k] = mpi_graph_edges(t)[k];
    return MPI_SUCCESS;
}

/* The edges of a node: *first and how many; fails if it is none. */
static int node_edges(struct mpi_call *c, const struct mpi_topology *t, struct mpi_comm *of, int rank,
                      const int **first, uint32_t *n)
{
    if (rank < 0 || (uint32_t)rank >= t->n)
        return mpi_fail(c, &of->guarded, MPI_ERR_RANK, "rank %d is not in a graph of %u nodes", rank, t->n);
    int from = mpi_graph_first(t, (uint32_t)rank);
    *first = mpi_graph_edges(t) + from;
    *n = (uint32_t)(t->list[rank] - from);
    return MPI_SUCCESS;
}

int mpi_graph_neighbors_count(struct mpi_call *c, MPI_Comm comm, int rank, int *nneighbors)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const int *first = NULL;
    uint32_t n = 0;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_GRAPH, &of, &rc);
    if (!t || (rc = node_edges(c, t, of, rank, &first, &n)) ||
        (rc = mpi_check_array(c, of, nneighbors, 1, "one number")))
        return rc;
    *nneighbors = (int)n;
    return MPI_SUCCESS;
}

int mpi_graph_neighbors(struct mpi_call *c, MPI_Comm comm, int rank, int maxneighbors, int neighbors[])
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const int *first = NULL;
    uint32_t n = 0;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_GRAPH, &of, &rc);
    if (!t || (rc = node_edges(c, t, of, rank, &first, &n)))
        return rc;
    if (maxneighbors < 0)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the array has room for %d: expected 0 or more",
                        maxneighbors);
    n = least(maxneighbors, n);
    if ((rc = mpi_check_array(c, of, neighbors, n, "neighbours")))
        return rc;
    for (uint32_t k = 0; k < n; k++)
        neighbors[k] = first[k];
    return MPI_SUCCESS;
}
