/* SPDX-License-Identifier: BSD-3-Clause */
/* topology: records of topologies, communicators that have one, and lists of neighbours for collectives. */
#include "mpi/comm/topology.h"

#include "mpi/calls.h"

#include <stdlib.h>
#include <string.h>

struct mpi_topology *mpi_topology_create(int kind, uint32_t n, uint32_t length)
{
    struct mpi_topology *t = base_zalloc(sizeof *t + length * sizeof *t->list, "topologies");
    *t = (struct mpi_topology){.references = 1, .kind = kind, .n = n, .length = length};
    return t;
}

struct mpi_topology *mpi_topology_retain(struct mpi_topology *t)
{
    if (t)
        t->references++;
    return t;
}

void mpi_topology_release(struct mpi_topology *t)
{
    if (!t || --t->references)
        return;
    mpi_topology_release(t->grid);
    free(t);
}

void mpi_meeting_topology(struct mpi_meeting *m, struct mpi_topology *t)
{
    const struct mpi_topology *first = m->topology;
    if (!first) {
        m->topology = t;
        return;
    }
    if (first->n != t->n || first->length != t->length ||
        memcmp(first->list, t->list, t->length * sizeof *t->list))
        mpi_meeting_fail(m, MPI_ERR_ARG, "members passed different topologies");
    mpi_topology_release(t);
}

static void solve(struct mpi_job *job, struct mpi_meeting *m)
{
    mpi_solve_first(job, m, m->members);
}

int mpi_comm_create_topology(struct mpi_call *c, struct mpi_comm *of, struct mpi_topology *t, uint32_t n,
                             MPI_Comm *newcomm)
{
    struct mpi_comm *made;
    struct mpi_meeting *m = mpi_meeting_enter(c, of);
    mpi_meeting_topology(m, t);
    m->members = n;
    mpi_meeting_agree(c, m, of->me, solve);
    int rc = mpi_meeting_leave(c, m, of->me, of, &made);
    return mpi_comm_give(rc, made, newcomm);
}

int mpi_check_array(struct mpi_call *c, struct mpi_comm *of, const void *array, int64_t n, const char *what)
{
    if (array || n <= 0)
        return MPI_SUCCESS;
    return mpi_fail(c, of ? &of->guarded : NULL, MPI_ERR_ARG, "the array of %s is NULL", what);
}

static const char *kind_name(int kind)
{
    return kind == MPI_CART ? "Cartesian" : kind == MPI_GRAPH ? "graph" : "distributed graph";
}

const struct mpi_topology *mpi_topology_of(struct mpi_call *c, MPI_Comm comm, int kind, struct mpi_comm **of,
                                           int *rc)
{
    char text[160];
    *of = mpi_comm_of(c, comm, rc);
    if (!*of)
        return NULL;
    const struct mpi_topology *t = (*of)->space->topology;
    if (t && t->kind == kind)
        return t;
    *rc = mpi_fail(c, &(*of)->guarded, MPI_ERR_TOPOLOGY, "%s has no %s topology",
                   mpi_comm_text(*of, text, sizeof text), kind_name(kind));
    return NULL;
}

int mpi_topo_test(struct mpi_call *c, MPI_Comm comm, int *status)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of || (rc = mpi_check_array(c, of, status, 1, "one status")))
        return rc;
    *status = of->space->topology ? of->space->topology->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* --- neighbours -------------------------------------------------------------------------------------- */

static void degrees(const struct mpi_topology *t, uint32_t me, uint32_t *sources, uint32_t *destinations)
{
    if (t->kind == MPI_DIST_GRAPH) {
        *sources = mpi_dist_edges(t, me, 0).n;
        *destinations = mpi_dist_edges(t, me, 1).n;
    } else {
        *sources = *destinations =
            t->kind == MPI_CART ? 2 * t->n : (uint32_t)(t->list[me] - mpi_graph_first(t, me));
    }
}

void mpi_comm_degrees(const struct mpi_comm *comm, uint32_t *sources, uint32_t *destinations)
{
    degrees(comm->space->topology, comm->me, sources, destinations);
}

/* The two neighbours in each dimension of a grid. */
static void list_cart(const struct mpi_topology *t, uint32_t me, uint32_t *list)
{
    for (uint32_t d = 0; d < t->n; d++)
        for (int up = 0; up < 2; up++) {
            int rank = mpi_cart_neighbor(t, me, d, up ? 1 : -1);
            list[2 * d + (uint32_t)up] = rank == MPI_PROC_NULL ? COLL_NOBODY : (uint32_t)rank;
        }
}

/* A record whose members' edges are listed. */
struct listing {
    struct mpi_topology *topology;
    uint32_t cart[]; /* a grid: of the member listed last */
};

static struct listing *listing_create(struct mpi_topology *t)
{
    size_t room = t->kind == MPI_CART ? 2 * (size_t)t->n : 0;
    struct listing *l = base_alloc(sizeof *l + room * sizeof *l->cart, "topologies");
    l->topology = mpi_topology_retain(t);
    return l;
}

static void listing_free(struct listing *l)
{
    mpi_topology_release(l->topology);
    free(l);
}

static void list_edges(void *ctx, uint32_t p, struct coll_graph *g)
{
    struct listing *l = ctx;
    const struct mpi_topology *t = l->topology;
    *g = (struct coll_graph){.grid = t->kind == MPI_CART};
    degrees(t, p, &g->n_from, &g->n_to);
    if (g->grid) {
        list_cart(t, p, l->cart);
        g->from = g->to = l->cart;
    } else if (t->kind == MPI_GRAPH) {
        g->from = g->to = (const uint32_t *)mpi_graph_edges(t) + mpi_graph_first(t, p);
    } else {
        g->from = (const uint32_t *)mpi_dist_edges(t, p, 0).peers;
        g->to = (const uint32_t *)mpi_dist_edges(t, p, 1).peers;
    }
}

static void release_whole(void *ctx)
{
    struct listing *l = ctx;
    l->topology->whole = NULL;
    listing_free(l);
}

/* A reference to what all members share, made for the first of them. */
static struct coll_whole_graph *whole_of(struct mpi_topology *t, uint32_t n)
{
    static const struct coll_graph_lists lists = {list_edges, release_whole};
    if (t->whole)
        return coll_whole_graph_retain(t->whole);
    const struct mpi_topology *grid = t->kind == MPI_CART ? t : t->grid;
    return t->whole = coll_whole_graph_create(n, grid ? mpi_cart_dims(grid) : NULL, grid ? grid->n : 0,
                                              &lists, listing_create(t));
}

static struct coll_neighbors *create(const struct mpi_comm *comm, struct base_status *st)
{
    struct mpi_topology *t = comm->space->topology;
    struct listing *l = listing_create(t);
    struct coll_graph g;
    list_edges(l, comm->me, &g);
    g.whole = whole_of(t, comm->group->size);
    struct coll_neighbors *made = coll_neighbors_create(&g, comm->me, st);
    coll_whole_graph_release(g.whole);
    listing_free(l);
    return made;
}

const struct coll_neighbors *mpi_comm_neighbors(struct mpi_call *c, struct mpi_comm *comm, int *rc)
{
    struct base_status st;
    char text[160];
    if (comm->neighbors)
        return comm->neighbors;
    if (!comm->space->topology) {
        *rc = mpi_fail(c, &comm->guarded, MPI_ERR_TOPOLOGY, "%s has no topology",
                       mpi_comm_text(comm, text, sizeof text));
        return NULL;
    }
    comm->neighbors = create(comm, &st);
    if (!comm->neighbors)
        *rc = mpi_fail(c, &comm->guarded, MPI_ERR_TOPOLOGY, "%s", st.text);
    return comm->neighbors;
}
