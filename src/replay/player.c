/* SPDX-License-Identifier: BSD-3-Clause */
/* player: the provider of ranks that play a tape: their loop, their lives, and what reports say of them. */
#include "replay/player.h"

#include "base/sanitizer.h"
#include "coll/p2p/p2p.h"
#include "rank/slots.h"
#include "rank/title.h"
#include "rma/rma.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of buffers. Nothing is stored there, but Valgrind keeps a record of all addresses, and does not have as many. */
static size_t memory_bytes(void)
{
    return base_sanitizer.valgrind ? (size_t)1 << 30 : (size_t)1 << 36;
}

/* --- playing ---------------------------------------------------------------------------------------- */

static void nothing(struct replay_job *j, struct rank *r)
{
    (void)j, (void)r;
}

static void init(struct replay_job *j, struct rank *r)
{
    static const char call[] = "MPI_Init";
    (void)j;
    rank_enter(call);
    p2p_init_pay(r);
    rank_leave(r, call);
}

static void skip(struct replay_job *j, struct rank *r)
{
    static const char small[] = "replay/no-time", large[] = "replay/not-played";
    const struct replay_action *a = &j->action;
    const struct replay_world *w = replay_world_of(j, r);
    const char *path = w->path;
    uint32_t place = replay_world_place(w, r->id);
    if (base_warn_again(a->number ? large : small))
        return;
    if (a->number)
        base_warn(large,
                  "%s: rank %" PRIu32 ", line %" PRIu32
                  ": %s takes no time, as such a trace does not say enough to play it",
                  path, place, a->line, a->text);
    else
        base_notice(small, "%s: rank %" PRIu32 ", line %" PRIu32 ": %s takes no time", path, place, a->line,
                    a->text);
}

static void (*const plays[REPLAY_KINDS])(struct replay_job *j, struct rank *r) = {
    [REPLAY_COMPUTE] = replay_compute,
    [REPLAY_SLEEP] = replay_sleep,
    [REPLAY_SECONDS] = replay_seconds,
    [REPLAY_MOVES] = replay_moves,
    [REPLAY_PSTATE] = replay_pstate,
    [REPLAY_TIMES] = nothing,
    [REPLAY_LOCATION] = nothing,
    [REPLAY_SKIP] = skip,
    [REPLAY_INIT] = init,
    [REPLAY_FINALIZE] = nothing,
    [REPLAY_SEND] = replay_send,
    [REPLAY_ISEND] = replay_send,
    [REPLAY_RECV] = replay_receive,
    [REPLAY_IRECV] = replay_receive,
    [REPLAY_SENDRECV] = replay_exchange,
    [REPLAY_WAIT] = replay_wait,
    [REPLAY_TEST] = replay_test,
    [REPLAY_WAIT_LAST] = replay_wait_last,
    [REPLAY_WAITALL] = replay_wait_all,
    [REPLAY_WAITANY] = replay_wait_any,
    [REPLAY_TESTALL] = replay_test_all,
    [REPLAY_TESTANY] = replay_test_any,
    [REPLAY_COLLECTIVE] = replay_collective,
    [REPLAY_ICOLLECTIVE] = replay_icollective,
    [REPLAY_CALL] = replay_call,
    [REPLAY_THREAD_CREATE] = replay_thread_create,
    [REPLAY_THREAD_JOIN] = replay_thread_join,
    [REPLAY_THREAD_END] = replay_thread_end,
    [REPLAY_THREAD_EXIT] = replay_thread_exit,
    [REPLAY_THREAD_CALLS] = replay_thread_calls,
    [REPLAY_THREAD_WAKE] = replay_thread_wake,
    [REPLAY_THREAD_WAIT] = replay_thread_wait,
    [REPLAY_THREAD_LAST] = replay_thread_last,
    [REPLAY_THREAD_TIMEOUT] = replay_thread_timeout,
    [REPLAY_SOURCE] = nothing,
    [REPLAY_LOOP] = nothing,
    [REPLAY_LOOP_END] = nothing,
};

/* j->action is the rank's only until it waits. false: there is none left. */
static bool take_action(struct replay_job *j, struct replay_tape *tape, struct replay_player *p)
{
    const struct replay_world *w = &j->world[p->world];
    if (!replay_cursor_next(tape, &p->cursor, &j->action))
        return false;
    if (j->schedule || w->started)
        replay_world_translate(w, &j->action);
    p->line = j->action.line;
    p->kind = (uint8_t)j->action.kind;
    p->number = (uint16_t)j->action.number;
    j->counts.actions++;
    return true;
}

/* Until the end, or until the rank rests. */
static void play_on(struct replay_job *j, struct rank *r, struct replay_tape *tape, struct replay_player *p)
{
    while (!r->rests && take_action(j, tape, p))
        plays[p->kind](j, r);
}

static void begin(struct replay_job *j, struct rank *r, struct replay_player *p)
{
    const struct replay_world *w = &j->world[p->world];
    p->begun = true;
    replay_cursor_begin(w->tape, replay_world_place(w, r->id), &p->cursor);
    if (j->recorded_sources)
        p->sources = replay_sources_create(w->tape, replay_world_place(w, r->id));
}

static void end(struct replay_job *j, struct rank *r, struct replay_player *p)
{
    p->kind = REPLAY_KINDS;
    if (p->n)
        replay_wait_all(j, r);
    replay_crew_finish(j, r);
    replay_crew_release(j, r);
    free(p->open);
    replay_posix_end(p->handles);
    replay_handles_release(p->handles);
    replay_sources_destroy(p->sources);
    *p = (struct replay_player){.world = p->world, .started = p->started};
    replay_world_leave(r);
}

static void play(struct replay_job *j, struct rank *r)
{
    struct replay_player *p = &j->player[r->id];
    begin(j, r, p);
    play_on(j, r, j->world[p->world].tape, p);
    end(j, r, p);
}

/* Among the jobs of a list, whose frames the rank needs. */
static void play_graph(struct replay_goal_play *x, struct rank *r)
{
    double until;
    while (replay_goal_play_on(x, r, &until))
        if (until < 0)
            engine_block(r->engine, &replay_goal_waits);
        else
            engine_sleep_until(r->engine, until);
}

static void take_part(struct replay_job *j, struct rank *r)
{
    const struct replay_world *w = replay_world_of(j, r);
    if (w->tape)
        play(j, r);
    else if (w->play)
        play_graph(w->play, r);
    else if (w->traffic)
        replay_background_run(j, r);
    else
        rank_await_until(r, "sleep", engine_now(r->engine) + w->seconds, 0);
}

static void come_to_end(struct replay_job *j, struct rank *r)
{
    rank_catch_up(r);
    j->end = engine_now(r->engine);
}

static __attribute__((noinline)) void run_actions(struct rank *r)
{
    struct replay_job *j = replay_job_of(r);
    if (!j->schedule) {
        take_part(j, r);
        come_to_end(j, r);
        return;
    }
    if (j->player[r->id].started) {
        replay_schedule_join(j, r);
        take_part(j, r);
        replay_schedule_leave(j, r);
        return;
    }
    while (replay_schedule_enter(j, r)) {
        take_part(j, r);
        replay_schedule_leave(j, r);
    }
}

/* While such a rank waits, it has no frames at all. */
static __attribute__((noinline)) void run_graph(struct rank *r)
{
    struct replay_job *j = replay_job_of(r);
    double until;
    if (!replay_goal_play_on(replay_world_of(j, r)->play, r, &until))
        j->end = engine_now(r->engine);
    else if (until < 0)
        rank_rest(r, &replay_goal_waits);
    else
        rank_rest_until(r, until);
}

/* While such a rank computes, or waits in a collective, likewise. */
static __attribute__((noinline)) void run_tape(struct rank *r)
{
    struct replay_job *j = replay_job_of(r);
    struct replay_player *p = &j->player[r->id];
    if (p->member)
        replay_collective_rested(j, r);
    else if (!p->begun)
        begin(j, r, p);
    play_on(j, r, j->world[p->world].tape, p);
    if (r->rests)
        return;
    end(j, r, p);
    come_to_end(j, r);
}

/* On the rank's actor. Ends with a call, so that its own frame is not kept while the rank waits. */
static void run(struct rank *r)
{
    const struct replay_job *j = replay_job_of(r);
    const struct replay_world *w = replay_world_of(j, r);
    (j->schedule ? run_actions : w->play ? run_graph : w->tape ? run_tape : run_actions)(r);
}

/* In reports of a deadlock. */
static void says(struct rank *r, char *text, size_t size)
{
    const struct replay_job *j = replay_job_of(r);
    const struct replay_player *p = &j->player[r->id];
    char who[160] = "";
    if (j->schedule)
        replay_world_says(&j->world[p->world], r->id, who, sizeof who);
    size_t n = strlen(who) + (*who != '\0' ? 2 : 0);
    snprintf(text, size, "%s%s", who, *who ? ": " : "");
    text += n < size ? n : 0;
    size -= n < size ? n : 0;
    const struct replay_world *w = &j->world[p->world];
    uint32_t place = replay_world_place(w, r->id);
    if (w->play)
        replay_goal_says(w->goal, place, replay_goal_left(w->play, place), text, size);
    else if (p->kind == REPLAY_KINDS)
        snprintf(text, size, "is at the end of the trace, and waits for requests that are open there");
    else
        snprintf(text, size, "plays line %" PRIu32 " of the trace: %s", p->line,
                 replay_call_name((enum replay_kind)p->kind, p->number));
    size_t used = strlen(text);
    replay_crew_says(p, text + used, size - used);
}

/* Of a list's jobs. */
static bool title(const struct rank *r, char *buf, size_t size)
{
    const struct replay_job *j = replay_job_of(r);
    if (!j || !j->schedule)
        return false;
    replay_world_says(&j->world[j->player[r->id].world], r->id, buf, size);
    return true;
}

static bool speaks(const struct rank *r)
{
    const struct replay_job *j = replay_job_of(r);
    const struct replay_world *w = replay_world_of(j, r);
    if (w->play)
        return replay_goal_left(w->play, replay_world_place(w, r->id)) != 0;
    return replay_player_of(j, r)->line != 0;
}

/* --- what is left over ------------------------------------------------------------------------------ */

struct left {
    const struct replay_job *job;
    const struct rank *to;
    uint64_t n; /* messages so far, of all ranks */
};

/* Not a collective's, nor one of MPI's own, which it reports itself. */
static bool is_of_a_world(const struct left *left, const struct p2p_envelope *e)
{
    return !p2p_is_inner(e) && e->context < left->job->worlds;
}

static void tell_left(void *arg, const struct p2p_left *l)
{
    struct left *left = arg;
    enum { MOST = 10 };
    if (!is_of_a_world(left, &l->envelope) || left->n++ >= MOST)
        return;
    const struct replay_world *w = &left->job->world[l->envelope.context];
    char who[160];
    base_error_more("%s never receives %" PRIu64 " bytes from rank %" PRIu32 ", tag %" PRId32 " (%s)",
                    replay_world_says(w, left->to->id, who, sizeof who), l->bytes,
                    replay_world_place(w, l->envelope.source), l->envelope.tag, l->call);
}

static void count_left(void *arg, const struct p2p_left *l)
{
    struct left *left = arg;
    left->n += is_of_a_world(left, &l->envelope);
}

/* No rank runs any more. */
static void tell_all_left(struct rank_job *job)
{
    struct left all = {.job = rank_part(job, &replay_slot)}, told = all;
    for (uint32_t k = 0; k < rank_count(job); k++)
        p2p_left(rank_at(job, k), count_left, &all);
    if (!all.n)
        return;
    base_warn("replay/unmatched", "%" PRIu64 " messages of the trace are sent and never received", all.n);
    for (uint32_t k = 0; k < rank_count(job); k++) {
        told.to = rank_at(job, k);
        p2p_left(rank_at(job, k), tell_left, &told);
    }
}

/* --- a job ------------------------------------------------------------------------------------------ */

static void job_begin(struct rank_job *job)
{
    struct replay_job *j = rank_part(job, &replay_slot);
    if (!j)
        return;
    j->messages = coll_p2p_create(job);
    j->transport = coll_p2p_transport(j->messages);
    bool said = !j->world->tape || !replay_tape_computes(j->world->tape); /* what reductions compute */
    if (said && base_settings_is_default(rank_settings(job), "coll/reduce-bandwidth"))
        coll_p2p_computes_nothing(j->messages);
    j->thread_costs.create = base_settings_number(rank_settings(job), "thread/create-cost");
    j->thread_costs.wake = base_settings_number(rank_settings(job), "thread/wake-cost");
    j->thread_costs.call = base_settings_number(rank_settings(job), "thread/call-cost");
    j->memory_bytes = memory_bytes();
    j->memory = base_reserve(j->memory_bytes, "buffers of replayed collectives");
    if (j->schedule)
        replay_schedule_begin(j);
    for (uint32_t k = 0; k < j->worlds; k++)
        if (j->world[k].tape && replay_tape_symmetric(j->world[k].tape))
            rma_causes_play(job);
    if (!j->schedule)
        replay_world_begin(j, j->world);
}

static void job_end(struct rank_job *job)
{
    struct replay_job *j = rank_part(job, &replay_slot);
    if (!j)
        return;
    coll_p2p_destroy(j->messages);
    j->messages = NULL;
    base_unreserve(j->memory, j->memory_bytes);
    for (uint32_t k = 0; k < j->worlds; k++)
        replay_world_end(j, &j->world[k]);
}

static void job_destroy(struct rank_job *job)
{
    struct replay_job *j = rank_part(job, &replay_slot);
    for (uint32_t k = 0; k < rank_count(job); k++) { /* of a job that was stopped */
        replay_crew_release(j, rank_at(job, k));
        free(j->player[k].open);
        free(j->player[k].sides);
        replay_handles_release(j->player[k].handles);
        replay_sources_destroy(j->player[k].sources);
        replay_cursor_end(&j->player[k].cursor);
    }
    for (uint32_t k = 0; k < j->worlds; k++) {
        replay_world_close(j, &j->world[k]);
        replay_started_destroy(j->world[k].started);
    }
    replay_schedule_release(j);
    replay_background_release(j);
    free(j->world);
    base_unreserve(j->player, rank_room(job) * sizeof *j->player);
    free(j);
}

void replay_register(void)
{
    static const struct rank_front front = {.name = "replay", .job_begin = job_begin, .job_end = job_end};
    p2p_register();
    coll_register();
    trace_calls_register(replay_calls, replay_calls_count);
    rank_slot_register(&replay_slot, 0);
    rank_front_register(&front);
    mpi_play_sources(replay_next_source);
    rank_titles = title;
    rank_slots_for = replay_slots;
    replay_goal_register();
}

/* Their records lie on no stack, but what waits in mpi/ or shmem/ may. */
static bool makes_threads(const struct rank_job *job)
{
    const struct replay_job *j = rank_part(job, &replay_slot);
    for (uint32_t k = 0; k < j->worlds; k++)
        if (j->world[k].tape && replay_tape_threads(j->world[k].tape))
            return true;
    return false;
}

struct replay_job *replay_job_make(struct rank_job *job, uint32_t worlds)
{
    static const struct rank_life life = {.run = run,
                                          .release = replay_rank_release,
                                          .drop = replay_rank_drop,
                                          .job_end = tell_all_left,
                                          .job_destroy = job_destroy,
                                          .makes_threads = makes_threads,
                                          .thread = replay_thread_slot,
                                          .says = says,
                                          .speaks = speaks,
                                          .start = replay_start};
    static const struct rank_provider provider = {"replay", &replay_nowhere, &life, &replay_names, NULL};
    struct replay_job *j = base_zalloc(sizeof *j, "a replay");
    uint32_t n = rank_count(job);
    *j = (struct replay_job){.ranks = job, .worlds = worlds, .groups = REPLAY_FIRST_GROUP, .play = play_on};
    j->recorded_sources = !strcmp(base_settings_text(rank_settings(job), "replay/sources"), "recorded");
    j->world = base_zalloc(worlds * sizeof *j->world, "worlds of players");
    j->player = base_reserve(rank_room(job) * sizeof *j->player, "players");
    rank_set_part(job, &replay_slot, j);
    rank_job_supply(job, &provider, 0, n);
    return j;
}

void replay_trace_play(struct rank_job *job, struct replay_trace *t, const char *path)
{
    struct replay_job *j = replay_job_make(job, 1);
    *j->world =
        (struct replay_world){.tape = t->tape, .goal = t->goal, .path = path, .ranks = rank_count(job)};
    j->world->compute_scale = base_settings_number(rank_settings(job), "replay/compute-scale");
    j->world->recorded_speed = base_settings_number(rank_settings(job), "replay/recorded-speed");
    j->world->instructions_per_flop =
        base_settings_number(rank_settings(job), "replay/instructions-per-flop");
    j->counts.all = replay_trace_actions(t);
    replay_started_create(j->world);
    replay_world_open(j, j->world);
}

double replay_alone_end(const struct rank_job *job)
{
    const struct replay_job *j = rank_part(job, &replay_slot);
    return j->end;
}

struct replay_counts replay_tape_counts(const struct rank_job *job)
{
    const struct replay_job *j = rank_part(job, &replay_slot);
    return j ? j->counts : (struct replay_counts){0};
}
