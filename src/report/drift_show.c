/* SPDX-License-Identifier: BSD-3-Clause */
/* Where two runs drift apart, for people and as JSON. What drifts is drift.c's. */
#include "report/drift.h"

#include <inttypes.h>
#include <math.h>

/* --- for people --------------------------------------------------------------------------------------- */

static void print_step(FILE *out, const char *where, const struct drift_step *s)
{
    char name[REPORT_TEXT], begin[32], a[32], b[32];
    if (!s->call)
        return;
    fprintf(out, "    %s %s (call %" PRIu64 "), from %s on: A %s, B %s\n", where,
            report_show_name(name, s->name), s->call, base_show_time(begin, s->begin),
            base_show_time(a, s->amount[0]), base_show_time(b, s->amount[1]));
}

static void print_rank(FILE *out, const struct drift_rank *r)
{
    char name[REPORT_TEXT], other[REPORT_TEXT], at[32], apart[32];
    fprintf(out, "  rank %" PRIu32, r->rank);
    if (r->first.call)
        fprintf(out, ": at %s, at %s (call %" PRIu64 "), B is %s %s\n", base_show_time(at, r->moment),
                report_show_name(name, r->first.name), r->first.call, base_show_time(apart, fabs(r->apart)),
                r->apart < 0 ? "earlier" : "later");
    else
        fputs(": is never that far apart\n", out);
    print_step(out, "most outside calls: before", &r->between);
    print_step(out, "most inside calls: in", &r->inside);
    if (r->parted)
        fprintf(out, "    behind call %" PRIu64 " they are different: A %s, B %s\n", r->calls,
                report_show_name(name, report_or(r->other[0], "ends")),
                report_show_name(other, report_or(r->other[1], "ends")));
}

void drift_print(const struct report *a, const struct report *b, FILE *out, size_t top)
{
    struct drift d;
    char limit[32];
    size_t n = 0;
    bool any = false;
    drift_make(&d, a, b);
    for (uint32_t k = 0; k < d.ranks; k++)
        any = any || d.rank[k].first.call || d.rank[k].parted;
    if (any)
        fprintf(out, "\nWhere ranks drift apart by more than %s, call by call (times of A)\n",
                base_show_time(limit, d.limit));
    for (uint32_t k = 0; any && k < d.ranks && (!top || n < top); k++, n++)
        print_rank(out, &d.rank[k]);
    if (any && n < d.ranks)
        fprintf(out, "  (and %zu ranks more)\n", (size_t)d.ranks - n);
    drift_release(&d);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void put_step(struct base_json *j, const char *key, const struct drift_step *s)
{
    if (!s->call)
        return;
    base_json_open(j, key, '{');
    base_json_count(j, "call", s->call);
    base_json_text(j, "name", s->name);
    base_json_number(j, "begin", s->begin);
    base_json_number(j, "a", s->amount[0]);
    base_json_number(j, "b", s->amount[1]);
    base_json_close(j);
}

static void put_rank(struct base_json *j, const struct drift_rank *r)
{
    base_json_open(j, NULL, '{');
    base_json_count(j, "rank", r->rank);
    base_json_count(j, "calls", r->calls);
    base_json_flag(j, "same_calls", !r->parted);
    if (r->first.call) {
        base_json_number(j, "apart_from", r->moment);
        base_json_number(j, "apart", r->apart);
        base_json_count(j, "apart_call", r->first.call);
        base_json_text(j, "apart_name", r->first.name);
    }
    put_step(j, "outside", &r->between);
    put_step(j, "inside", &r->inside);
    base_json_close(j);
}

void drift_json(const struct report *a, const struct report *b, struct base_json *j, size_t top)
{
    struct drift d;
    drift_make(&d, a, b);
    base_json_open(j, "drift", '{');
    base_json_number(j, "limit", d.limit);
    base_json_open(j, "ranks", '[');
    for (uint32_t k = 0; k < d.ranks && (!top || k < top); k++)
        put_rank(j, &d.rank[k]);
    base_json_close(j);
    base_json_close(j);
    drift_release(&d);
}
