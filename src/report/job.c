/* SPDX-License-Identifier: BSD-3-Clause */
/* job: the jobs that a run has played side by side (pgasim replay --jobs), each one event at the end of the trace. */
#include "report/internal.h"

#include <string.h>

bool report_job_event(struct report_facts *f, const struct trace_event *ev)
{
    static const char prefix[] = "job ";
    enum { RANKS, SUBMITTED, BEGIN, END, ALONE, FIELDS };
    const double ns = 1e-9;
    if (!ev->call || strncmp(ev->call, prefix, strlen(prefix)) || !ev->detail ||
        strcmp(ev->detail, TRACE_JOB_FIELDS) || ev->peer != FIELDS || !ev->values)
        return false;
    struct report_job job = {.name = ev->call + strlen(prefix),
                             .ranks = ev->values[RANKS] > 0 ? (uint64_t)ev->values[RANKS] : 0,
                             .submitted = ns * (double)ev->values[SUBMITTED],
                             .begin = ns * (double)ev->values[BEGIN],
                             .end = ns * (double)ev->values[END],
                             .alone = ns * (double)ev->values[ALONE]};
    BASE_ARRAY_PUSH(&f->jobs, job);
    return true;
}

double report_job_slowdown(const struct report_job *job)
{
    return job->alone > 0 ? (job->end - job->begin) / job->alone : 0;
}
