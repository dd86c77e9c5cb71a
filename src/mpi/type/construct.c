/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * construct: constructors of datatypes (MPI-5.0 sections 5.1.2 and 5.1.7), and those removed in MPI-3.0. Each
 * checks its arguments, makes the layout (types/), and notes the arguments.
 */
#include "mpi/calls.h"
#include "mpi/type/parts.h"

#include <stdlib.h>

/* An array of counts as 64 bits. *own: what is to be freed, or NULL. */
static const int64_t *widen(struct mpi_numbers a, uint64_t n, int64_t **own)
{
    *own = NULL;
    if (a.wide || !a.at)
        return a.at;
    *own = base_alloc((n ? n : 1) * sizeof **own, "a datatype");
    for (uint64_t k = 0; k < n; k++)
        (*own)[k] = ((const int *)a.at)[k];
    return *own;
}

/* --- checks ------------------------------------------------------------------------------------------- */

static int check_count(struct mpi_call *c, MPI_Count count)
{
    return count < 0
               ? mpi_fail(c, NULL, MPI_ERR_COUNT, "the count is %lld: expected 0 or more", (long long)count)
               : MPI_SUCCESS;
}

static int check_block(struct mpi_call *c, MPI_Count block)
{
    return block < 0 ? mpi_fail(c, NULL, MPI_ERR_ARG, "a block length is %lld: expected 0 or more",
                                (long long)block)
                     : MPI_SUCCESS;
}

static int check_array(struct mpi_call *c, MPI_Count count, const void *at, const char *what)
{
    return count > 0 && !at ? mpi_fail(c, NULL, MPI_ERR_ARG, "the array of %s is NULL", what) : MPI_SUCCESS;
}

/* The count, and arrays of block lengths and of displacements. */
static int check_blocks(struct mpi_call *c, MPI_Count count, struct mpi_numbers lengths,
                        const void *displacements)
{
    int rc = check_count(c, count);
    if (!rc)
        rc = check_array(c, count, lengths.at, "block lengths");
    if (!rc)
        rc = check_array(c, count, displacements, "displacements");
    for (MPI_Count k = 0; !rc && k < count; k++)
        rc = check_block(c, mpi_number(lengths, (size_t)k));
    return rc;
}

/* --- regular ------------------------------------------------------------------------------------------ */

int mpi_type_contiguous(struct mpi_call *c, MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *of = mpi_type_old(c, oldtype, newtype, &rc);
    if (!of || (rc = check_count(c, count)))
        return rc;
    struct base_status st;
    struct mpi_made *made =
        mpi_made_create(c, MPI_COMBINER_CONTIGUOUS, (struct mpi_made_form){.counts = 1, .parts = 1});
    mpi_made_count(made, count);
    mpi_made_part(made, of);
    return mpi_type_make(c, made, types_layout_contiguous(count, of->layout, &st), MPI_ERR_VALUE_TOO_LARGE,
                         &st, newtype);
}

static int vector(struct mpi_call *c, MPI_Count count, MPI_Count block, MPI_Count stride, bool in_bytes,
                  MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *of = mpi_type_old(c, oldtype, newtype, &rc);
    if (!of || (rc = check_count(c, count)) || (rc = check_block(c, block)))
        return rc;
    struct base_status st;
    struct mpi_made *made = mpi_made_create(
        c, in_bytes ? MPI_COMBINER_HVECTOR : MPI_COMBINER_VECTOR,
        (struct mpi_made_form){.counts = in_bytes ? 2 : 3, .addresses = in_bytes ? 1 : 0, .parts = 1});
    mpi_made_count(made, count);
    mpi_made_count(made, block);
    if (in_bytes)
        mpi_made_address(made, stride);
    else
        mpi_made_count(made, stride);
    mpi_made_part(made, of);
    struct types_layout *layout = in_bytes ? types_layout_hvector(count, block, stride, of->layout, &st)
                                           : types_layout_vector(count, block, stride, of->layout, &st);
    return mpi_type_make(c, made, layout, MPI_ERR_VALUE_TOO_LARGE, &st, newtype);
}

int mpi_type_vector(struct mpi_call *c, MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                    MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return vector(c, count, blocklength, stride, false, oldtype, newtype);
}

int mpi_type_create_hvector(struct mpi_call *c, MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                            MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return vector(c, count, blocklength, stride, true, oldtype, newtype);
}

int mpi_type_create_resized(struct mpi_call *c, MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent,
                            MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *of = mpi_type_old(c, oldtype, newtype, &rc);
    if (!of)
        return rc;
    struct base_status st;
    struct mpi_made *made =
        mpi_made_create(c, MPI_COMBINER_RESIZED, (struct mpi_made_form){.addresses = 2, .parts = 1});
    mpi_made_address(made, lb);
    mpi_made_address(made, extent);
    mpi_made_part(made, of);
    return mpi_type_make(c, made, types_layout_resized(of->layout, lb, extent, &st), MPI_ERR_VALUE_TOO_LARGE,
                         &st, newtype);
}

/* --- irregular ---------------------------------------------------------------------------------------- */

int mpi_type_indexed(struct mpi_call *c, MPI_Count count, struct mpi_numbers array_of_blocklengths,
                     struct mpi_numbers array_of_displacements, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *of = mpi_type_old(c, oldtype, newtype, &rc);
    if (!of || (rc = check_blocks(c, count, array_of_blocklengths, array_of_displacements.at)))
        return rc;
    struct base_status st;
    uint64_t n = (uint64_t)count;
    struct mpi_made *made =
        mpi_made_create(c, MPI_COMBINER_INDEXED, (struct mpi_made_form){.counts = 2 * n + 1, .parts = 1});
    mpi_made_count(made, count);
    for (uint64_t k = 0; k < n; k++)
        mpi_made_count(made, mpi_number(array_of_blocklengths, k));
    for (uint64_t k = 0; k < n; k++)
        mpi_made_count(made, mpi_number(array_of_displacements, k));
    mpi_made_part(made, of);
    int64_t *own[2];
    const int64_t *lengths = widen(array_of_blocklengths, n, &own[0]),
                  *places = widen(array_of_displacements, n, &own[1]);
    struct types_layout *layout = types_layout_indexed(count, lengths, places, of->layout, &st);
    free(own[0]);
    free(own[1]);
    return mpi_type_make(c, made, layout, MPI_ERR_VALUE_TOO_LARGE, &st, newtype);
}

int mpi_type_create_hindexed(struct mpi_call *c, MPI_Count count, struct mpi_numbers array_of_blocklengths,
                             const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                             MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *of = mpi_type_old(c, oldtype, newtype, &rc);
    if (!of || (rc = check_blocks(c, count, array_of_blocklengths, array_of_displacements)))
        return rc;
    struct base_status st;
    uint64_t n = (uint64_t)count;
    struct mpi_made *made = mpi_made_create(
        c, MPI_COMBINER_HINDEXED, (struct mpi_made_form){.counts = n + 1, .addresses = n, .parts = 1});
    mpi_made_count(made, count);
    for (uint64_t k = 0; k < n; k++)
        mpi_made_count(made, mpi_number(array_of_blocklengths, k));
    for (uint64_t k = 0; k < n; k++)
        mpi_made_address(made, array_of_displacements[k]);
    mpi_made_part(made, of);
    int64_t *own;
    const int64_t *lengths = widen(array_of_blocklengths, n, &own);
    struct types_layout *layout =
        types_layout_hindexed(count, lengths, array_of_displacements, of->layout, &st);
    free(own);
    return mpi_type_make(c, made, layout, MPI_ERR_VALUE_TOO_LARGE, &st, newtype);
}

int mpi_type_create_indexed_block(struct mpi_call *c, MPI_Count count, MPI_Count blocklength,
                                  struct mpi_numbers array_of_displacements, MPI_Datatype oldtype,
                                  MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *of = mpi_type_old(c, oldtype, newtype, &rc);
    if (!of || (rc = check_count(c, count)) || (rc = check_block(c, blocklength)) ||
        (rc = check_array(c, count, array_of_displacements.at, "displacements")))
        return rc;
    struct base_status st;
    uint64_t n = (uint64_t)count;
    struct mpi_made *made =
        mpi_made_create(c, MPI_COMBINER_INDEXED_BLOCK, (struct mpi_made_form){.counts = n + 2, .parts = 1});
    mpi_made_count(made, count);
    mpi_made_count(made, blocklength);
    for (uint64_t k = 0; k < n; k++)
        mpi_made_count(made, mpi_number(array_of_displacements, k));
    mpi_made_part(made, of);
    int64_t *own;
    const int64_t *places = widen(array_of_displacements, n, &own);
    struct types_layout *layout = types_layout_indexed_block(count, blocklength, places, of->layout, &st);
    free(own);
    return mpi_type_make(c, made, layout, MPI_ERR_VALUE_TOO_LARGE, &st, newtype);
}

int mpi_type_create_hindexed_block(struct mpi_call *c, MPI_Count count, MPI_Count blocklength,
                                   const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                   MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *of = mpi_type_old(c, oldtype, newtype, &rc);
    if (!of || (rc = check_count(c, count)) || (rc = check_block(c, blocklength)) ||
        (rc = check_array(c, count, array_of_displacements, "displacements")))
        return rc;
    struct base_status st;
    uint64_t n = (uint64_t)count;
    struct mpi_made *made = mpi_made_create(c, MPI_COMBINER_HINDEXED_BLOCK,
                                            (struct mpi_made_form){.counts = 2, .addresses = n, .parts = 1});
    mpi_made_count(made, count);
    mpi_made_count(made, blocklength);
    for (uint64_t k = 0; k < n; k++)
        mpi_made_address(made, array_of_displacements[k]);
    mpi_made_part(made, of);
    return mpi_type_make(
        c, made, types_layout_hindexed_block(count, blocklength, array_of_displacements, of->layout, &st),
        MPI_ERR_VALUE_TOO_LARGE, &st, newtype);
}
