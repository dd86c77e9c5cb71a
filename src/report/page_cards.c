/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_cards: network cards with a core: their rows of the timeline, as fine as the budget allows, and the
 * tables of cards and of RISC-V cores. What is shorter than a level shows is put together: the state that
 * took most of the time, and the mean of the MSHRs in use.
 */
#include "report/page_internal.h"

#include <math.h>
#include <stdlib.h>

enum { OVERVIEW_PARTS = 1500, TICKS_A_RUN = 8, PARTS = 16 /* of an MSHR, in letters */ };
static const double EXACT_TICKS = 1ULL << 34;

static double requests_of(const struct report_facts *f, uint32_t host)
{
    return (double)f->card[host].requests;
}

/* --- runs --------------------------------------------------------------------------------------------- */

/* Pieces of a card's log that are put together until they are long enough. */
struct gathered {
    double shortest, seconds, mshrs, of[REPORT_CARD_STATES];
    void (*fn)(void *ctx, unsigned state, double end, double mshrs);
    void *ctx;
};

static void flush(struct gathered *g, double end)
{
    unsigned best = 0;
    if (!(g->seconds > 0))
        return;
    for (unsigned k = 1; k < REPORT_CARD_STATES; k++)
        best = g->of[k] > g->of[best] ? k : best;
    g->fn(g->ctx, best, end, g->mshrs / g->seconds);
    g->seconds = g->mshrs = 0;
    for (unsigned k = 0; k < REPORT_CARD_STATES; k++)
        g->of[k] = 0;
}

static void gather(struct gathered *g, unsigned state, uint32_t mshrs, double begin, double end)
{
    if (!(end > begin))
        return;
    if (end - begin >= g->shortest)
        flush(g, begin);
    g->seconds += end - begin;
    g->mshrs += mshrs * (end - begin);
    g->of[state] += end - begin;
    if (g->seconds >= g->shortest)
        flush(g, end);
}

static void each_run(const struct report_card *c, double from, double to, struct gathered *g)
{
    gather(g, REPORT_CARD_IDLE, 0, from, fmin(c->at[0].time, to));
    for (size_t k = 0; k < c->n && c->at[k].time < to; k++)
        gather(g, c->at[k].state, c->at[k].mshrs, fmax(c->at[k].time, from),
               k + 1 < c->n ? fmin(c->at[k + 1].time, to) : to);
    flush(g, to);
}

/* --- levels ------------------------------------------------------------------------------------------- */

struct cards {
    const struct page *p;
    uint32_t *host, n; /* those that are shown */
};

static void count_run(void *ctx, unsigned state, double end, double mshrs)
{
    (void)state, (void)end, (void)mshrs;
    ++*(uint64_t *)ctx;
}

static uint64_t count_runs(const struct cards *c, double from, double to, double shortest)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < c->n && n <= PAGE_CARD_RUNS_MOST; k++) {
        struct gathered g = {.shortest = shortest, .fn = count_run, .ctx = &n};
        each_run(&c->p->f->card[c->host[k]], from, to, &g);
    }
    return n;
}

/* 0, or the span divided by a power of two. */
static double finest(const struct cards *c, double from, double to)
{
    double parts = ldexp(1, 22);
    if (count_runs(c, from, to, 0) <= PAGE_CARD_RUNS_MOST)
        return 0;
    while (parts > 64 && count_runs(c, from, to, (to - from) / parts) > PAGE_CARD_RUNS_MOST)
        parts /= 2;
    return (to - from) / parts;
}

struct row {
    struct page_json *j;
    double from, tick;
    uint64_t at; /* ticks */
};

static void write_run(void *ctx, unsigned state, double end, double mshrs)
{
    struct row *r = ctx;
    double ticks = floor((end - r->from) / r->tick + 0.5);
    uint64_t until = ticks > (double)r->at ? (uint64_t)ticks : r->at;
    page_codes_add(r->j, state);
    page_codes_add(r->j, until - r->at);
    page_codes_add(r->j, (uint64_t)(mshrs * PARTS + 0.5));
    r->at = until;
}

static void write_level(const struct cards *c, double from, double to, double shortest)
{
    struct row r = {.j = c->p->j, .from = from};
    r.tick = shortest > 0 ? shortest / TICKS_A_RUN : (to - from) / EXACT_TICKS;
    page_json_open(r.j, NULL, '{');
    page_json_number(r.j, "shortest", shortest);
    page_json_exact(r.j, "from", from);
    page_json_exact(r.j, "to", to);
    page_json_exact(r.j, "tick", r.tick);
    page_json_open(r.j, "rows", '[');
    for (uint32_t k = 0; k < c->n; k++) {
        struct gathered g = {.shortest = shortest, .fn = write_run, .ctx = &r};
        r.at = 0;
        page_codes_begin(r.j, NULL);
        each_run(&c->p->f->card[c->host[k]], from, to, &g);
        page_codes_end(r.j);
    }
    page_json_close(r.j, ']');
    page_json_close(r.j, '}');
}

static void write_levels(const struct cards *c)
{
    const struct report_page_options *o = &c->p->gathered->options;
    double end = c->p->f->end, from = fmax(o->from, 0), to = fmin(o->to, end);
    page_json_open(c->p->j, "levels", '[');
    if (end > 0) {
        double shortest = finest(c, 0, end), overview = end / OVERVIEW_PARTS;
        write_level(c, 0, end, shortest);
        if (shortest < overview / 2 && count_runs(c, 0, end, shortest) > 20000)
            write_level(c, 0, end, overview);
        if (to > from)
            write_level(c, from, to, finest(c, from, to));
    }
    page_json_close(c->p->j, ']');
}

/* --- write backs -------------------------------------------------------------------------------------- */

static void write_writes(const struct cards *c)
{
    double tick = c->p->f->end / EXACT_TICKS;
    uint32_t most = PAGE_CARD_WRITES_MOST / (c->n ? c->n : 1);
    page_json_exact(c->p->j, "writesTick", tick);
    page_json_open(c->p->j, "writes", '[');
    for (uint32_t k = 0; k < c->n; k++) {
        const struct report_card *card = &c->p->f->card[c->host[k]];
        uint64_t at = 0;
        page_codes_begin(c->p->j, NULL);
        for (size_t n = 0; n < card->writes_known && card->writes <= most && tick > 0; n++) {
            uint64_t now = (uint64_t)(card->written[n] / tick);
            page_codes_add(c->p->j, now - at);
            at = now;
        }
        page_codes_end(c->p->j);
    }
    page_json_close(c->p->j, ']');
}

/* --- tables ------------------------------------------------------------------------------------------- */

static void write_card(const struct page *p, uint32_t host)
{
    const struct report_card *c = &p->f->card[host];
    struct page_json *j = p->j;
    page_json_open(j, NULL, '{');
    page_json_text(j, "host", p->f->about->host[host].name);
    page_json_count(j, "requests", c->requests);
    page_json_count(j, "atomics", c->atomics);
    page_json_count(j, "hits", c->hits);
    page_json_count(j, "merges", c->merges);
    page_json_count(j, "misses", c->misses);
    page_json_count(j, "streams", c->streams);
    page_json_count(j, "conflicts", c->conflicts);
    page_json_count(j, "stalls", c->stalls);
    page_json_count(j, "fills", c->fills);
    page_json_count(j, "writes", c->writes);
    page_json_count(j, "lost", c->lost);
    page_json_number(j, "executing", c->seconds[REPORT_CARD_EXECUTES]);
    page_json_number(j, "waiting", c->seconds[REPORT_CARD_FILLS]);
    page_json_number(j, "fill", c->fills ? c->filling / (double)c->fills : 0);
    page_json_number(j, "inCard", c->requests ? c->in_card / (double)c->requests : 0);
    page_json_number(j, "mshrs", p->f->end > 0 ? c->mshrs / p->f->end : 0);
    page_json_count(j, "mostMshrs", c->most_mshrs);
    page_json_count(j, "mostRequests", c->most);
    page_json_close(j, '}');
}

static void write_states(struct page_json *j)
{
    static const char *const keys[] = {[REPORT_CARD_IDLE] = "cardidle",
                                       [REPORT_CARD_EXECUTES] = "cardexecutes",
                                       [REPORT_CARD_FILLS] = "cardfills",
                                       [REPORT_CARD_BUSY] = "cardbusy"};
    page_json_open(j, "states", '[');
    for (unsigned k = 0; k < REPORT_CARD_STATES; k++) {
        page_json_open(j, NULL, '{');
        page_json_text(j, "key", keys[k]);
        page_json_text(j, "text", report_card_state_text((enum report_card_state)k));
        page_json_close(j, '}');
    }
    page_json_close(j, ']');
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Those with most requests, in order of hosts. */
void page_write_cards(const struct page *p)
{
    struct cards c = {.p = p};
    if (!p->f->card)
        return;
    uint32_t *all;
    size_t n = report_order(p->f, p->f->about->hosts, requests_of, 0, &all);
    c.n = n < PAGE_CARDS_MOST ? (uint32_t)n : PAGE_CARDS_MOST;
    c.host = all;
    qsort(all, c.n, sizeof *all, by_number);
    page_json_open(p->j, "cards", '{');
    page_json_count(p->j, "total", n);
    write_states(p->j);
    page_json_open(p->j, "rows", '[');
    for (uint32_t k = 0; k < c.n; k++)
        write_card(p, c.host[k]);
    page_json_close(p->j, ']');
    write_levels(&c);
    write_writes(&c);
    page_json_close(p->j, '}');
    free(all);
}

/* --- cores -------------------------------------------------------------------------------------------- */

/* [name, count, name, count, ...] */
static void write_counts(const struct page *p, const char *key, const struct report_counted *list, size_t n,
                         enum trace_counted what)
{
    page_json_open(p->j, key, '[');
    for (size_t k = 0; k < n; k++)
        if (list[k].what == what) {
            page_json_text(p->j, NULL, report_name_text(p->f, list[k].name));
            page_json_count(p->j, NULL, list[k].count);
        }
    page_json_close(p->j, ']');
}

static void write_kinds(const struct page *p, const struct report_counted *list, size_t n)
{
    write_counts(p, "classes", list, n, TRACE_COUNTED_CLASS);
    write_counts(p, "stalls", list, n, TRACE_COUNTED_STALL);
    write_counts(p, "cycles", list, n, TRACE_COUNTED_CYCLES);
}

static void write_core(const struct page *p, const struct report_counted *list, size_t n)
{
    page_json_open(p->j, NULL, '{');
    page_json_count(p->j, "rank", list->rank);
    write_kinds(p, list, n);
    page_json_close(p->j, '}');
}

void page_write_cores(const struct page *p)
{
    const struct report_facts *f = p->f;
    if (!f->counts)
        return;
    page_json_open(p->j, "cores", '{');
    page_json_count(p->j, "traps", f->traps);
    write_kinds(p, f->counted_all, f->counts_all);
    page_json_open(p->j, "rows", '[');
    for (size_t k = 0, n, cores = 0; k < f->counts && cores < PAGE_LIST_MOST; k += n, cores++) {
        for (n = 0; k + n < f->counts && f->counted[k + n].rank == f->counted[k].rank;)
            n++;
        write_core(p, &f->counted[k], n);
    }
    page_json_close(p->j, ']');
    page_json_close(p->j, '}');
}
