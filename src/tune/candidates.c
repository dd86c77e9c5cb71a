/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates: which algorithms, with which parameters, may carry out an operation. */
#include "tune/search.h"

/* Values that libraries use: MPICH's and UCC's radices; Open MPI's segments are between 1 KiB and 1 MiB. 0: the
 * algorithm's own. */
static const uint32_t radices[] = {2, 3, 4, 8, 16};
static const uint32_t windows[] = {0, 8, 128};
static const uint64_t segments[] = {0, 8 << 10, 32 << 10, 128 << 10, 1 << 20};

/* A radix of at least the number of members, or a segment of at least the data, is the same as the next
 * smaller one. */
static size_t radices_below(uint32_t ranks)
{
    size_t n = 1;
    while (n < BASE_LENGTH(radices) && radices[n - 1] < ranks)
        n++;
    return n;
}

static size_t segments_below(uint64_t bytes)
{
    size_t n = 2;
    while (n < BASE_LENGTH(segments) && segments[n - 1] < bytes)
        n++;
    return n;
}

static void add_all(struct tune_choices *out, const struct coll_algorithm_info *a, int32_t number,
                    uint32_t ranks, uint64_t bytes)
{
    size_t n_radices = a->traits & COLL_RADIX ? radices_below(ranks) : 1;
    size_t n_windows = a->traits & COLL_WINDOWS ? BASE_LENGTH(windows) : 1;
    size_t n_segments = a->traits & COLL_SEGMENT ? segments_below(bytes) : 1;
    for (size_t r = 0; r < n_radices; r++)
        for (size_t w = 0; w < n_windows; w++)
            for (size_t k = 0; k < n_segments; k++) {
                struct tune_choice c = {.algorithm = number,
                                        .radix = a->traits & COLL_RADIX ? radices[r] : 0,
                                        .window = windows[w],
                                        .segment = segments[k]};
                BASE_ARRAY_PUSH(out, c);
            }
}

/* What can be told from the number of members alone. */
static bool is_possible(const struct coll_algorithm_info *a, uint32_t ranks)
{
    return (!(a->traits & COLL_POWER) || !(ranks & (ranks - 1))) &&
           (!(a->traits & COLL_EVEN) || ranks % 2 == 0) && (!(a->traits & COLL_TWO) || ranks == 2);
}

void tune_candidates(struct tune_choices *out, const struct tune_space *s, enum coll_op op, uint32_t ranks,
                     uint64_t bytes)
{
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    out->n = 0;
    for (size_t k = 0; k < n; k++)
        if (a[k].op == op && is_possible(&a[k], ranks) && (!s->allows || s->allows(s->arg, &a[k], ranks)))
            add_all(out, &a[k], (int32_t)k, ranks, bytes);
}
