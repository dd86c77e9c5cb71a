/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_job: what the files that play schedules of GOAL share (private to replay/). */
#ifndef PGASIM_REPLAY_GOAL_JOB_H
#define PGASIM_REPLAY_GOAL_JOB_H

#include "p2p/p2p.h"
#include "replay/loggp/loggp.h"
#include "replay/trace.h"

/* An operation that is ready, or a send or receive that is complete. */
struct replay_goal_item {
    struct replay_goal_item *next;
    struct p2p_request *q; /* NULL: it is ready */
    struct rank *rank;
    uint64_t number; /* the order in which items came to their queues */
    uint32_t op;
};

/* The end of a calculation of a rank with several CPUs. */
struct replay_goal_timer {
    struct engine_event event;
    struct replay_goal_item *item;
};

/* A CPU of a rank: what it is to do next. */
struct replay_goal_cpu {
    struct replay_goal_item *first, *last;
    bool busy; /* it computes, while other CPUs go on */
};

struct replay_goal_player {
    uint32_t left; /* operations that have not ended */
    bool waits;    /* its actor is blocked */
};

struct replay_goal_job {
    struct rank_job *ranks;
    struct replay_goal *goal;
    const char *path;
    double compute_scale;
    struct replay_counts counts;
    /* With messages of p2p/: */
    struct replay_goal_player *player; /* of each rank */
    struct replay_goal_cpu *cpu;       /* of each rank, as many as any has */
    uint32_t cpus;
    uint64_t items; /* so far */
    struct base_pool item_pool, timer_pool;
    BASE_ARRAY(uint32_t) fresh; /* operations that become ready together */
    /* In the LogGP model: */
    struct replay_loggp *loggp; /* else NULL */
    struct engine_event event;  /* plays on */
    bool begun;
};
struct replay_goal_job *replay_goal_job_of(const struct rank *r);

/* Each is the life of a rank, on its actor. goal_player.c, goal_loggp.c */
void replay_goal_play(struct replay_goal_job *j, struct rank *r);
void replay_goal_play_loggp(struct replay_goal_job *j, struct rank *r);
int replay_goal_loggp_open(struct replay_goal_job *j, struct base_status *st);
void replay_goal_loggp_count(struct replay_goal_job *j);
void replay_goal_loggp_tell_left(const struct replay_goal_job *j); /* messages that nobody receives */

#endif
