/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule: a list of jobs, and what becomes of each while it is played (private to replay/). */
#ifndef PGASIM_REPLAY_SCHEDULE_H
#define PGASIM_REPLAY_SCHEDULE_H

#include "replay/jobs/jobs.h"
#include "replay/player.h"

/* Takes the jobs in the order of the list, which are the worlds of `j` in that order. */
void replay_schedule_create(struct replay_job *j, struct replay_jobs *jobs, bool queued);
bool replay_schedule_over(const struct replay_job *j); /* all jobs but traffic have come to their ends */

/* jobs.c: of the k-th job of a list. */
double replay_jobs_start(const struct replay_jobs *jobs, uint32_t k);
double replay_jobs_expected(const struct replay_jobs *jobs, uint32_t k); /* queued: how long it will take */
uint32_t *replay_jobs_ranks_of(struct replay_jobs *jobs,
                               uint32_t k); /* queued: to be filled when it begins */
void replay_jobs_begin(struct replay_jobs *jobs, uint32_t k, double now);
void replay_jobs_end(struct replay_jobs *jobs, uint32_t k, double now);

#endif
