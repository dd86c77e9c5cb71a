/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts: copies of arrays of counts, displacements and datatypes. They are copied because others read them
 * while the rank waits: they may lie on its stack or in its globals. As all members of an allgatherv or a
 * reduce-scatter pass the same numbers, a copy is compared with the last one of the job, and shared if it is
 * equal.
 */
#include "mpi/collective/draft.h"

#include <stdlib.h>
#include <string.h>

static size_t width(const struct mpi_parts *p)
{
    return p->wide ? sizeof(int64_t) : sizeof(int);
}

static struct mpi_parts *parts_new(uint32_t n, bool wide, bool typed)
{
    size_t types = typed ? n * sizeof(struct types_layout *) : 0;
    struct mpi_parts *p = base_alloc(sizeof *p + types + 2 * n * sizeof(int64_t), "arrays of collectives");
    *p = (struct mpi_parts){.references = 1, .n = n, .wide = wide};
    p->layouts = typed ? (const struct types_layout **)(void *)(p + 1) : NULL;
    p->counts = (char *)(p + 1) + types;
    p->at = (const char *)p->counts + n * width(p);
    return p;
}

struct mpi_parts *mpi_parts_wide(uint32_t n)
{
    return parts_new(n, true, false);
}

void mpi_parts_set(struct mpi_parts *p, uint32_t k, int64_t count, int64_t at)
{
    ((int64_t *)(uintptr_t)p->counts)[k] = count;
    ((int64_t *)(uintptr_t)p->at)[k] = at;
}

void mpi_parts_release(struct mpi_parts *p)
{
    if (!p || --p->references)
        return;
    for (uint32_t k = 0; p->layouts && k < p->n; k++)
        types_layout_release(p->layouts[k]);
    free(p);
}

static struct mpi_parts *shared(const struct mpi_call *c, struct mpi_parts *p)
{
    struct mpi_colls *j = mpi_colls_of(c->self->job);
    const struct mpi_parts *last = j->last;
    if (p->layouts)
        return p;
    if (last && last->n == p->n && last->wide == p->wide &&
        !memcmp(last->counts, p->counts, 2 * p->n * width(p))) {
        mpi_parts_release(p);
    } else {
        mpi_parts_release(j->last);
        j->last = p;
    }
    j->last->references++;
    return j->last;
}

/* --- checks ------------------------------------------------------------------------------------------- */

static int negative(struct mpi_call *c, struct mpi_draft *d, uint32_t k, int64_t count)
{
    return mpi_fail(c, &d->comm->guarded, MPI_ERR_COUNT, "the count of part %u is %lld: expected 0 or more",
                    k, (long long)count);
}

static int no_array(struct mpi_call *c, struct mpi_draft *d, const char *what)
{
    return mpi_fail(c, &d->comm->guarded, MPI_ERR_ARG, "the array of %s is NULL", what);
}

/* --- making ------------------------------------------------------------------------------------------- */

static void copy(void *to, bool wide, struct mpi_numbers from, uint32_t n)
{
    if (wide == from.wide)
        memcpy(to, from.at, n * (wide ? sizeof(int64_t) : sizeof(int)));
    else
        for (uint32_t k = 0; k < n; k++)
            ((int64_t *)to)[k] = mpi_number(from, k);
}

/* Types of empty parts count, too: they must be datatypes (MPI-5.0 section 6.8). */
static int take_types(struct mpi_call *c, struct mpi_draft *d, const MPI_Datatype *types, struct mpi_parts *p)
{
    uint32_t n = p->n;
    p->n = 0; /* as many as are retained */
    for (uint32_t k = 0; k < n; k++) {
        const struct types_layout *l;
        int rc = mpi_draft_type(c, d, types[k], &l);
        if (rc)
            return rc;
        p->layouts[p->n++] = types_layout_retain(l);
    }
    return MPI_SUCCESS;
}

int mpi_parts_make(struct mpi_call *c, struct mpi_draft *d, const struct mpi_arrays *a, uint32_t n,
                   struct mpi_parts **out)
{
    bool typed = a->layout == NULL;
    int rc = MPI_SUCCESS;
    if (n && (!a->counts.at || !a->at.at || (typed && !a->types)))
        return no_array(c, d, !a->counts.at ? "counts" : !a->at.at ? "displacements" : "datatypes");
    for (uint32_t k = 0; k < n; k++)
        if (BASE_UNLIKELY(mpi_number(a->counts, k) < 0))
            return negative(c, d, k, mpi_number(a->counts, k));
    struct mpi_parts *p = parts_new(n, a->counts.wide || a->at.wide, typed);
    if (n) {
        copy((void *)(uintptr_t)p->counts, p->wide, a->counts, n);
        copy((void *)(uintptr_t)p->at, p->wide, a->at, n);
    }
    if (typed)
        rc = take_types(c, d, a->types, p);
    if (rc)
        mpi_parts_release(p);
    else
        *out = shared(c, p);
    return rc;
}

int mpi_parts_follow(struct mpi_call *c, struct mpi_draft *d, struct mpi_numbers counts, uint32_t n,
                     uint64_t unit, struct mpi_parts **out)
{
    int64_t sum = 0;
    if (!counts.at)
        return no_array(c, d, "counts");
    for (uint32_t k = 0; k < n; k++)
        if (BASE_UNLIKELY(mpi_number(counts, k) < 0))
            return negative(c, d, k, mpi_number(counts, k));
    struct mpi_parts *p = parts_new(n, true, false);
    int64_t *count = (int64_t *)(uintptr_t)p->counts, *at = (int64_t *)(uintptr_t)p->at;
    for (uint32_t k = 0; k < n; k++) {
        count[k] = mpi_number(counts, k) * (int64_t)unit;
        at[k] = sum;
        sum += count[k];
    }
    *out = shared(c, p);
    return MPI_SUCCESS;
}

/* --- using -------------------------------------------------------------------------------------------- */

void mpi_parts_use(struct mpi_draft *d, struct coll_side *side, const struct mpi_parts *p,
                   const struct types_layout *layout)
{
    side->layout = layout;
    side->counts = p->counts;
    side->at = p->at;
    side->layouts = p->layouts;
    side->wide = p->wide;
    d->laid = true;
}

uint64_t mpi_parts_count(const struct mpi_parts *p, uint32_t k)
{
    return p->wide ? (uint64_t)((const int64_t *)p->counts)[k] : (uint64_t)((const int *)p->counts)[k];
}

uint64_t mpi_parts_bytes(const struct mpi_parts *p, uint32_t k, const struct types_layout *layout)
{
    const struct types_layout *l = p->layouts ? p->layouts[k] : layout;
    return mpi_parts_count(p, k) * (l ? types_layout_size(l) : 1);
}
