/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * struct: MPI_Type_create_struct (MPI-5.0 section 5.1.2), with the members MPI_LB and MPI_UB of MPI-1, which only mark
 * its bounds; and the constructors removed in MPI-3.0, which are others under old names.
 */
#include "mpi/calls.h"
#include "mpi/type/parts.h"

#include <stdlib.h>

/* What the members that have data are made of, one after the other; room for one more. */
struct members {
    int64_t n, *lengths, *offsets;
    const struct types_layout **layouts;
    bool has_lower, has_upper; /* marked by MPI_LB, by MPI_UB */
    int64_t lower, upper;
};

static void members_init(struct members *m, uint64_t n)
{
    *m = (struct members){.lengths = base_alloc((n + 1) * sizeof *m->lengths, "a datatype"),
                          .offsets = base_alloc((n + 1) * sizeof *m->offsets, "a datatype"),
                          .layouts = base_alloc((n + 1) * sizeof *m->layouts, "a datatype")};
}

static void members_release(struct members *m)
{
    free(m->lengths);
    free(m->offsets);
    free(m->layouts);
}

static void add(struct members *m, const struct types_layout *layout, int64_t length, int64_t offset)
{
    m->lengths[m->n] = length;
    m->offsets[m->n] = offset;
    m->layouts[m->n++] = layout;
}

static void add_member(struct members *m, const struct mpi_type *t, int64_t length, int64_t offset)
{
    if (t == &mpi_type_lower) {
        m->lower = !length || (m->has_lower && m->lower < offset) ? m->lower : offset;
        m->has_lower = m->has_lower || length;
    } else if (t == &mpi_type_upper) {
        m->upper = !length || (m->has_upper && m->upper > offset) ? m->upper : offset;
        m->has_upper = m->has_upper || length;
    } else {
        add(m, t->layout, length, offset);
    }
}

static struct types_layout *layout_of(const struct members *m, struct base_status *st)
{
    return types_layout_struct(m->n, m->lengths, m->offsets, m->layouts, st);
}

/* Marks are one more member, without data, whose bounds count with those of others. A bound that is not marked
 * stays what it is without the marks. */
static struct types_layout *marked_layout_of(struct members *m, struct base_status *st)
{
    struct types_layout *plain = layout_of(m, st);
    if (!plain || !(m->has_lower || m->has_upper))
        return plain;
    struct types_bounds b = types_layout_bounds(plain);
    int64_t lower = m->has_lower ? m->lower : b.lower, upper = m->has_upper ? m->upper : b.lower + b.extent,
            extent;
    types_layout_release(plain);
    if (__builtin_sub_overflow(upper, lower, &extent)) {
        base_fail(st, "the bounds of a struct are more than 2^63 bytes apart");
        return NULL;
    }
    struct types_layout *mark = types_layout_resized(mpi_type_lower.layout, lower, extent, st);
    if (!mark)
        return NULL;
    add(m, mark, 1, 0);
    struct types_layout *all = layout_of(m, st);
    types_layout_release(mark);
    return all;
}

static int check(struct mpi_call *c, MPI_Count count, struct mpi_numbers lengths, const void *displacements,
                 const MPI_Datatype *types, const MPI_Datatype *newtype)
{
    int rc = MPI_SUCCESS;
    if (!newtype)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the new datatype is NULL");
    if (count < 0)
        return mpi_fail(c, NULL, MPI_ERR_COUNT, "the count is %lld: expected 0 or more", (long long)count);
    if (count && (!lengths.at || !displacements || !types))
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the array of %s is NULL",
                        !lengths.at      ? "block lengths"
                        : !displacements ? "displacements"
                                         : "datatypes");
    for (size_t k = 0; !rc && k < (size_t)count; k++)
        if (mpi_number(lengths, k) < 0)
            rc = mpi_fail(c, NULL, MPI_ERR_ARG, "the length of block %zu is %lld: expected 0 or more", k,
                          (long long)mpi_number(lengths, k));
        else
            mpi_type_of(c, NULL, types[k], &rc);
    return rc;
}

int mpi_type_create_struct(struct mpi_call *c, MPI_Count count, struct mpi_numbers array_of_blocklengths,
                           const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[],
                           MPI_Datatype *newtype)
{
    int rc = check(c, count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
    if (rc)
        return rc;
    struct base_status st;
    struct members m;
    uint64_t n = (uint64_t)count;
    members_init(&m, n);
    struct mpi_made *made = mpi_made_create(
        c, MPI_COMBINER_STRUCT, (struct mpi_made_form){.counts = n + 1, .addresses = n, .parts = n});
    mpi_made_count(made, count);
    for (uint64_t k = 0; k < n; k++)
        mpi_made_count(made, mpi_number(array_of_blocklengths, k));
    for (uint64_t k = 0; k < n; k++) {
        const struct mpi_type *t = mpi_type_find(c->self, array_of_types[k]);
        mpi_made_address(made, array_of_displacements[k]);
        mpi_made_part(made, t);
        add_member(&m, t, mpi_number(array_of_blocklengths, k), array_of_displacements[k]);
    }
    struct types_layout *layout = marked_layout_of(&m, &st);
    members_release(&m);
    return mpi_type_make(c, made, layout, MPI_ERR_VALUE_TOO_LARGE, &st, newtype);
}

/* --- removed ------------------------------------------------------------------------------------------ */

int mpi_type_struct(struct mpi_call *c, int count, int array_of_blocklengths[],
                    MPI_Aint array_of_displacements[], MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    return mpi_type_create_struct(c, count, (struct mpi_numbers){array_of_blocklengths, false},
                                  array_of_displacements, array_of_types, newtype);
}

int mpi_type_hindexed(struct mpi_call *c, int count, int array_of_blocklengths[],
                      MPI_Aint array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return mpi_type_create_hindexed(c, count, (struct mpi_numbers){array_of_blocklengths, false},
                                    array_of_displacements, oldtype, newtype);
}

int mpi_type_hvector(struct mpi_call *c, int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype)
{
    return mpi_type_create_hvector(c, count, blocklength, stride, oldtype, newtype);
}
