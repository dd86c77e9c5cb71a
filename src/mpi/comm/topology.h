/* SPDX-License-Identifier: BSD-3-Clause */
/* topology: what the members of a communicator share of its topology (MPI-5.0 chapter 8). Private to comm/.
 * */
#ifndef PGASIM_MPI_TOPOLOGY_H
#define PGASIM_MPI_TOPOLOGY_H

#include "mpi/comm/parts.h"

/* A record never changes, and is one block of memory: its lists follow it.
 *
 *      MPI_CART        dims[n], periods[n]
 *      MPI_GRAPH       index[n], edges[index[n - 1]]; n: nodes
 *      MPI_DIST_GRAPH  first in-edge of each member [n + 1], first out-edge [n + 1], sources of the in-edges,
 *                      destinations of the out-edges, and the weights of all, if there are any; n: members
 */
struct mpi_topology {
    uint32_t references;
    int kind;
    uint32_t n, length; /* length: of the list */
    bool weighted;
    struct mpi_topology *grid;      /* distributed graph: that it was made on, a reference; NULL: on none */
    struct coll_whole_graph *whole; /* of whoever uses it, which refers to the record; NULL: nobody */
    int list[];
};

struct mpi_topology *mpi_topology_create(int kind, uint32_t n, uint32_t length);
/* What a communicator that is made has; the members of a call pass the same. One reference passes to the
 * meeting. */
void mpi_meeting_topology(struct mpi_meeting *m, struct mpi_topology *t);

/* The topology of this kind of a communicator, or fails with MPI_ERR_TOPOLOGY. */
const struct mpi_topology *mpi_topology_of(struct mpi_call *c, MPI_Comm comm, int kind, struct mpi_comm **of,
                                           int *rc);
/* Makes a communicator of the first n members, with a topology that the call passes the reference of. */
int mpi_comm_create_topology(struct mpi_call *c, struct mpi_comm *of, struct mpi_topology *t, uint32_t n,
                             MPI_Comm *newcomm);
/* MPI_ERR_ARG if an array that has items is NULL. */
int mpi_check_array(struct mpi_call *c, struct mpi_comm *of, const void *array, int64_t n, const char *what);

static inline const int *mpi_cart_dims(const struct mpi_topology *t)
{
    return t->list;
}
static inline const int *mpi_cart_periods(const struct mpi_topology *t)
{
    return t->list + t->n;
}
void mpi_cart_coordinates(const struct mpi_topology *t, uint32_t rank, int *coords);
/* The rank at a distance in one dimension, or MPI_PROC_NULL. */
int mpi_cart_neighbor(const struct mpi_topology *t, uint32_t rank, uint32_t dim, int64_t distance);

static inline const int *mpi_graph_edges(const struct mpi_topology *t)
{
    return t->list + t->n;
}
/* Edges before those of a node. */
static inline int mpi_graph_first(const struct mpi_topology *t, uint32_t node)
{
    return node ? t->list[node - 1] : 0;
}

/* A member's in-edges (side 0) or out-edges (1). */
struct mpi_edges {
    const int *peers, *weights; /* weights NULL: none */
    uint32_t n;
};
struct mpi_edges mpi_dist_edges(const struct mpi_topology *t, uint32_t me, int side);

#endif
