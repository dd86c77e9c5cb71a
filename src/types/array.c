/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * array: layouts of parts of arrays of several dimensions, built from the fastest dimension to the slowest by
 * the other constructors, which normalize them (MPI-5.0 sections 5.1.3 and 5.1.4).
 */
#include "types/internal.h"

static const char too_large[] = "an array does not fit in 63 bits";

/* What is built so far. A step gives up the layout before it; `made` is NULL after a failure. */
struct array {
    struct types_layout *made;
    int64_t unit; /* bytes from one index of the present dimension to the next */
    struct base_status *st;
};

static void replace(struct array *a, struct types_layout *with)
{
    types_layout_release(a->made);
    a->made = with;
}

static void begin(struct array *a, const struct types_layout *of, struct base_status *st)
{
    *a = (struct array){types_layout_retain(of), of->extent, st};
}

/* What is made takes one index of the dimension that comes now. */
static void open_dim(struct array *a)
{
    if (a->made)
        replace(a, types_layout_resized(a->made, 0, a->unit, a->st));
}

/* `length` indices from `start` on. */
static void take_block(struct array *a, int64_t length, int64_t start)
{
    bool overflow = false;
    int64_t offset = types_times(start, a->unit, &overflow);
    if (overflow)
        replace(a, (base_fail(a->st, too_large), NULL));
    if (a->made)
        replace(a, types_layout_hindexed_block(1, length, &offset, a->made, a->st));
}

/* The dimension has `size` indices. */
static void close_dim(struct array *a, int64_t size)
{
    bool overflow = false;
    a->unit = types_times(a->unit, size, &overflow);
    if (overflow)
        replace(a, (base_fail(a->st, too_large), NULL));
}

/* The whole array's extent. */
static struct types_layout *end(struct array *a)
{
    open_dim(a);
    return a->made;
}

/* Dimension k of those from the fastest to the slowest. */
static int from_fastest(int k, int dims, enum types_order order)
{
    return order == TYPES_ORDER_FORTRAN ? k : dims - 1 - k;
}

struct types_layout *types_layout_subarray(int dims, const int64_t *sizes, const int64_t *parts,
                                           const int64_t *starts, enum types_order order,
                                           const struct types_layout *of, struct base_status *st)
{
    for (int k = 0; k < dims; k++) {
        if (sizes[k] < 1 || parts[k] < 1 || starts[k] < 0 || parts[k] > sizes[k] ||
            starts[k] > sizes[k] - parts[k]) {
            base_fail(st, "dimension %d of a subarray takes %lld from %lld of %lld", k, (long long)parts[k],
                      (long long)starts[k], (long long)sizes[k]);
            return NULL;
        }
    }
    struct array a;
    begin(&a, of, st);
    for (int i = 0; i < dims && a.made; i++) {
        int k = from_fastest(i, dims, order);
        open_dim(&a);
        take_block(&a, parts[k], starts[k]);
        close_dim(&a, sizes[k]);
    }
    return end(&a);
}

/* --- arrays over a grid of processes -------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void take_even(struct array *a, const struct types_grid_dim *d, int64_t me)
{
    int64_t block = d->block ? d->block : (d->size - 1) / d->processes + 1;
    int64_t start = least(d->size, (int64_t)least(INT64_MAX / block, me) * block);
    take_block(a, least(block, d->size - start), start);
}

/* Every processes-th block, from block `me` on; the last may be shorter. */
static void take_cyclic(struct array *a, const struct types_grid_dim *d, int64_t me)
{
    int64_t block = least(d->block ? d->block : 1, d->size), blocks = (d->size - 1) / block + 1;
    if (me >= blocks || d->processes >= blocks) {
        take_block(a, me < blocks ? least(block, d->size - me * block) : 0, me < blocks ? me * block : 0);
        return;
    }
    bool overflow = false;
    types_times(d->size, a->unit, &overflow);
    if (overflow) {
        replace(a, (base_fail(a->st, too_large), NULL));
        return;
    }
    int64_t round = block * d->processes, mine = d->size - me * block; /* from my first block on */
    int64_t rounds = mine / round, rest = least(mine % round, block);
    int64_t offset = me * block * a->unit, stride = round * a->unit;
    struct types_layout *whole = types_layout_hvector(rounds, block, stride, a->made, a->st);
    struct types_layout *last = whole ? types_layout_contiguous(rest, a->made, a->st) : NULL;
    const struct types_layout *parts[] = {whole, last};
    struct types_layout *both = NULL;
    if (last)
        both = types_layout_struct(2, (int64_t[]){1, 1}, (int64_t[]){offset, offset + rounds * stride}, parts,
                                   a->st);
    types_layout_release(whole);
    types_layout_release(last);
    replace(a, both);
}

static bool is_bad_dim(const struct types_grid_dim *d, int k, struct base_status *st)
{
    const char *why = d->size < 1 || d->processes < 1                    ? "has no size or no processes"
                      : d->block < 0                                     ? "has a negative block"
                      : d->how == TYPES_SPREAD_NONE && d->processes != 1 ? "is not spread over its processes"
                      : d->how == TYPES_SPREAD_BLOCK && d->block && d->block <= (d->size - 1) / d->processes
                          ? "has blocks too small for its size"
                          : NULL;
    if (why)
        base_fail(st, "dimension %d of a distributed array %s", k, why);
    return why;
}

struct types_layout *types_layout_darray(int64_t processes, int64_t me, int dims,
                                         const struct types_grid_dim *dim, enum types_order order,
                                         const struct types_layout *of, struct base_status *st)
{
    bool overflow = false;
    int64_t grid = 1;
    for (int k = 0; k < dims; k++) {
        if (is_bad_dim(&dim[k], k, st))
            return NULL;
        grid = types_times(grid, dim[k].processes, &overflow);
    }
    if (overflow || grid != processes || me < 0 || me >= processes) {
        base_fail(st, "a distributed array's grid does not have the %lld processes, or no process %lld",
                  (long long)processes, (long long)me);
        return NULL;
    }
    struct array a;
    begin(&a, of, st);
    for (int i = 0; i < dims && a.made; i++) {
        int k = from_fastest(i, dims, order);
        int64_t below = 1; /* processes in a row of this dimension: the grid is row-major in either order */
        for (int j = k + 1; j < dims; j++)
            below *= dim[j].processes;
        int64_t mine = me / below % dim[k].processes;
        open_dim(&a);
        if (dim[k].how == TYPES_SPREAD_NONE)
            take_block(&a, dim[k].size, 0);
        else if (dim[k].how == TYPES_SPREAD_BLOCK)
            take_even(&a, &dim[k], mine);
        else
            take_cyclic(&a, &dim[k], mine);
        close_dim(&a, dim[k].size);
    }
    return end(&a);
}
