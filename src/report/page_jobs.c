/* SPDX-License-Identifier: BSD-3-Clause */
/* page_jobs: the jobs that were played side by side, for the table of the page. */
#include "report/page_internal.h"

void page_write_jobs(const struct page *p)
{
    enum { MOST = 1000 };
    page_json_open(p->j, "jobs", '[');
    for (size_t k = 0; k < p->f->jobs.n && k < MOST; k++) {
        const struct report_job *job = &p->f->jobs.at[k];
        page_json_open(p->j, NULL, '{');
        page_json_text(p->j, "name", job->name);
        page_json_count(p->j, "ranks", job->ranks);
        page_json_exact(p->j, "submitted", job->submitted);
        page_json_exact(p->j, "begin", job->begin);
        page_json_exact(p->j, "end", job->end);
        page_json_exact(p->j, "alone", job->alone);
        page_json_close(p->j, '}');
    }
    page_json_close(p->j, ']');
    page_json_count(p->j, "jobsFound", p->f->jobs.n);
}
