/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule: when the jobs of a list begin, and on which ranks.
 *
 * Jobs that know their places have ranks of their own, which wait for the job's start. The jobs of a workload do not:
 * there, each core has a rank, which plays for one job after the other. First come, first served: the job that was
 * submitted first begins as soon as enough cores are free, on the first of these, and no later job begins before it. With
 * backfilling (jobs/backfill.c) later ones may, if they do not put it off; that is decided when all that ends at an
 * instant has ended.
 *
 * Invariants
 *  Y3  A queued job's ranks are free for the next one when all of them have come to its end.
 */
#include "replay/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

struct replay_schedule {
    struct replay_job *job;
    struct replay_jobs *jobs;
    uint32_t *given; /* to each rank: the world that it is to enter; NONE: it waits for one, or is in one */
    bool *busy;      /* queued: the rank has a world */
    uint32_t next;   /* queued: the first job that has not begun */
    uint32_t free;   /* ranks */
    uint32_t left;   /* jobs with an end */
    /* With backfilling, else NULL: */
    struct replay_running *running; /* scratch */
    struct replay_waiting *waiting; /* scratch */
    uint32_t *runs;                 /* worlds that run, `running_n` of them */
    double *until;                  /* of each world that has begun: its expected end; else -1 */
    uint32_t running_n;
    struct engine_event submitted;
};

static double now_of(const struct replay_schedule *s)
{
    return engine_now(rank_engine(s->job->ranks));
}

/* --- queued jobs -------------------------------------------------------------------------------------- */

static void give(struct replay_schedule *s, uint32_t rank, uint32_t world)
{
    s->given[rank] = world;
    s->busy[rank] = true;
    s->free--;
    engine_wake(rank_engine(s->job->ranks), rank_at(s->job->ranks, rank)->actor);
}

static void start(struct replay_schedule *s, uint32_t world)
{
    struct replay_world *w = &s->job->world[world];
    w->rank = replay_jobs_ranks_of(s->jobs, world);
    for (uint32_t rank = 0, k = 0; k < w->ranks; rank++)
        if (!s->busy[rank])
            w->rank[k++] = rank;
    for (uint32_t k = 0; k < w->ranks; k++)
        give(s, w->rank[k], world);
}

/* Nothing is left to be given: ranks that are free end. */
static void dismiss(const struct replay_schedule *s)
{
    for (uint32_t k = 0; k < rank_count(s->job->ranks); k++)
        if (!s->busy[k])
            engine_wake(rank_engine(s->job->ranks), rank_at(s->job->ranks, k)->actor);
}

/* The first job that has not been submitted so far will be. */
static void await_submission(struct replay_schedule *s, uint32_t world)
{
    if (world < s->job->worlds)
        engine_event_at(rank_engine(s->job->ranks), &s->submitted, replay_jobs_start(s->jobs, world));
}

static void take_turns(struct replay_schedule *s)
{
    double now = now_of(s);
    for (; s->next < s->job->worlds; s->next++) {
        if (replay_jobs_start(s->jobs, s->next) > now) {
            await_submission(s, s->next);
            return;
        }
        if (s->job->world[s->next].ranks > s->free)
            return;
        start(s, s->next);
    }
    dismiss(s);
}

/* What runs and what waits, as backfilling is told of them; returns the first job that has not been submitted. */
static uint32_t survey(const struct replay_schedule *s, double now, size_t *waits)
{
    uint32_t k = s->next;
    *waits = 0;
    for (uint32_t r = 0; r < s->running_n; r++) {
        double until = s->until[s->runs[r]];
        s->running[r] = (struct replay_running){until > now ? until : now, s->job->world[s->runs[r]].ranks};
    }
    for (; k < s->job->worlds && replay_jobs_start(s->jobs, k) <= now; k++)
        if (s->until[k] < 0)
            s->waiting[(*waits)++] =
                (struct replay_waiting){replay_jobs_expected(s->jobs, k), s->job->world[k].ranks, false};
    return k;
}

static void backfill(struct replay_schedule *s)
{
    double now = now_of(s);
    size_t waits, k = 0;
    uint32_t later = survey(s, now, &waits);
    replay_backfill(s->running, s->running_n, s->free, now, s->waiting, waits);
    for (uint32_t world = s->next; world < later; world++) {
        if (s->until[world] >= 0 || !s->waiting[k++].begins)
            continue;
        start(s, world);
        s->until[world] = now + replay_jobs_expected(s->jobs, world);
        s->runs[s->running_n++] = world;
    }
    while (s->next < later && s->until[s->next] >= 0)
        s->next++;
    await_submission(s, later);
    if (s->next == s->job->worlds)
        dismiss(s);
}

static void dispatch(struct replay_schedule *s)
{
    if (s->until)
        backfill(s);
    else
        take_turns(s);
}

static void on_submitted(struct engine *e, struct engine_event *ev)
{
    (void)e;
    dispatch(BASE_CONTAINER(ev, struct replay_schedule, submitted));
}

/* false: there is no job any more. */
static bool await_job(struct replay_schedule *s, struct rank *r)
{
    static const char call[] = REPLAY_WAIT_CALL;
    static const struct engine_reason why = {call, NULL, NULL};
    bool traced = rank_trace(r->job)->on;
    if (traced)
        rank_trace_emit(r, &(struct trace_event){.type = TRACE_WAIT_BEGIN, .call = call});
    while (s->given[r->id] == NONE && s->next < s->job->worlds)
        engine_block(r->engine, &why);
    if (traced)
        rank_trace_emit(r, &(struct trace_event){.type = TRACE_WAIT_END, .call = call});
    return s->given[r->id] != NONE;
}

/* --- the life of a job -------------------------------------------------------------------------------- */

static void mark(struct rank *r, enum trace_type type, const char *name)
{
    if (type == TRACE_MARK_BEGIN)
        rank_phase_begin(r, name);
    else
        rank_phase_end(r);
    if (rank_trace(r->job)->on)
        rank_trace_emit(r, &(struct trace_event){.type = type, .call = name});
}

static void await_start(const struct replay_schedule *s, struct rank *r, uint32_t world)
{
    double at = replay_jobs_start(s->jobs, world);
    if (at > engine_now(r->engine))
        rank_await_until(r, REPLAY_WAIT_CALL, at, 0);
}

bool replay_schedule_enter(struct replay_job *j, struct rank *r)
{
    struct replay_schedule *s = j->schedule;
    bool queued = s->busy != NULL;
    uint32_t world = s->given[r->id];
    if (world == NONE && !(queued && await_job(s, r)))
        return false;
    world = s->given[r->id];
    s->given[r->id] = NONE;
    if (!queued)
        await_start(s, r, world);
    struct replay_world *w = &j->world[world];
    replay_player_of(j, r)->world = world;
    if (!w->group) {
        replay_world_open(j, w);
        replay_world_begin(j, w);
        replay_jobs_begin(s->jobs, world, now_of(s));
    }
    mark(r, TRACE_MARK_BEGIN, w->name);
    return true;
}

static void job_over(struct replay_schedule *s, struct replay_world *w)
{
    struct replay_job *j = s->job;
    replay_world_end(j, w);
    replay_world_close(j, w);
    replay_jobs_end(s->jobs, (uint32_t)(w - j->world), now_of(s));
    if (!w->traffic && --s->left == 0 && j->background)
        replay_background_stop(j);
    if (!s->busy)
        return;
    for (uint32_t k = 0; k < w->ranks; k++)
        s->busy[w->rank[k]] = false;
    s->free += w->ranks;
    if (!s->until) {
        dispatch(s);
        return;
    }
    uint32_t k = 0;
    while (s->runs[k] != (uint32_t)(w - j->world))
        k++;
    s->runs[k] = s->runs[--s->running_n];
    engine_event_at(rank_engine(j->ranks), &s->submitted, now_of(s));
}

void replay_schedule_join(struct replay_job *j, struct rank *r)
{
    mark(r, TRACE_MARK_BEGIN, replay_world_of(j, r)->name);
}

void replay_schedule_leave(struct replay_job *j, struct rank *r)
{
    struct replay_world *w = replay_world_of(j, r);
    rank_catch_up(r);
    mark(r, TRACE_MARK_END, NULL);
    if (--w->left == 0)
        job_over(j->schedule, w);
}

bool replay_schedule_over(const struct replay_job *j)
{
    return j->schedule->left == 0;
}

/* --- making ------------------------------------------------------------------------------------------- */

static void open_backfilling(struct replay_schedule *s)
{
    uint32_t n = s->job->worlds;
    s->running = base_alloc(n * sizeof *s->running, "jobs that run");
    s->waiting = base_alloc(n * sizeof *s->waiting, "jobs that wait");
    s->runs = base_alloc(n * sizeof *s->runs, "jobs that run");
    s->until = base_alloc(n * sizeof *s->until, "expected ends of jobs");
    for (uint32_t k = 0; k < n; k++)
        s->until[k] = -1;
}

void replay_schedule_create(struct replay_job *j, struct replay_jobs *jobs, bool queued)
{
    uint32_t ranks = rank_count(j->ranks);
    struct replay_schedule *s = base_zalloc(sizeof *s, "a schedule of jobs");
    *s = (struct replay_schedule){.job = j, .jobs = jobs, .free = ranks};
    s->given = base_alloc(ranks * sizeof *s->given, "jobs of the ranks");
    if (queued)
        s->busy = base_zalloc(ranks * sizeof *s->busy, "jobs of the ranks");
    for (uint32_t k = 0; k < ranks; k++)
        s->given[k] = NONE;
    for (uint32_t w = 0; w < j->worlds; w++) {
        s->left += j->world[w].traffic == NULL;
        for (uint32_t k = 0; !queued && k < j->world[w].ranks; k++)
            s->given[j->world[w].first + k] = w;
    }
    engine_event_init(&s->submitted, on_submitted);
    if (queued && !strcmp(base_settings_text(rank_settings(j->ranks), "replay/queue"), "easy"))
        open_backfilling(s);
    j->schedule = s;
}

void replay_schedule_begin(struct replay_job *j)
{
    struct replay_schedule *s = j->schedule;
    if (s->busy)
        engine_event_at(rank_engine(j->ranks), &s->submitted, replay_jobs_start(s->jobs, 0));
}

void replay_schedule_release(struct replay_job *j)
{
    if (!j->schedule)
        return;
    free(j->schedule->given);
    free(j->schedule->busy);
    free(j->schedule->running);
    free(j->schedule->waiting);
    free(j->schedule->runs);
    free(j->schedule->until);
    free(j->schedule);
    j->schedule = NULL;
}
