/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page_path: the critical path: what it consists of, its longest pieces, and all of it for the timeline,
 * with pieces too short to see merged; and what would speed the run up.
 */
#include "report/page_internal.h"

#include <math.h>
#include <stdlib.h>

enum { LONGEST = 30 };
static const double PATH_TICKS = 1ULL << 34;

/* --- shares ------------------------------------------------------------------------------------------- */

struct share {
    double seconds;
    uint32_t id;
};

static int by_seconds(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static struct share *shares_create(uint32_t n)
{
    struct share *s = base_alloc(sizeof *s * ((size_t)n + 1), "shares of the critical path");
    for (uint32_t k = 0; k < n; k++)
        s[k] = (struct share){0, k};
    return s;
}

enum { BY_RANK, BY_LINK, BY_CALL };

static void write_shares(const struct page *p, const char *key, int by, struct share *s, uint32_t n)
{
    qsort(s, n, sizeof *s, by_seconds);
    page_json_open(p->j, key, '[');
    for (uint32_t k = 0; k < n && k < PAGE_LIST_MOST && s[k].seconds > 0; k++) {
        page_json_open(p->j, NULL, '{');
        if (by == BY_RANK)
            page_json_count(p->j, "rank", s[k].id);
        else
            page_json_text(p->j, "name",
                           by == BY_LINK ? p->f->about->link[s[k].id].name
                                         : report_name_text(p->f, (report_name)s[k].id));
        page_json_number(p->j, "seconds", s[k].seconds);
        page_json_close(p->j, '}');
    }
    page_json_close(p->j, ']');
    free(s);
}

static void write_by(const struct page *p)
{
    const struct report_path *path = &p->f->path;
    uint32_t ranks = p->f->about->ranks, links = p->f->about->links,
             names = report_names_count(p->f->work->names);
    struct share *rank = shares_create(ranks), *link = shares_create(links), *call = shares_create(names);
    for (size_t k = 0; k < path->n; k++) {
        const struct report_piece *at = &path->at[k];
        double seconds = at->end - at->begin;
        if (!at->op && at->rank < ranks && at->part != REPORT_UNKNOWN)
            rank[at->rank].seconds += seconds;
        if (at->op && at->link < links)
            link[at->link].seconds += (double)at->transfer + (double)at->contention;
        if (at->name && at->name < names)
            call[at->name].seconds += seconds;
    }
    write_shares(p, "ranks", BY_RANK, rank, ranks);
    write_shares(p, "links", BY_LINK, link, links);
    write_shares(p, "calls", BY_CALL, call, names);
}

static void write_parts(const struct page *p)
{
    static const char *const keys[] = {"computing", "calling",  "timed",      "other",
                                       "latency",   "transfer", "contention", "unknown"};
    page_json_open(p->j, "parts", '[');
    for (unsigned k = 0; k < REPORT_PARTS; k++) {
        page_json_open(p->j, NULL, '{');
        page_json_text(p->j, "key", keys[k]);
        page_json_text(p->j, "text", report_part_text(k));
        page_json_number(p->j, "seconds", p->f->path.part[k]);
        page_json_close(p->j, '}');
    }
    page_json_close(p->j, ']');
}

/* --- the longest pieces ------------------------------------------------------------------------------- */

static const char *what_of(const struct report_piece *at)
{
    return at->op ? page_kind_text((enum report_kind)at->kind) : report_part_text(at->part);
}

static void write_piece(const struct page *p, const struct report_piece *at)
{
    struct page_json *j = p->j;
    page_json_open(j, NULL, '{');
    page_json_exact(j, "begin", at->begin);
    page_json_number(j, "seconds", at->end - at->begin);
    page_json_count(j, "rank", at->rank);
    page_json_count(j, "peer", at->op ? at->peer : at->rank);
    page_json_count(j, "target", at->op ? at->target : at->rank);
    page_json_text(j, "what", what_of(at));
    page_json_text(j, "name", report_name_text(p->f, at->name));
    page_json_count(j, "bytes", at->op ? at->bytes : 0);
    page_json_text(j, "link", at->op && at->link != REPORT_NO_LINK ? p->f->about->link[at->link].name : NULL);
    page_json_close(j, '}');
}

static void write_longest(const struct page *p)
{
    const struct report_path *path = &p->f->path;
    struct share *s = shares_create((uint32_t)path->n);
    for (size_t k = 0; k < path->n; k++)
        s[k].seconds = path->at[k].end - path->at[k].begin;
    qsort(s, path->n, sizeof *s, by_seconds);
    page_json_open(p->j, "longest", '[');
    for (size_t k = 0; k < path->n && k < LONGEST; k++)
        write_piece(p, &path->at[s[k].id]);
    page_json_close(p->j, ']');
    free(s);
}

/* --- all pieces, for the timeline ---------------------------------------------------------------------- */

struct drawn {
    struct page_json *j;
    double tick, least;
    uint64_t at;
    size_t n; /* written, or counted when j is NULL */
};

static void draw(struct drawn *d, double end, uint32_t rank, uint32_t peer, unsigned part)
{
    d->n++;
    if (!d->j)
        return;
    uint64_t until = (uint64_t)floor(end / d->tick + 0.5);
    until = until < d->at ? d->at : until;
    page_codes_add(d->j, until - d->at);
    page_codes_add(d->j, rank);
    page_codes_add(d->j, peer);
    page_codes_add(d->j, part);
    d->at = until;
}

/* Short pieces that follow each other become one, from the first one's rank to the last one's. */
struct together {
    bool open;
    uint32_t from; /* rank */
    double begin;
};

static void draw_piece(struct drawn *d, struct together *t, const struct report_piece *at)
{
    uint32_t peer = at->op ? at->peer : at->rank;
    if (at->end - at->begin >= d->least) {
        if (t->open)
            draw(d, at->begin, peer, t->from, REPORT_PARTS);
        t->open = false;
        draw(d, at->end, at->rank, peer, at->op ? REPORT_LATENCY : at->part);
        return;
    }
    if (!t->open)
        *t = (struct together){true, peer, at->begin};
    if (at->end - t->begin >= d->least) {
        draw(d, at->end, at->rank, t->from, REPORT_PARTS);
        t->open = false;
    }
}

static void draw_all(const struct page *p, struct drawn *d)
{
    const struct report_path *path = &p->f->path;
    struct together t = {0};
    d->at = 0;
    d->n = 0;
    for (size_t k = 0; k < path->n; k++)
        draw_piece(d, &t, &path->at[k]);
    if (t.open)
        draw(d, path->length, path->at[path->n - 1].rank, t.from, REPORT_PARTS);
}

static void write_pieces(const struct page *p)
{
    double length = p->f->path.length;
    struct drawn d = {.tick = length > 0 ? length / PATH_TICKS : 1};
    draw_all(p, &d);
    for (double parts = 1 << 20; d.n > PAGE_PIECES_MOST && parts > 16; parts /= 2) {
        d.least = length / parts;
        draw_all(p, &d);
    }
    page_json_exact(p->j, "tick", d.tick);
    page_json_number(p->j, "shortest", d.least);
    page_codes_begin(p->j, "pieces");
    d.j = p->j;
    draw_all(p, &d);
    page_codes_end(p->j);
}

void page_write_path(const struct page *p)
{
    page_json_open(p->j, "path", '{');
    page_json_exact(p->j, "length", p->f->path.length);
    page_json_count(p->j, "hops", p->f->path.hops);
    write_parts(p);
    write_by(p);
    write_longest(p);
    write_pieces(p);
    page_json_close(p->j, '}');
}

/* --- what would help ---------------------------------------------------------------------------------- */

static char *words_of(const struct page *p, const struct report_suggestion *s)
{
    switch (s->lever) {
    case REPORT_LEVER_LINK:
        return base_strfmt("Link %s: twice the bandwidth", p->f->about->link[s->id].name);
    case REPORT_LEVER_RANK:
        return base_strfmt("Rank %u: its computation twice as fast", s->id);
    case REPORT_LEVER_CALL:
        return base_strfmt("%s: its own time halved", report_name_text(p->f, (report_name)s->id));
    case REPORT_LEVER_KIND:
        return base_strfmt("All %s: twice as fast", report_kind_text(s->id));
    case REPORT_LEVER_LATENCY:
        return base_strdup("All latencies halved");
    case REPORT_LEVER_COMPUTATION:
        return base_strdup("Computation of all ranks twice as fast");
    }
    return base_strdup("");
}

void page_write_suggestions(const struct page *p)
{
    page_json_open(p->j, "suggestions", '[');
    for (size_t k = 0; k < p->f->suggestions && k < PAGE_LIST_MOST; k++) {
        const struct report_suggestion *s = &p->f->suggestion[k];
        char *words = words_of(p, s);
        page_json_open(p->j, NULL, '{');
        page_json_text(p->j, "text", words);
        page_json_number(p->j, "part", s->part);
        page_json_number(p->j, "gain", s->gain);
        page_json_number(p->j, "foreseen", s->foreseen);
        page_json_close(p->j, '}');
        free(words);
    }
    page_json_close(p->j, ']');
}
