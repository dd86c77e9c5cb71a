/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trials: SMPI's selector `automatic`. A blocking call runs every algorithm of its operation, with a barrier before each
 * and a reduction of its time behind it, as SMPI does; the last one's result is the call's. What a call in place would
 * find changed after the first one is put back before each.
 */
#include "mpi/collective/draft.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

struct trials {
    double took, most; /* seconds: mine, and, at place 0, the slowest member's */
    char best[48], best_of_all[48];
    double least, least_of_all;
    void *kept; /* the bytes of the buffer from `at` on; NULL: nothing is changed */
    char *at;
    size_t bytes;
};

/* --- in place ----------------------------------------------------------------------------------------- */

/* The bytes that `count` items take from `*low` on, relative to where they begin. */
static void widen(const struct types_layout *l, uint64_t count, int64_t *low, int64_t *high)
{
    if (!count)
        return;
    struct types_bounds b = types_layout_bounds(l);
    int64_t last = (int64_t)(count - 1) * b.extent, first = b.true_lower + (last < 0 ? last : 0);
    int64_t end = b.true_lower + b.true_extent + (last > 0 ? last : 0);
    *low = first < *low ? first : *low;
    *high = end > *high ? end : *high;
}

/* Parts with counts, or as many of equal size. */
static void span(const struct coll_call *c, const struct coll_side *side, int64_t *low, int64_t *high)
{
    const struct types_layout *l = side && side->layout ? side->layout : types_layout_of(TYPES_BYTE);
    uint32_t n = c->group.size;
    bool all = c->op == COLL_ALLTOALL || coll_op_scatters_result(c->op);
    if (!side || !side->counts) {
        widen(l, c->bytes / types_layout_size(l) * (all ? n : 1), low, high);
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        int64_t from = INT64_MAX, to = INT64_MIN, at = coll_side_entry(side, side->at, k);
        widen(l, (uint64_t)coll_side_count(side, k), &from, &to);
        at *= types_layout_bounds(l).extent;
        if (to > from) {
            *low = from + at < *low ? from + at : *low;
            *high = to + at > *high ? to + at : *high;
        }
    }
}

/* A reduction or an exchange whose contribution lies where its result will be. */
static void keep(struct trials *t, const struct coll_call *c)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    bool changes = c->op == COLL_REDUCE || c->op == COLL_REDUCE_ROOT || coll_op_scatters_result(c->op) ||
                   c->op == COLL_ALLTOALL || c->op == COLL_ALLTOALLV;
    if (!changes || c->source != c->dest)
        return;
    span(c, c->local ? &c->local->source : NULL, &low, &high);
    if (high <= low)
        return;
    t->at = (char *)c->dest + low;
    t->bytes = (size_t)(high - low);
    t->kept = base_alloc(t->bytes, "trials of collectives");
    memcpy(t->kept, t->at, t->bytes);
}

/* --- one of them ---------------------------------------------------------------------------------------- */

/* A call of the group of `like`, by SMPI's `default`. */
static struct coll_call beside(const struct coll_call *like, enum coll_op op)
{
    return (struct coll_call){.name = like->name,
                              .op = op,
                              .me = like->me,
                              .group = like->group,
                              .transport = like->transport,
                              .names = like->names,
                              .algorithm = "smpi:default",
                              .trial = true};
}

static __attribute__((noinline)) void meet(struct rank *r, const struct coll_call *like)
{
    struct coll_call c = beside(like, COLL_BARRIER);
    coll_run(r, &c);
}

static __attribute__((noinline)) void compare(struct rank *r, const struct coll_call *like, struct trials *t)
{
    struct coll_call c = beside(like, COLL_REDUCE_ROOT);
    c.source = &t->took;
    c.dest = &t->most;
    c.bytes = c.element = sizeof t->took;
    c.operator=(struct coll_operator){.op = TYPES_MAX, .element = TYPES_DOUBLE};
    c.inner_source = c.inner_dest = true;
    coll_run(r, &c);
}

static __attribute__((noinline)) void run(struct rank *r, const struct coll_call *call, const char *algorithm)
{
    struct coll_call c = *call;
    c.algorithm = algorithm;
    c.trial = true;
    coll_run(r, &c);
}

static void note(struct trials *t, const char *name, bool first)
{
    if (t->took < t->least) {
        t->least = t->took;
        snprintf(t->best, sizeof t->best, "%s", name);
    }
    if (first && t->most < t->least_of_all) {
        t->least_of_all = t->most;
        snprintf(t->best_of_all, sizeof t->best_of_all, "%s", name);
    }
}

static void tell(const struct trials *t, const struct coll_call *c, const struct rank *r)
{
    if (c->me)
        base_info("%s of %zu bytes by %u ranks: the quickest on rank %u was %s, %.9f s", c->name, c->bytes,
                  c->group.size, r->id, t->best, t->least);
    else
        base_info("%s of %zu bytes by %u ranks: the quickest on rank %u was %s, %.9f s; over all %s, %.9f s "
                  "at most",
                  c->name, c->bytes, c->group.size, r->id, t->best, t->least, t->best_of_all,
                  t->least_of_all);
}

void mpi_coll_try_all(struct rank *r, const struct coll_call *call)
{
    struct trials *t = base_zalloc(sizeof *t, "trials of collectives");
    struct coll_trial one;
    t->least = t->least_of_all = DBL_MAX;
    keep(t, call);
    for (uint32_t k = 0; coll_trial(r->job, call, k, &one); k++) {
        meet(r, call);
        if (!one.algorithm)
            continue;
        if (t->kept)
            memcpy(t->at, t->kept, t->bytes);
        double begin = engine_now(r->engine);
        run(r, call, one.algorithm);
        t->took = engine_now(r->engine) - begin;
        compare(r, call, t);
        note(t, one.name, !call->me);
    }
    tell(t, call, r);
    free(t->kept);
    free(t);
}
