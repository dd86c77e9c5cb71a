/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The profile as one JSON object: seconds, bytes and counts with all their digits. This file: the run, ranks,
 * calls, operations, waits; profile_json_more.c has the rest. The keys are documented in pgasim-profile(1).
 */
#include <stdlib.h>

#include "report/profile.h"

static void put_run(struct base_json *j, const struct report *r)
{
    const struct report_facts *f = r->facts;
    const struct trace_about *a = f->about;
    base_json_text(j, "pgasim", pgasim_version);
    base_json_text(j, "traced_by", report_or(a->version, ""));
    base_json_text(j, "program", report_or(a->program, ""));
    base_json_text(j, "arguments", report_or(a->arguments, ""));
    base_json_text(j, "platform", report_or(a->platform, ""));
    base_json_count(j, "ranks", a->ranks);
    base_json_count(j, "hosts", a->hosts);
    base_json_count(j, "links", a->links);
    base_json_number(j, "simulated_seconds", f->end);
    base_json_count(j, "events", f->events);
    base_json_flag(j, "complete", !f->truncated);
    if (r->damage)
        base_json_text(j, "damage", r->damage);
    if (f->unknown_names)
        base_json_count(j, "unknown_names", f->unknown_names);
}

/* The keys of `pgasim run --json`. */
static void put_counts(struct base_json *j, const struct report_facts *f)
{
    base_json_open(j, "operations", '{');
    base_json_count(j, "puts", f->kind[REPORT_PUT].count);
    base_json_count(j, "put_bytes", f->kind[REPORT_PUT].bytes);
    base_json_count(j, "gets", f->kind[REPORT_GET].count);
    base_json_count(j, "get_bytes", f->kind[REPORT_GET].bytes);
    base_json_count(j, "atomics", f->kind[REPORT_ATOMIC].count);
    if (f->kind[REPORT_SEND].count) {
        base_json_count(j, "messages", f->kind[REPORT_SEND].count);
        base_json_count(j, "message_bytes", f->kind[REPORT_SEND].bytes);
    }
    base_json_count(j, "collective_calls", f->collective_calls);
    base_json_count(j, "collective_messages", f->kind[REPORT_MESSAGE].count);
    base_json_count(j, "collective_bytes", f->kind[REPORT_MESSAGE].bytes);
    base_json_close(j);
}

/* --- distributions ----------------------------------------------------------------------------------- */

static void put_distribution(struct base_json *j, const char *key, const struct report_distribution *d)
{
    base_json_open(j, key, '{');
    base_json_count(j, "count", d->n);
    base_json_number(j, "least", d->least);
    base_json_number(j, "mean", report_distribution_mean(d));
    base_json_number(j, "median", report_distribution_at(d, 0.5));
    base_json_number(j, "p90", report_distribution_at(d, 0.9));
    base_json_number(j, "p99", report_distribution_at(d, 0.99));
    base_json_number(j, "most", d->most);
    base_json_open(j, "powers", '[');
    for (unsigned k = 0; k < REPORT_POWERS; k++) {
        double low, high;
        uint64_t n = report_distribution_power(d, k, &low, &high);
        if (!n)
            continue;
        base_json_open(j, NULL, '{');
        base_json_number(j, "from", low);
        base_json_count(j, "count", n);
        base_json_close(j);
    }
    base_json_close(j);
    base_json_close(j);
}

static void put_kinds(struct base_json *j, const struct report_facts *f)
{
    base_json_open(j, "kinds", '[');
    for (unsigned k = 0; k < REPORT_KINDS; k++) {
        if (k >= REPORT_SEND && !f->kind[k].count)
            continue; /* of an API that many programs do not use */
        base_json_open(j, NULL, '{');
        base_json_text(j, "kind", report_kind_text((enum report_kind)k));
        base_json_count(j, "count", f->kind[k].count);
        base_json_count(j, "bytes", f->kind[k].bytes);
        base_json_count(j, "unfinished", f->kind[k].unfinished);
        put_distribution(j, "size_bytes", &f->kind[k].size);
        put_distribution(j, "duration_seconds", &f->kind[k].duration);
        base_json_close(j);
    }
    base_json_close(j);
}

/* --- ranks ------------------------------------------------------------------------------------------- */

/* Names may repeat once they are UTF-8: so a list, not an object by name. */
static void put_shares(struct base_json *j, const struct report_facts *f, const char *key,
                       const struct report_shares *s)
{
    base_json_open(j, key, '[');
    for (size_t k = 0; k < s->n; k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", report_name_text(f, s->at[k].name));
        base_json_number(j, "seconds", s->at[k].seconds);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_rank(struct base_json *j, const struct report_facts *f, uint32_t k)
{
    const struct report_rank *r = &f->rank[k];
    base_json_open(j, NULL, '{');
    base_json_count(j, "rank", k);
    base_json_text(j, "host", f->about->host[r->host].name);
    base_json_number(j, "begin", r->begin);
    base_json_number(j, "end", r->end);
    base_json_number(j, "computing", r->computing);
    base_json_number(j, "calling", r->calling);
    base_json_number(j, "waiting", r->waiting);
    base_json_number(j, "other", r->other);
    base_json_number(j, "after", r->after);
    base_json_count(j, "sent", r->sent);
    base_json_count(j, "sent_bytes", r->sent_bytes);
    base_json_count(j, "taken", r->taken);
    base_json_count(j, "taken_bytes", r->taken_bytes);
    put_shares(j, f, "calls", &r->calls);
    put_shares(j, f, "waits", &r->waits);
    base_json_close(j);
}

static void put_ranks(struct base_json *j, const struct report_facts *f, size_t top)
{
    base_json_open(j, "by_rank", '[');
    for (uint32_t k = 0; k < f->about->ranks && (!top || k < top); k++)
        put_rank(j, f, k);
    base_json_close(j);
}

/* --- waits and calls --------------------------------------------------------------------------------- */

static void put_reasons(struct base_json *j, const struct report_facts *f, size_t top)
{
    size_t n;
    struct report_share *reason = report_reasons(f, &n);
    base_json_open(j, "waits", '[');
    for (size_t k = 0; k < n && (!top || k < top); k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "for", report_name_text(f, reason[k].name));
        base_json_count(j, "count", reason[k].count);
        base_json_number(j, "seconds", reason[k].seconds);
        base_json_close(j);
    }
    base_json_close(j);
    free(reason);
}

static void put_late(struct base_json *j, const struct report_facts *f)
{
    static const char *const keys[] = {
        [REPORT_LATE_SENDER] = "late_sender",      [REPORT_LATE_RECEIVER] = "late_receiver",
        [REPORT_UNDER_WAY] = "message_under_way",  [REPORT_LATE_MEMBER] = "late_member",
        [REPORT_MEETING] = "collective_under_way", [REPORT_LATE_HOLDER] = "lock_held",
        [REPORT_LATE_EPOCH] = "late_epoch"};
    base_json_open(j, "late", '[');
    for (unsigned k = 0; k < REPORT_LATES; k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "part", keys[k]);
        base_json_count(j, "count", f->late[k].count);
        base_json_number(j, "seconds", f->late[k].seconds);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_pairs(struct base_json *j, const struct report_facts *f, size_t top)
{
    size_t most = top ? top : 1000;
    struct report_pair *pair = base_alloc(sizeof *pair * (most + 1), "who waited for whom");
    size_t n = report_matrix_top(&f->waits, pair, most);
    base_json_count(j, "ranks_a_group", f->waits.group);
    base_json_open(j, "waited_for", '[');
    for (size_t k = 0; k < n; k++) {
        base_json_open(j, NULL, '{');
        base_json_count(j, "rank", (uint64_t)pair[k].row * f->waits.group);
        base_json_count(j, "for_rank", (uint64_t)pair[k].column * f->waits.group);
        base_json_number(j, "seconds", pair[k].value);
        base_json_close(j);
    }
    base_json_close(j);
    free(pair);
}

static void put_calls(struct base_json *j, const struct report_facts *f, size_t top)
{
    base_json_open(j, "calls", '[');
    for (size_t k = 0; k < f->calls && (!top || k < top); k++) {
        const struct report_call *c = &f->call[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "call", report_name_text(f, c->name));
        base_json_count(j, "count", c->count);
        base_json_number(j, "own", c->own);
        base_json_number(j, "waiting", c->waiting);
        base_json_number(j, "longest", c->longest);
        base_json_count(j, "longest_rank", c->longest_rank);
        base_json_number(j, "longest_at", c->longest_at);
        base_json_count(j, "operations", c->operations);
        base_json_count(j, "bytes", c->bytes);
        base_json_close(j);
    }
    base_json_close(j);
}

void report_profile_json(const struct report *r, FILE *out, size_t top)
{
    const struct report_facts *f = r->facts;
    struct base_json j;
    base_json_init(&j, out, &report_json_form);
    base_json_open(&j, NULL, '{');
    put_run(&j, r);
    put_counts(&j, f);
    report_races_json(&j, f, top);
    report_kept_json(&j, f, top);
    report_jobs_json(&j, f, top);
    report_energy_json(&j, f, top);
    report_disks_json(&j, f, top);
    report_files_json(&j, f, top);
    report_worlds_json(&j, f, top);
    report_cards_json(&j, f, top);
    report_sdsm_json(&j, f, top);
    report_users_json(&j, f, top);
    put_ranks(&j, f, top);
    put_reasons(&j, f, top);
    put_late(&j, f);
    put_pairs(&j, f, top);
    put_calls(&j, f, top);
    put_kinds(&j, f);
    report_tables_json(&j, f, top);
    report_path_json(&j, f, top);
    base_json_close(&j);
    base_json_end(&j);
}
