/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's joules of hosts, ranks, phases and links, as text and as JSON. */
#include "report/profile.h"

#include <stdlib.h>

static double joules_of_rank(const struct report_facts *f, uint32_t k)
{
    return f->energy->rank[k].joules;
}

/* --- for people ------------------------------------------------------------------------------------------ */

static void print_row(const char *name, double joules, double all, double more, bool watts, FILE *out)
{
    char shown[REPORT_TEXT], percent[32], time[32];
    fprintf(out, "  %-30s %12.6g %7s", report_show_name(shown, name), joules,
            report_show_percent(percent, joules, all));
    if (watts)
        fprintf(out, " %12.6g\n", more);
    else
        fprintf(out, " %12s\n", base_show_time(time, more));
}

static void head(const char *what, const char *more, FILE *out)
{
    fprintf(out, "  %-30s %12s %7s %12s\n", what, "joules", "", more);
}

/* `last`: a heading of the last column; seconds, unless it is of watts: then of the joules in the run's time. */
static void print_list(const struct report_facts *f, const struct report_joules *at, size_t n,
                       const char *what, bool watts, double all, FILE *out, size_t top)
{
    if (!n)
        return;
    head(what, watts ? "mean watts" : "rank seconds", out);
    for (size_t k = 0; k < n && (!top || k < top); k++) {
        double mean = f->end > 0 ? at[k].joules / f->end : 0;
        print_row(watts ? at[k].name : report_phase_text(&at[k]), at[k].joules, all,
                  watts ? mean : at[k].more, watts, out);
    }
    if (top && n > top)
        fprintf(out, "  and %zu more\n", n - top);
}

static void print_ranks(const struct report_facts *f, FILE *out, size_t top)
{
    uint32_t *order;
    size_t n = report_order(f, f->about->ranks, joules_of_rank, top, &order);
    double all = 0;
    for (uint32_t k = 0; k < f->about->ranks; k++)
        all += f->energy->rank[k].joules;
    if (n)
        head("rank", "core seconds", out);
    for (size_t k = 0; k < n; k++) {
        char name[16];
        snprintf(name, sizeof name, "%u", order[k]);
        print_row(name, f->energy->rank[order[k]].joules, all, f->energy->rank[order[k]].cores, false, out);
    }
    free(order);
}

static double sum(const struct report_joules *at, size_t n)
{
    double all = 0;
    for (size_t k = 0; k < n; k++)
        all += at[k].joules;
    return all;
}

void report_energy_print(const struct report_facts *f, FILE *out, size_t top)
{
    const struct report_energy *x = f->energy;
    if (!x || !(x->host.n + x->link.n + x->phase.n))
        return;
    report_heading(out, "Energy");
    fprintf(out, "  %.6g J: %.6g J of %zu host%s, %.6g J of %zu link%s; mean power %.6g W\n",
            x->hosts + x->links, x->hosts, x->host.n, x->host.n == 1 ? "" : "s", x->links, x->link.n,
            x->link.n == 1 ? "" : "s", f->end > 0 ? (x->hosts + x->links) / f->end : 0);
    print_list(f, x->host.at, x->host.n, "host", true, x->hosts, out, top);
    print_ranks(f, out, top);
    print_list(f, x->phase.at, x->phase.n, "phase", false, sum(x->phase.at, x->phase.n), out, top);
    print_list(f, x->link.at, x->link.n, "link", true, x->links, out, top);
}

/* --- JSON ------------------------------------------------------------------------------------------------ */

static void put_list(struct base_json *j, const char *key, const struct report_joules *at, size_t n,
                     const char *more, size_t top)
{
    base_json_open(j, key, '[');
    for (size_t k = 0; k < n && (!top || k < top); k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", at[k].name);
        base_json_number(j, "joules", at[k].joules);
        if (more)
            base_json_number(j, more, at[k].more);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_ranks(struct base_json *j, const struct report_facts *f, size_t top)
{
    uint32_t *order;
    size_t n = report_order(f, f->about->ranks, joules_of_rank, top, &order);
    base_json_open(j, "ranks", '[');
    for (size_t k = 0; k < n; k++) {
        base_json_open(j, NULL, '{');
        base_json_count(j, "rank", order[k]);
        base_json_number(j, "joules", f->energy->rank[order[k]].joules);
        base_json_number(j, "core_seconds", f->energy->rank[order[k]].cores);
        base_json_close(j);
    }
    base_json_close(j);
    free(order);
}

void report_energy_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    const struct report_energy *x = f->energy;
    if (!x || !(x->host.n + x->link.n + x->phase.n))
        return;
    base_json_open(j, "energy", '{');
    base_json_number(j, "joules", x->hosts + x->links);
    base_json_number(j, "hosts_joules", x->hosts);
    base_json_number(j, "links_joules", x->links);
    put_list(j, "hosts", x->host.at, x->host.n, "active_joules", top);
    put_ranks(j, f, top);
    put_list(j, "phases", x->phase.at, x->phase.n, "rank_seconds", top);
    put_list(j, "links", x->link.at, x->link.n, NULL, top);
    base_json_close(j);
}
