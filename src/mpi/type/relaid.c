/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * relaid: the layout of a datatype whose predefined datatypes have other sizes than in memory, as in files (MPI-5.0
 * section 14.5.1): displacements that a constructor counts in extents follow, those in bytes stay.
 */
#include "mpi/type/parts.h"

#include <stdlib.h>

/* A constructor's arguments, in the order in which they were noted. */
struct reader {
    const struct mpi_made *m;
    uint64_t at_integer, at_address, at_count;
    mpi_type_size_fn size;
    void *arg;
};

static int64_t next_int(struct reader *r)
{
    return r->m->numbers[r->at_integer++];
}
static int64_t next_count(struct reader *r)
{
    return r->m->numbers[r->m->large ? r->at_count++ : r->at_integer++];
}
static int64_t next_address(struct reader *r)
{
    return r->m->numbers[r->m->large ? r->at_count++ : r->at_address++];
}

static int64_t *next_array(struct reader *r, int64_t n, int64_t (*next)(struct reader *r))
{
    int64_t *a = base_alloc((n ? (size_t)n : 1) * sizeof *a, "a datatype");
    for (int64_t k = 0; k < n; k++)
        a[k] = next(r);
    return a;
}

static const struct types_layout *relay(const struct mpi_made *m, const struct mpi_type *predefined,
                                        mpi_type_size_fn size, void *arg);

static const struct types_layout *part(const struct reader *r, uint64_t k)
{
    const struct mpi_made_part *p = &r->m->part[k];
    return relay(p->made, p->predefined, r->size, r->arg);
}

/* --- constructors -------------------------------------------------------------------------------------- */

static struct types_layout *regular(struct reader *r, const struct types_layout *of, struct base_status *st)
{
    int64_t count = next_count(r);
    if (r->m->combiner == MPI_COMBINER_CONTIGUOUS)
        return types_layout_contiguous(count, of, st);
    int64_t block = next_count(r);
    if (r->m->combiner == MPI_COMBINER_VECTOR)
        return types_layout_vector(count, block, next_count(r), of, st);
    return types_layout_hvector(count, block, next_address(r), of, st);
}

static struct types_layout *indexed(struct reader *r, const struct types_layout *of, struct base_status *st)
{
    bool bytes = r->m->combiner == MPI_COMBINER_HINDEXED;
    int64_t n = next_count(r);
    int64_t *blocks = next_array(r, n, next_count);
    int64_t *places = next_array(r, n, bytes ? next_address : next_count);
    struct types_layout *l = bytes ? types_layout_hindexed(n, blocks, places, of, st)
                                   : types_layout_indexed(n, blocks, places, of, st);
    free(blocks);
    free(places);
    return l;
}

static struct types_layout *blocks(struct reader *r, const struct types_layout *of, struct base_status *st)
{
    bool bytes = r->m->combiner == MPI_COMBINER_HINDEXED_BLOCK;
    int64_t n = next_count(r), block = next_count(r);
    int64_t *places = next_array(r, n, bytes ? next_address : next_count);
    struct types_layout *l = bytes ? types_layout_hindexed_block(n, block, places, of, st)
                                   : types_layout_indexed_block(n, block, places, of, st);
    free(places);
    return l;
}

static struct types_layout *structure(struct reader *r, struct base_status *st)
{
    int64_t n = next_count(r);
    int64_t *lengths = next_array(r, n, next_count), *places = next_array(r, n, next_address);
    const struct types_layout **of = base_zalloc((n ? (size_t)n : 1) * sizeof *of, "a datatype");
    bool whole = true;
    for (int64_t k = 0; k < n; k++)
        whole = (of[k] = part(r, (uint64_t)k)) != NULL && whole;
    struct types_layout *l = whole ? types_layout_struct(n, lengths, places, of, st) : NULL;
    for (int64_t k = 0; k < n; k++)
        types_layout_release(of[k]);
    free(of);
    free(lengths);
    free(places);
    return l;
}

static enum types_order order_of(int64_t order)
{
    return order == MPI_ORDER_C ? TYPES_ORDER_C : TYPES_ORDER_FORTRAN;
}

static struct types_layout *subarray(struct reader *r, const struct types_layout *of, struct base_status *st)
{
    int64_t n = next_int(r);
    int64_t *all = next_array(r, 3 * n, next_count);
    struct types_layout *l =
        types_layout_subarray((int)n, all, all + n, all + 2 * n, order_of(next_int(r)), of, st);
    free(all);
    return l;
}

static struct types_layout *darray(struct reader *r, const struct types_layout *of, struct base_status *st)
{
    int64_t size = next_int(r), rank = next_int(r), n = next_int(r);
    struct types_grid_dim *dim = base_zalloc((size_t)n * sizeof *dim, "a datatype");
    for (int64_t k = 0; k < n; k++)
        dim[k].size = next_count(r);
    for (int64_t k = 0; k < n; k++) {
        int64_t how = next_int(r);
        dim[k].how = how == MPI_DISTRIBUTE_NONE    ? TYPES_SPREAD_NONE
                     : how == MPI_DISTRIBUTE_BLOCK ? TYPES_SPREAD_BLOCK
                                                   : TYPES_SPREAD_CYCLIC;
    }
    for (int64_t k = 0; k < n; k++) {
        int64_t block = next_int(r);
        dim[k].block = dim[k].how == TYPES_SPREAD_NONE || block == MPI_DISTRIBUTE_DFLT_DARG ? 0 : block;
    }
    for (int64_t k = 0; k < n; k++)
        dim[k].processes = next_int(r);
    struct types_layout *l = types_layout_darray(size, rank, (int)n, dim, order_of(next_int(r)), of, st);
    free(dim);
    return l;
}

/* --- any datatype --------------------------------------------------------------------------------------- */

/* Of `of`, whose reference is taken. */
static const struct types_layout *construct(struct reader *r, const struct types_layout *of,
                                            struct base_status *st)
{
    switch (r->m->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
        return regular(r, of, st);
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
        return indexed(r, of, st);
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        return blocks(r, of, st);
    case MPI_COMBINER_SUBARRAY:
        return subarray(r, of, st);
    case MPI_COMBINER_DARRAY:
        return darray(r, of, st);
    case MPI_COMBINER_RESIZED: {
        int64_t lower = next_address(r);
        return types_layout_resized(of, lower, next_address(r), st);
    }
    default: /* MPI_COMBINER_DUP */
        return types_layout_retain(of);
    }
}

static const struct types_layout *relay(const struct mpi_made *m, const struct mpi_type *predefined,
                                        mpi_type_size_fn size, void *arg)
{
    struct base_status st;
    if (predefined)
        return types_layout_contiguous((int64_t)size(arg, predefined), types_layout_of(TYPES_BYTE), &st);
    struct reader r = {m, 0, m->integers, m->integers + m->addresses, size, arg};
    if (m->combiner == MPI_COMBINER_STRUCT)
        return structure(&r, &st);
    const struct types_layout *of = part(&r, 0);
    const struct types_layout *l = of ? construct(&r, of, &st) : NULL;
    types_layout_release(of);
    return l;
}

const struct types_layout *mpi_type_relaid(const struct mpi_type *t, mpi_type_size_fn size, void *arg)
{
    return t->made || t->predefined ? relay(t->made, t->predefined ? t : NULL, size, arg) : NULL;
}
