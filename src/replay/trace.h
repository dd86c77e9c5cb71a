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

/* The same of any trace of actions, with the times of the recorded run. */
struct replay_tape *replay_tape_read_measured(const char *path, uint32_t ranks, struct base_status *st);

/* player.c: supplies the ranks with players of a trace (replay_attach). */
void replay_trace_play(struct rank_job *job, struct replay_trace *t, const char *path);
/* goal_job.c: with players of schedules in the LogGP model. -1 with st: they are too many. */
int replay_goal_attach(struct rank_job *job, struct replay_goal *goal, struct base_status *st);
struct replay_counts replay_tape_counts(const struct rank_job *job); /* with `all` 0: the LogGP model plays */
struct replay_counts replay_goal_counts(const struct rank_job *job);
void replay_goal_register(void);
uint64_t replay_trace_actions(const struct replay_trace *t);
/* In reports of a deadlock. goal_player.c */
void replay_goal_says(const struct replay_goal *g, uint32_t place, uint32_t left, char *text, size_t size);
/* info.c, goal_info.c */
void replay_tape_facts(struct replay_tape *t, struct replay_facts *out);
void replay_goal_facts(const struct replay_goal *g, struct replay_facts *out);

#endif
