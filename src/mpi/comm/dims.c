/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dims: MPI_Dims_create (MPI-5.0 section 8.5.2). Of all factorizations whose factors do not increase, the one
 * with the least difference between the largest and the smallest; of several, the one whose smallest factor
 * is the largest, then whose second smallest is, and so on.
 */
#include "mpi/calls.h"
#include "mpi/comm/topology.h"

#include <stdlib.h>
#include <string.h>

struct search {
    const int *divisor; /* of n, ascending */
    int divisors, dims;
    int *now, *best;
    int64_t least; /* difference of the best */
};

/* Whether a^k >= n. */
static bool reaches(int64_t a, int k, int64_t n)
{
    int64_t product = 1;
    for (; k > 0 && product < n; k--)
        product *= a;
    return product >= n;
}

/* Whether the smallest of `factors` factors of `rest` leaves only worse differences from the largest. */
static bool is_hopeless(const struct search *s, int64_t largest, int factors, int64_t rest)
{
    int64_t low = largest - s->least;
    return s->least < INT64_MAX && low > 1 && reaches(low, factors, rest + 1);
}

/* Of two with the same difference. */
static bool is_better(const struct search *s)
{
    int k = s->dims - 1;
    while (k > 0 && s->now[k] == s->best[k])
        k--;
    return s->now[k] > s->best[k];
}

/* Finds factors from place `at` on, of what is left of n. */
static void search(struct search *s, int at, int64_t rest) // NOLINT(misc-no-recursion)
{
    int left = s->dims - at;
    if (left == 1) {
        int64_t difference = s->now[0] - rest;
        if (rest > s->now[at - 1] || difference > s->least)
            return;
        s->now[at] = (int)rest;
        if (difference == s->least && !is_better(s))
            return;
        s->least = s->now[0] - rest;
        memcpy(s->best, s->now, (size_t)s->dims * sizeof *s->best);
        return;
    }
    for (int k = 0; k < s->divisors; k++) {
        int64_t d = s->divisor[k];
        if (d > rest || (at && d > s->now[at - 1]))
            return;
        if (!at && is_hopeless(s, d, left - 1, rest / d))
            return;
        if (rest % d || !reaches(d, left, rest) || (at && is_hopeless(s, s->now[0], left - 1, rest / d)))
            continue;
        s->now[at] = (int)d;
        search(s, at + 1, rest / d);
    }
}

static int divisors_of(int n, int *out)
{
    int count = 0, low = 0;
    for (int64_t d = 1; d * d <= n; d++)
        if (n % d == 0)
            out[count++] = (int)d;
    low = count;
    for (int k = low; k-- > 0;)
        if (out[k] != n / out[k])
            out[count++] = n / out[k];
    return count;
}

/* Writes factors of n to dims. */
static void factorize(int n, int dims, int *out)
{
    enum { MOST_DIVISORS = 1600 }; /* of any number below 2^31 */
    int *room = base_alloc((MOST_DIVISORS + (size_t)dims) * sizeof *room, "topologies");
    struct search s = {room, divisors_of(n, room), dims, room + MOST_DIVISORS, out, INT64_MAX};
    if (dims == 1)
        out[0] = n;
    else
        search(&s, 0, n);
    free(room);
}

int mpi_dims_create(struct mpi_call *c, int nnodes, int ndims, int dims[])
{
    int rc, open = 0;
    int64_t given = 1;
    if (nnodes <= 0)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the number of nodes is %d: expected 1 or more", nnodes);
    if (ndims < 0)
        return mpi_fail(c, NULL, MPI_ERR_DIMS, "the number of dimensions is %d: expected 0 or more", ndims);
    if ((rc = mpi_check_array(c, NULL, dims, ndims, "dimensions")))
        return rc;
    for (int d = 0; d < ndims; d++) {
        if (dims[d] < 0)
            return mpi_fail(c, NULL, MPI_ERR_DIMS, "dimension %d is %d: expected 0 or more", d, dims[d]);
        open += !dims[d];
        if (dims[d] && given <= nnodes)
            given *= dims[d];
    }
    if (nnodes % given || (!open && ndims && given != nnodes))
        return mpi_fail(c, NULL, MPI_ERR_DIMS, "the dimensions that are given do not divide %d nodes",
                        nnodes);
    if (!open)
        return MPI_SUCCESS;
    int *found = base_alloc((size_t)open * sizeof *found, "topologies"), k = 0;
    factorize((int)(nnodes / given), open, found);
    for (int d = 0; d < ndims; d++)
        if (!dims[d])
            dims[d] = found[k++];
    free(found);
    return MPI_SUCCESS;
}
