/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_job: what the files that play schedules of GOAL in the LogGP model share (private to replay/). */
#ifndef PGASIM_REPLAY_GOAL_JOB_H
#define PGASIM_REPLAY_GOAL_JOB_H

#include "replay/loggp/loggp.h"
#include "replay/trace.h"

struct replay_goal_noise;

struct replay_goal_job {
    struct rank_job *ranks;
    struct replay_goal *goal;
    double compute_scale;
    struct replay_counts counts;
    struct replay_loggp *loggp;
    struct replay_goal_noise *noise; /* NULL: there is none */
    struct engine_event event;       /* plays on */
    bool begun;
};
struct replay_goal_job *replay_goal_job_of(const struct rank *r);

/* goal_loggp.c: the life of a rank, on its actor. */
void replay_goal_play_loggp(struct replay_goal_job *j, struct rank *r);
int replay_goal_loggp_open(struct replay_goal_job *j, struct base_status *st);
void replay_goal_loggp_count(struct replay_goal_job *j);
void replay_goal_loggp_tell_left(const struct replay_goal_job *j); /* messages that nobody receives */

/* goal_noise.c: what the settings ask for, told to the model. *out is NULL if that is nothing. -1 with st. */
int replay_goal_noise_create(struct replay_goal_noise **out, struct rank_job *job,
                             struct replay_loggp_noise *model, struct base_status *st);
void replay_goal_noise_destroy(struct replay_goal_noise *x); /* NULL is allowed */

#endif
