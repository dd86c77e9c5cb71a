/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The profile as one JSON object: seconds, bytes and counts with all their digits. This file: the run, ranks, calls,
 * operations, waits; profile_json_more.c has the rest. The keys are documented in pgasim-profile(1).
 */
#include <stdlib.h>

#include "report/profile.h"

static void put_run(yajl_gen g, const struct report *r)
{
    const struct report_facts *f = r->facts;
    const struct trace_about *a = f->about;
    report_json_key_text(g, "pgasim", pgasim_version);
    report_json_key_text(g, "traced_by", a->version);
    report_json_key_text(g, "program", a->program);
    report_json_key_text(g, "arguments", a->arguments);
    report_json_key_text(g, "platform", a->platform);
    report_json_key_count(g, "ranks", a->ranks);
    report_json_key_count(g, "hosts", a->hosts);
    report_json_key_count(g, "links", a->links);
    report_json_key_number(g, "simulated_seconds", f->end);
    report_json_key_count(g, "events", f->events);
    report_json_key(g, "complete");
    yajl_gen_bool(g, !f->truncated);
    if (r->damage)
        report_json_key_text(g, "damage", r->damage);
    if (f->unknown_names)
        report_json_key_count(g, "unknown_names", f->unknown_names);
}

/* The keys of `pgasim run --json`. */
static void put_counts(yajl_gen g, const struct report_facts *f)
{
    report_json_key(g, "operations");
    yajl_gen_map_open(g);
    report_json_key_count(g, "puts", f->kind[REPORT_PUT].count);
    report_json_key_count(g, "put_bytes", f->kind[REPORT_PUT].bytes);
    report_json_key_count(g, "gets", f->kind[REPORT_GET].count);
    report_json_key_count(g, "get_bytes", f->kind[REPORT_GET].bytes);
    report_json_key_count(g, "atomics", f->kind[REPORT_ATOMIC].count);
    if (f->kind[REPORT_SEND].count) {
        report_json_key_count(g, "messages", f->kind[REPORT_SEND].count);
        report_json_key_count(g, "message_bytes", f->kind[REPORT_SEND].bytes);
    }
    report_json_key_count(g, "collective_calls", f->collective_calls);
    report_json_key_count(g, "collective_messages", f->kind[REPORT_MESSAGE].count);
    report_json_key_count(g, "collective_bytes", f->kind[REPORT_MESSAGE].bytes);
    yajl_gen_map_close(g);
}

/* --- distributions ----------------------------------------------------------------------------------- */

static void put_distribution(yajl_gen g, const char *key, const struct report_distribution *d)
{
    report_json_key(g, key);
    yajl_gen_map_open(g);
    report_json_key_count(g, "count", d->n);
    report_json_key_number(g, "least", d->least);
    report_json_key_number(g, "mean", report_distribution_mean(d));
    report_json_key_number(g, "median", report_distribution_at(d, 0.5));
    report_json_key_number(g, "p90", report_distribution_at(d, 0.9));
    report_json_key_number(g, "p99", report_distribution_at(d, 0.99));
    report_json_key_number(g, "most", d->most);
    report_json_key(g, "powers");
    yajl_gen_array_open(g);
    for (unsigned k = 0; k < REPORT_POWERS; k++) {
        double low, high;
        uint64_t n = report_distribution_power(d, k, &low, &high);
        if (!n)
            continue;
        yajl_gen_map_open(g);
        report_json_key_number(g, "from", low);
        report_json_key_count(g, "count", n);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
    yajl_gen_map_close(g);
}

static void put_kinds(yajl_gen g, const struct report_facts *f)
{
    report_json_key(g, "kinds");
    yajl_gen_array_open(g);
    for (unsigned k = 0; k < REPORT_KINDS; k++) {
        if (k == REPORT_SEND && !f->kind[k].count)
            continue; /* of an API that many programs do not use */
        yajl_gen_map_open(g);
        report_json_key_text(g, "kind", report_kind_text((enum report_kind)k));
        report_json_key_count(g, "count", f->kind[k].count);
        report_json_key_count(g, "bytes", f->kind[k].bytes);
        report_json_key_count(g, "unfinished", f->kind[k].unfinished);
        put_distribution(g, "size_bytes", &f->kind[k].size);
        put_distribution(g, "duration_seconds", &f->kind[k].duration);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
}

/* --- ranks ------------------------------------------------------------------------------------------- */

/* Names may repeat once they are UTF-8: so a list, not an object by name. */
static void put_shares(yajl_gen g, const struct report_facts *f, const char *key,
                       const struct report_shares *s)
{
    report_json_key(g, key);
    yajl_gen_array_open(g);
    for (size_t k = 0; k < s->n; k++) {
        yajl_gen_map_open(g);
        report_json_key_text(g, "name", report_name_text(f, s->at[k].name));
        report_json_key_number(g, "seconds", s->at[k].seconds);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
}

static void put_rank(yajl_gen g, const struct report_facts *f, uint32_t k)
{
    const struct report_rank *r = &f->rank[k];
    yajl_gen_map_open(g);
    report_json_key_count(g, "rank", k);
    report_json_key_text(g, "host", f->about->host[r->host].name);
    report_json_key_number(g, "begin", r->begin);
    report_json_key_number(g, "end", r->end);
    report_json_key_number(g, "computing", r->computing);
    report_json_key_number(g, "calling", r->calling);
    report_json_key_number(g, "waiting", r->waiting);
    report_json_key_number(g, "other", r->other);
    report_json_key_number(g, "after", r->after);
    report_json_key_count(g, "sent", r->sent);
    report_json_key_count(g, "sent_bytes", r->sent_bytes);
    report_json_key_count(g, "taken", r->taken);
    report_json_key_count(g, "taken_bytes", r->taken_bytes);
    put_shares(g, f, "calls", &r->calls);
    put_shares(g, f, "waits", &r->waits);
    yajl_gen_map_close(g);
}

static void put_ranks(yajl_gen g, const struct report_facts *f, size_t top)
{
    report_json_key(g, "by_rank");
    yajl_gen_array_open(g);
    for (uint32_t k = 0; k < f->about->ranks && (!top || k < top); k++)
        put_rank(g, f, k);
    yajl_gen_array_close(g);
}

/* --- waits and calls --------------------------------------------------------------------------------- */

static void put_reasons(yajl_gen g, const struct report_facts *f, size_t top)
{
    size_t n;
    struct report_share *reason = report_reasons(f, &n);
    report_json_key(g, "waits");
    yajl_gen_array_open(g);
    for (size_t k = 0; k < n && (!top || k < top); k++) {
        yajl_gen_map_open(g);
        report_json_key_text(g, "for", report_name_text(f, reason[k].name));
        report_json_key_count(g, "count", reason[k].count);
        report_json_key_number(g, "seconds", reason[k].seconds);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
    free(reason);
}

static void put_pairs(yajl_gen g, const struct report_facts *f, size_t top)
{
    size_t most = top ? top : 1000;
    struct report_pair *pair = base_alloc(sizeof *pair * (most + 1), "who waited for whom");
    size_t n = report_matrix_top(&f->waits, pair, most);
    report_json_key_count(g, "ranks_a_group", f->waits.group);
    report_json_key(g, "waited_for");
    yajl_gen_array_open(g);
    for (size_t k = 0; k < n; k++) {
        yajl_gen_map_open(g);
        report_json_key_count(g, "rank", (uint64_t)pair[k].row * f->waits.group);
        report_json_key_count(g, "for_rank", (uint64_t)pair[k].column * f->waits.group);
        report_json_key_number(g, "seconds", pair[k].value);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
    free(pair);
}

static void put_calls(yajl_gen g, const struct report_facts *f, size_t top)
{
    report_json_key(g, "calls");
    yajl_gen_array_open(g);
    for (size_t k = 0; k < f->calls && (!top || k < top); k++) {
        const struct report_call *c = &f->call[k];
        yajl_gen_map_open(g);
        report_json_key_text(g, "call", report_name_text(f, c->name));
        report_json_key_count(g, "count", c->count);
        report_json_key_number(g, "own", c->own);
        report_json_key_number(g, "waiting", c->waiting);
        report_json_key_number(g, "longest", c->longest);
        report_json_key_count(g, "longest_rank", c->longest_rank);
        report_json_key_number(g, "longest_at", c->longest_at);
        report_json_key_count(g, "operations", c->operations);
        report_json_key_count(g, "bytes", c->bytes);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
}

void report_profile_json(const struct report *r, FILE *out, size_t top)
{
    const struct report_facts *f = r->facts;
    yajl_gen g = report_json_begin();
    yajl_gen_map_open(g);
    put_run(g, r);
    put_counts(g, f);
    put_ranks(g, f, top);
    put_reasons(g, f, top);
    put_pairs(g, f, top);
    put_calls(g, f, top);
    put_kinds(g, f);
    report_tables_json(g, f, top);
    report_path_json(g, f, top);
    yajl_gen_map_close(g);
    report_json_write(g, out);
}
