/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile as text: calls, operations, collectives, links, hosts, a table each. Empty ones are left
 * out. */
#include "report/profile.h"

#include <stdlib.h>

/* --- calls ------------------------------------------------------------------------------------------- */

static void print_call(const struct report_facts *f, const struct report_call *c, FILE *out)
{
    char t[4][32], n[2][32], size[32], name[REPORT_TEXT];
    double all = c->own + c->waiting;
    fprintf(out, "  %-30s %9s %10s %10s %10s %10s %9s %10s\n",
            report_show_name(name, c->name ? report_name_text(f, c->name) : "(outside)"),
            base_show_count(n[0], (double)c->count), base_show_time(t[0], c->own),
            base_show_time(t[1], c->waiting), base_show_time(t[2], c->count ? all / (double)c->count : 0),
            base_show_time(t[3], c->longest), base_show_count(n[1], (double)c->operations),
            base_show_size(size, (double)c->bytes));
}

static void print_calls(const struct report_facts *f, FILE *out, size_t top)
{
    if (!f->calls)
        return;
    report_heading(out, "Calls (time over all ranks)");
    fprintf(out, "  %-30s %9s %10s %10s %10s %10s %9s %10s\n", "call", "count", "own", "waiting", "mean",
            "longest", "ops", "bytes");
    for (size_t k = 0; k < f->calls && (!top || k < top); k++)
        print_call(f, &f->call[k], out);
}

/* --- operations -------------------------------------------------------------------------------------- */

static void print_operations(const struct report_facts *f, FILE *out)
{
    bool any = false;
    for (unsigned k = 0; k < REPORT_KINDS; k++) {
        const struct report_operations *o = &f->kind[k];
        const struct report_distribution *d = &o->duration;
        char n[32], s[2][32], t[4][32];
        if (!o->count)
            continue;
        if (!any) {
            report_heading(out, "Operations: sizes, and seconds from issue to end");
            fprintf(out, "  %-20s %9s %12s %12s %11s %11s %11s %11s\n", "kind", "count", "mean size",
                    "largest", "shortest", "median", "99%", "longest");
        }
        any = true;
        fprintf(out, "  %-20s %9s %12s %12s %11s %11s %11s %11s\n", report_kind_text((enum report_kind)k),
                base_show_count(n, (double)o->count),
                base_show_size(s[0], report_distribution_mean(&o->size)), base_show_size(s[1], o->size.most),
                base_show_time(t[0], d->least), base_show_time(t[1], report_distribution_at(d, 0.5)),
                base_show_time(t[2], report_distribution_at(d, 0.99)), base_show_time(t[3], d->most));
        if (o->unfinished)
            fprintf(out, "  %-20s %9s without an end in the trace\n", "",
                    base_show_count(n, (double)o->unfinished));
    }
}

/* --- collectives ------------------------------------------------------------------------------------- */

static void print_collective(const struct report_facts *f, const struct report_collective *c, FILE *out)
{
    char t[4][32], n[32], size[32], name[REPORT_TEXT], algorithm[REPORT_TEXT];
    uint64_t over = c->count - c->unfinished;
    fprintf(out, "  %-26s %-24s %9s%s %8u %8s %10s %10s %11s %11s\n",
            report_show_name(name, report_name_text(f, c->name)),
            report_show_name(algorithm, report_name_text(f, c->algorithm)),
            base_show_size(size, (double)c->bytes), c->rounded ? "+" : " ", c->members_most,
            base_show_count(n, (double)c->count),
            base_show_time(t[0], c->parts ? c->sum / (double)c->parts : 0), base_show_time(t[1], c->most),
            base_show_time(t[2], over ? c->imbalance_sum / (double)over : 0),
            base_show_time(t[3], over ? c->after_sum / (double)over : 0));
}

static void print_collectives(const struct report_facts *f, FILE *out, size_t top)
{
    if (!f->collectives)
        return;
    report_heading(
        out, "Collectives (per member: mean, longest; per meeting: last in - first in, last out - last in)");
    fprintf(out, "  %-26s %-24s %9s  %8s %8s %10s %10s %11s %11s\n", "call", "algorithm", "bytes", "members",
            "count", "mean", "longest", "imbalance", "after");
    for (size_t k = 0; k < f->collectives && (!top || k < top); k++)
        print_collective(f, &f->collective[k], out);
}

static void print_choice(const struct report_facts *f, const struct report_collective *c, FILE *out)
{
    char t[3][32], size[32], text[4][REPORT_TEXT], ratio[32] = "";
    uint64_t over = c->count - c->unfinished;
    double after = over ? c->after_sum / (double)over : 0;
    if (c->bound > 0)
        snprintf(ratio, sizeof ratio, "%.2f", after / c->bound);
    fprintf(out, "  %-26s %-24s %9s%s %8u %11s %11s %6s  %-30s",
            report_show_name(text[0], report_name_text(f, c->name)),
            report_show_name(text[1], report_name_text(f, c->algorithm)),
            base_show_size(size, (double)c->bytes), c->rounded ? "+" : " ", c->bound_members,
            base_show_time(t[0], after), base_show_time(t[1], c->bound), ratio,
            report_show_name(text[2], report_name_text(f, c->why)));
    if (c->better)
        fprintf(out, "  %s would save %s", report_show_name(text[3], report_name_text(f, c->better)),
                base_show_time(t[2], c->saves * (double)c->count));
    fputc('\n', out);
}

static void print_choices(const struct report_facts *f, FILE *out, size_t top)
{
    bool any = false;
    for (size_t k = 0; k < f->collectives && (!top || k < top); k++) {
        if (!f->collective[k].why)
            continue;
        if (!any) {
            report_heading(
                out, "Choice of algorithms (per meeting: last out - last in, and a bound below which no "
                     "algorithm can be)");
            fprintf(out, "  %-26s %-24s %9s  %8s %11s %11s %6s  %s\n", "call", "algorithm", "bytes",
                    "members", "after", "bound", "ratio", "because of");
        }
        any = true;
        print_choice(f, &f->collective[k], out);
    }
}

/* --- links and hosts --------------------------------------------------------------------------------- */

static void print_links(const struct report_facts *f, FILE *out, size_t top)
{
    uint32_t *order;
    size_t n = report_order(f, f->about->links, report_link_use, top, &order);
    if (n) {
        report_heading(out,
                       "Links (use of the bandwidth over the run; seconds of operations that it held up)");
        fprintf(out, "  %-30s %9s %10s %8s %8s %12s %12s\n", "link", "ops", "bytes", "mean", "peak",
                "bandwidth", "contention");
    }
    for (size_t k = 0; k < n; k++) {
        const struct report_link *l = &f->link[order[k]];
        bool fat = f->about->link[order[k]].fatpipe;
        char name[REPORT_TEXT], count[32], size[32], p[2][32], t[2][32];
        fprintf(out, "  %-30s %9s %10s %8s %8s %12s %12s\n",
                report_show_name(name, f->about->link[order[k]].name),
                base_show_count(count, (double)l->operations), base_show_size(size, l->bytes),
                fat ? "fat" : report_show_percent(p[0], l->mean, 1),
                fat ? "pipe" : report_show_percent(p[1], l->peak, 1), base_show_time(t[0], l->transfer),
                base_show_time(t[1], l->contention));
    }
    free(order);
}

static void print_hosts(const struct report_facts *f, FILE *out, size_t top)
{
    uint32_t *order;
    size_t n = report_order(f, f->about->hosts, report_host_use, top, &order);
    if (n) {
        report_heading(out, "Hosts (use of all cores over the run)");
        fprintf(out, "  %-30s %7s %7s %12s %8s %8s\n", "host", "cores", "ranks", "core time", "mean", "peak");
    }
    for (size_t k = 0; k < n; k++) {
        const struct report_host *h = &f->host[order[k]];
        const struct trace_host *a = &f->about->host[order[k]];
        char name[REPORT_TEXT], time[32], p[2][32];
        fprintf(out, "  %-30s %7u %7u %12s %8s %8s\n", report_show_name(name, a->name), a->cores, h->ranks,
                base_show_time(time, h->computing), report_show_percent(p[0], h->mean, 1),
                report_show_percent(p[1], h->peak, 1));
    }
    free(order);
}

void report_tables_print(const struct report_facts *f, FILE *out, size_t top)
{
    print_calls(f, out, top);
    print_operations(f, out);
    print_collectives(f, out, top);
    print_choices(f, out, top);
    print_links(f, out, top);
    print_hosts(f, out, top);
}
