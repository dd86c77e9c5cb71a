/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_arrows: the operations of the timeline, from origin to target, and the marks. If there are too many, a
 * representative sample: those whose numbers have the smallest hashes. The page reads them in layers, each
 * several times denser than the last, until it has enough for the view.
 */
#include "report/page_internal.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_LAYER = 200, DENSER = 4 };

struct chosen {
    uint64_t hash;
    uint32_t op; /* index */
};
typedef BASE_ARRAY(struct chosen) chosen_array;

static int by_hash(const void *a, const void *b)
{
    const struct chosen *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static int by_op(const void *a, const void *b)
{
    const struct chosen *x = a, *y = b;
    return (x->op > y->op) - (x->op < y->op);
}

static bool in_focus(const struct page *p, const struct report_op *op)
{
    const struct report_page_options *o = &p->gathered->options;
    return o->to > o->from && op->issued < o->to && op->end >= o->from;
}

static void keep_least(chosen_array *a, uint64_t *limit)
{
    if (a->n < 2)
        return;
    qsort(a->at, a->n, sizeof *a->at, by_hash);
    if (a->n > PAGE_ARROWS_MOST)
        a->n = PAGE_ARROWS_MOST;
    if (a->n == PAGE_ARROWS_MOST)
        *limit = a->at[a->n - 1].hash;
}

/* The operations with the least hashes from `above` on: of the whole run, or of the part that was asked
 * for. */
static void choose(const struct page *p, bool focus, uint64_t above, chosen_array *a)
{
    const struct report_work *w = p->f->work;
    uint64_t limit = UINT64_MAX;
    for (uint32_t k = 0; k < w->ops; k++) {
        const struct report_op *op = report_op_at(w, k);
        struct chosen c = {page_hash(op->number), k};
        if (op->kind >= REPORT_KINDS || !op->ended || c.hash > limit || c.hash < above ||
            (focus && !in_focus(p, op)))
            continue;
        BASE_ARRAY_PUSH(a, c);
        if (a->n >= 4 * (size_t)PAGE_ARROWS_MOST)
            keep_least(a, &limit);
    }
    keep_least(a, &limit);
}

/* 0: no two-sided message, or a tag of pgasim's own. */
static uint64_t tag_of(const struct report_work *w, const struct report_op *op)
{
    int64_t tag = op->kind == REPORT_SEND ? w->message.at[op->message].tag : -1;
    return tag < 0 ? 0 : (uint64_t)tag + 1;
}

static void write_layer(const struct page *p, struct chosen *c, size_t n, double tick)
{
    const struct report_work *w = p->f->work;
    uint64_t before = 0;
    if (n)
        qsort(c, n, sizeof *c, by_op);
    page_codes_begin(p->j, NULL);
    for (size_t k = 0; k < n; k++) {
        const struct report_op *op = report_op_at(w, c[k].op);
        double effect = fmin(fmax(page_effect_of(p->gathered, op->number, op->end), op->issued), op->end);
        uint64_t at = (uint64_t)floor(op->issued / tick + 0.5);
        const uint64_t numbers[] = {at - before,
                                    (uint64_t)floor((effect - op->issued) / tick + 0.5),
                                    (uint64_t)floor((op->end - op->issued) / tick + 0.5),
                                    w->lane[op->lane].rank,
                                    op->target,
                                    op->kind,
                                    op->call,
                                    op->bytes,
                                    tag_of(w, op),
                                    op->kind == REPORT_SEND ? w->message.at[op->message].context : 0,
                                    (uint64_t)floor(report_kept_seconds(w, op->number) / tick + 0.5)};
        for (size_t f = 0; f < BASE_LENGTH(numbers); f++)
            page_codes_add(p->j, numbers[f]);
        before = at;
    }
    page_codes_end(p->j);
}

static void write_layers(const struct page *p, chosen_array *a, double tick)
{
    for (size_t from = 0, n = FIRST_LAYER; from < a->n; from += n, n *= DENSER) {
        n = from + n > a->n ? a->n - from : n;
        write_layer(p, &a->at[from], n, tick);
    }
}

const char *page_kind_text(enum report_kind kind)
{
    static const char *const kinds[] = {
        [REPORT_PUT] = "put",       [REPORT_GET] = "get",
        [REPORT_ATOMIC] = "atomic", [REPORT_MESSAGE] = "message of a collective",
        [REPORT_SEND] = "message",  [REPORT_NOTICE] = "synchronization of a window"};
    return kinds[kind];
}

static void write_names(const struct page *p)
{
    uint32_t names = report_names_count(p->f->work->names);
    page_json_open(p->j, "kinds", '[');
    for (unsigned k = 0; k < REPORT_KINDS; k++)
        page_json_text(p->j, NULL, page_kind_text((enum report_kind)k));
    page_json_close(p->j, ']');
    page_json_open(p->j, "calls", '[');
    for (uint32_t k = 0; k < names; k++)
        page_json_text(p->j, NULL, report_name_text(p->f, (report_name)k));
    page_json_close(p->j, ']');
}

void page_write_arrows(const struct page *p)
{
    double tick = p->f->end > 0 ? p->f->end / (double)(1ULL << 34) : 1;
    chosen_array all = {0}, focus = {0};
    uint64_t total = 0;
    for (unsigned k = 0; k < REPORT_KINDS; k++)
        total += p->f->kind[k].count;
    choose(p, false, 0, &all);
    if (all.n == PAGE_ARROWS_MOST && p->gathered->options.to > p->gathered->options.from)
        choose(p, true, all.at[all.n - 1].hash + 1, &focus);
    page_json_open(p->j, "arrows", '{');
    page_json_count(p->j, "total", total);
    page_json_count(p->j, "shown", all.n + focus.n);
    page_json_count(p->j, "kept", p->f->kept_back);
    page_json_exact(p->j, "tick", tick);
    write_names(p);
    page_json_open(p->j, "layers", '[');
    write_layers(p, &all, tick);
    if (focus.n)
        write_layer(p, focus.at, focus.n, tick);
    page_json_close(p->j, ']');
    page_json_close(p->j, '}');
    free(all.at);
    free(focus.at);
}

void page_write_marks(const struct page *p)
{
    const struct report_page *g = p->gathered;
    page_json_open(p->j, "marks", '[');
    for (size_t k = 0; k < g->marks.n; k++) {
        page_json_open(p->j, NULL, '[');
        page_json_exact(p->j, NULL, g->marks.at[k].time);
        page_json_count(p->j, NULL, g->marks.at[k].rank);
        page_json_text(p->j, NULL, g->marks.at[k].text);
        page_json_exact(p->j, NULL, fmin(g->marks.at[k].end, p->f->end));
        page_json_close(p->j, ']');
    }
    page_json_close(p->j, ']');
    page_json_count(p->j, "marksSeen", g->marks_seen);
}
