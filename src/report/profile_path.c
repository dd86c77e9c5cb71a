/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile as text: the critical path and what would speed the run up. */
#include "report/profile.h"

static void print_parts(const struct report_facts *f, FILE *out)
{
    char percent[32], time[32];
    for (unsigned k = 0; k < REPORT_PARTS; k++)
        if (f->path.part[k] > 0)
            fprintf(out, "  %-28s %7s  %s\n", report_part_text((enum report_part)k),
                    report_show_percent(percent, f->path.part[k], f->path.length),
                    base_show_time(time, f->path.part[k]));
}

static void print_suggestions(const struct report_facts *f, FILE *out, size_t top)
{
    report_heading(
        out,
        "What would speed the run up\n"
        "  (on path: its share of the path; at most: what the path could lose; foreseen: an estimate that\n"
        "  replays all recorded waits; other causes may then be in the way)");
    fprintf(out, "  %-44s %-20s %10s %10s %17s\n", "", "", "on path", "at most", "foreseen");
    for (size_t k = 0; k < f->suggestions && (!top || k < top); k++) {
        const struct report_suggestion *s = &f->suggestion[k];
        char what[2 * REPORT_TEXT], t[3][32], percent[32];
        fprintf(out, "  %-44s %-20s %10s %10s %10s %6s\n", report_lever_what(what, f, s),
                report_lever_change(s->lever), base_show_time(t[0], s->part), base_show_time(t[1], s->gain),
                base_show_time(t[2], s->foreseen), report_show_percent(percent, s->foreseen, f->end));
    }
}

void report_path_print(const struct report_facts *f, FILE *out, size_t top)
{
    char time[32], hops[32];
    if (!f->path.n)
        return;
    report_heading(out, "Critical path");
    fprintf(out, "  %s, from rank to rank %s time%s\n", base_show_time(time, f->path.length),
            base_show_count(hops, (double)f->path.hops), f->path.hops == 1 ? "" : "s");
    print_parts(f, out);
    if (f->suggestions)
        print_suggestions(f, out, top);
}
