/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile as JSON: collectives, links, hosts, the critical path, what would speed the run up. */
#include <stdlib.h>

#include "report/profile.h"

static void put_collective(yajl_gen g, const struct report_facts *f, const struct report_collective *c)
{
    yajl_gen_map_open(g);
    report_json_key_text(g, "call", report_name_text(f, c->name));
    report_json_key_text(g, "algorithm", report_name_text(f, c->algorithm));
    report_json_key_count(g, "bytes", c->bytes);
    report_json_key(g, "bytes_rounded");
    yajl_gen_bool(g, c->rounded);
    report_json_key_count(g, "members_least", c->members_least);
    report_json_key_count(g, "members_most", c->members_most);
    report_json_key_count(g, "count", c->count);
    report_json_key_count(g, "unfinished", c->unfinished);
    report_json_key_count(g, "parts", c->parts);
    report_json_key_number(g, "seconds", c->sum);
    report_json_key_number(g, "least", c->least);
    report_json_key_number(g, "most", c->most);
    report_json_key_number(g, "imbalance", c->imbalance_sum);
    report_json_key_number(g, "imbalance_most", c->imbalance_most);
    report_json_key_number(g, "after", c->after_sum);
    report_json_key_number(g, "after_most", c->after_most);
    report_json_key_number(g, "longest_at", c->longest_at);
    yajl_gen_map_close(g);
}

static void put_usage(yajl_gen g, const struct report_facts *f, const float *usage)
{
    report_json_key(g, "usage");
    yajl_gen_array_open(g);
    for (uint32_t k = 0; usage && k < f->bins.n; k++) {
        char digits[32];
        int size = snprintf(digits, sizeof digits, "%.4g", (double)usage[k]);
        yajl_gen_number(g, digits, (size_t)size);
    }
    yajl_gen_array_close(g);
}

static void put_links(yajl_gen g, const struct report_facts *f, size_t top)
{
    uint32_t *order;
    size_t n = report_order(f, f->about->links, report_link_use, top, &order);
    report_json_key(g, "by_link");
    yajl_gen_array_open(g);
    for (size_t at = 0; at < n; at++) {
        uint32_t k = order[at];
        const struct report_link *l = &f->link[k];
        yajl_gen_map_open(g);
        report_json_key_text(g, "link", f->about->link[k].name);
        report_json_key_number(g, "bandwidth", f->about->link[k].bandwidth);
        report_json_key_count(g, "operations", l->operations);
        report_json_key_number(g, "bytes", l->bytes);
        report_json_key_number(g, "mean", l->mean);
        report_json_key_number(g, "peak", l->peak);
        report_json_key_number(g, "transfer", l->transfer);
        report_json_key_number(g, "contention", l->contention);
        put_usage(g, f, l->usage);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
    free(order);
}

static void put_hosts(yajl_gen g, const struct report_facts *f, size_t top)
{
    uint32_t *order;
    size_t n = report_order(f, f->about->hosts, report_host_use, top, &order);
    report_json_key(g, "by_host");
    yajl_gen_array_open(g);
    for (size_t at = 0; at < n; at++) {
        uint32_t k = order[at];
        const struct report_host *h = &f->host[k];
        yajl_gen_map_open(g);
        report_json_key_text(g, "host", f->about->host[k].name);
        report_json_key_count(g, "cores", f->about->host[k].cores);
        report_json_key_count(g, "ranks", h->ranks);
        report_json_key_number(g, "computing", h->computing);
        report_json_key_number(g, "mean", h->mean);
        report_json_key_number(g, "peak", h->peak);
        put_usage(g, f, h->usage);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
    free(order);
}

void report_tables_json(yajl_gen g, const struct report_facts *f, size_t top)
{
    report_json_key(g, "collectives");
    yajl_gen_array_open(g);
    for (size_t k = 0; k < f->collectives && (!top || k < top); k++)
        put_collective(g, f, &f->collective[k]);
    yajl_gen_array_close(g);
    report_json_key_number(g, "bin_seconds", f->bins.width);
    put_links(g, f, top);
    put_hosts(g, f, top);
}

/* --- the path ---------------------------------------------------------------------------------------- */

static void put_piece(yajl_gen g, const struct report_facts *f, const struct report_piece *p)
{
    yajl_gen_map_open(g);
    report_json_key_number(g, "begin", p->begin);
    report_json_key_number(g, "end", p->end);
    report_json_key_count(g, "rank", p->rank);
    report_json_key_text(g, "name", report_name_text(f, p->name));
    if (p->op) {
        report_json_key_text(g, "kind", report_kind_text((enum report_kind)p->kind));
        report_json_key_count(g, "from_rank", p->peer);
        report_json_key_count(g, "bytes", p->bytes);
        report_json_key_number(g, "transfer", (double)p->transfer);
        report_json_key_number(g, "contention", (double)p->contention);
        if (p->link != REPORT_NO_LINK)
            report_json_key_text(g, "link", f->about->link[p->link].name);
    } else {
        report_json_key_text(g, "part", report_part_text((enum report_part)p->part));
    }
    yajl_gen_map_close(g);
}

static void put_suggestion(yajl_gen g, const struct report_facts *f, const struct report_suggestion *s)
{
    char what[2 * REPORT_TEXT];
    yajl_gen_map_open(g);
    report_json_key_text(g, "lever", report_lever_word(s->lever));
    if (s->lever == REPORT_LEVER_LINK)
        report_json_key_text(g, "link", f->about->link[s->id].name);
    if (s->lever == REPORT_LEVER_RANK)
        report_json_key_count(g, "rank", s->id);
    if (s->lever == REPORT_LEVER_CALL)
        report_json_key_text(g, "call", report_name_text(f, (report_name)s->id));
    if (s->lever == REPORT_LEVER_KIND)
        report_json_key_text(g, "kind", report_kind_text((enum report_kind)s->id));
    report_json_key_text(g, "what", report_lever_what(what, f, s));
    report_json_key_text(g, "change", report_lever_change(s->lever));
    report_json_key_number(g, "on_path", s->part);
    report_json_key_number(g, "at_most", s->gain);
    report_json_key_number(g, "foreseen", s->foreseen);
    yajl_gen_map_close(g);
}

void report_path_json(yajl_gen g, const struct report_facts *f, size_t top)
{
    report_json_key(g, "critical_path");
    yajl_gen_map_open(g);
    report_json_key_number(g, "seconds", f->path.length);
    report_json_key_count(g, "hops", f->path.hops);
    report_json_key(g, "parts");
    yajl_gen_map_open(g);
    for (unsigned k = 0; k < REPORT_PARTS; k++)
        report_json_key_number(g, report_part_text((enum report_part)k), f->path.part[k]);
    yajl_gen_map_close(g);
    report_json_key_count(g, "piece_count", f->path.n);
    report_json_key(g, "pieces");
    yajl_gen_array_open(g);
    for (size_t k = 0; k < f->path.n && (!top || k < top); k++)
        put_piece(g, f, &f->path.at[k]);
    yajl_gen_array_close(g);
    yajl_gen_map_close(g);
    report_json_key(g, "suggestions");
    yajl_gen_array_open(g);
    for (size_t k = 0; k < f->suggestions && (!top || k < top); k++)
        put_suggestion(g, f, &f->suggestion[k]);
    yajl_gen_array_close(g);
}
