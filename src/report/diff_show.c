/* SPDX-License-Identifier: BSD-3-Clause */
/* The differences of two runs for people and as JSON. What is different at all is diff.c's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/diff.h"

static const char *or_else(const char *text, const char *otherwise)
{
    return text && *text ? text : otherwise;
}

/* --- for people --------------------------------------------------------------------------------------- */

static char *show_change(char *buf, double from, double to)
{
    char time[32];
    snprintf(buf, 40, "%s%s", to < from ? "-" : "+", base_show_time(time, fabs(to - from)));
    return buf;
}

static void print_run(const struct report *r, const char *letter, FILE *out)
{
    const struct report_facts *f = r->facts;
    char path[REPORT_TEXT], program[REPORT_TEXT], arguments[REPORT_TEXT], platform[REPORT_TEXT], time[32];
    report_show_name(arguments, or_else(f->about->arguments, ""));
    fprintf(out, "%s  %s: %s%s%s, %u ranks on %s: %s%s\n", letter, report_show_name(path, r->path),
            report_show_name(program, or_else(f->about->program, "a program")), *arguments ? " " : "",
            arguments, f->about->ranks,
            report_show_name(platform, or_else(f->about->platform, "the built-in cluster")),
            base_show_time(time, f->end), f->truncated ? " (not all of it)" : "");
}

/* Whether the amounts differ by more than rounding does. */
static bool differs(const struct diff_item *i)
{
    double most = fmax(fabs(i->amount[0]), fabs(i->amount[1]));
    return fabs(i->amount[1] - i->amount[0]) > 1e-9 * most;
}

static void print_list(const struct diff_list *l, FILE *out, size_t top)
{
    size_t n = 0;
    while (n < l->item.n && (!top || n < top) && differs(&l->item.at[n]))
        n++;
    if (!n)
        return;
    fprintf(out, "\n%s\n  %-40s %12s %12s %12s\n", l->title, "", "A", "B", "difference");
    for (size_t k = 0; k < n; k++) {
        const struct diff_item *i = &l->item.at[k];
        char name[REPORT_TEXT], a[32], b[32], change[40];
        fprintf(out, "  %-40s %12s %12s %12s\n", report_show_name(name, or_else(i->name, "(outside)")),
                base_show_time(a, i->amount[0]), base_show_time(b, i->amount[1]),
                show_change(change, i->amount[0], i->amount[1]));
    }
}

void report_diff_print(const struct report *a, const struct report *b, FILE *out, size_t top)
{
    struct diff d;
    char change[40];
    double from = a->facts->end, to = b->facts->end;
    diff_make(&d, a, b);
    print_run(a, "A", out);
    print_run(b, "B", out);
    fprintf(out, "B takes %s", show_change(change, from, to));
    if (from > 0)
        fprintf(out, " (%+.1f%%)", 100 * (to - from) / from);
    fputc('\n', out);
    if (!d.same_ranks)
        fputs(
            "The numbers of ranks differ: ranks are not compared, and amounts over all ranks are of more or\n"
            "fewer of them.\n",
            out);
    if (strcmp(or_else(a->facts->about->program, ""), or_else(b->facts->about->program, "")))
        fputs("The programs differ.\n", out);
    for (unsigned k = 0; k < DIFF_LISTS; k++)
        print_list(&d.list[k], out, top);
    diff_release(&d);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void put_run(yajl_gen g, const char *key, const struct report *r)
{
    const struct report_facts *f = r->facts;
    report_json_key(g, key);
    yajl_gen_map_open(g);
    report_json_key_text(g, "trace", r->path);
    report_json_key_text(g, "program", f->about->program);
    report_json_key_text(g, "arguments", f->about->arguments);
    report_json_key_text(g, "platform", f->about->platform);
    report_json_key_count(g, "ranks", f->about->ranks);
    report_json_key_number(g, "simulated_seconds", f->end);
    report_json_key(g, "complete");
    yajl_gen_bool(g, !f->truncated);
    yajl_gen_map_close(g);
}

static void put_list(yajl_gen g, const struct diff_list *l, size_t top)
{
    report_json_key(g, l->key);
    yajl_gen_array_open(g);
    for (size_t k = 0; k < l->item.n && (!top || k < top); k++) {
        const struct diff_item *i = &l->item.at[k];
        yajl_gen_map_open(g);
        report_json_key_text(g, "name", i->name);
        report_json_key_number(g, "a", i->amount[0]);
        report_json_key_number(g, "b", i->amount[1]);
        report_json_key_number(g, "difference", i->amount[1] - i->amount[0]);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
}

void report_diff_json(const struct report *a, const struct report *b, FILE *out, size_t top)
{
    struct diff d;
    yajl_gen g = report_json_begin();
    diff_make(&d, a, b);
    yajl_gen_map_open(g);
    put_run(g, "a", a);
    put_run(g, "b", b);
    report_json_key_number(g, "difference_seconds", b->facts->end - a->facts->end);
    report_json_key(g, "same_ranks");
    yajl_gen_bool(g, d.same_ranks);
    for (unsigned k = 0; k < DIFF_LISTS; k++)
        put_list(g, &d.list[k], top);
    yajl_gen_map_close(g);
    report_json_write(g, out);
    diff_release(&d);
}
