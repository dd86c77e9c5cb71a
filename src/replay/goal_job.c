/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * goal_job: the provider of ranks that play schedules of GOAL, with messages of p2p/ on the platform or in the LogGP
 * model; and what reports say of them.
 */
#include "replay/goal_job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct rank_slot slot;

struct replay_goal_job *replay_goal_job_of(const struct rank *r)
{
    return rank_part(r->job, &slot);
}

static void run(struct rank *r)
{
    struct replay_goal_job *j = replay_goal_job_of(r);
    if (j->loggp)
        replay_goal_play_loggp(j, r);
    else
        replay_goal_play(j, r);
}

/* --- reports ---------------------------------------------------------------------------------------- */

static uint32_t left_of(const struct replay_goal_job *j, uint32_t rank)
{
    return j->loggp ? replay_loggp_left(j->loggp, rank) : j->player[rank].left;
}

/* In reports of a deadlock. */
static void says(struct rank *r, char *text, size_t size)
{
    const struct replay_goal_job *j = replay_goal_job_of(r);
    uint32_t n;
    replay_goal_ops(j->goal, r->id, &n);
    snprintf(text, size, "%" PRIu32 " of the %" PRIu32 " operations of its schedule have not ended",
             left_of(j, r->id), n);
}

static bool speaks(const struct rank *r)
{
    return left_of(replay_goal_job_of(r), r->id) != 0;
}

struct left {
    uint32_t to;
    uint64_t n;
};

static void count_left(void *arg, const struct p2p_left *l)
{
    (void)l;
    ((struct left *)arg)->n++;
}

static void tell_left(void *arg, const struct p2p_left *l)
{
    struct left *left = arg;
    enum { MOST = 10 };
    if (left->n++ < MOST)
        base_error_more("rank %" PRIu32 " never receives %" PRIu64 " bytes from rank %" PRIu32
                        ", tag %" PRId32,
                        left->to, l->bytes, l->envelope.source, l->envelope.tag);
}

/* No rank runs any more. */
static void tell_all_left(struct rank_job *job)
{
    const struct replay_goal_job *j = rank_part(job, &slot);
    struct left all = {0}, told = {0};
    if (j->loggp) {
        replay_goal_loggp_tell_left(j);
        return;
    }
    for (uint32_t k = 0; k < rank_count(job); k++)
        p2p_left(rank_at(job, k), count_left, &all);
    if (!all.n)
        return;
    base_warn("replay/unmatched", "%" PRIu64 " messages of the trace are sent and never received", all.n);
    for (told.to = 0; told.to < rank_count(job); told.to++)
        p2p_left(rank_at(job, told.to), tell_left, &told);
}

/* --- a job ------------------------------------------------------------------------------------------ */

static void job_destroy(struct rank_job *job)
{
    struct replay_goal_job *j = rank_part(job, &slot);
    size_t n = rank_count(job);
    replay_loggp_destroy(j->loggp);
    if (j->player) {
        base_unreserve(j->player, n * sizeof *j->player);
        base_unreserve(j->cpu, n * j->cpus * sizeof *j->cpu);
        base_pool_release(&j->item_pool);
        base_pool_release(&j->timer_pool);
    }
    free(j->fresh.at);
    free(j);
}

void replay_goal_register(void)
{
    rank_slot_register(&slot, 0);
}

static void open_players(struct replay_goal_job *j)
{
    size_t n = rank_count(j->ranks);
    j->cpus = replay_goal_cpus(j->goal);
    j->player = base_reserve(n * sizeof *j->player, "players of schedules");
    j->cpu = base_reserve(n * j->cpus * sizeof *j->cpu, "CPUs of schedules");
    base_pool_init(&j->item_pool, sizeof(struct replay_goal_item), "operations of schedules");
    base_pool_init(&j->timer_pool, sizeof(struct replay_goal_timer), "calculations of schedules");
    for (uint32_t k = 0; k < n; k++)
        replay_goal_ops(j->goal, k, &j->player[k].left);
}

static int choose_model(struct replay_goal_job *j, struct base_status *st)
{
    const char *model = base_settings_text(rank_settings(j->ranks), "replay/model");
    if (!strcmp(model, "LogGP"))
        return replay_goal_loggp_open(j, st);
    if (strcmp(model, "platform"))
        return base_fail(st, "setting replay/model: '%.80s' is unknown; expected platform or LogGP", model);
    open_players(j);
    return 0;
}

int replay_goal_attach(struct rank_job *job, struct replay_goal *goal, const char *path,
                       struct base_status *st)
{
    static const struct rank_life life = {
        .run = run, .job_end = tell_all_left, .says = says, .speaks = speaks, .job_destroy = job_destroy};
    static const struct rank_provider provider = {"replay", &rank_memory_plain, &life, NULL, NULL};
    struct replay_goal_job *j = base_zalloc(sizeof *j, "a replay");
    *j = (struct replay_goal_job){.ranks = job, .goal = goal, .path = path};
    j->compute_scale = base_settings_number(rank_settings(job), "replay/compute-scale");
    j->counts.all = replay_goal_operations(goal);
    if (choose_model(j, st)) {
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
    if (j->loggp)
        replay_goal_loggp_count(j);
    return j->counts;
}
