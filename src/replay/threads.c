/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads: a rank's threads as players. Each has an actor, and its actions on a tape of its own (tape/threads.c). What
 * threads do to one another is in the trace (rank/threaded.h): so there are no mutexes here, only threads that wait until
 * the one that woke them in the recorded run does so. Who wakes comes first on some platforms: each waking is kept until
 * the woken thread waits for one by this waker.
 *
 * Invariants
 *  Q1  r->threads counts the actors of r's players.
 *  Q2  A thread with an actor plays, or is at its tape's end, where it stays until its rank ends.
 */
#include "replay/player.h"

#include "rank/title.h"

#include <inttypes.h>
#include <stdlib.h>

/* Wakings of a thread that it has not waited for. */
struct permit {
    uint32_t rank, thread; /* the waker */
    uint32_t n;
};
struct replay_thread {
    struct replay_player player;
    struct rank *rank;
    struct replay_job *job;
    uint32_t number;            /* from 1 */
    struct engine_actor *actor; /* NULL: there is none, or it is the first one */
    struct engine_actor *waits; /* it, for a waking */
    uint32_t by_rank, by_thread;
    BASE_ARRAY(struct permit) permits;
};
struct replay_crew {
    BASE_ARRAY(struct replay_thread *) at;     /* by number - 1; NULL: nobody has named it */
    BASE_ARRAY(struct engine_actor *) for_end; /* who wait for the end of some thread */
};

/* --- records ------------------------------------------------------------------------------------------ */

static struct replay_crew *crew_of(struct replay_job *j, const struct rank *r)
{
    struct replay_player *first = &j->player[r->id];
    if (!first->crew)
        first->crew = base_zalloc(sizeof *first->crew, "threads of a player");
    return first->crew;
}

static struct replay_thread *thread_of(struct replay_job *j, struct rank *r, uint32_t number)
{
    struct replay_crew *c = crew_of(j, r);
    while (c->at.n < number)
        BASE_ARRAY_PUSH(&c->at, NULL);
    struct replay_thread **t = &c->at.at[number - 1];
    if (!*t) {
        *t = base_zalloc(sizeof **t, "threads of a player");
        **t = (struct replay_thread){.rank = r, .job = j, .number = number};
        (*t)->player.world = j->player[r->id].world;
    }
    return *t;
}

static struct replay_thread *running(const struct rank *r)
{
    struct engine_actor *a = engine_current(r->engine);
    return a && engine_actor_owner(a) == r ? engine_actor_local(a) : NULL;
}

struct replay_player *replay_thread_player(const struct rank *r, struct replay_player *first)
{
    struct replay_thread *t = running(r);
    return t ? &t->player : first;
}

uint32_t replay_thread_slot(const void *local)
{
    return ((const struct replay_thread *)local)->number - 1;
}

static struct replay_thread *me(struct replay_job *j, struct rank *r)
{
    struct replay_thread *t = running(r);
    return t ? t : thread_of(j, r, 1);
}

/* --- waiting for an end ------------------------------------------------------------------------------- */

static void describe_end(const void *arg, char *buf, size_t size)
{
    snprintf(buf, size, "thread %" PRIu32, ((const struct replay_thread *)arg)->number);
}

static void await_end(struct replay_thread *t)
{
    struct engine *e = t->rank->engine;
    struct replay_crew *c = crew_of(t->job, t->rank);
    const struct engine_reason why = {REPLAY_END_CALL, describe_end, t};
    while (t->actor) {
        BASE_ARRAY_PUSH(&c->for_end, engine_current(e));
        engine_block(e, &why);
    }
}

static void tell_end(struct replay_thread *t)
{
    struct replay_crew *c = crew_of(t->job, t->rank);
    for (size_t k = 0; k < c->for_end.n; k++)
        engine_wake(t->rank->engine, c->for_end.at[k]);
    c->for_end.n = 0;
}

void replay_thread_join(struct replay_job *j, struct rank *r)
{
    await_end(thread_of(j, r, j->action.number));
}

static _Noreturn void stay(const struct rank *r)
{
    static const struct engine_reason why = {REPLAY_REST_CALL, NULL, NULL};
    for (;;)
        engine_block(r->engine, &why);
}

/* --- life --------------------------------------------------------------------------------------------- */

static void body(void *thread)
{
    struct replay_thread *t = thread;
    struct replay_job *j = t->job;
    struct replay_tape *threads = replay_tape_threads(replay_world_of(j, t->rank)->tape);
    j->play(j, t->rank, threads, &t->player);
    if (t->player.exits)
        rank_exit(0);
    stay(t->rank);
}

static void begin(struct replay_thread *t)
{
    const struct replay_world *w = &t->job->world[t->player.world];
    uint32_t place, rank = replay_world_place(w, t->rank->id);
    if (t->player.line || !replay_tape_thread_find(w->tape, rank, t->number, &place))
        return; /* it goes on where one with its number has ended; or it does nothing */
    replay_cursor_begin(replay_tape_threads(w->tape), place, &t->player.cursor);
    if (t->job->recorded_sources)
        t->player.sources = replay_sources_create(replay_tape_threads(w->tape), place);
}

void replay_thread_create(struct replay_job *j, struct rank *r)
{
    uint32_t number = j->action.number;
    rank_catch_up(r);
    if (j->thread_costs.create > 0)
        engine_sleep(r->engine, j->thread_costs.create);
    if (!number)
        return;
    struct replay_thread *t = thread_of(j, r, number);
    await_end(t);
    if (!engine_actor_room(r->engine))
        base_fatal(BASE_EXIT_HOST,
                   "%s: rank %" PRIu32 ", line %" PRIu32
                   ": all stacks reserved for threads are in use; raise thread/most (--set)",
                   replay_world_of(j, r)->path, replay_world_place(replay_world_of(j, r), r->id),
                   replay_player_of(j, r)->line);
    begin(t);
    rank_threads_add(r, 1);
    t->actor = engine_actor_spawn(r->engine, body, t, r);
    engine_actor_set_local(t->actor, t);
}

void replay_thread_end(struct replay_job *j, struct rank *r)
{
    struct replay_thread *t = me(j, r);
    rank_catch_up(r);
    rank_threads_add(r, -1);
    engine_actor_set_local(t->actor, NULL);
    t->actor = NULL;
    tell_end(t);
    engine_actor_exit(r->engine);
}

void replay_thread_exit(struct replay_job *j, struct rank *r)
{
    me(j, r)->player.exits = true;
}

/* A loop that keeps trying takes time in the end: this is that time. */
void replay_thread_calls(struct replay_job *j, struct rank *r)
{
    double seconds = j->action.number * j->thread_costs.call;
    rank_catch_up(r);
    if (seconds > 0)
        engine_sleep(r->engine, seconds);
}

/* --- waking ------------------------------------------------------------------------------------------- */

static struct permit *permit_of(struct replay_thread *t, uint32_t rank, uint32_t thread)
{
    for (size_t k = 0; k < t->permits.n; k++)
        if (t->permits.at[k].rank == rank && t->permits.at[k].thread == thread)
            return &t->permits.at[k];
    BASE_ARRAY_PUSH(&t->permits, ((struct permit){rank, thread, 0}));
    return &t->permits.at[t->permits.n - 1];
}

void replay_thread_wake(struct replay_job *j, struct rank *r)
{
    struct rank *of = rank_at(j->ranks, j->action.peer);
    struct replay_thread *t = thread_of(j, of, j->action.number);
    uint32_t by = me(j, r)->number;
    if (!j->action.tag)
        rank_catch_up(r);
    permit_of(t, r->id, by)->n++;
    if (!t->waits || t->by_rank != r->id || t->by_thread != by)
        return;
    struct engine_actor *a = t->waits;
    t->waits = NULL;
    engine_wake(r->engine, a);
}

static void describe_waker(const void *arg, char *buf, size_t size)
{
    const struct replay_thread *t = arg;
    char title[RANK_TITLE_SIZE];
    if (t->by_rank == t->rank->id)
        snprintf(buf, size, "thread %" PRIu32 ", which woke it in the recorded run", t->by_thread);
    else
        snprintf(buf, size, "%s, thread %" PRIu32 ", which woke it in the recorded run",
                 rank_title(rank_at(t->rank->job, t->by_rank), title, sizeof title), t->by_thread);
}

/* Until the waker has woken it once more. */
static void await_waking(struct replay_thread *t, uint32_t rank, uint32_t thread)
{
    const struct engine_reason why = {REPLAY_WAKE_CALL, describe_waker, t};
    t->by_rank = rank;
    t->by_thread = thread;
    while (!permit_of(t, rank, thread)->n) {
        t->waits = engine_current(t->rank->engine);
        engine_block(t->rank->engine, &why);
        t->waits = NULL;
    }
    permit_of(t, rank, thread)->n--;
}

static void go_on(const struct replay_job *j, struct rank *r, enum rank_waking how)
{
    if (how == RANK_WAKING_PARKED && j->thread_costs.wake > 0)
        engine_sleep(r->engine, j->thread_costs.wake);
    if (how != RANK_WAKING_POLL)
        return;
    r->ahead_until = rank_now(r) + fabric_host_poll_cost(rank_fabric(j->ranks), r->host);
    rank_catch_up(r);
}

void replay_thread_wait(struct replay_job *j, struct rank *r)
{
    uint32_t rank = j->action.peer, thread = j->action.number;
    enum rank_waking how = (enum rank_waking)j->action.tag;
    bool away = how == RANK_WAKING_FILE && r->serves;
    j->counts.woken++;
    r->issuing = false;
    rank_catch_up(r);
    if (away)
        rank_away_begin(r);
    await_waking(me(j, r), rank, thread);
    if (away)
        rank_away_end(r);
    go_on(j, r, how);
}

void replay_thread_timeout(struct replay_job *j, struct rank *r)
{
    double seconds = j->action.amount;
    rank_catch_up(r);
    rank_await_until(r, REPLAY_WAKE_CALL, engine_now(r->engine) + seconds, 0);
}

/* --- the end of a rank's part ------------------------------------------------------------------------- */

static void release(struct replay_player *first)
{
    struct replay_crew *c = first->crew;
    for (size_t k = 0; k < c->at.n; k++) {
        struct replay_thread *t = c->at.at[k];
        if (!t)
            continue;
        free(t->player.open);
        free(t->player.sides);
        replay_cursor_end(&t->player.cursor);
        replay_sources_destroy(t->player.sources);
        free(t->permits.at);
        free(t);
    }
    free(c->at.at);
    free(c->for_end.at);
    free(c);
    first->crew = NULL;
}

/* How many were dropped. */
static int drop_all_but(struct replay_job *j, struct rank *r, const struct engine_actor *but)
{
    const struct replay_crew *c = j->player[r->id].crew;
    int dropped = r->actor != but;
    replay_last_drop(j, r, but);
    if (dropped) {
        engine_actor_drop(r->engine, r->actor);
        replay_repeat_end(j, &j->player[r->id]);
    }
    for (size_t k = 0; c && k < c->at.n; k++) {
        struct replay_thread *t = c->at.at[k];
        if (!t || !t->actor || t->actor == but)
            continue;
        engine_actor_drop(r->engine, t->actor);
        replay_repeat_end(j, &t->player);
        t->actor = NULL;
        dropped++;
    }
    return dropped;
}

void replay_crew_drop(struct replay_job *j, struct rank *r)
{
    rank_threads_add(r, -drop_all_but(j, r, engine_current(r->engine)));
}

void replay_rank_release(struct rank *r)
{
    struct replay_job *j = replay_job_of(r);
    if (j->player[r->id].crew)
        replay_crew_drop(j, r);
}

void replay_rank_drop(struct rank *r)
{
    (void)drop_all_but(replay_job_of(r), r, NULL);
}

void replay_crew_release(struct replay_job *j, const struct rank *r)
{
    if (j->player[r->id].crew)
        release(&j->player[r->id]);
}

/* Those that had ended before their rank in the recorded run end here, too. */
void replay_crew_finish(struct replay_job *j, struct rank *r)
{
    const struct replay_world *w = replay_world_of(j, r);
    uint32_t place, rank = replay_world_place(w, r->id);
    if (!j->player[r->id].crew)
        return;
    if (replay_tape_rank_exits(w->tape, rank))
        stay(r);
    for (size_t k = 1; k < crew_of(j, r)->at.n; k++) {
        struct replay_thread *t = crew_of(j, r)->at.at[k];
        if (t && replay_tape_thread_find(w->tape, rank, t->number, &place) &&
            replay_tape_thread_ends(w->tape, place))
            await_end(t);
    }
    replay_crew_drop(j, r);
}

size_t replay_crew_says(const struct replay_player *first, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t k = 1; first->crew && k < first->crew->at.n && n < size; k++) {
        const struct replay_thread *t = first->crew->at.at[k];
        if (t && t->actor && t->player.line)
            n += (size_t)snprintf(
                text + n, size - n, "\nthread %" PRIu32 " plays line %" PRIu32 " of the trace: %s", t->number,
                t->player.line, replay_call_name((enum replay_kind)t->player.kind, t->player.number));
    }
    return n;
}
