/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff: compares two runs. Amounts of both are collected by name, then matched.
 *
 * Invariants
 *  I1  A list's items have different names; they are in order of the size of their difference.
 */
#include "report/diff.h"
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(struct diff *d, enum diff_list_of list, unsigned side, const char *name, double amount)
{
    struct diff_item item = {.name = base_strdup(name)};
    item.amount[side] = amount;
    BASE_ARRAY_PUSH(&d->list[list].item, item);
}

/* --- the critical path -------------------------------------------------------------------------------- */

/* Sums by number first: a path has more pieces than names. */
static void add_sums(struct diff *d, enum diff_list_of list, unsigned side, const char *what,
                     const double *sum, uint32_t n)
{
    char name[32];
    for (uint32_t k = 0; k < n; k++) {
        snprintf(name, sizeof name, "%s %u", what, k);
        if (sum[k] > 0)
            add(d, list, side, name, sum[k]);
    }
}

static void add_path(struct diff *d, unsigned side)
{
    const struct report_facts *f = d->run[side]->facts;
    uint32_t names = report_names_count(f->work->names), links = f->about->links;
    double *by_name =
        base_zalloc(sizeof *by_name * (names + (size_t)f->about->ranks + links + 1), "a path's sums");
    double *by_rank = by_name + names, *by_link = by_rank + f->about->ranks;
    for (size_t k = 0; k < f->path.n; k++) {
        const struct report_piece *p = &f->path.at[k];
        by_rank[p->rank] += p->end - p->begin;
        if (p->op && p->link != REPORT_NO_LINK)
            by_link[p->link] += (double)p->transfer + (double)p->contention;
        if (p->op || p->part == REPORT_CALLING || p->part == REPORT_TIMED)
            by_name[p->name] += p->end - p->begin;
    }
    for (uint32_t k = 0; k < names; k++)
        if (by_name[k] > 0)
            add(d, DIFF_PATH_CALLS, side, report_names_text(f->work->names, (report_name)k), by_name[k]);
    if (d->same_ranks)
        add_sums(d, DIFF_PATH_RANKS, side, "rank", by_rank, f->about->ranks);
    for (uint32_t k = 0; k < links; k++)
        if (by_link[k] > 0)
            add(d, DIFF_PATH_LINKS, side, f->about->link[k].name, by_link[k]);
    for (enum report_part k = 0; k < REPORT_PARTS; k++) {
        add(d, DIFF_PATH_PARTS, side, report_part_text(k), f->path.part[k]);
        if (k == REPORT_COMPUTING || k == REPORT_OTHER || k == REPORT_UNKNOWN)
            add(d, DIFF_PATH_CALLS, side, report_part_text(k), f->path.part[k]);
    }
    free(by_name);
}

/* --- all ranks ---------------------------------------------------------------------------------------- */

static void add_collectives(struct diff *d, unsigned side)
{
    const struct report_facts *f = d->run[side]->facts;
    for (size_t k = 0; k < f->collectives; k++) {
        const struct report_collective *c = &f->collective[k];
        char *name = base_strfmt("%s, %s", report_name_text(f, c->name), report_name_text(f, c->algorithm));
        add(d, DIFF_COLLECTIVES, side, name, c->sum);
        free(name);
    }
}

static void add_ranks(struct diff *d, unsigned side)
{
    const struct report_facts *f = d->run[side]->facts;
    double *own = base_zalloc(sizeof *own * ((size_t)f->about->ranks + 1), "ranks' own time");
    for (uint32_t k = 0; k < f->about->ranks; k++)
        own[k] = f->rank[k].computing + f->rank[k].calling + f->rank[k].other;
    add_sums(d, DIFF_RANKS, side, "rank", own, f->about->ranks);
    free(own);
}

static void add_totals(struct diff *d, unsigned side)
{
    const struct report_facts *f = d->run[side]->facts;
    size_t n;
    struct report_share *reason = report_reasons(f, &n);
    for (size_t k = 0; k < n; k++)
        add(d, DIFF_WAITS, side, report_name_text(f, reason[k].name), reason[k].seconds);
    free(reason);
    for (unsigned k = 0; k < REPORT_LATES; k++)
        if (f->late[k].count)
            add(d, DIFF_LATE, side, report_late_text(k), f->late[k].seconds);
    for (size_t k = 0; k < f->calls; k++)
        add(d, DIFF_CALLS, side, report_name_text(f, f->call[k].name), f->call[k].own + f->call[k].waiting);
    for (uint32_t k = 0; k < f->about->links; k++)
        if (f->link[k].operations)
            add(d, DIFF_LINKS, side, f->about->link[k].name, f->link[k].transfer + f->link[k].contention);
    add_collectives(d, side);
    if (d->same_ranks)
        add_ranks(d, side);
}

/* --- energy ------------------------------------------------------------------------------------------- */

static void add_joules(struct diff *d, unsigned side, const char *what, const struct report_joules *at,
                       size_t n)
{
    for (size_t k = 0; k < n; k++) {
        char *name = base_strfmt("%s %s", what, *at[k].name ? at[k].name : "(outside)");
        add(d, DIFF_ENERGY, side, name, at[k].joules);
        free(name);
    }
}

static void add_energy(struct diff *d, unsigned side)
{
    const struct report_energy *x = d->run[side]->facts->energy;
    if (!x)
        return;
    add(d, DIFF_ENERGY, side, "all hosts", x->hosts);
    add(d, DIFF_ENERGY, side, "all links", x->links);
    add_joules(d, side, "host", x->host.at, x->host.n);
    add_joules(d, side, "link", x->link.at, x->link.n);
    add_joules(d, side, "phase", x->phase.at, x->phase.n);
}

/* --- bringing together -------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct diff_item *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int by_difference(const void *a, const void *b)
{
    const struct diff_item *x = a, *y = b;
    double p = fabs(x->amount[1] - x->amount[0]), q = fabs(y->amount[1] - y->amount[0]);
    if (p != q)
        return p > q ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void join(struct diff_list *l)
{
    size_t n = 0;
    if (!l->item.n)
        return;
    qsort(l->item.at, l->item.n, sizeof *l->item.at, by_name);
    for (size_t k = 1; k < l->item.n; k++) {
        struct diff_item *last = &l->item.at[n], *next = &l->item.at[k];
        if (strcmp(last->name, next->name)) {
            l->item.at[++n] = *next;
            continue;
        }
        last->amount[0] += next->amount[0];
        last->amount[1] += next->amount[1];
        free(next->name);
    }
    l->item.n = n + 1;
    qsort(l->item.at, l->item.n, sizeof *l->item.at, by_difference);
}

void diff_make(struct diff *d, const struct report *a, const struct report *b)
{
    static const struct {
        const char *key, *title;
    } lists[DIFF_LISTS] = {
        [DIFF_PATH_PARTS] = {"path_parts", "Critical path, by what it is made of"},
        [DIFF_PATH_CALLS] = {"path_calls", "Critical path, by call"},
        [DIFF_PATH_RANKS] = {"path_ranks", "Critical path, by rank"},
        [DIFF_PATH_LINKS] = {"path_links", "Critical path, by the link that held its operations up"},
        [DIFF_CALLS] = {"calls", "Calls, time of all ranks"},
        [DIFF_WAITS] = {"waits", "Waiting of all ranks, by reason"},
        [DIFF_LATE] = {"late", "Waits at messages and collectives, all ranks"},
        [DIFF_RANKS] = {"ranks", "Ranks, time not waiting"},
        [DIFF_COLLECTIVES] = {"collectives", "Collectives, time of all members"},
        [DIFF_LINKS] = {"links", "Links, time of all operations that they held up"},
        [DIFF_ENERGY] = {"energy_joules", "Energy, joules"},
    };
    *d = (struct diff){.run = {a, b}, .same_ranks = a->facts->about->ranks == b->facts->about->ranks};
    for (unsigned side = 0; side < 2; side++) {
        add_path(d, side);
        add_totals(d, side);
        add_energy(d, side);
    }
    for (unsigned k = 0; k < DIFF_LISTS; k++) {
        d->list[k].key = lists[k].key;
        d->list[k].title = lists[k].title;
        d->list[k].joules = k == DIFF_ENERGY;
        join(&d->list[k]);
    }
}

void diff_release(struct diff *d)
{
    for (unsigned k = 0; k < DIFF_LISTS; k++) {
        for (size_t i = 0; i < d->list[k].item.n; i++)
            free(d->list[k].item.at[i].name);
        free(d->list[k].item.at);
    }
}
