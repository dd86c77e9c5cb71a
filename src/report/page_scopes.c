/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_scopes: scopes and allocations of the S-DSM's processes over time. Each process that can be chosen has
 * its share of the budget. Of many scopes the longest are shown, which are those that held others up, and of
 * the rest every n-th; of many allocations every n-th; curves have their greatest value of each step.
 */
#include "report/page_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct out {
    struct page_json *j;
    const struct report_sdsm *s;
    uint32_t *place; /* by chunk: 1 + where it stands among those shown; 0: nowhere */
    double tick;
    uint32_t scopes, allocations; /* a process's share */
};

static uint64_t ticks_of(const struct out *o, double seconds)
{
    double ticks = seconds > 0 && o->tick > 0 ? seconds / o->tick + 0.5 : 0;
    return ticks < 0x1p53 ? (uint64_t)ticks : UINT64_C(1) << 53;
}

/* --- scopes --------------------------------------------------------------------------------------- */

static void write_scope(const struct out *o, const struct sdsm_scope *a, uint64_t *before)
{
    uint64_t begin = ticks_of(o, a->begin);
    page_codes_add(o->j, begin > *before ? begin - *before : 0);
    page_codes_add(o->j, ticks_of(o, (double)a->wait));
    page_codes_add(o->j, ticks_of(o, a->end - a->begin - (double)a->wait));
    page_codes_add(o->j, o->place[a->chunk] - 1);
    page_codes_add(o->j, (uint64_t)(a->mode != SDSM_READ) << 2 | (uint64_t)a->granted << 1 | a->hit);
    page_codes_add(o->j, a->bytes);
    *before = begin > *before ? begin : *before;
}

static void write_scopes(const struct out *o, const struct sdsm_process *p)
{
    size_t n;
    uint64_t before = 0;
    const struct sdsm_scope **list = sdsm_choose(p, o->scopes, &n);
    page_json_count(o->j, "total", p->scopes.n);
    page_json_count(o->j, "shown", n);
    page_codes_begin(o->j, "scopes");
    for (size_t k = 0; k < n; k++)
        write_scope(o, list[k], &before);
    page_codes_end(o->j);
    free(list);
}

/* --- allocations ---------------------------------------------------------------------------------- */

static size_t step_of(size_t n, size_t most)
{
    return most && n > most ? (n + most - 1) / most : 1;
}

static void write_allocations(const struct out *o, const struct sdsm_process *p)
{
    uint64_t before = 0;
    size_t step = step_of(p->allocations.n, o->allocations);
    page_json_count(o->j, "allocationsTotal", p->allocations.n);
    page_codes_begin(o->j, "allocations");
    for (size_t k = 0; k < p->allocations.n; k += step) {
        const struct sdsm_allocation *a = &p->allocations.at[k];
        uint64_t at = ticks_of(o, a->time);
        page_codes_add(o->j, at - before);
        page_codes_add(o->j, a->kind);
        page_codes_add(o->j, o->place[a->chunk] - 1);
        before = at;
    }
    page_codes_end(o->j);
}

static void write_curve(const struct out *o, const struct sdsm_process *p)
{
    uint64_t before = 0;
    size_t step = step_of(p->allocations.n, PAGE_CURVE_MOST);
    page_codes_begin(o->j, "curve");
    for (size_t k = 0; k < p->allocations.n; k += step) {
        const struct sdsm_allocation *a = &p->allocations.at[k];
        uint32_t chunks = 0, footprint = 0;
        for (size_t i = k; i < k + step && i < p->allocations.n; i++) {
            chunks = a[i - k].chunks > chunks ? a[i - k].chunks : chunks;
            footprint = a[i - k].footprint > footprint ? a[i - k].footprint : footprint;
        }
        uint64_t at = ticks_of(o, a->time);
        page_codes_add(o->j, at - before);
        page_codes_add(o->j, chunks);
        page_codes_add(o->j, footprint);
        before = at;
    }
    page_codes_end(o->j);
}

/* --- processes ------------------------------------------------------------------------------------ */

static bool has_something(const struct sdsm_process *p)
{
    return p->scopes.n + p->allocations.n > 0;
}

/* Chunks of what is shown, in order of their ids. */
static void write_ids(const struct out *o, const uint32_t *order, uint32_t n)
{
    char text[24];
    uint32_t *by_id = sdsm_by_id(o->s), place = 0;
    for (uint32_t k = 0; k < n; k++) {
        const struct sdsm_process *p = &o->s->process[order[k]];
        size_t scopes, step = step_of(p->allocations.n, o->allocations);
        const struct sdsm_scope **list = sdsm_choose(p, o->scopes, &scopes);
        for (size_t i = 0; i < scopes; i++)
            o->place[list[i]->chunk] = 1;
        for (size_t i = 0; i < p->allocations.n; i += step)
            o->place[p->allocations.at[i].chunk] = 1;
        free(list);
    }
    page_json_open(o->j, "ids", '[');
    for (uint32_t k = 0; k < o->s->chunks.n; k++) {
        if (!o->place[by_id[k]])
            continue;
        o->place[by_id[k]] = ++place;
        snprintf(text, sizeof text, "%" PRIu64, sdsm_chunk_at(o->s, by_id[k])->id);
        page_json_text(o->j, NULL, text);
    }
    page_json_close(o->j, ']');
    free(by_id);
}

static void write_process(const struct out *o, uint32_t rank)
{
    const struct sdsm_process *p = &o->s->process[rank];
    page_json_open(o->j, NULL, '{');
    page_json_count(o->j, "rank", rank);
    page_json_number(o->j, "role", (double)p->role);
    page_json_number(o->j, "server", (double)p->server);
    write_scopes(o, p);
    write_allocations(o, p);
    write_curve(o, p);
    page_json_close(o->j, '}');
}

/* No process needs more than a browser draws at once. */
static uint32_t share(uint32_t all, uint32_t processes)
{
    enum { DRAWN_MOST = 12000 };
    uint32_t one = all / (processes ? processes : 1);
    return one < DRAWN_MOST ? one : DRAWN_MOST;
}

void page_write_scopes(const struct page *p)
{
    uint32_t n, shown = 0, all = 0, *order = sdsm_in_order(p->f->sdsm, &n);
    for (uint32_t k = 0; k < n; k++) {
        bool has = has_something(&p->f->sdsm->process[order[k]]);
        if (has && shown < PAGE_SDSM_SHOWN_MOST)
            order[shown++] = order[k];
        all += has;
    }
    struct out o = {.j = p->j,
                    .s = p->f->sdsm,
                    .place = base_zalloc((p->f->sdsm->chunks.n + 1) * sizeof *o.place, "chunks of the page"),
                    .tick = p->f->end / (1 << 24),
                    .scopes = share(PAGE_SCOPES_MOST, shown),
                    .allocations = share(PAGE_ALLOCATIONS_MOST, shown)};
    page_json_number(p->j, "tick", o.tick);
    page_json_count(p->j, "accessing", all);
    write_ids(&o, order, shown);
    page_json_open(p->j, "shown", '[');
    for (uint32_t k = 0; k < shown; k++)
        write_process(&o, order[k]);
    page_json_close(p->j, ']');
    free(o.place);
    free(order);
}
