/* SPDX-License-Identifier: BSD-3-Clause */
/* grid: datatypes of parts of arrays (MPI-5.0 sections 5.1.3, 5.1.4). */
#include "mpi/type/made.h"

#include "mpi/calls.h"

#include <stdlib.h>

static int check(struct mpi_call *c, int ndims, int order, const MPI_Datatype *newtype)
{
    if (ndims < 1)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the number of dimensions is %d: expected 1 or more", ndims);
    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the order is %d: expected MPI_ORDER_C or MPI_ORDER_FORTRAN",
                        order);
    return newtype ? MPI_SUCCESS : mpi_fail(c, NULL, MPI_ERR_ARG, "the address of the new datatype is NULL");
}

static enum types_order order_of(int order)
{
    return order == MPI_ORDER_C ? TYPES_ORDER_C : TYPES_ORDER_FORTRAN;
}

/* --- subarrays -------------------------------------------------------------------------------------------------- */

static int check_parts(struct mpi_call *c, int n, const int64_t *size, const int64_t *part,
                       const int64_t *start)
{
    for (int k = 0; k < n; k++)
        if (size[k] < 1 || part[k] < 1 || part[k] > size[k] || start[k] < 0 || start[k] > size[k] - part[k])
            return mpi_fail(c, NULL, MPI_ERR_ARG,
                            "dimension %d: %lld elements from %lld on are no part of %lld elements", k,
                            (long long)part[k], (long long)start[k], (long long)size[k]);
    return MPI_SUCCESS;
}

int mpi_type_create_subarray(struct mpi_call *c, int ndims, struct mpi_numbers array_of_sizes,
                             struct mpi_numbers array_of_subsizes, struct mpi_numbers array_of_starts,
                             int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = check(c, ndims, order, newtype);
    struct base_status st;
    struct mpi_type *old = rc ? NULL : mpi_type_of(c, oldtype, &rc);
    if (!old)
        return rc;
    if (!array_of_sizes.at || !array_of_subsizes.at || !array_of_starts.at)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "an array of sizes or starts is NULL");
    size_t n = (size_t)ndims;
    int64_t *size = base_zalloc(3 * n * sizeof *size, "datatypes"), *part = size + n, *start = part + n;
    for (size_t k = 0; k < n; k++) {
        size[k] = mpi_number(array_of_sizes, k);
        part[k] = mpi_number(array_of_subsizes, k);
        start[k] = mpi_number(array_of_starts, k);
    }
    if (!(rc = check_parts(c, ndims, size, part, start))) {
        struct mpi_maker m = mpi_make_begin(c, MPI_COMBINER_SUBARRAY, true, 3 * n + 2, 1);
        mpi_make_integer(&m, ndims);
        if (m.made->large)
            mpi_make_integer(&m, order);
        for (size_t k = 0; k < 3 * n; k++)
            mpi_make_count(&m, size[k]);
        if (!m.made->large)
            mpi_make_integer(&m, order);
        mpi_make_type(&m, old);
        rc = mpi_make_end(&m,
                          types_layout_subarray(ndims, size, part, start, order_of(order), old->layout, &st),
                          &st, newtype);
    }
    free(size);
    return rc;
}

/* --- distributed arrays --------------------------------------------------------------------------------------------- */

static int read_dim(struct mpi_call *c, int k, int64_t size, int distrib, int darg, int psize,
                    struct types_grid_dim *out)
{
    if (size < 1 || psize < 1 || (darg <= 0 && darg != MPI_DISTRIBUTE_DFLT_DARG))
        return mpi_fail(c, NULL, MPI_ERR_ARG, "dimension %d: %lld elements over %d processes in blocks of %d",
                        k, (long long)size, psize, darg);
    out->size = size;
    out->processes = psize;
    out->block = darg == MPI_DISTRIBUTE_DFLT_DARG ? 0 : darg;
    switch (distrib) {
    case MPI_DISTRIBUTE_NONE:
        out->how = TYPES_SPREAD_NONE;
        if (psize != 1)
            return mpi_fail(c, NULL, MPI_ERR_ARG, "dimension %d is not distributed, but has %d processes", k,
                            psize);
        return MPI_SUCCESS;
    case MPI_DISTRIBUTE_BLOCK:
        out->how = TYPES_SPREAD_BLOCK;
        if (out->block && out->block * psize < size)
            return mpi_fail(c, NULL, MPI_ERR_ARG, "dimension %d: %d blocks of %d do not hold %lld elements",
                            k, psize, darg, (long long)size);
        return MPI_SUCCESS;
    case MPI_DISTRIBUTE_CYCLIC:
        out->how = TYPES_SPREAD_CYCLIC;
        return MPI_SUCCESS;
    default:
        return mpi_fail(c, NULL, MPI_ERR_ARG, "dimension %d: %d is no kind of distribution", k, distrib);
    }
}

int mpi_type_create_darray(struct mpi_call *c, int size, int rank, int ndims,
                           struct mpi_numbers array_of_gsizes, const int array_of_distribs[],
                           const int array_of_dargs[], const int array_of_psizes[], int order,
                           MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = check(c, ndims, order, newtype);
    struct base_status st;
    struct mpi_type *old = rc ? NULL : mpi_type_of(c, oldtype, &rc);
    if (!old)
        return rc;
    if (!array_of_gsizes.at || !array_of_distribs || !array_of_dargs || !array_of_psizes)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "an array of the distribution is NULL");
    if (size < 1 || rank < 0 || rank >= size)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "rank %d of %d processes does not exist", rank, size);
    struct types_grid_dim *dim = base_zalloc((size_t)ndims * sizeof *dim, "datatypes");
    int64_t processes = 1;
    for (int k = 0; k < ndims && !rc; k++) {
        rc = read_dim(c, k, mpi_number(array_of_gsizes, (size_t)k), array_of_distribs[k], array_of_dargs[k],
                      array_of_psizes[k], &dim[k]);
        processes *= array_of_psizes[k];
    }
    if (!rc && processes != size)
        rc =
            mpi_fail(c, NULL, MPI_ERR_ARG, "the grid has %lld processes, not %d", (long long)processes, size);
    if (!rc) {
        const int *const lists[] = {array_of_distribs, array_of_dargs, array_of_psizes};
        struct mpi_maker m = mpi_make_begin(c, MPI_COMBINER_DARRAY, true, 4 * (size_t)ndims + 4, 1);
        mpi_make_integer(&m, size);
        mpi_make_integer(&m, rank);
        mpi_make_integer(&m, ndims);
        for (int k = 0; k < ndims && !m.made->large; k++)
            mpi_make_count(&m, dim[k].size);
        for (size_t l = 0; l < BASE_LENGTH(lists); l++)
            for (int k = 0; k < ndims; k++)
                mpi_make_integer(&m, lists[l][k]);
        mpi_make_integer(&m, order);
        for (int k = 0; k < ndims && m.made->large; k++)
            mpi_make_count(&m, dim[k].size);
        mpi_make_type(&m, old);
        rc = mpi_make_end(&m, types_layout_darray(size, rank, ndims, dim, order_of(order), old->layout, &st),
                          &st, newtype);
    }
    free(dim);
    return rc;
}
