/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subset: groups made of groups (MPI-5.0 section 7.3.2). What is one range of places of a group is made in
 * constant time; everything else passes through a list of ranks.
 */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

#include <stdlib.h>
#include <string.h>

static int give(struct mpi_call *c, struct coll_group members, uint32_t session, MPI_Group *to)
{
    *to = mpi_group_make(c->self, members, session);
    return MPI_SUCCESS;
}

static int check_new(struct mpi_call *c, const MPI_Group *newgroup)
{
    return newgroup ? MPI_SUCCESS : mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the new group is NULL");
}

/* --- two groups -------------------------------------------------------------------------------------- */

/* The members of a that are in b, or those that are not. Returns how many. */
static uint32_t sift(const struct coll_group *a, const struct coll_group *b, bool in, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < a->size; k++) {
        uint32_t rank = coll_group_rank(a, k);
        if ((coll_group_place(b, rank) != COLL_NOBODY) == in)
            out[n++] = rank;
    }
    return n;
}

static bool is_run(const struct coll_group *g)
{
    return !g->list && (g->stride == 1 || g->size == 1);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static struct coll_group intersection(const struct coll_group *a, const struct coll_group *b)
{
    if (is_run(a) && is_run(b)) {
        uint32_t low = a->first > b->first ? a->first : b->first;
        uint32_t high = least(a->first + a->size, b->first + b->size);
        return (struct coll_group){.first = low, .stride = 1, .size = high > low ? high - low : 0};
    }
    uint32_t *rank = base_alloc((a->size + 1) * sizeof *rank, "groups");
    struct coll_group g = coll_group_of(0, rank, sift(a, b, true, rank));
    free(rank);
    return g;
}

static struct coll_group difference(const struct coll_group *a, const struct coll_group *b)
{
    struct coll_group both = is_run(a) && is_run(b) ? intersection(a, b) : (struct coll_group){0};
    if (both.size && (both.first == a->first || both.first + both.size == a->first + a->size)) {
        uint32_t first = both.first == a->first ? a->first + both.size : a->first;
        return (struct coll_group){.first = first, .stride = 1, .size = a->size - both.size};
    }
    uint32_t *rank = base_alloc((a->size + 1) * sizeof *rank, "groups");
    struct coll_group g = coll_group_of(0, rank, sift(a, b, false, rank));
    free(rank);
    return g;
}

/* The members of a, then those of b that are not in a. */
static struct coll_group joined(const struct coll_group *a, const struct coll_group *b)
{
    struct coll_group more = difference(b, a), all;
    if (is_run(a) && is_run(&more) && a->size && more.first == a->first + a->size)
        return (struct coll_group){.first = a->first, .stride = 1, .size = a->size + more.size};
    all = more.size ? mpi_group_joined(a, &more) : coll_group_retain(a);
    coll_group_release(&more);
    return all;
}

static int combine(struct mpi_call *c, MPI_Group group1, MPI_Group group2, MPI_Group *newgroup,
                   struct coll_group (*fn)(const struct coll_group *a, const struct coll_group *b))
{
    int rc = MPI_SUCCESS;
    const struct mpi_group *a = mpi_group_of(c, group1, &rc), *b = a ? mpi_group_of(c, group2, &rc) : NULL;
    if (!b || (rc = check_new(c, newgroup)) ||
        (rc = mpi_check_sessions(c, NULL, MPI_ERR_GROUP, a->session, b->session)))
        return rc;
    uint32_t session = a->members.size ? a->session : b->session;
    return give(c, fn(&a->members, &b->members), session, newgroup);
}

int mpi_group_union(struct mpi_call *c, MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine(c, group1, group2, newgroup, joined);
}

int mpi_group_intersection(struct mpi_call *c, MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine(c, group1, group2, newgroup, intersection);
}

int mpi_group_difference(struct mpi_call *c, MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine(c, group1, group2, newgroup, difference);
}

/* --- places of a group ------------------------------------------------------------------------------- */

/* A range of places as MPI_Group_range_incl names it; ranks of an array are ranges of one. */
struct range {
    int first, last, stride;
    uint32_t n;
};

static int check_range(struct mpi_call *c, const struct coll_group *g, struct range *r, int k)
{
    int64_t size = g->size;
    if (!r->stride)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the stride of range %d is 0", k);
    if (r->first < 0 || r->first >= size || r->last < 0 || r->last >= size) {
        int rank = r->first < 0 || r->first >= size ? r->first : r->last;
        return mpi_fail(c, NULL, MPI_ERR_RANK,
                        "rank %d, of number %d of the array, is not in a group of %lld", rank, k,
                        (long long)size);
    }
    int64_t steps = ((int64_t)r->last - r->first) / r->stride;
    bool wrong_way = r->last != r->first && (r->last > r->first) != (r->stride > 0);
    r->n = wrong_way ? 0 : (uint32_t)(steps + 1);
    return MPI_SUCCESS;
}

/* Writes the places of all ranges, in their order. `seen` marks them, and must be clear. */
static int list_places(struct mpi_call *c, const struct range *r, int n, uint32_t *place, uint32_t *total,
                       bool *seen)
{
    for (int k = 0; k < n; k++)
        for (uint32_t j = 0; j < r[k].n; j++) {
            uint32_t p = (uint32_t)(r[k].first + (int64_t)j * r[k].stride);
            if (seen[p])
                return mpi_fail(c, NULL, MPI_ERR_RANK, "rank %u appears twice, the second time in number %d",
                                p, k);
            seen[p] = true;
            place[(*total)++] = p;
        }
    return MPI_SUCCESS;
}

/* The members at n places. */
static struct coll_group at_places(const struct coll_group *g, uint32_t *place, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        place[k] = coll_group_rank(g, place[k]);
    return coll_group_of(0, place, n);
}

static struct coll_group others(const struct coll_group *g, uint32_t *place, const bool *seen)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < g->size; p++)
        if (!seen[p])
            place[n++] = p;
    return at_places(g, place, n);
}

/* One range, or one that leaves a range: in constant time. */
static bool simple(const struct coll_group *g, const struct range *r, int n, bool in, struct coll_group *out)
{
    if (n != 1 || !r->n || (!in && r->stride != 1 && r->n > 1))
        return false;
    uint32_t first = (uint32_t)r->first, after = first + r->n;
    if (in)
        *out = coll_group_part(g, 0, first, r->stride, r->n);
    else if (first == 0)
        *out = coll_group_part(g, 0, after < g->size ? after : 0, 1, g->size - after);
    else if (after == g->size)
        *out = coll_group_part(g, 0, 0, 1, first);
    else
        return false;
    return true;
}

static int choose(struct mpi_call *c, const struct mpi_group *of, struct range *r, int n, bool in,
                  MPI_Group *newgroup)
{
    static const struct coll_group nobody = {.stride = 1};
    const struct coll_group *g = &of->members;
    struct coll_group out;
    uint32_t total = 0;
    int rc = MPI_SUCCESS;
    for (int k = 0; k < n && !rc; k++)
        rc = check_range(c, g, &r[k], k);
    if (rc)
        return rc;
    if (simple(g, r, n, in, &out))
        return give(c, out, of->session, newgroup);
    if (!n) {
        out = in ? nobody : coll_group_retain(g);
        return give(c, out, of->session, newgroup);
    }
    bool *seen = base_zalloc(g->size + 1, "groups");
    uint32_t *place = base_alloc(((size_t)g->size + 1) * sizeof *place, "groups");
    rc = list_places(c, r, n, place, &total, seen);
    if (!rc)
        rc = give(c, in ? at_places(g, place, total) : others(g, place, seen), of->session, newgroup);
    free(place);
    free(seen);
    return rc;
}

static int choose_from(struct mpi_call *c, MPI_Group group, int n, const int *ranks, int (*ranges)[3],
                       bool in, MPI_Group *newgroup)
{
    int rc = MPI_SUCCESS;
    const struct mpi_group *g = mpi_group_of(c, group, &rc);
    if (!g || (rc = check_new(c, newgroup)))
        return rc;
    *newgroup = MPI_GROUP_NULL;
    if (n < 0 || (n && !ranks && !ranges))
        return mpi_fail(
            c, NULL, MPI_ERR_ARG,
            n < 0 ? "the number of ranks is %d: expected 0 or more" : "the array of %d ranks is NULL", n);
    struct range *r = base_alloc(((size_t)n + 1) * sizeof *r, "groups");
    int used = 0;
    for (int k = 0; k < n; k++) {
        if (!ranks)
            r[used++] = (struct range){ranges[k][0], ranges[k][1], ranges[k][2], 0};
        else if (used && r[used - 1].stride == 1 && ranks[k] > 0 && r[used - 1].last == ranks[k] - 1)
            r[used - 1].last = ranks[k]; /* goes on where the one before ended */
        else
            r[used++] = (struct range){ranks[k], ranks[k], 1, 0};
    }
    rc = choose(c, g, r, used, in, newgroup);
    free(r);
    return rc;
}

int mpi_group_incl(struct mpi_call *c, MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    return choose_from(c, group, n, ranks, NULL, true, newgroup);
}

int mpi_group_excl(struct mpi_call *c, MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    return choose_from(c, group, n, ranks, NULL, false, newgroup);
}

int mpi_group_range_incl(struct mpi_call *c, MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    return choose_from(c, group, n, NULL, ranges, true, newgroup);
}

int mpi_group_range_excl(struct mpi_call *c, MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    return choose_from(c, group, n, NULL, ranges, false, newgroup);
}
