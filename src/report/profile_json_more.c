/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile as JSON: collectives, links, hosts, the critical path, what would speed the run up. */
#include <stdlib.h>

#include "report/profile.h"

static void put_collective(struct base_json *j, const struct report_facts *f,
                           const struct report_collective *c)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "call", report_name_text(f, c->name));
    base_json_text(j, "algorithm", report_name_text(f, c->algorithm));
    base_json_count(j, "bytes", c->bytes);
    base_json_flag(j, "bytes_rounded", c->rounded);
    base_json_count(j, "members_least", c->members_least);
    base_json_count(j, "members_most", c->members_most);
    base_json_count(j, "count", c->count);
    base_json_count(j, "unfinished", c->unfinished);
    base_json_count(j, "parts", c->parts);
    base_json_number(j, "seconds", c->sum);
    base_json_number(j, "least", c->least);
    base_json_number(j, "most", c->most);
    base_json_number(j, "imbalance", c->imbalance_sum);
    base_json_number(j, "imbalance_most", c->imbalance_most);
    base_json_number(j, "after", c->after_sum);
    base_json_number(j, "after_most", c->after_most);
    base_json_number(j, "longest_at", c->longest_at);
    if (c->why) {
        base_json_text(j, "why", report_name_text(f, c->why));
        base_json_number(j, "bound", c->bound);
    }
    if (c->better) {
        base_json_text(j, "better", report_name_text(f, c->better));
        base_json_number(j, "saves", c->saves);
    }
    base_json_close(j);
}

static void put_usage(struct base_json *j, const struct report_facts *f, const float *usage)
{
    base_json_open(j, "usage", '[');
    for (uint32_t k = 0; usage && k < f->bins.n; k++)
        base_json_digits(j, NULL, (double)usage[k], 4);
    base_json_close(j);
}

static void put_links(struct base_json *j, const struct report_facts *f, size_t top)
{
    uint32_t *order;
    size_t n = report_order(f, f->about->links, report_link_use, top, &order);
    base_json_open(j, "by_link", '[');
    for (size_t at = 0; at < n; at++) {
        uint32_t k = order[at];
        const struct report_link *l = &f->link[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "link", f->about->link[k].name);
        base_json_number(j, "bandwidth", f->about->link[k].bandwidth);
        base_json_count(j, "operations", l->operations);
        base_json_number(j, "bytes", l->bytes);
        base_json_number(j, "mean", l->mean);
        base_json_number(j, "peak", l->peak);
        base_json_number(j, "transfer", l->transfer);
        base_json_number(j, "contention", l->contention);
        put_usage(j, f, l->usage);
        base_json_close(j);
    }
    base_json_close(j);
    free(order);
}

static void put_hosts(struct base_json *j, const struct report_facts *f, size_t top)
{
    uint32_t *order;
    size_t n = report_order(f, f->about->hosts, report_host_use, top, &order);
    base_json_open(j, "by_host", '[');
    for (size_t at = 0; at < n; at++) {
        uint32_t k = order[at];
        const struct report_host *h = &f->host[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "host", f->about->host[k].name);
        base_json_count(j, "cores", f->about->host[k].cores);
        base_json_count(j, "ranks", h->ranks);
        base_json_number(j, "computing", h->computing);
        base_json_number(j, "mean", h->mean);
        base_json_number(j, "peak", h->peak);
        put_usage(j, f, h->usage);
        base_json_close(j);
    }
    base_json_close(j);
    free(order);
}

void report_tables_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    base_json_open(j, "collectives", '[');
    for (size_t k = 0; k < f->collectives && (!top || k < top); k++)
        put_collective(j, f, &f->collective[k]);
    base_json_close(j);
    base_json_number(j, "bin_seconds", f->bins.width);
    put_links(j, f, top);
    put_hosts(j, f, top);
}

/* --- the path ---------------------------------------------------------------------------------------- */

static void put_piece(struct base_json *j, const struct report_facts *f, const struct report_piece *p)
{
    base_json_open(j, NULL, '{');
    base_json_number(j, "begin", p->begin);
    base_json_number(j, "end", p->end);
    base_json_count(j, "rank", p->rank);
    base_json_text(j, "name", report_name_text(f, p->name));
    if (p->op) {
        base_json_text(j, "kind", report_kind_text((enum report_kind)p->kind));
        base_json_count(j, "from_rank", p->peer);
        base_json_count(j, "bytes", p->bytes);
        base_json_number(j, "transfer", (double)p->transfer);
        base_json_number(j, "contention", (double)p->contention);
        if (p->link != REPORT_NO_LINK)
            base_json_text(j, "link", f->about->link[p->link].name);
    } else {
        base_json_text(j, "part", report_part_text((enum report_part)p->part));
    }
    base_json_close(j);
}

static void put_suggestion(struct base_json *j, const struct report_facts *f,
                           const struct report_suggestion *s)
{
    char what[2 * REPORT_TEXT];
    base_json_open(j, NULL, '{');
    base_json_text(j, "lever", report_lever_word(s->lever));
    if (s->lever == REPORT_LEVER_LINK)
        base_json_text(j, "link", f->about->link[s->id].name);
    if (s->lever == REPORT_LEVER_RANK)
        base_json_count(j, "rank", s->id);
    if (s->lever == REPORT_LEVER_CALL)
        base_json_text(j, "call", report_name_text(f, (report_name)s->id));
    if (s->lever == REPORT_LEVER_KIND)
        base_json_text(j, "kind", report_kind_text((enum report_kind)s->id));
    base_json_text(j, "what", report_lever_what(what, f, s));
    base_json_text(j, "change", report_lever_change(s->lever));
    base_json_number(j, "on_path", s->part);
    base_json_number(j, "at_most", s->gain);
    base_json_number(j, "foreseen", s->foreseen);
    base_json_close(j);
}

void report_path_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    base_json_open(j, "critical_path", '{');
    base_json_number(j, "seconds", f->path.length);
    base_json_count(j, "hops", f->path.hops);
    base_json_open(j, "parts", '{');
    for (unsigned k = 0; k < REPORT_PARTS; k++)
        base_json_number(j, report_part_text((enum report_part)k), f->path.part[k]);
    base_json_close(j);
    base_json_count(j, "piece_count", f->path.n);
    base_json_open(j, "pieces", '[');
    for (size_t k = 0; k < f->path.n && (!top || k < top); k++)
        put_piece(j, f, &f->path.at[k]);
    base_json_close(j);
    base_json_close(j);
    base_json_open(j, "suggestions", '[');
    for (size_t k = 0; k < f->suggestions && (!top || k < top); k++)
        put_suggestion(j, f, &f->suggestion[k]);
    base_json_close(j);
}
