/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's jobs that were played side by side, as text and as JSON. */
#include "report/profile.h"

void report_jobs_print(const struct report_facts *f, FILE *out, size_t top)
{
    if (!f->jobs.n)
        return;
    report_heading(out, "Jobs");
    fprintf(out, "  %-22s %7s %10s %10s %10s %10s %8s\n", "job", "ranks", "start", "end", "duration", "alone",
            "slowdown");
    for (size_t k = 0; k < f->jobs.n && (!top || k < top); k++) {
        const struct report_job *job = &f->jobs.at[k];
        char name[REPORT_TEXT], begin[32], end[32], duration[32], alone[32];
        fprintf(out, "  %-22s %7llu %10s %10s %10s", report_show_name(name, job->name),
                (unsigned long long)job->ranks, base_show_time(begin, job->begin),
                base_show_time(end, job->end), base_show_time(duration, job->end - job->begin));
        if (job->alone > 0)
            fprintf(out, " %10s %8.3f", base_show_time(alone, job->alone), report_job_slowdown(job));
        fputc('\n', out);
    }
    if (top && f->jobs.n > top)
        fprintf(out, "  and %zu more\n", f->jobs.n - top);
}

void report_jobs_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    if (!f->jobs.n)
        return;
    base_json_count(j, "job_count", f->jobs.n);
    base_json_open(j, "jobs", '[');
    for (size_t k = 0; k < f->jobs.n && (!top || k < top); k++) {
        const struct report_job *job = &f->jobs.at[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", job->name);
        base_json_count(j, "ranks", job->ranks);
        base_json_number(j, "submitted", job->submitted);
        base_json_number(j, "begin", job->begin);
        base_json_number(j, "end", job->end);
        if (job->alone > 0) {
            base_json_number(j, "alone", job->alone);
            base_json_number(j, "slowdown", report_job_slowdown(job));
        }
        base_json_close(j);
    }
    base_json_close(j);
}
