/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow: the steps of a round. What arrives is reduced in the order of the children; after the last one the
 * sum goes to the parent, or from the root back to the children.
 */
#include "coll/schedule/flow.h"
#include "coll/schedule/part.h"

#include <stdlib.h>

enum { UP, DOWN, NONE = -1 };

/* A receive of the round. */
struct arrival {
    uint32_t place, tag; /* in ascending order of these */
    uint32_t peer, number;
    bool reduces;
    struct coll_run run;
};

struct window {
    struct coll_schedule *s;
    const struct coll_flow *trees;
    uint32_t n, width; /* trees; segments */
    uint64_t first, segment;
    uint32_t *step; /* of each arrival, by its number */
};

static uint32_t tag_of(const struct window *w, uint32_t tree, uint32_t k, int way)
{
    return (uint32_t)((w->first + k) % 1024) * 2 * COLL_FLOW_TREES + 2 * tree + (uint32_t)way;
}

/* Segment k of the window; false: the tree has no such segment. The first one may be empty. */
static bool segment_of(const struct window *w, uint32_t tree, uint32_t k, struct coll_run *out)
{
    const struct coll_run *all = &w->trees[tree].run;
    uint64_t at = (w->first + k) * w->segment;
    if (at && at >= all->bytes)
        return false;
    *out = (struct coll_run){all->at + at, all->bytes - at < w->segment ? all->bytes - at : w->segment};
    return true;
}

/* How many arrivals the trees before this one have: their children's and their parents'. */
static uint32_t arrivals_before(const struct window *w, uint32_t tree)
{
    uint32_t before = 0;
    for (uint32_t t = 0; t < tree; t++)
        before += w->width * (w->trees[t].n + 1);
    return before;
}

/* Arrivals of (tree, segment k) have the numbers from here on: the children's, and the parent's. */
static uint32_t number_of(const struct window *w, uint32_t tree, uint32_t k)
{
    return arrivals_before(w, tree) + k * (w->trees[tree].n + 1);
}

/* --- receives ------------------------------------------------------------------------------------ */

static int by_key(const void *a, const void *b)
{
    const struct arrival *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static uint32_t list_arrivals(const struct window *w, struct arrival *out)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < w->n; t++)
        for (uint32_t k = 0; k < w->width; k++) {
            const struct coll_flow *f = &w->trees[t];
            uint32_t number = number_of(w, t, k);
            struct arrival a = {0};
            if (!segment_of(w, t, k, &a.run))
                continue;
            for (uint32_t c = 0; c <= f->n; c++) {
                bool up = c < f->n;
                if (!up && f->parent == COLL_NO_PARENT)
                    continue;
                a.peer = up ? f->child[c] : (uint32_t)f->parent;
                a.place = coll_part_place(w->s, a.peer);
                a.tag = tag_of(w, t, k, up ? UP : DOWN);
                a.number = number + c;
                a.reduces = up;
                out[n++] = a;
            }
        }
    return n;
}

static void add_receives(const struct window *w, struct arrival *list)
{
    uint32_t n = list_arrivals(w, list);
    qsort(list, n, sizeof *list, by_key);
    for (uint32_t k = 0; k < n; k++) {
        const struct arrival *a = &list[k];
        coll_place at = coll_at(COLL_DEST, a->run.at);
        w->step[a->number] = a->reduces ? coll_add_reduce(w->s, a->peer, a->tag, at, a->run.bytes)
                                        : coll_add_receive(w->s, a->peer, a->tag, at, a->run.bytes);
    }
}

/* --- sends --------------------------------------------------------------------------------------- */

static uint32_t add_send(const struct window *w, uint32_t peer, uint32_t tag, struct coll_run run,
                         int64_t after)
{
    uint32_t k = coll_add_send(w->s, peer, tag, coll_at(COLL_DEST, run.at), run.bytes);
    if (after != NONE)
        coll_order(w->s, (uint32_t)after, k);
    return k;
}

static void add_segment(const struct window *w, uint32_t tree, uint32_t k)
{
    const struct coll_flow *f = &w->trees[tree];
    const uint32_t *step = w->step + number_of(w, tree, k);
    struct coll_run run;
    if (!segment_of(w, tree, k, &run))
        return;
    for (uint32_t c = 1; c < f->n; c++)
        coll_order(w->s, step[c - 1], step[c]);
    int64_t known = f->n ? (int64_t)step[f->n - 1] : NONE; /* the step after which the children may get it */
    if (f->parent != COLL_NO_PARENT) {
        uint32_t up = add_send(w, (uint32_t)f->parent, tag_of(w, tree, k, UP), run, known);
        coll_order(w->s, up, step[f->n]); /* C5 */
        known = step[f->n];
    }
    for (uint32_t c = 0; c < f->n; c++)
        add_send(w, f->child[c], tag_of(w, tree, k, DOWN), run, known);
}

bool coll_flow_round(struct coll_schedule *s, uint32_t round, const struct coll_flow *trees, uint32_t n,
                     uint64_t segment, uint32_t window)
{
    struct window w = {.s = s, .trees = trees, .n = n, .width = window, .segment = segment};
    struct coll_run any;
    bool some = false;
    w.first = (uint64_t)round * window;
    for (uint32_t t = 0; t < n; t++)
        some |= segment_of(&w, t, 0, &any);
    if (!some)
        return false;
    size_t most = arrivals_before(&w, n), room = most * sizeof(struct arrival) + 1;
    struct arrival *list = base_buffers_get(s->buffers, room);
    w.step = base_buffers_get(s->buffers, most * sizeof *w.step + 1);
    add_receives(&w, list);
    for (uint32_t k = 0; k < window; k++)
        for (uint32_t t = 0; t < n; t++)
            add_segment(&w, t, k);
    base_buffers_put(s->buffers, w.step, most * sizeof *w.step + 1);
    base_buffers_put(s->buffers, list, room);
    return true;
}
