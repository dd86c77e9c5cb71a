/* SPDX-License-Identifier: BSD-3-Clause */
/* array: datatypes of parts of arrays (MPI-5.0 sections 5.1.3 and 5.1.4). */
#include "mpi/calls.h"
#include "mpi/type/parts.h"

#include <stdlib.h>

static int check_order(struct mpi_call *c, int ndims, int order)
{
    if (ndims < 1)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the number of dimensions is %d: expected 1 or more", ndims);
    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the order is %d: expected MPI_ORDER_C or MPI_ORDER_FORTRAN",
                        order);
    return MPI_SUCCESS;
}

static enum types_order order_of(int order)
{
    return order == MPI_ORDER_C ? TYPES_ORDER_C : TYPES_ORDER_FORTRAN;
}

int mpi_type_create_subarray(struct mpi_call *c, int ndims, struct mpi_numbers array_of_sizes,
                             struct mpi_numbers array_of_subsizes, struct mpi_numbers array_of_starts,
                             int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *of = mpi_type_old(c, oldtype, newtype, &rc);
    if (!of || (rc = check_order(c, ndims, order)))
        return rc;
    const struct mpi_numbers given[3] = {array_of_sizes, array_of_subsizes, array_of_starts};
    if (!given[0].at || !given[1].at || !given[2].at)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "an array of sizes, parts' sizes or starts is NULL");
    struct base_status st;
    size_t n = (size_t)ndims;
    struct mpi_made *made = mpi_made_create(c, MPI_COMBINER_SUBARRAY,
                                            (struct mpi_made_form){.ints = 2, .counts = 3 * n, .parts = 1});
    int64_t *all = base_alloc(3 * n * sizeof *all, "a datatype");
    mpi_made_int(made, ndims);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < n; k++) {
            all[i * n + k] = mpi_number(given[i], k);
            mpi_made_count(made, all[i * n + k]);
        }
    mpi_made_int(made, order);
    mpi_made_part(made, of);
    struct types_layout *layout =
        types_layout_subarray(ndims, all, all + n, all + 2 * n, order_of(order), of->layout, &st);
    free(all);
    return mpi_type_make(c, made, layout, MPI_ERR_ARG, &st, newtype);
}

/* Dimension k of a distributed array, from its arguments. */
static int read_dim(struct mpi_call *c, int k, int64_t size, const int distribution[], const int argument[],
                    const int processes[], struct types_grid_dim *out)
{
    int how = distribution[k], block = argument[k];
    if (how != MPI_DISTRIBUTE_NONE && how != MPI_DISTRIBUTE_BLOCK && how != MPI_DISTRIBUTE_CYCLIC)
        return mpi_fail(
            c, NULL, MPI_ERR_ARG,
            "the distribution of dimension %d is %d: expected MPI_DISTRIBUTE_BLOCK, _CYCLIC or _NONE", k,
            how);
    if (block != MPI_DISTRIBUTE_DFLT_DARG && block < 1 && how != MPI_DISTRIBUTE_NONE)
        return mpi_fail(c, NULL, MPI_ERR_ARG,
                        "the argument of dimension %d is %d: expected 1 or more, or MPI_DISTRIBUTE_DFLT_DARG",
                        k, block);
    *out = (struct types_grid_dim){
        size,
        how == MPI_DISTRIBUTE_NONE    ? TYPES_SPREAD_NONE
        : how == MPI_DISTRIBUTE_BLOCK ? TYPES_SPREAD_BLOCK
                                      : TYPES_SPREAD_CYCLIC,
        how == MPI_DISTRIBUTE_NONE || block == MPI_DISTRIBUTE_DFLT_DARG ? 0 : block, processes[k]};
    return MPI_SUCCESS;
}

static void note_ints(struct mpi_made *made, const int *a, int n)
{
    for (int k = 0; k < n; k++)
        mpi_made_int(made, a[k]);
}

int mpi_type_create_darray(struct mpi_call *c, int size, int rank, int ndims,
                           struct mpi_numbers array_of_gsizes, const int array_of_distribs[],
                           const int array_of_dargs[], const int array_of_psizes[], int order,
                           MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *of = mpi_type_old(c, oldtype, newtype, &rc);
    if (!of || (rc = check_order(c, ndims, order)))
        return rc;
    if (!array_of_gsizes.at || !array_of_distribs || !array_of_dargs || !array_of_psizes)
        return mpi_fail(c, NULL, MPI_ERR_ARG,
                        "an array of sizes, distributions, arguments or processes is NULL");
    struct base_status st;
    size_t n = (size_t)ndims;
    struct types_grid_dim *dim = base_alloc(n * sizeof *dim, "a datatype");
    for (int k = 0; !rc && k < ndims; k++)
        rc = read_dim(c, k, mpi_number(array_of_gsizes, (size_t)k), array_of_distribs, array_of_dargs,
                      array_of_psizes, &dim[k]);
    struct types_layout *layout =
        rc ? NULL : types_layout_darray(size, rank, ndims, dim, order_of(order), of->layout, &st);
    free(dim);
    if (rc)
        return rc;
    struct mpi_made *made = mpi_made_create(
        c, MPI_COMBINER_DARRAY, (struct mpi_made_form){.ints = 3 * n + 4, .counts = n, .parts = 1});
    note_ints(made, (int[]){size, rank, ndims}, 3);
    for (size_t k = 0; k < n; k++)
        mpi_made_count(made, mpi_number(array_of_gsizes, k));
    note_ints(made, array_of_distribs, ndims);
    note_ints(made, array_of_dargs, ndims);
    note_ints(made, array_of_psizes, ndims);
    mpi_made_int(made, order);
    mpi_made_part(made, of);
    return mpi_type_make(c, made, layout, MPI_ERR_ARG, &st, newtype);
}
