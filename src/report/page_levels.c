/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_levels: the timeline's levels of detail. The finest has every state of every rank if they are few
 * enough, else all above the smallest length that makes them so. Coarser ones serve views of the whole run,
 * for single ranks and groups. A requested part of the run has its own level.
 *
 * Invariants
 *  V1  The level of single ranks comes first; it has no more than PAGE_RUNS_MOST runs beyond one a row.
 */
#include "report/page_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OVERVIEW_PARTS = 1500, ROWS_AT_ONCE = 64, TICKS_A_RUN = 8 };
static const double EXACT_TICKS = 1ULL << 34;

/* Levels cover [from, to); only every `stride`-th rank has a row. */
struct span {
    const struct page *p;
    double from, to;
    uint32_t stride;
};

static uint32_t rows_of(const struct span *s)
{
    return (s->p->f->about->ranks + s->stride - 1) / s->stride;
}

/* --- how fine ----------------------------------------------------------------------------------------- */

static void count_run(void *ctx, uint32_t state, double end)
{
    (void)state;
    (void)end;
    ++*(uint64_t *)ctx;
}

static uint64_t count_runs(const struct span *s, double shortest)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < rows_of(s) && n <= 4 * (uint64_t)PAGE_RUNS_MOST; k++)
        page_runs_each(s->p->states, k * s->stride, s->from, s->to, shortest, count_run, &n);
    return n;
}

/* The least length with which the runs are few enough: 0, or the span divided by a power of two. */
static double finest(const struct span *s)
{
    double parts = ldexp(1, 22);
    uint64_t most = PAGE_RUNS_MOST + (uint64_t)rows_of(s);
    if (count_runs(s, 0) <= most)
        return 0;
    while (parts > 64 && count_runs(s, (s->to - s->from) / parts) > most)
        parts /= 2;
    return (s->to - s->from) / parts;
}

/* --- levels of single ranks --------------------------------------------------------------------------- */

struct row {
    struct page_json *j;
    double from, tick;
    uint64_t at; /* ticks */
};

/* Ticks are counted from the begin of all, so that rounding does not add up. */
static void write_run(void *ctx, uint32_t state, double end)
{
    struct row *r = ctx;
    double ticks = floor((end - r->from) / r->tick + 0.5);
    uint64_t until = ticks > (double)r->at ? (uint64_t)ticks : r->at;
    page_codes_add(r->j, state);
    page_codes_add(r->j, until - r->at);
    r->at = until;
}

static void level_head(const struct span *s, uint32_t group, double shortest, double tick)
{
    struct page_json *j = s->p->j;
    page_json_open(j, NULL, '{');
    page_json_count(j, "group", group);
    page_json_flag(j, "sampled", s->stride > 1);
    page_json_number(j, "shortest", shortest);
    page_json_exact(j, "from", s->from);
    page_json_exact(j, "to", s->to);
    page_json_exact(j, "tick", tick);
    page_json_open(j, "rows", '[');
}

static void level_tail(const struct span *s)
{
    page_json_close(s->p->j, ']');
    page_json_close(s->p->j, '}');
}

static void write_ranks(const struct span *s, double shortest)
{
    struct row r = {.j = s->p->j, .from = s->from};
    r.tick = shortest > 0 ? shortest / TICKS_A_RUN : (s->to - s->from) / EXACT_TICKS;
    level_head(s, s->stride, shortest, r.tick);
    for (uint32_t k = 0; k < rows_of(s); k++) {
        page_codes_begin(r.j, NULL);
        r.at = 0;
        page_runs_each(s->p->states, k * s->stride, s->from, s->to, shortest, write_run, &r);
        page_codes_end(r.j);
    }
    level_tail(s);
}

/* --- levels of groups --------------------------------------------------------------------------------- */

/* Seconds by bin and state; a row of `table` is a bin. */
struct sums {
    double from, width, begin;
    double table[PAGE_COARSE_BINS][PAGE_STATES_MOST + PAGE_CLASSES];
};

static unsigned bin_of(const struct sums *s, double time)
{
    double k = (time - s->from) / s->width;
    return k < 0 ? 0 : k >= PAGE_COARSE_BINS ? PAGE_COARSE_BINS - 1 : (unsigned)k;
}

static void sum_run(void *ctx, uint32_t state, double end)
{
    struct sums *s = ctx;
    unsigned last = bin_of(s, end);
    for (unsigned k = bin_of(s, s->begin); k <= last; k++)
        s->table[k][state] +=
            fmax(fmin(end, s->from + (k + 1) * s->width) - fmax(s->begin, s->from + k * s->width), 0);
    s->begin = end;
}

static unsigned prevailing(const struct sums *s, unsigned bin, uint32_t states)
{
    unsigned best = 0;
    for (unsigned k = 1; k < states; k++)
        if (s->table[bin][k] > s->table[bin][best])
            best = k;
    return best;
}

static void write_group(const struct span *s, struct sums *sums, uint32_t first, uint32_t group)
{
    uint32_t ranks = s->p->f->about->ranks;
    memset(sums->table, 0, sizeof sums->table);
    for (uint32_t k = first; k < first + group && k < ranks; k++) {
        sums->begin = s->from;
        page_runs_each(s->p->states, k, s->from, s->to, 0, sum_run, sums);
    }
    page_codes_begin(s->p->j, NULL);
    for (unsigned k = 0, from = 0; k < PAGE_COARSE_BINS; k++) {
        unsigned state = prevailing(sums, k, s->p->states->n);
        if (k + 1 < PAGE_COARSE_BINS && prevailing(sums, k + 1, s->p->states->n) == state)
            continue;
        page_codes_add(s->p->j, state);
        page_codes_add(s->p->j, k + 1 - from);
        from = k + 1;
    }
    page_codes_end(s->p->j);
}

static void write_groups(const struct span *s, uint32_t group)
{
    struct sums *sums = base_alloc(sizeof *sums, "the timeline's levels");
    uint32_t ranks = s->p->f->about->ranks;
    sums->from = s->from;
    sums->width = (s->to - s->from) / PAGE_COARSE_BINS;
    level_head(s, group, sums->width, sums->width);
    for (uint32_t k = 0; k < ranks; k += group)
        write_group(s, sums, k, group);
    level_tail(s);
    free(sums);
}

/* --- all ---------------------------------------------------------------------------------------------- */

static void write_whole(const struct page *p)
{
    uint32_t ranks = p->f->about->ranks;
    struct span all = {p, 0, p->f->end, 1 + (ranks - 1) / PAGE_ROWS_MOST};
    double shortest = finest(&all), overview = p->f->end / OVERVIEW_PARTS;
    write_ranks(&all, shortest);
    if (shortest < overview / 2 && count_runs(&all, shortest) > 20000)
        write_ranks(&all, overview);
    for (uint32_t group = 4; ranks / group > ROWS_AT_ONCE / 4 && ranks > 2 * ROWS_AT_ONCE; group *= 4)
        if (group > all.stride && ranks / group <= PAGE_ROWS_MOST / 4)
            write_groups(&all, group);
}

void page_write_levels(const struct page *p)
{
    double from = fmax(p->gathered->options.from, 0), to = fmin(p->gathered->options.to, p->f->end);
    page_json_open(p->j, "levels", '[');
    if (p->f->end > 0 && p->f->about->ranks) {
        write_whole(p);
        struct span part = {p, from, to, 1 + (p->f->about->ranks - 1) / PAGE_ROWS_MOST};
        if (to > from)
            write_ranks(&part, finest(&part));
    }
    page_json_close(p->j, ']');
}
