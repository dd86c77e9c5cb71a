/* SPDX-License-Identifier: BSD-3-Clause */
/* job: what a job has for its collectives, for coll.c and call.c. */
#ifndef PGASIM_COLL_JOB_H
#define PGASIM_COLL_JOB_H

#include "coll/coll.h"
#include "coll/exec.h"

struct coll_job {
    struct coll_exec exec;
    struct rank_job *job;
    struct engine *engine;
    struct trace *trace;
    struct base_pool pendings;   /* of blocking calls, for a checker */
    struct base_table chosen;    /* struct coll_chosen, by what they are about (choice.c) */
    int32_t requests;            /* numbers given in traces */
    struct engine_series timers; /* overheads are mostly equal, so a new timer is usually the last to end */
};

extern struct rank_slot coll_slot; /* a rank's: struct coll_rank; the job's: struct coll_job */

/* choice.c: the member's meeting has just begun, in a job with a trace: tells of what was chosen, unless that
 * was told before. */
void coll_choice_tell(struct coll_job *j, const struct coll_member *m);
void coll_choices_init(struct coll_job *j);
void coll_choices_release(struct coll_job *j);

static inline struct coll_job *coll_job_of(const struct rank_job *job)
{
    return rank_part(job, &coll_slot);
}

#endif
