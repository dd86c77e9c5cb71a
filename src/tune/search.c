/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search: which points are searched. The sizes of an operation on a place are a line. Every STEP-th of them
 * is searched, then the middle between two whose best choices differ. A size between two that agree is only
 * given the choices that are best somewhere on its line.
 */
#include "tune/search.h"

#include <math.h>
#include <stdlib.h>

enum { STEP = 4 };
static const struct tune_choice by_default = {.algorithm = TUNE_DEFAULT};

struct cells {
    struct tune_cell **at;
    size_t n, cap;
};

static bool one_line(const struct tune_cell *a, const struct tune_cell *b)
{
    return a->point.op == b->point.op && a->point.place == b->point.place;
}

/* --- the table ------------------------------------------------------------------------------------ */

static void add_cell(struct tune_table *t, enum coll_op op, uint32_t place, uint64_t bytes)
{
    t->at[t->n++] = (struct tune_cell){
        .point = {op, place, bytes}, .best = by_default, .time = INFINITY, .by_default = NAN};
}

static bool has_no_size(enum coll_op op)
{
    return op == COLL_BARRIER || op == tune_op_between(COLL_INTER_BARRIER);
}

static void make_cells(const struct tune_space *s, struct tune_table *t)
{
    t->at = base_zalloc((s->op.n * s->place.n * (s->size.n + 1) + s->only.n + 1) * sizeof *t->at, "a table");
    for (size_t k = 0; k < s->only.n; k++)
        add_cell(t, s->only.at[k].op, s->only.at[k].place, s->only.at[k].bytes);
    for (size_t op = 0; op < s->op.n; op++)
        for (uint32_t place = 0; place < s->place.n; place++)
            for (size_t k = 0;
                 tune_space_fits(s, s->op.at[op], place) && k < (has_no_size(s->op.at[op]) ? 1 : s->size.n);
                 k++)
                add_cell(t, s->op.at[op], place, has_no_size(s->op.at[op]) ? 0 : s->size.at[k]);
}

void tune_table_release(struct tune_table *t)
{
    free(t->at);
    *t = (struct tune_table){0};
}

/* --- which cells ---------------------------------------------------------------------------------- */

/* The first and last of each line, and every STEP-th between; all of a program's points. */
static void want_first(const struct tune_space *s, const struct tune_table *t, struct cells *want)
{
    for (size_t k = 0, in_line = 0; k < t->n; k++, in_line++) {
        bool last = k + 1 == t->n || !one_line(&t->at[k], &t->at[k + 1]);
        if (k && !one_line(&t->at[k - 1], &t->at[k]))
            in_line = 0;
        if (last || in_line % STEP == 0 || s->whole || s->only.n)
            BASE_ARRAY_PUSH(want, &t->at[k]);
    }
}

static void want_between(const struct tune_table *t, struct cells *want)
{
    size_t before = SIZE_MAX;
    for (size_t k = 0; k < t->n; k++) {
        struct tune_cell *c = &t->at[k];
        if (c->state != TUNE_SEARCHED)
            continue;
        if (before != SIZE_MAX && k - before > 1 && one_line(&t->at[before], c) &&
            !tune_choices_equal(&t->at[before].best, &c->best))
            BASE_ARRAY_PUSH(want, &t->at[before + (k - before) / 2]);
        before = k;
    }
}

/* --- cells between --------------------------------------------------------------------------------- */

static void add_choice(struct tune_choices *out, const struct tune_choice *c)
{
    for (size_t k = 0; k < out->n; k++)
        if (tune_choices_equal(&out->at[k], c))
            return;
    BASE_ARRAY_PUSH(out, *c);
}

/* The choices that are nearly the best of a cell that was searched. */
static void add_near(const struct tune_search *x, const struct tune_cell *c, struct tune_choices *out)
{
    struct tune_choices all = {0};
    uint32_t ranks = x->space->place.at[c->point.place].ranks;
    tune_candidates(&all, x->space, &c->point, false);
    for (size_t k = 0; k < all.n; k++)
        if (tune_time_of(x, &c->point, ranks, &all.at[k]) <= c->time * TUNE_NEAR)
            add_choice(out, &all.at[k]);
    free(all.at);
}

/* The choices that are best somewhere on the line of cell `k`, or nearly so at one of the two cells around
 * that were searched. */
static void line_choices(const struct tune_search *x, const struct tune_table *t, size_t k,
                         struct tune_choices *out)
{
    size_t from = k, before = k, behind = k;
    out->n = 0;
    while (from > 0 && one_line(&t->at[from - 1], &t->at[k]))
        from--;
    for (; from < t->n && one_line(&t->at[from], &t->at[k]); from++)
        if (t->at[from].state == TUNE_SEARCHED)
            add_choice(out, &t->at[from].best);
    while (before > 0 && t->at[before].state != TUNE_SEARCHED)
        before--;
    while (behind + 1 < t->n && t->at[behind].state != TUNE_SEARCHED)
        behind++;
    add_near(x, &t->at[before], out);
    add_near(x, &t->at[behind], out);
}

/* Of both neighbours that were searched. */
static const struct tune_choice *neighbours_choice(const struct tune_table *t, size_t k)
{
    while (k > 0 && t->at[k].state != TUNE_SEARCHED)
        k--;
    return &t->at[k].best;
}

static void ask_between(struct tune_search *x, const struct tune_table *t, size_t k, bool others)
{
    struct tune_choices c = {0};
    uint32_t ranks = x->space->place.at[t->at[k].point.place].ranks;
    const struct tune_choice *first = neighbours_choice(t, k);
    line_choices(x, t, k, &c);
    double bound = others ? tune_time_of(x, &t->at[k].point, ranks, first) : INFINITY;
    tune_ask(x, &t->at[k].point, ranks, first, INFINITY);
    tune_ask(x, &t->at[k].point, ranks, &by_default, INFINITY);
    for (size_t j = 0; others && j < c.n; j++)
        tune_ask(x, &t->at[k].point, ranks, &c.at[j], isnan(bound) ? INFINITY : bound * (1 + 1e-6));
    free(c.at);
}

/* False: the default is better than all of them. */
static bool conclude_between(struct tune_search *x, struct tune_table *t, size_t k)
{
    struct tune_choices c = {0};
    line_choices(x, t, k, &c);
    bool found = tune_conclude(x, &t->at[k], c.at, c.n);
    free(c.at);
    bool good =
        found && !tune_is_less(t->at[k].by_default, t->at[k].time) &&
        (t->at[k].best.algorithm != TUNE_DEFAULT || neighbours_choice(t, k)->algorithm == TUNE_DEFAULT);
    if (good)
        t->at[k].state = TUNE_BETWEEN;
    return good;
}

static int fill(struct tune_search *x, struct tune_table *t, struct cells *want, struct base_status *st)
{
    for (int others = 0; others < 2; others++) {
        for (size_t k = 0; k < t->n; k++)
            if (t->at[k].state == TUNE_OPEN)
                ask_between(x, t, k, others);
        if (tune_wave(x, st))
            return -1;
    }
    want->n = 0;
    for (size_t k = 0; k < t->n && !x->over; k++)
        if (t->at[k].state == TUNE_OPEN && !conclude_between(x, t, k))
            BASE_ARRAY_PUSH(want, &t->at[k]);
    return x->over ? 0 : tune_points(x, want->at, want->n, st);
}

/* --- the whole ------------------------------------------------------------------------------------ */

static int carry_out(struct tune_search *x, struct tune_table *t, struct base_status *st)
{
    struct cells want = {0};
    int rc = 0;
    want_first(x->space, t, &want);
    while (want.n && !rc && !x->over) {
        rc = tune_points(x, want.at, want.n, st);
        want.n = 0;
        want_between(t, &want);
    }
    if (!rc && !x->over && !x->space->whole && !x->space->only.n)
        rc = fill(x, t, &want, st);
    free(want.at);
    return rc;
}

int tune_search(const struct tune_space *s, struct tune_table *out, struct base_status *st)
{
    struct tune_search x = {.space = s};
    struct tune_table t = {0};
    struct base_status ignored;
    x.store = tune_store_create(s);
    int rc = s->journal ? tune_journal_read(x.store, st) : 0;
    t.known = x.store->at.n;
    if (!rc) {
        make_cells(s, &t);
        x.workers = tune_workers_create(s);
        rc = carry_out(&x, &t, st);
        tune_workers_destroy(x.workers);
        t.trials = x.store->at.n - t.known;
        t.events = x.store->events;
        if (s->journal && tune_journal_write(x.store, rc ? &ignored : st))
            rc = -1;
    }
    tune_store_destroy(x.store);
    free(x.wave.at);
    if (rc)
        tune_table_release(&t);
    else
        *out = t;
    return rc;
}
