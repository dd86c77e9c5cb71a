/* SPDX-License-Identifier: BSD-3-Clause */
/* The differences of two runs for people and as JSON. What is different at all is diff.c's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/diff.h"
#include "report/drift.h"

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
    report_show_name(arguments, report_or(f->about->arguments, ""));
    fprintf(out, "%s  %s: %s%s%s, %u ranks on %s: %s%s\n", letter, report_show_name(path, r->path),
            report_show_name(program, report_or(f->about->program, "a program")), *arguments ? " " : "",
            arguments, f->about->ranks,
            report_show_name(platform, report_or(f->about->platform, "the built-in cluster")),
            base_show_time(time, f->end), f->truncated ? " (incomplete)" : "");
}

static char *show_amount(char *buf, const struct diff_list *l, double amount)
{
    if (!l->joules)
        return base_show_time(buf, amount);
    snprintf(buf, 32, "%.6g J", amount);
    return buf;
}

static char *show_difference(char *buf, const struct diff_list *l, const struct diff_item *i)
{
    if (l->joules)
        snprintf(buf, 40, "%+.6g J", i->amount[1] - i->amount[0]);
    else
        show_change(buf, i->amount[0], i->amount[1]);
    return buf;
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
        fprintf(out, "  %-40s %12s %12s %12s\n", report_show_name(name, report_or(i->name, "(outside)")),
                show_amount(a, l, i->amount[0]), show_amount(b, l, i->amount[1]),
                show_difference(change, l, i));
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
        fputs("The numbers of ranks differ: single ranks are not compared, and sums over all ranks cover "
              "different\n"
              "numbers of them.\n",
              out);
    if (strcmp(report_or(a->facts->about->program, ""), report_or(b->facts->about->program, "")))
        fputs("The programs differ.\n", out);
    drift_print(a, b, out, top);
    for (unsigned k = 0; k < DIFF_LISTS; k++)
        print_list(&d.list[k], out, top);
    diff_release(&d);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void put_run(struct base_json *j, const char *key, const struct report *r)
{
    const struct report_facts *f = r->facts;
    base_json_open(j, key, '{');
    base_json_text(j, "trace", r->path);
    base_json_text(j, "program", report_or(f->about->program, ""));
    base_json_text(j, "arguments", report_or(f->about->arguments, ""));
    base_json_text(j, "platform", report_or(f->about->platform, ""));
    base_json_count(j, "ranks", f->about->ranks);
    base_json_number(j, "simulated_seconds", f->end);
    base_json_flag(j, "complete", !f->truncated);
    base_json_close(j);
}

static void put_list(struct base_json *j, const struct diff_list *l, size_t top)
{
    base_json_open(j, l->key, '[');
    for (size_t k = 0; k < l->item.n && (!top || k < top); k++) {
        const struct diff_item *i = &l->item.at[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", i->name);
        base_json_number(j, "a", i->amount[0]);
        base_json_number(j, "b", i->amount[1]);
        base_json_number(j, "difference", i->amount[1] - i->amount[0]);
        base_json_close(j);
    }
    base_json_close(j);
}

void report_diff_json(const struct report *a, const struct report *b, FILE *out, size_t top)
{
    struct diff d;
    struct base_json j;
    base_json_init(&j, out, &report_json_form);
    diff_make(&d, a, b);
    base_json_open(&j, NULL, '{');
    put_run(&j, "a", a);
    put_run(&j, "b", b);
    base_json_number(&j, "difference_seconds", b->facts->end - a->facts->end);
    base_json_flag(&j, "same_ranks", d.same_ranks);
    for (unsigned k = 0; k < DIFF_LISTS; k++)
        put_list(&j, &d.list[k], top);
    drift_json(a, b, &j, top);
    base_json_close(&j);
    base_json_end(&j);
    diff_release(&d);
}
