/* SPDX-License-Identifier: BSD-3-Clause */
/* construct: constructors of datatypes from others (MPI-5.0 sections 5.1.2, 5.1.7); arrays are in grid.c. */
#include "mpi/type/made.h"

#include "mpi/calls.h"

#include <stdlib.h>

/* The old datatype, after the checks that all constructors make. */
static struct mpi_type *old_of(struct mpi_call *c, MPI_Datatype oldtype, const MPI_Datatype *newtype,
                               int64_t count, int *rc)
{
    if (!newtype)
        *rc = mpi_fail(c, NULL, MPI_ERR_ARG, "the address of the new datatype is NULL");
    else if (count < 0)
        *rc = mpi_fail(c, NULL, MPI_ERR_COUNT, "the count is %lld: expected 0 or more", (long long)count);
    else
        return mpi_type_of(c, oldtype, rc);
    return NULL;
}

/* Block lengths or displacements as numbers of 64 bits; NULL: fails. Freed by the caller. */
static int64_t *numbers(struct mpi_call *c, struct mpi_numbers a, int64_t n, const char *what, int *rc)
{
    if (!a.at && n) {
        *rc = mpi_fail(c, NULL, MPI_ERR_ARG, "the array of %s is NULL", what);
        return NULL;
    }
    int64_t *out = base_zalloc(((size_t)n + 1) * sizeof *out, "datatypes");
    for (int64_t k = 0; k < n; k++)
        out[k] = mpi_number(a, (size_t)k);
    return out;
}

static int check_lengths(struct mpi_call *c, const int64_t *lengths, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (lengths[k] < 0)
            return mpi_fail(c, NULL, MPI_ERR_ARG, "block %lld has the length %lld: expected 0 or more",
                            (long long)k, (long long)lengths[k]);
    return MPI_SUCCESS;
}

/* --- regular ones ------------------------------------------------------------------------------------------- */

int mpi_type_contiguous(struct mpi_call *c, MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    struct base_status st;
    struct mpi_type *old = old_of(c, oldtype, newtype, count, &rc);
    if (!old)
        return rc;
    struct mpi_maker m = mpi_make_begin(c, MPI_COMBINER_CONTIGUOUS, true, 1, 1);
    mpi_make_count(&m, count);
    mpi_make_type(&m, old);
    return mpi_make_end(&m, types_layout_contiguous(count, old->layout, &st), &st, newtype);
}

static int vector(struct mpi_call *c, MPI_Count count, MPI_Count blocklength, MPI_Count stride, bool in_bytes,
                  MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    struct base_status st;
    struct mpi_type *old = old_of(c, oldtype, newtype, count, &rc);
    if (!old || (rc = check_lengths(c, &blocklength, 1)))
        return rc;
    struct mpi_maker m = mpi_make_begin(c, in_bytes ? MPI_COMBINER_HVECTOR : MPI_COMBINER_VECTOR, true, 3, 1);
    mpi_make_count(&m, count);
    mpi_make_count(&m, blocklength);
    if (in_bytes)
        mpi_make_address(&m, stride);
    else
        mpi_make_count(&m, stride);
    mpi_make_type(&m, old);
    return mpi_make_end(&m,
                        in_bytes ? types_layout_hvector(count, blocklength, stride, old->layout, &st)
                                 : types_layout_vector(count, blocklength, stride, old->layout, &st),
                        &st, newtype);
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

int mpi_type_hvector(struct mpi_call *c, int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype)
{
    return vector(c, count, blocklength, stride, true, oldtype, newtype);
}

int mpi_type_create_resized(struct mpi_call *c, MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent,
                            MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    struct base_status st;
    struct mpi_type *old = old_of(c, oldtype, newtype, 0, &rc);
    if (!old)
        return rc;
    struct mpi_maker m = mpi_make_begin(c, MPI_COMBINER_RESIZED, true, 2, 1);
    mpi_make_address(&m, lb);
    mpi_make_address(&m, extent);
    mpi_make_type(&m, old);
    return mpi_make_end(&m, types_layout_resized(old->layout, lb, extent, &st), &st, newtype);
}

/* --- lists ------------------------------------------------------------------------------------------------------ */

/* Blocks of different lengths (lengths.at not NULL) or of one; displacements in extents or bytes. */
struct blocks {
    int combiner;
    struct mpi_numbers lengths;
    int64_t length;
    struct mpi_numbers places;
    bool in_bytes;
};

static struct types_layout *list_layout(const struct blocks *b, int64_t n, const int64_t *length,
                                        const int64_t *place, const struct types_layout *old,
                                        struct base_status *st)
{
    if (length)
        return b->in_bytes ? types_layout_hindexed(n, length, place, old, st)
                           : types_layout_indexed(n, length, place, old, st);
    return b->in_bytes ? types_layout_hindexed_block(n, b->length, place, old, st)
                       : types_layout_indexed_block(n, b->length, place, old, st);
}

static int list(struct mpi_call *c, MPI_Count count, const struct blocks *b, MPI_Datatype oldtype,
                MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    struct base_status st;
    bool differ = b->combiner == MPI_COMBINER_INDEXED || b->combiner == MPI_COMBINER_HINDEXED;
    struct mpi_type *old = old_of(c, oldtype, newtype, count, &rc);
    if (!old)
        return rc;
    int64_t *length = differ ? numbers(c, b->lengths, count, "block lengths", &rc) : NULL;
    int64_t *place = rc ? NULL : numbers(c, b->places, count, "displacements", &rc);
    if (!rc)
        rc = differ ? check_lengths(c, length, count) : check_lengths(c, &b->length, 1);
    if (!rc) {
        struct mpi_maker m = mpi_make_begin(c, b->combiner, true, 2 * (size_t)count + 2, 1);
        mpi_make_count(&m, count);
        if (!differ)
            mpi_make_count(&m, b->length);
        for (int64_t k = 0; k < count && differ; k++)
            mpi_make_count(&m, length[k]);
        for (int64_t k = 0; k < count; k++)
            if (b->in_bytes)
                mpi_make_address(&m, place[k]);
            else
                mpi_make_count(&m, place[k]);
        mpi_make_type(&m, old);
        rc = mpi_make_end(&m, list_layout(b, count, length, place, old->layout, &st), &st, newtype);
    }
    free(length);
    free(place);
    return rc;
}

int mpi_type_indexed(struct mpi_call *c, MPI_Count count, struct mpi_numbers array_of_blocklengths,
                     struct mpi_numbers array_of_displacements, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct blocks b = {MPI_COMBINER_INDEXED, array_of_blocklengths, 0, array_of_displacements, false};
    return list(c, count, &b, oldtype, newtype);
}

int mpi_type_create_hindexed(struct mpi_call *c, MPI_Count count, struct mpi_numbers array_of_blocklengths,
                             const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                             MPI_Datatype *newtype)
{
    struct blocks b = {MPI_COMBINER_HINDEXED, array_of_blocklengths, 0, {array_of_displacements, true}, true};
    return list(c, count, &b, oldtype, newtype);
}

int mpi_type_hindexed(struct mpi_call *c, int count, int array_of_blocklengths[],
                      MPI_Aint array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct blocks b = {
        MPI_COMBINER_HINDEXED, {array_of_blocklengths, false}, 0, {array_of_displacements, true}, true};
    return list(c, count, &b, oldtype, newtype);
}

int mpi_type_create_indexed_block(struct mpi_call *c, MPI_Count count, MPI_Count blocklength,
                                  struct mpi_numbers array_of_displacements, MPI_Datatype oldtype,
                                  MPI_Datatype *newtype)
{
    struct blocks b = {MPI_COMBINER_INDEXED_BLOCK, {NULL, false}, blocklength, array_of_displacements, false};
    return list(c, count, &b, oldtype, newtype);
}

int mpi_type_create_hindexed_block(struct mpi_call *c, MPI_Count count, MPI_Count blocklength,
                                   const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                   MPI_Datatype *newtype)
{
    struct blocks b = {
        MPI_COMBINER_HINDEXED_BLOCK, {NULL, false}, blocklength, {array_of_displacements, true}, true};
    return list(c, count, &b, oldtype, newtype);
}

/* --- structs -------------------------------------------------------------------------------------------------------- */

/* The removed MPI_LB and MPI_UB among the members give the bounds (MPI-2.2 section 4.1.6). */
static struct types_layout *bounded(struct types_layout *layout, int64_t n, struct mpi_type *const *type,
                                    const int64_t *place, struct base_status *st)
{
    bool has[3] = {0};
    int64_t at[3] = {0};
    for (int64_t k = 0; k < n; k++) {
        int b = type[k]->bound;
        if (b && (!has[b] || (b == 1 ? place[k] < at[b] : place[k] > at[b])))
            at[b] = place[k];
        has[b] = true;
    }
    if (!layout || (!has[1] && !has[2]))
        return layout;
    struct types_bounds now = types_layout_bounds(layout);
    int64_t lower = has[1] ? at[1] : now.lower, upper = has[2] ? at[2] : now.lower + now.extent;
    struct types_layout *out = types_layout_resized(layout, lower, upper - lower, st);
    types_layout_release(layout);
    return out;
}

static int members(struct mpi_call *c, MPI_Count count, const MPI_Datatype array_of_types[],
                   struct mpi_type **type, const struct types_layout **layout)
{
    int rc = MPI_SUCCESS;
    for (int64_t k = 0; k < count && !rc; k++)
        if ((type[k] = mpi_type_of(c, array_of_types[k], &rc)))
            layout[k] = type[k]->layout;
    return rc;
}

int mpi_type_create_struct(struct mpi_call *c, MPI_Count count, struct mpi_numbers array_of_blocklengths,
                           const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[],
                           MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    struct base_status st;
    if (!old_of(c, MPI_BYTE, newtype, count, &rc))
        return rc;
    if (count && (!array_of_types || !array_of_displacements))
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the array of displacements or of datatypes is NULL");
    int64_t *length = numbers(c, array_of_blocklengths, count, "block lengths", &rc);
    struct mpi_type **type = base_zalloc(((size_t)count + 1) * sizeof(struct mpi_type *), "datatypes");
    const struct types_layout **layout = base_zalloc(((size_t)count + 1) * sizeof(*layout), "datatypes");
    if (!rc && !(rc = check_lengths(c, length, count)) &&
        !(rc = members(c, count, array_of_types, type, layout))) {
        struct mpi_maker m =
            mpi_make_begin(c, MPI_COMBINER_STRUCT, true, 2 * (size_t)count + 1, (size_t)count);
        mpi_make_count(&m, count);
        for (int64_t k = 0; k < count; k++)
            mpi_make_count(&m, length[k]);
        for (int64_t k = 0; k < count; k++)
            mpi_make_address(&m, array_of_displacements[k]);
        for (int64_t k = 0; k < count; k++)
            mpi_make_type(&m, type[k]);
        struct types_layout *made = types_layout_struct(count, length, array_of_displacements, layout, &st);
        rc = mpi_make_end(&m, bounded(made, count, type, array_of_displacements, &st), &st, newtype);
    }
    free(length);
    free(type);
    free(layout);
    return rc;
}

int mpi_type_struct(struct mpi_call *c, int count, int array_of_blocklengths[],
                    MPI_Aint array_of_displacements[], MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    return mpi_type_create_struct(c, count, (struct mpi_numbers){array_of_blocklengths, false},
                                  array_of_displacements, array_of_types, newtype);
}
