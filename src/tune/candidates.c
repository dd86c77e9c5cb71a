/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates: which algorithms, with which parameters, may carry out an operation. */
#include "tune/search.h"

#include <stdlib.h>
#include <string.h>

/* Values that libraries use: MPICH's and UCC's radices; Open MPI's segments are between 1 KiB and 1 MiB. */
static const uint32_t radices[] = {2, 3, 4, 8, 16};
static const uint64_t segments[] = {8 << 10, 32 << 10, 128 << 10, 1 << 20};

static bool has_parameter(const struct coll_algorithm_info *a, const char *setting)
{
    return strstr(a->good_for, setting) != NULL;
}

static void add(struct tune_choices *out, int32_t algorithm, uint32_t radix, uint64_t segment)
{
    struct tune_choice c = {algorithm, radix, segment};
    BASE_ARRAY_PUSH(out, c);
}

/* A radix of at least the number of members, or a segment of at least the data, is the same as the next
 * smaller one. */
static void add_segments(struct tune_choices *out, int32_t algorithm, uint32_t radix, uint64_t bytes)
{
    for (size_t k = 0; k < BASE_LENGTH(segments) && (k == 0 || segments[k - 1] < bytes); k++)
        add(out, algorithm, radix, segments[k]);
}

static void add_all(struct tune_choices *out, const struct coll_algorithm_info *a, int32_t number,
                    uint32_t ranks, uint64_t bytes)
{
    bool segmented = has_parameter(a, "coll/segment");
    if (!has_parameter(a, "coll/radix")) {
        if (segmented)
            add_segments(out, number, 0, bytes);
        else
            add(out, number, 0, 0);
        return;
    }
    for (size_t k = 0; k < BASE_LENGTH(radices) && (k == 0 || radices[k - 1] < ranks); k++)
        if (segmented)
            add_segments(out, number, radices[k], bytes);
        else
            add(out, number, radices[k], 0);
}

void tune_candidates(struct tune_choices *out, const struct tune_space *s, enum coll_op op, uint32_t ranks,
                     uint64_t bytes)
{
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    out->n = 0;
    for (size_t k = 0; k < n; k++)
        if (a[k].op == op && (!s->allows || s->allows(s->arg, &a[k], ranks)))
            add_all(out, &a[k], (int32_t)k, ranks, bytes);
}
