/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The profile as text: what people ask, in the order in which they ask it. This file: what the run was, where
 * time went, which ranks, who waited. The rest is in profile_tables.c, profile_path.c,
 * profile_races.c, profile_kept.c, profile_jobs.c, profile_energy.c, profile_files.c and profile_disks.c.
 */
#include "report/profile.h"

#include <stdlib.h>

/* --- what the run was -------------------------------------------------------------------------------- */

static void print_operations(const struct report_facts *f, FILE *out)
{
    const struct report_operations *k = f->kind;
    const char *separator = "  one-sided: ";
    base_print_kind(out, &separator, "puts", k[REPORT_PUT].count, k[REPORT_PUT].bytes);
    base_print_kind(out, &separator, "gets", k[REPORT_GET].count, k[REPORT_GET].bytes);
    base_print_kind(out, &separator, "atomics", k[REPORT_ATOMIC].count, 0);
    if (k[REPORT_PUT].count + k[REPORT_GET].count + k[REPORT_ATOMIC].count)
        fputc('\n', out);
    separator = "  two-sided: ";
    base_print_kind(out, &separator, "messages", k[REPORT_SEND].count, k[REPORT_SEND].bytes);
    if (k[REPORT_SEND].count)
        fputc('\n', out);
    separator = "  collective: ";
    base_print_kind(out, &separator, "calls", f->collective_calls, 0);
    base_print_kind(out, &separator, "messages", k[REPORT_MESSAGE].count, k[REPORT_MESSAGE].bytes);
    if (f->collective_calls + k[REPORT_MESSAGE].count)
        fputc('\n', out);
}

static uint32_t hosts_used(const struct report_facts *f)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < f->about->hosts; k++)
        n += f->host[k].ranks > 0;
    return n;
}

static void print_summary(const struct report *r, FILE *out)
{
    const struct report_facts *f = r->facts;
    const struct trace_about *a = f->about;
    char program[REPORT_TEXT], arguments[REPORT_TEXT], platform[REPORT_TEXT], time[32], n[32];
    report_show_name(program, a->program ? a->program : "a program");
    report_show_name(arguments, a->arguments ? a->arguments : "");
    report_show_name(platform, a->platform ? a->platform : "the built-in cluster");
    uint32_t hosts = hosts_used(f);
    fprintf(out, "%s%s%s: %u rank%s on %u host%s of %s\n", program, *arguments ? " " : "", arguments,
            a->ranks, a->ranks == 1 ? "" : "s", hosts, hosts == 1 ? "" : "s", platform);
    fprintf(out, "  %s simulated, %s events\n", base_show_time(time, f->end),
            base_show_count(n, (double)f->events));
    print_operations(f, out);
    if (!f->of_type[TRACE_CALL_ENTER])
        fputs("  the trace has no calls: their time counts as outside calls\n", out);
    if (!f->of_type[TRACE_WAIT_BEGIN] && a->ranks > 1)
        fputs("  the trace has no waits: the critical path stays in one rank\n", out);
    if (f->unknown_names)
        fprintf(
            out,
            "  names of calls or waits of unknown kind: %u; waiting in them counts as \"other waiting\"\n",
            f->unknown_names);
    if (r->damage)
        fprintf(out, "  incomplete: %s\n", r->damage);
    else if (f->truncated)
        fprintf(out, "  incomplete: the trace ends before the run did\n");
}

/* Of files that the S-DSM's library wrote on a real MPI. */
static void print_stats(const struct report *r, FILE *out)
{
    char path[REPORT_TEXT], time[32], n[32];
    fprintf(out, "%s: statistics of %u process%s on a real MPI\n  %s, %s events\n",
            report_show_name(path, r->path), r->facts->about->ranks, r->facts->about->ranks == 1 ? "" : "es",
            base_show_time(time, r->facts->end), base_show_count(n, (double)r->facts->events));
    if (r->damage)
        fprintf(out, "  incomplete: %s\n", r->damage);
}

/* --- where time went --------------------------------------------------------------------------------- */

static void print_part(FILE *out, const char *what, double seconds, double all)
{
    char time[32], percent[32];
    if (seconds > 0)
        fprintf(out, "  %-28s %7s  %s\n", what, report_show_percent(percent, seconds, all),
                base_show_time(time, seconds));
}

static void print_time(const struct report_facts *f, FILE *out)
{
    struct report_rank sum = {0};
    double all = f->end * f->about->ranks;
    for (uint32_t k = 0; k < f->about->ranks; k++) {
        sum.computing += f->rank[k].computing;
        sum.calling += f->rank[k].calling;
        sum.waiting += f->rank[k].waiting;
        sum.other += f->rank[k].other;
        sum.after += f->rank[k].after;
    }
    report_heading(out, "Where time went (all ranks together)");
    print_part(out, "computing", sum.computing, all);
    print_part(out, "in calls, not waiting", sum.calling, all);
    print_part(out, "waiting", sum.waiting, all);
    print_part(out, "outside calls", sum.other, all);
    print_part(out, "before begin and after end", sum.after, all);
}

/* --- ranks ------------------------------------------------------------------------------------------- */

static double busy(const struct report_facts *f, uint32_t k)
{
    const struct report_rank *r = &f->rank[k];
    return r->computing + r->calling + r->other;
}

static void print_rank(const struct report_facts *f, uint32_t k, double waited_for, FILE *out)
{
    const struct report_rank *r = &f->rank[k];
    char t[5][32], host[REPORT_TEXT];
    fprintf(out, "  %6u %12s %12s %12s %12s %14s  %s\n", k, base_show_time(t[0], r->computing),
            base_show_time(t[1], r->calling + r->other), base_show_time(t[2], r->waiting),
            base_show_time(t[3], r->after), base_show_time(t[4], waited_for),
            report_show_name(host, f->about->host[r->host].name));
}

static void print_ranks(const struct report_facts *f, FILE *out, size_t top)
{
    uint32_t *order;
    size_t n = report_order(f, f->about->ranks, busy, top, &order);
    double *waited = report_waited_for(f);
    if (n) {
        report_heading(out, "Busiest ranks");
        fprintf(out, "  %6s %12s %12s %12s %12s %14s  %s\n", "rank", "computing", "in calls", "waiting",
                "after end", f->waits.group > 1 ? "group waited for" : "waited for", "host");
    }
    for (size_t k = 0; k < n; k++)
        print_rank(f, order[k], waited[order[k] / f->waits.group], out);
    free(order);
    free(waited);
}

static void print_group(FILE *out, const struct report_matrix *m, uint32_t group, uint32_t ranks)
{
    uint32_t first = group * m->group, last = first + m->group - 1;
    if (m->group == 1)
        fprintf(out, "rank %u", first);
    else
        fprintf(out, "ranks %u-%u", first, last < ranks ? last : ranks - 1);
}

static void print_pairs(const struct report_facts *f, FILE *out, size_t top, double all)
{
    size_t most = top ? top : (size_t)f->waits.n * f->waits.n;
    struct report_pair *pair = base_alloc(sizeof *pair * (most + 1), "who waited for whom");
    size_t n = report_matrix_top(&f->waits, pair, most);
    if (n)
        report_heading(out, "Who waited for whom");
    for (size_t k = 0; k < n; k++) {
        char percent[32], time[32];
        fprintf(out, "  %12s %7s  ", base_show_time(time, pair[k].value),
                report_show_percent(percent, pair[k].value, all));
        print_group(out, &f->waits, pair[k].row, f->about->ranks);
        fputs(" for ", out);
        print_group(out, &f->waits, pair[k].column, f->about->ranks);
        fputc('\n', out);
    }
    free(pair);
}

static void print_late(const struct report_facts *f, FILE *out)
{
    double all = 0;
    for (unsigned k = 0; k < REPORT_LATES; k++)
        all += f->late[k].seconds;
    if (all > 0)
        report_heading(out, "Waits at messages and collectives");
    for (unsigned k = 0; k < REPORT_LATES && all > 0; k++) {
        char time[32], percent[32], count[32];
        if (f->late[k].count)
            fprintf(out, "  %12s %7s  %s waits: %s\n", base_show_time(time, f->late[k].seconds),
                    report_show_percent(percent, f->late[k].seconds, all),
                    base_show_count(count, (double)f->late[k].count), report_late_text(k));
    }
}

static void print_waits(const struct report_facts *f, FILE *out, size_t top)
{
    size_t n;
    double all = 0;
    struct report_share *reason = report_reasons(f, &n);
    for (size_t k = 0; k < n; k++)
        all += reason[k].seconds;
    if (n)
        report_heading(out, "What ranks waited for");
    for (size_t k = 0; k < n && (!top || k < top); k++) {
        char name[REPORT_TEXT], time[32], percent[32], count[32];
        fprintf(out, "  %12s %7s  %s waits: %s\n", base_show_time(time, reason[k].seconds),
                report_show_percent(percent, reason[k].seconds, all),
                base_show_count(count, (double)reason[k].count),
                report_show_name(name, report_name_text(f, reason[k].name)));
    }
    free(reason);
    print_late(f, out);
    print_pairs(f, out, top, all);
}

void report_profile_print(const struct report *r, FILE *out, size_t top)
{
    const struct report_facts *f = r->facts;
    if (r->stats) {
        print_stats(r, out);
        report_sdsm_print(f, out, top);
        return;
    }
    print_summary(r, out);
    report_races_print(f, out, top);
    report_kept_print(f, out, top);
    report_jobs_print(f, out, top);
    print_time(f, out);
    print_ranks(f, out, top);
    report_worlds_print(f, out, top);
    print_waits(f, out, top);
    report_tables_print(f, out, top);
    report_energy_print(f, out, top);
    report_files_print(f, out, top);
    report_disks_print(f, out, top);
    report_cards_print(f, out, top);
    report_sdsm_print(f, out, top);
    report_users_print(f, out, top);
    report_path_print(f, out, top);
}
