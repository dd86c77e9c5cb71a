/* SPDX-License-Identifier: BSD-3-Clause */
/* trace: what a trace of any format has become: actions on a tape, or schedules (private to replay/). */
#ifndef PGASIM_REPLAY_TRACE_H
#define PGASIM_REPLAY_TRACE_H

#include "replay/goal/goal.h"
#include "replay/replay.h"
#include "replay/tape/tape.h"

struct replay_trace {
    struct replay_tape *tape; /* one of them */
    struct replay_goal *goal;
    bool times; /* the tape is to have the recorded run's */
};

/* A trace that is made of actions, as replay_trace_read reads it; NULL with st: or one that is not. */
struct replay_tape *replay_tape_read(const char *path, uint32_t ranks, struct base_status *st);

/* The same of any trace of actions, with the times of the recorded run. */
struct replay_tape *replay_tape_read_measured(const char *path, uint32_t ranks, struct base_status *st);

/* player.c, goal_job.c: supplies the ranks with players of a tape, or of schedules (replay_attach). */
int replay_tape_attach(struct rank_job *job, struct replay_tape *tape, const char *path,
                       struct base_status *st);
int replay_goal_attach(struct rank_job *job, struct replay_goal *goal, const char *path,
                       struct base_status *st);
struct replay_counts replay_tape_counts(const struct rank_job *job); /* with `all` 0: no tape is played */
struct replay_counts replay_goal_counts(const struct rank_job *job);
void replay_goal_register(void);
/* info.c, goal_info.c */
void replay_tape_facts(struct replay_tape *t, struct replay_facts *out);
void replay_goal_facts(const struct replay_goal *g, struct replay_facts *out);

#endif
