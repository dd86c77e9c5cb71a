/* SPDX-License-Identifier: BSD-3-Clause */
/* candidates: which algorithms, with which parameters, may carry out an operation. */
#include "tune/search.h"

/* Values that libraries use: MPICH's and UCC's radices; Open MPI's segments are between 1 KiB and 1 MiB. 0:
 * the algorithm's own. The first FEW of each tell whether an algorithm is worth trying with all of them. */
static const uint32_t radices[] = {2, 16, 4, 8, 3};
static const uint32_t windows[] = {0, 8, 128};
static const uint64_t segments[] = {0, 32 << 10, 8 << 10, 128 << 10, 1 << 20};
enum { FEW_RADICES = 3, FEW_WINDOWS = 1, FEW_SEGMENTS = 2 };

/* A radix above the number of members, or a segment above the data, makes no difference. */
static void add_segments(struct tune_choices *out, struct tune_choice c, size_t n, uint64_t bytes)
{
    for (size_t k = 0; k < n; k++) {
        c.segment = segments[k];
        if (c.segment < bytes)
            BASE_ARRAY_PUSH(out, c);
    }
}

static void add_windows(struct tune_choices *out, const struct coll_algorithm_info *a, struct tune_choice c,
                        bool few, uint64_t bytes)
{
    size_t n_windows = !(a->traits & COLL_WINDOWS) || few ? FEW_WINDOWS : BASE_LENGTH(windows);
    size_t n_segments = !(a->traits & COLL_SEGMENT) ? 1 : few ? FEW_SEGMENTS : BASE_LENGTH(segments);
    for (size_t w = 0; w < n_windows; w++) {
        c.window = windows[w];
        add_segments(out, c, n_segments, bytes);
    }
}

static void add_all(struct tune_choices *out, const struct tune_space *s, const struct tune_point *p,
                    struct tune_choice c, bool few)
{
    size_t n, taken = 0;
    const struct coll_algorithm_info *a = &tune_algorithms(&n)[c.algorithm];
    size_t n_radices = a->traits & COLL_RADIX ? BASE_LENGTH(radices) : 1;
    for (size_t r = 0; r < n_radices && (!few || taken < FEW_RADICES); r++) {
        c.radix = a->traits & COLL_RADIX ? radices[r] : 0;
        if (c.radix > s->place.at[p->place].ranks || (s->allows && !s->allows(s->arg, a, &c)))
            continue;
        add_windows(out, a, c, few, p->bytes ? p->bytes : 1);
        taken++;
    }
}

/* A form may refuse a window or a segment, too. */
static void keep_allowed(struct tune_choices *out, const struct tune_space *s)
{
    size_t n, kept = 0;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
    for (size_t k = 0; k < out->n; k++)
        if (!s->allows || s->allows(s->arg, &a[out->at[k].algorithm], &out->at[k]))
            out->at[kept++] = out->at[k];
    out->n = kept;
}

/* What can be told from the number of members alone. */
static bool is_possible(const struct coll_algorithm_info *a, uint32_t ranks)
{
    return (!(a->traits & COLL_POWER) || !(ranks & (ranks - 1))) &&
           (!(a->traits & COLL_EVEN) || ranks % 2 == 0) && (!(a->traits & COLL_TWO) || ranks == 2);
}

void tune_candidates(struct tune_choices *out, const struct tune_space *s, const struct tune_point *p,
                     bool few)
{
    size_t n;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
    uint32_t ranks = s->place.at[p->place].ranks;
    out->n = 0;
    for (size_t k = 0; k < n; k++)
        if (a[k].op == p->op && is_possible(&a[k], ranks))
            add_all(out, s, p, (struct tune_choice){.algorithm = (int32_t)k}, few);
    keep_allowed(out, s);
}
