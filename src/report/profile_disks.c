/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's disks, as text and as JSON. */
#include "report/profile.h"

static void print_row(const struct report_facts *f, const struct report_disk *d, FILE *out)
{
    char name[REPORT_TEXT], host[REPORT_TEXT], read[32], written[32], busy[32], shared[32], percent[32];
    fprintf(out, "  %-16s %-16s %10.0f %12s %10.0f %12s %12s %7s %12s\n", report_show_name(name, d->name),
            report_show_name(host, f->about->host[d->host].name), d->reads,
            base_show_size(read, d->read_bytes), d->writes, base_show_size(written, d->written_bytes),
            base_show_time(busy, d->busy), report_show_percent(percent, d->busy, f->end),
            base_show_time(shared, d->waited));
}

void report_disks_print(const struct report_facts *f, FILE *out, size_t top)
{
    if (!f->disks.n)
        return;
    report_heading(out, "Disks");
    fprintf(out, "  %-16s %-16s %10s %12s %10s %12s %12s %7s %12s\n", "disk", "host", "reads", "", "writes",
            "", "busy", "", "accesses");
    for (size_t k = 0; k < f->disks.n && (!top || k < top); k++)
        print_row(f, &f->disks.at[k], out);
    if (top && f->disks.n > top)
        fprintf(out, "  and %zu more\n", f->disks.n - top);
}

void report_disks_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    if (!f->disks.n)
        return;
    base_json_open(j, "disks", '[');
    for (size_t k = 0; k < f->disks.n && (!top || k < top); k++) {
        const struct report_disk *d = &f->disks.at[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", d->name);
        base_json_text(j, "host", f->about->host[d->host].name);
        base_json_number(j, "reads", d->reads);
        base_json_number(j, "read_bytes", d->read_bytes);
        base_json_number(j, "writes", d->writes);
        base_json_number(j, "written_bytes", d->written_bytes);
        base_json_number(j, "busy_seconds", d->busy);
        base_json_number(j, "access_seconds", d->waited);
        base_json_close(j);
    }
    base_json_close(j);
}
