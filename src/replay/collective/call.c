/* SPDX-License-Identifier: BSD-3-Clause */
/* call: an action as a member's call. */
#include "replay/collective/collective.h"

#include <string.h>

static bool reduces(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN || op == COLL_REDUCE_ROOT ||
           coll_op_scatters_result(op);
}

/* --- lists of counts -------------------------------------------------------------------------------- */

/* No trace has so many bytes; more are as many. */
static int64_t times(int64_t bytes, uint32_t n)
{
    int64_t all;
    return __builtin_mul_overflow(bytes, (int64_t)n, &all) ? INT64_MAX : all;
}

static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* Counts and the places that follow from them; returns the end. */
static int64_t fill(int64_t *list, const int64_t *counts, uint32_t n)
{
    int64_t at = 0;
    memcpy(list, counts, n * sizeof *counts);
    for (uint32_t k = 0; k < n; k++) {
        list[n + k] = at;
        at = plus(at, counts[k]);
    }
    return at;
}

/* *bytes: the largest buffer. */
static struct replay_sides *make_sides(const struct replay_action *a, int64_t *bytes)
{
    uint32_t n = a->n;
    struct replay_sides *s = base_zalloc(sizeof *s + 4 * (size_t)n * sizeof *s->lists, "counts of members");
    *bytes = fill(s->lists, a->counts, n);
    const struct coll_side first = {.counts = s->lists, .at = s->lists + n, .wide = true};
    const struct coll_side second = {.counts = s->lists + 2 * n, .at = s->lists + 3 * n, .wide = true};
    if (a->n2) {
        int64_t received = fill(s->lists + 2 * n, a->counts2, n);
        *bytes = received > *bytes ? received : *bytes;
        s->local.source = first;
        s->local.dest = second;
    } else if (a->number == COLL_SCATTERV || a->number == COLL_REDUCE_SCATTER) {
        s->local.source = first;
    } else {
        s->local.dest = first;
    }
    return s;
}

/* Equal parts of a reduce-scatter need no lists. */
static bool all_equal(const struct replay_action *a)
{
    for (uint32_t k = 1; k < a->n; k++)
        if (a->counts[k] != a->counts[0])
            return false;
    return true;
}

/* What is never split has a type of that size, whichever: nothing is computed. */
static void set_operator(struct coll_call *c, uint64_t size)
{
    static const struct {
        uint64_t size;
        enum types_element element;
    } known[] = {{2, TYPES_SHORT},
                 {4, TYPES_FLOAT},
                 {8, TYPES_DOUBLE},
                 {16, TYPES_LONGDOUBLE},
                 {32, TYPES_COMPLEX_LONGDOUBLE}};
    c->element = 1;
    c->operator=(struct coll_operator){TYPES_SUM, TYPES_CHAR, false};
    for (size_t k = 0; k < BASE_LENGTH(known); k++)
        if (known[k].size == size) {
            c->element = size;
            c->operator.element = known[k].element;
        }
}

struct coll_call replay_collective_call(const struct replay_action *a, const struct coll_group *g,
                                        uint32_t me, struct replay_sides **sides, uint64_t *bytes)
{
    enum coll_op op = (enum coll_op)a->number;
    int64_t all = 0;
    struct coll_call c = {.op = op,
                          .me = me,
                          .bytes = a->bytes,
                          .element = 1,
                          .group = *g,
                          .root = a->peer,
                          .private_dest = true,
                          .nonblocking = a->kind == REPLAY_ICOLLECTIVE};
    *sides = NULL;
    if (reduces(op))
        set_operator(&c, a->bytes2);
    if (a->n && op == COLL_REDUCE_SCATTER && all_equal(a)) {
        c.bytes = (size_t)a->counts[0];
        all = times(a->counts[0], a->n);
    } else if (a->n) {
        *sides = make_sides(a, &all);
        c.local = &(*sides)->local;
        if (op == COLL_REDUCE_SCATTER)
            c.bytes = (size_t)all;
    } else {
        all = (int64_t)a->bytes;
    }
    if (op == COLL_GATHER || op == COLL_SCATTER || op == COLL_FCOLLECT || op == COLL_ALLTOALL)
        all = times(all, g->size);
    *bytes = (uint64_t)all;
    return c;
}
