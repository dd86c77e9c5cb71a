/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's operations that were kept back, as text and as JSON. */
#include "report/internal.h"
#include "report/profile.h"

void report_kept_print(const struct report_facts *f, FILE *out, size_t top)
{
    if (!f->kept_back)
        return;
    char all[32];
    report_heading(out, "Kept back (--check=nasty): operations that the adversary made late");
    fprintf(out, "  %zu operation%s, %s in all\n", f->kept_back, f->kept_back == 1 ? "" : "s",
            base_show_time(all, f->kept_seconds));
    for (size_t k = 0; k < f->kept_back && (!top || k < top); k++) {
        const struct report_op *op = report_op_at(f->work, f->kept[k].op);
        char call[REPORT_TEXT], time[32], at[32];
        fprintf(out, "  %12s  %s by rank %u to rank %u, issued at %s%s\n",
                base_show_time(time, f->kept[k].seconds),
                report_show_name(call, report_name_text(f, op->call)), f->work->lane[op->lane].rank,
                op->target, base_show_time(at, op->issued), f->kept[k].now ? ", to the end" : "");
    }
    if (top && f->kept_back > top)
        fprintf(out, "  and %zu more\n", f->kept_back - top);
}

void report_kept_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    if (!f->kept_back)
        return;
    base_json_open(j, "kept_back", '{');
    base_json_count(j, "operations", f->kept_back);
    base_json_number(j, "seconds", f->kept_seconds);
    base_json_open(j, "longest", '[');
    for (size_t k = 0; k < f->kept_back && (!top || k < top); k++) {
        const struct report_op *op = report_op_at(f->work, f->kept[k].op);
        base_json_open(j, NULL, '{');
        base_json_text(j, "call", report_name_text(f, op->call));
        base_json_count(j, "rank", f->work->lane[op->lane].rank);
        base_json_count(j, "target", op->target);
        base_json_number(j, "issued", op->issued);
        base_json_number(j, "seconds", f->kept[k].seconds);
        base_json_flag(j, "to_the_end", f->kept[k].now);
        base_json_close(j);
    }
    base_json_close(j);
    base_json_close(j);
}
