/* SPDX-License-Identifier: BSD-3-Clause */
/* fronts: what the front ends want to do at the ends of a job and of its ranks. */
#include "fold/job.h"

#define MAX_FRONTS 8
static const struct fold_front *fronts[MAX_FRONTS]; /* constant after start-up */
static unsigned n_fronts;

void fold_front_register(const struct fold_front *front)
{
    BASE_ASSERT("D0: at most 8 fronts", n_fronts < MAX_FRONTS);
    fronts[n_fronts++] = front;
}

void fold_fronts_job_begin(struct fold_job *job)
{
    for (unsigned i = 0; i < n_fronts; i++)
        if (fronts[i]->job_begin)
            fronts[i]->job_begin(job);
}

void fold_fronts_job_end(struct fold_job *job)
{
    for (unsigned i = n_fronts; i-- > 0;)
        if (fronts[i]->job_end)
            fronts[i]->job_end(job);
}

void fold_fronts_rank_exit(struct fold_rank *r, int code)
{
    for (unsigned i = n_fronts; i-- > 0;)
        if (fronts[i]->rank_exit)
            fronts[i]->rank_exit(r, code);
}
