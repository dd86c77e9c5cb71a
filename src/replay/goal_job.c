/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_job: the provider of ranks that play schedules of GOAL in the LogGP model, and what reports say of them. */
#include "replay/goal_job.h"

#include <stdlib.h>

static struct rank_slot slot;

struct replay_goal_job *replay_goal_job_of(const struct rank *r)
{
    return rank_part(r->job, &slot);
}

static void run(struct rank *r)
{
    replay_goal_play_loggp(replay_goal_job_of(r), r);
}

/* --- reports ---------------------------------------------------------------------------------------- */

/* In reports of a deadlock. */
static void says(struct rank *r, char *text, size_t size)
{
    const struct replay_goal_job *j = replay_goal_job_of(r);
    replay_goal_says(j->goal, r->id, replay_loggp_left(j->loggp, r->id), text, size);
}

static bool speaks(const struct rank *r)
{
    return replay_loggp_left(replay_goal_job_of(r)->loggp, r->id) != 0;
}

/* No rank runs any more. */
static void tell_all_left(struct rank_job *job)
{
    replay_goal_loggp_tell_left(rank_part(job, &slot));
}

/* --- a job ------------------------------------------------------------------------------------------ */

static void job_destroy(struct rank_job *job)
{
    struct replay_goal_job *j = rank_part(job, &slot);
    replay_loggp_destroy(j->loggp);
    replay_goal_noise_destroy(j->noise);
    free(j);
}

void replay_goal_register(void)
{
    rank_slot_register(&slot, 0);
}

int replay_goal_attach(struct rank_job *job, struct replay_goal *goal, struct base_status *st)
{
    static const struct rank_life life = {
        .run = run, .job_end = tell_all_left, .says = says, .speaks = speaks, .job_destroy = job_destroy};
    static const struct rank_provider provider = {"replay", &rank_memory_plain, &life, NULL, NULL};
    struct replay_goal_job *j = base_zalloc(sizeof *j, "a replay");
    *j = (struct replay_goal_job){.ranks = job, .goal = goal};
    j->compute_scale = base_settings_number(rank_settings(job), "replay/compute-scale");
    j->counts.all = replay_goal_operations(goal);
    if (replay_goal_loggp_open(j, st)) {
        replay_goal_noise_destroy(j->noise);
        free(j);
        return -1;
    }
    rank_set_part(job, &slot, j);
    rank_job_supply(job, &provider, 0, rank_count(job));
    return 0;
}

struct replay_counts replay_goal_counts(const struct rank_job *job)
{
    struct replay_goal_job *j = rank_part(job, &slot);
    if (!j)
        return (struct replay_counts){0};
    replay_goal_loggp_count(j);
    return j->counts;
}
