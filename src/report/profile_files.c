/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's files: accesses and requests, what is remarkable of them, who waited for which disk, aggregators; and
 * the worlds of ranks. */
#include "report/profile.h"

#include "report/file.h"

#include <inttypes.h>

static void print_rest(FILE *out, size_t n, size_t top)
{
    if (n > report_shown(n, top))
        fprintf(out, "  and %zu more\n", n - top);
}

/* --- files ------------------------------------------------------------------------------------------------- */

static const char *way_text(enum report_way way)
{
    return way == REPORT_READS ? "read" : "written";
}

static uint64_t mean_of(uint64_t bytes, uint64_t n)
{
    return n ? bytes / n : 0;
}

static void print_way(const struct report_file *x, enum report_way way, FILE *out)
{
    const struct report_file_way *w = &x->way[way];
    char bytes[32], mean[32], asked[32], size[32], name[REPORT_TEXT];
    if (!(w->accesses + w->requests))
        return;
    fprintf(out, "  %-32s %-8s %10" PRIu64 " %10" PRIu64 " %12s %12s %10" PRIu64 " %12s %12s\n",
            report_show_name(name, x->path), way_text(way), w->accesses, w->together,
            base_show_size(bytes, (double)w->bytes),
            base_show_size(mean, (double)mean_of(w->bytes, w->accesses)), w->requests,
            base_show_size(asked, (double)w->asked),
            base_show_size(size, (double)mean_of(w->asked, w->requests)));
    if (w->remark)
        fprintf(out, "    %s: %s\n", report_remark_text(w->remark),
                report_remark_hint(w->remark, way, w->together > 0));
}

static void print_files(const struct report_files *x, FILE *out, size_t top)
{
    report_heading(out, "Files (accesses of the program; requests to disks and file systems)");
    fprintf(out, "  %-32s %-8s %10s %10s %12s %12s %10s %12s %12s\n", "file", "", "accesses", "collective",
            "", "mean", "requests", "", "mean");
    for (size_t k = 0; k < report_shown(x->file.n, top); k++)
        for (unsigned way = 0; way < REPORT_WAYS; way++)
            print_way(&x->file.at[k], (enum report_way)way, out);
    print_rest(out, x->file.n, top);
}

/* --- disks --------------------------------------------------------------------------------------------------- */

static void print_waits(const struct report_facts *f, FILE *out, size_t top)
{
    const struct report_files *x = f->files;
    double all = 0;
    for (size_t k = 0; k < x->wait.n; k++)
        all += x->wait.at[k].seconds;
    if (!(all > 0))
        return;
    report_heading(out, "Who waited for which disk");
    for (size_t k = 0; k < report_shown(x->wait.n, top); k++) {
        const struct report_server_wait *w = &x->wait.at[k];
        const struct report_server *s = &x->server.at[w->server];
        char time[32], percent[32], name[REPORT_TEXT], host[REPORT_TEXT];
        fprintf(out, "  %12s %7s  rank %u for %s of %s\n", base_show_time(time, w->seconds),
                report_show_percent(percent, w->seconds, all), w->rank, report_show_name(name, s->name),
                report_show_name(host, f->about->host[s->host].name));
    }
    print_rest(out, x->wait.n, top);
}

/* --- two phases ---------------------------------------------------------------------------------------------- */

static void print_steps(const struct report_files *x, FILE *out)
{
    if (!x->step.n)
        return;
    report_heading(out, "Steps of collective accesses in two phases (all members together)");
    for (size_t k = 0; k < x->step.n; k++) {
        const struct report_step *s = &x->step.at[k];
        char name[REPORT_TEXT], time[32], longest[32], bytes[32];
        fprintf(out, "  %-20s %10" PRIu64 " times %12s %12s, longest %s\n", report_show_name(name, s->name),
                s->count, base_show_size(bytes, (double)s->bytes), base_show_time(time, s->seconds),
                base_show_time(longest, s->longest));
    }
}

static void print_aggregators(const struct report_files *x, FILE *out, size_t top)
{
    if (!x->aggregator.n)
        return;
    report_heading(out, "Aggregators");
    fprintf(out, "  %6s %10s %12s %12s %12s %12s %12s\n", "rank", "rounds", "read", "", "written", "",
            "exchanging");
    for (size_t k = 0; k < report_shown(x->aggregator.n, top); k++) {
        const struct report_aggregator *g = &x->aggregator.at[k];
        char bytes[2][32], time[3][32];
        fprintf(out, "  %6u %10" PRIu64 " %12s %12s %12s %12s %12s\n", g->rank, g->rounds,
                base_show_size(bytes[0], (double)g->bytes[REPORT_READS]),
                base_show_time(time[0], g->seconds[REPORT_READS]),
                base_show_size(bytes[1], (double)g->bytes[REPORT_WRITES]),
                base_show_time(time[1], g->seconds[REPORT_WRITES]), base_show_time(time[2], g->exchanging));
    }
    print_rest(out, x->aggregator.n, top);
}

void report_files_print(const struct report_facts *f, FILE *out, size_t top)
{
    if (!f->files)
        return;
    print_files(f->files, out, top);
    print_waits(f, out, top);
    print_steps(f->files, out);
    print_aggregators(f->files, out, top);
}

/* --- worlds -------------------------------------------------------------------------------------------------- */

void report_worlds_print(const struct report_facts *f, FILE *out, size_t top)
{
    if (f->worlds.n < 2)
        return;
    report_heading(out, "Worlds (ranks that were started together)");
    for (size_t k = 0; k < report_shown(f->worlds.n, top); k++) {
        const struct report_world *w = &f->worlds.at[k];
        char begin[32], end[32], computing[32], waiting[32];
        fprintf(out, "  %4zu: %u ranks from rank %u on, %s to %s, computing %s, waiting %s\n", k, w->ranks,
                w->first, base_show_time(begin, w->begin), base_show_time(end, w->end),
                base_show_time(computing, w->computing), base_show_time(waiting, w->waiting));
    }
    print_rest(out, f->worlds.n, top);
}
