/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_runs: a lane's log as runs of states. Runs that are long enough to be seen stay as they are; short
 * ones that follow each other become one run each time their sum is long enough, of the state that took most
 * of it.
 *
 * Invariants
 *  R1  Runs join end to begin from the window's begin to its end; no two successive ones have one state.
 */
#include "report/page_internal.h"

#include <math.h>
#include <string.h>

/* The window, a run that may still grow, and short ones that have been put together. */
struct merger {
    double shortest;
    page_run_fn fn;
    void *ctx;
    bool any;
    uint32_t state; /* of the run that ends at `end` */
    double end;
    double gathered;                                  /* seconds of short runs after it */
    double of[PAGE_STATES_MOST + PAGE_CLASSES];       /* of these, by state */
    uint16_t met[PAGE_STATES_MOST + PAGE_CLASSES], n; /* states among them */
};

static void put(struct merger *m, uint32_t state, double end)
{
    if (m->any && m->state != state)
        m->fn(m->ctx, m->state, m->end);
    m->any = true;
    m->state = state;
    m->end = end;
}

static void prevail(struct merger *m, double end)
{
    uint32_t best = 0;
    for (uint32_t k = 0; k < m->n; k++)
        if (m->of[m->met[k]] > m->of[m->met[best]])
            best = k;
    put(m, m->met[best], end);
    for (uint32_t k = 0; k < m->n; k++)
        m->of[m->met[k]] = 0;
    m->n = 0;
    m->gathered = 0;
}

static void gather(struct merger *m, uint32_t state, double begin, double end)
{
    if (m->of[state] <= 0)
        m->met[m->n++] = (uint16_t)state;
    m->of[state] += end - begin;
    m->gathered += end - begin;
    if (m->gathered >= m->shortest)
        prevail(m, end);
}

static void add(struct merger *m, uint32_t state, double begin, double end)
{
    if (!(end > begin))
        return;
    if (end - begin < m->shortest) {
        gather(m, state, begin, end);
        return;
    }
    if (m->n)
        prevail(m, begin);
    put(m, state, end);
}

/* What is left of a run within the window. */
static void clip(struct merger *m, uint32_t state, double begin, double end, double from, double to)
{
    add(m, state, fmax(begin, from), fmin(end, to));
}

/* The record that holds at a time; the first one, when there is none so early. */
static size_t record_at(const struct report_lane *l, double time)
{
    size_t low = 0, high = l->n;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (l->at[mid].time <= time)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static void lane_runs(struct page_states *s, struct merger *m, const struct report_lane *l, double from,
                      double to)
{
    const struct report_rank *r = &s->f->rank[l->rank];
    double last = fmax(r->end, l->at[l->n - 1].time);
    clip(m, page_state_plain(s, PAGE_IDLE), from, l->at[0].time, from, to);
    for (size_t k = record_at(l, from); k < l->n && l->at[k].time < to; k++)
        clip(m, page_state_of(s, &l->at[k]), l->at[k].time, k + 1 < l->n ? l->at[k + 1].time : last, from,
             to);
    clip(m, page_state_plain(s, PAGE_IDLE), last, to, from, to);
}

void page_runs_each(struct page_states *s, uint32_t rank, double from, double to, double shortest,
                    page_run_fn fn, void *ctx)
{
    static struct merger m; /* too large for a stack, and all 0 between uses but for what is set here */
    m.shortest = shortest;
    m.fn = fn;
    m.ctx = ctx;
    m.any = false;
    if (rank < s->f->work->lanes && s->f->work->lane[rank].n)
        lane_runs(s, &m, &s->f->work->lane[rank], from, to);
    else
        add(&m, page_state_plain(s, PAGE_IDLE), from, to);
    if (m.n)
        prevail(&m, to);
    if (m.any)
        fn(ctx, m.state, m.end);
}
