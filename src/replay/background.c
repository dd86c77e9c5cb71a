/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * background: traffic of ranks that play no trace. A rank that sends begins its next message `interval` after the
 * start of its last one, or when that has arrived, if this is later: no more than one is under way from each. The
 * messages cost no CPU time, and each meets its receive at once, so that nothing but the network is busy.
 *
 * Traffic goes on until the jobs are over. A deadlock of these must not be hidden by it: after PATIENCE messages
 * without any action of a job all sources pause, each when it would send. If nothing else is to happen when the last
 * one does, the run is over; else they go on.
 */
#include "replay/schedule.h"

#include <stdlib.h>

enum { PATIENCE = 100000 };

/* A rank that sends, or, in ping-pong, a pair. */
struct source {
    struct replay_background *all;
    struct rank *rank;
    const struct replay_world *world;
    struct base_random random;
    uint32_t place, partner; /* in its world; partner: of patterns in which it is always the same */
    uint64_t sent;
    double began; /* the last message */
    struct p2p_request *send, *receive;
    unsigned open; /* of these */
    struct engine_event timer;
    struct source *paused; /* the next one that waits for the end of a pause */
};

struct replay_background {
    struct replay_job *job;
    BASE_ARRAY(struct source *) sources;
    BASE_ARRAY(struct engine_actor *) waiting; /* ranks, for the end */
    bool stopped, pausing;
    uint64_t under_way, since, seen; /* messages now; since the last action of a job; that action's number */
    uint32_t senders, pauses;        /* sources that send; of these, how many pause */
    struct source *paused;
    struct engine_daemon resume;
};

/* --- whom a source sends to --------------------------------------------------------------------------- */

/* A permutation without fixed points: each sends to the next in a random cycle of all. */
static uint32_t next_in_cycle(const struct source *s, uint64_t seed)
{
    uint32_t n = s->world->ranks, found = 0;
    uint32_t *order = base_alloc(n * sizeof *order, "a permutation");
    struct base_random random;
    base_random_seed(&random, seed, UINT32_MAX);
    for (uint32_t k = 0; k < n; k++)
        order[k] = k;
    for (uint32_t k = n - 1; k > 0; k--) {
        uint32_t other = (uint32_t)base_random_below(&random, k + 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    for (uint32_t k = 0; k < n; k++)
        if (order[k] == s->place)
            found = order[(k + 1) % n];
    free(order);
    return found;
}

/* false: it does not begin any message. */
static bool find_partner(struct source *s, const struct replay_traffic *t)
{
    switch (t->pattern) {
    case REPLAY_PERMUTATION:
        s->partner = next_in_cycle(s, t->seed);
        return true;
    case REPLAY_INCAST:
        s->partner = 0;
        return s->place != 0;
    case REPLAY_PING_PONG:
        s->partner = s->place + 1;
        return s->place % 2 == 0 && s->partner < s->world->ranks;
    default:
        return true;
    }
}

static uint32_t receiver_of(struct source *s)
{
    uint32_t others = s->world->ranks - 1;
    switch (s->world->traffic->pattern) {
    case REPLAY_UNIFORM:
        return (s->place + 1 + (uint32_t)base_random_below(&s->random, others)) % s->world->ranks;
    case REPLAY_ALL_TO_ALL:
        return (uint32_t)(s->place + 1 + s->sent % others) % s->world->ranks;
    default:
        return s->partner;
    }
}

/* --- messages ----------------------------------------------------------------------------------------- */

static void done(struct p2p_request *q, void *arg);

static void forget_message(struct source *s)
{
    if (s->send) {
        p2p_request_destroy(s->send);
        p2p_request_destroy(s->receive);
    }
    s->send = s->receive = NULL;
}

/* Of `sent`, every second one of a ping-pong goes back. */
static void send(struct source *s)
{
    static const char call[] = REPLAY_TRAFFIC_CALL;
    const struct replay_world *w = s->world;
    struct rank_job *job = s->all->job->ranks;
    const struct p2p_buffer buffer = {.count = w->traffic->bytes, .layout = types_layout_of(TYPES_BYTE)};
    uint32_t to = receiver_of(s), from = s->place, context = (uint32_t)(w - s->all->job->world);
    if (w->traffic->pattern == REPLAY_PING_PONG && s->sent % 2) {
        from = to;
        to = s->place;
    }
    struct rank *sender = rank_at(job, w->first + from), *receiver = rank_at(job, w->first + to);
    const struct p2p_envelope wanted = {.context = context, .source = sender->id, .tag = 0};
    forget_message(s);
    s->sent++;
    s->began = engine_now(sender->engine);
    s->open = 2;
    s->all->under_way++;
    s->receive = p2p_receive_create(receiver, &wanted, &buffer, call);
    s->send = p2p_send_create(sender, receiver->id, context, 0, &buffer, P2P_SYNCHRONOUS, call);
    p2p_request_tell(s->receive, done, s);
    p2p_request_tell(s->send, done, s);
    p2p_start(s->receive, s->began);
    p2p_start(s->send, s->began);
}

/* --- pauses ------------------------------------------------------------------------------------------- */

static bool loses_patience(struct replay_background *b)
{
    uint64_t actions = b->job->counts.actions;
    if (b->seen != actions)
        b->since = 0;
    b->seen = actions;
    if (++b->since > PATIENCE)
        b->pausing = true;
    return b->pausing;
}

static void go_on(struct engine *e, struct engine_event *ev)
{
    struct replay_background *b =
        BASE_CONTAINER(BASE_CONTAINER(ev, struct engine_daemon, event), struct replay_background, resume);
    struct source *s = b->paused;
    b->paused = NULL;
    b->pausing = false;
    b->since = b->pauses = 0;
    for (; s && !b->stopped; s = s->paused)
        engine_event_at(e, &s->timer, engine_now(e));
}

/* No source has an event to come when the last one pauses: what is left to happen happens before they go on. */
static void pause_it(struct source *s)
{
    struct replay_background *b = s->all;
    struct engine *e = rank_engine(b->job->ranks);
    s->paused = b->paused;
    b->paused = s;
    if (++b->pauses == b->senders)
        engine_daemon_at(e, &b->resume, engine_now(e));
}

/* --- sources ------------------------------------------------------------------------------------------ */

static void wake_all(struct replay_background *b)
{
    for (size_t k = 0; k < b->waiting.n; k++)
        engine_wake(rank_engine(b->job->ranks), b->waiting.at[k]);
}

static void tick(struct engine *e, struct engine_event *ev)
{
    struct source *s = BASE_CONTAINER(ev, struct source, timer);
    (void)e;
    if (s->all->stopped)
        return;
    if (loses_patience(s->all))
        pause_it(s);
    else
        send(s);
}

static void done(struct p2p_request *q, void *arg)
{
    struct source *s = arg;
    struct replay_background *b = s->all;
    struct engine *e = rank_engine(b->job->ranks);
    (void)q;
    if (--s->open)
        return;
    b->under_way--;
    if (b->stopped) {
        if (!b->under_way)
            wake_all(b);
        return;
    }
    double next = s->began + s->world->traffic->interval, now = engine_now(e);
    engine_event_at(e, &s->timer, next > now ? next : now);
}

static struct source *make_source(struct replay_background *b, struct rank *r)
{
    const struct replay_world *w = replay_world_of(b->job, r);
    struct source *s = base_zalloc(sizeof *s, "background traffic");
    *s = (struct source){.all = b, .rank = r, .world = w, .place = replay_world_place(w, r->id)};
    base_random_seed(&s->random, w->traffic->seed, s->place);
    engine_event_init(&s->timer, tick);
    return s;
}

static struct replay_background *background_of(struct replay_job *j)
{
    if (!j->background) {
        j->background = base_zalloc(sizeof *j->background, "background traffic");
        j->background->job = j;
        j->background->resume.fn = go_on;
    }
    return j->background;
}

void replay_background_run(struct replay_job *j, struct rank *r)
{
    static const struct engine_reason why = {REPLAY_TRAFFIC_CALL, NULL, NULL};
    struct replay_background *b = background_of(j);
    if (replay_schedule_over(j))
        return;
    struct source *s = make_source(b, r);
    BASE_ARRAY_PUSH(&b->sources, s);
    BASE_ARRAY_PUSH(&b->waiting, r->actor);
    if (find_partner(s, s->world->traffic)) {
        b->senders++;
        engine_event_at(r->engine, &s->timer, engine_now(r->engine));
    }
    while (!b->stopped || b->under_way)
        engine_block(r->engine, &why);
    forget_message(s);
}

void replay_background_stop(struct replay_job *j)
{
    struct replay_background *b = j->background;
    b->stopped = true;
    for (size_t k = 0; k < b->sources.n; k++)
        engine_event_cancel(rank_engine(j->ranks), &b->sources.at[k]->timer);
    if (!b->under_way)
        wake_all(b);
}

void replay_background_release(struct replay_job *j)
{
    struct replay_background *b = j->background;
    if (!b)
        return;
    for (size_t k = 0; k < b->sources.n; k++)
        free(b->sources.at[k]);
    free(b->sources.at);
    free(b->waiting.at);
    free(b);
    j->background = NULL;
}
