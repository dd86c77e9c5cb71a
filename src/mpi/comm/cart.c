/* SPDX-License-Identifier: BSD-3-Clause */
/* cart: Cartesian topologies (MPI-5.0 section 8.5). Ranks are in row-major order: the last dimension is the
 * fastest. Nobody's rank changes with reorder: placement is the launcher's. */
#include "mpi/calls.h"
#include "mpi/comm/topology.h"

#include <string.h>

/* --- arithmetic -------------------------------------------------------------------------------------- */

void mpi_cart_coordinates(const struct mpi_topology *t, uint32_t rank, int *coords)
{
    for (uint32_t d = t->n; d-- > 0;) {
        coords[d] = (int)(rank % (uint32_t)mpi_cart_dims(t)[d]);
        rank /= (uint32_t)mpi_cart_dims(t)[d];
    }
}

int mpi_cart_neighbor(const struct mpi_topology *t, uint32_t rank, uint32_t dim, int64_t distance)
{
    int64_t size = mpi_cart_dims(t)[dim], below = 1;
    for (uint32_t d = dim + 1; d < t->n; d++)
        below *= mpi_cart_dims(t)[d];
    int64_t at = (int64_t)rank / below % size, to = at + distance;
    if (mpi_cart_periods(t)[dim])
        to = (to % size + size) % size;
    return to < 0 || to >= size ? MPI_PROC_NULL : (int)((int64_t)rank + (to - at) * below);
}

/* --- making ------------------------------------------------------------------------------------------ */

/* Checks a grid. *n: its members. */
static int check_grid(struct mpi_call *c, struct mpi_comm *of, int ndims, const int *dims, const int *periods,
                      uint32_t *n)
{
    int rc;
    int64_t product = 1, size = of->group->size;
    if ((rc = mpi_comm_check_intra(c, of)))
        return rc;
    if (ndims < 0)
        return mpi_fail(c, &of->guarded, MPI_ERR_DIMS, "the number of dimensions is %d: expected 0 or more",
                        ndims);
    if ((rc = mpi_check_array(c, of, dims, ndims, "dimensions")) ||
        (rc = mpi_check_array(c, of, periods, ndims, "periods")))
        return rc;
    for (int d = 0; d < ndims && product <= size; d++) {
        if (dims[d] <= 0)
            return mpi_fail(c, &of->guarded, MPI_ERR_DIMS, "dimension %d is %d: expected 1 or more", d,
                            dims[d]);
        product *= dims[d];
    }
    if (product > size)
        return mpi_fail(c, &of->guarded, MPI_ERR_DIMS,
                        "the grid has more places than the %lld members of the "
                        "communicator",
                        (long long)size);
    *n = (uint32_t)product;
    return MPI_SUCCESS;
}

int mpi_cart_create(struct mpi_call *c, MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                    int reorder, MPI_Comm *comm_cart)
{
    int rc = MPI_SUCCESS;
    uint32_t n = 0;
    struct mpi_comm *of = mpi_comm_of(c, comm_old, &rc);
    (void)reorder;
    if (!of || (rc = mpi_comm_check_new(c, comm_cart)) || (rc = check_grid(c, of, ndims, dims, periods, &n)))
        return rc;
    struct mpi_topology *t = mpi_topology_create(MPI_CART, (uint32_t)ndims, 2 * (uint32_t)ndims);
    for (int d = 0; d < ndims; d++) {
        t->list[d] = dims[d];
        t->list[ndims + d] = periods[d] != 0;
    }
    return mpi_comm_create_topology(c, of, t, n, comm_cart);
}

int mpi_cart_map(struct mpi_call *c, MPI_Comm comm, int ndims, const int dims[], const int periods[],
                 int *newrank)
{
    int rc = MPI_SUCCESS;
    uint32_t n = 0;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of || (rc = mpi_check_array(c, of, newrank, 1, "one rank")) ||
        (rc = check_grid(c, of, ndims, dims, periods, &n)))
        return rc;
    *newrank = of->me < n ? (int)of->me : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* The place in the grid of the dimensions that are kept (colour and key of a split), and their record. */
static struct mpi_topology *part_of(const struct mpi_topology *t, uint32_t me, const int *remain, int *color,
                                    int *key)
{
    uint32_t kept = 0, rest = me, places[2] = {1, 1}, at[2] = {0, 0};
    for (uint32_t d = 0; d < t->n; d++)
        kept += remain[d] != 0;
    struct mpi_topology *part = mpi_topology_create(MPI_CART, kept, 2 * kept);
    for (uint32_t d = t->n; d-- > 0;) {
        uint32_t size = (uint32_t)mpi_cart_dims(t)[d], in = remain[d] != 0;
        at[in] += rest % size * places[in];
        places[in] *= size;
        rest /= size;
        if (!in)
            continue;
        part->list[--kept] = (int)size;
        part->list[part->n + kept] = mpi_cart_periods(t)[d];
    }
    *color = (int)at[0];
    *key = (int)at[1];
    return part;
}

static void solve_sub(struct mpi_job *job, struct mpi_meeting *m)
{
    mpi_solve_split(job, m);
    for (uint32_t k = 0; k < m->all.size; k++)
        if (!m->seat[k].space->topology)
            m->seat[k].space->topology = mpi_topology_retain(m->topology);
}

int mpi_cart_sub(struct mpi_call *c, MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of, *made;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_CART, &of, &rc);
    if (!t || (rc = mpi_comm_check_new(c, newcomm)) ||
        (rc = mpi_check_array(c, of, remain_dims, t->n, "dimensions")))
        return rc;
    struct mpi_meeting *m = mpi_meeting_enter(c, of);
    struct mpi_seat *seat = &m->seat[of->me];
    mpi_meeting_topology(m, part_of(t, of->me, remain_dims, &seat->color, &seat->key));
    mpi_meeting_agree(c, m, of->me, solve_sub);
    rc = mpi_meeting_leave(c, m, of->me, of, &made);
    return mpi_comm_give(rc, made, newcomm);
}

/* --- asking ------------------------------------------------------------------------------------------ */

int mpi_cartdim_get(struct mpi_call *c, MPI_Comm comm, int *ndims)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_CART, &of, &rc);
    if (!t || (rc = mpi_check_array(c, of, ndims, 1, "one number")))
        return rc;
    *ndims = (int)t->n;
    return MPI_SUCCESS;
}

/* Arrays of the caller's have room for all dimensions. */
static int check_room(struct mpi_call *c, struct mpi_comm *of, int room, uint32_t n)
{
    if (room >= 0 && (uint32_t)room >= n)
        return MPI_SUCCESS;
    return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the arrays have room for %d dimensions: the grid has %u",
                    room, n);
}

int mpi_cart_get(struct mpi_call *c, MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_CART, &of, &rc);
    if (!t || (rc = check_room(c, of, maxdims, t->n)) ||
        (rc = mpi_check_array(c, of, dims, t->n, "dimensions")) ||
        (rc = mpi_check_array(c, of, periods, t->n, "periods")) ||
        (rc = mpi_check_array(c, of, coords, t->n, "coordinates")))
        return rc;
    for (uint32_t d = 0; d < t->n; d++) {
        dims[d] = mpi_cart_dims(t)[d];
        periods[d] = mpi_cart_periods(t)[d];
    }
    mpi_cart_coordinates(t, of->me, coords);
    return MPI_SUCCESS;
}

int mpi_cart_coords(struct mpi_call *c, MPI_Comm comm, int rank, int maxdims, int coords[])
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_CART, &of, &rc);
    if (!t)
        return rc;
    if (rank < 0 || (uint32_t)rank >= of->group->size)
        return mpi_fail(c, &of->guarded, MPI_ERR_RANK, "rank %d is not in a grid of %u", rank,
                        of->group->size);
    if ((rc = check_room(c, of, maxdims, t->n)) || (rc = mpi_check_array(c, of, coords, t->n, "coordinates")))
        return rc;
    mpi_cart_coordinates(t, (uint32_t)rank, coords);
    return MPI_SUCCESS;
}

int mpi_cart_rank(struct mpi_call *c, MPI_Comm comm, const int coords[], int *rank)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_CART, &of, &rc);
    if (!t || (rc = mpi_check_array(c, of, coords, t->n, "coordinates")) ||
        (rc = mpi_check_array(c, of, rank, 1, "one rank")))
        return rc;
    int at = 0;
    for (uint32_t d = 0; d < t->n; d++) {
        int size = mpi_cart_dims(t)[d], x = coords[d];
        if (mpi_cart_periods(t)[d])
            x = (x % size + size) % size;
        if (x < 0 || x >= size)
            return mpi_fail(c, &of->guarded, MPI_ERR_ARG,
                            "coordinate %u is %d: expected 0 to %d, for the dimension is not periodic", d, x,
                            size - 1);
        at = at * size + x;
    }
    *rank = at;
    return MPI_SUCCESS;
}

int mpi_cart_shift(struct mpi_call *c, MPI_Comm comm, int direction, int disp, int *rank_source,
                   int *rank_dest)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of;
    const struct mpi_topology *t = mpi_topology_of(c, comm, MPI_CART, &of, &rc);
    if (!t || (rc = mpi_check_array(c, of, rank_source, 1, "one source")) ||
        (rc = mpi_check_array(c, of, rank_dest, 1, "one destination")))
        return rc;
    if (direction < 0 || (uint32_t)direction >= t->n)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the direction is %d: the grid has %u dimensions",
                        direction, t->n);
    *rank_source = mpi_cart_neighbor(t, of->me, (uint32_t)direction, -(int64_t)disp);
    *rank_dest = mpi_cart_neighbor(t, of->me, (uint32_t)direction, disp);
    return MPI_SUCCESS;
}
