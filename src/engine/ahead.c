/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ahead: actors that run ahead of their turns, on several threads of the machine (decision 0010). An actor
 * belongs to one thread. One thread has the turn, like a baton: it runs the engine on its own stack. If the
 * next actor is its own, it resumes it; otherwise it hands the turn to that actor's thread. Threads without
 * the turn run those of their actors that were let go, in that order, each until it takes its turn. An
 * actor's part:
 *
 *   part     what holds                                              left by
 *   HOME     its code runs in its turns only                         engine_actor_let_go
 *   FREE     in its thread's list: its code may run                  its thread, or its turn (-> HOME)
 *   AHEAD    its thread runs its code                                engine_take_turn
 *   BACK     its code waits for the turn                             its turn (-> HOME)
 *
 * The main thread waits for the end of the run. It has no actors, so it is free even if a run ends while code
 * runs ahead.
 *
 * Invariants
 *  E12  The engine's state, the actors' records and the lists of FREE actors are touched with the turn or
 *       under the lock.
 *  E13  An actor that is not HOME waits: it is BLOCKED, SLEEPING or READY.
 *  E14  Code that runs ahead waits only for its turn.
 */
#include "engine/ahead.h"

static _Thread_local __attribute__((tls_model("initial-exec"))) struct engine_thread *here;

/* --- waiting for one another --------------------------------------------------------------------- */

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("yield");
#endif
}

static void spin(const struct engine_thread *t)
{
    for (unsigned k = 0; k < t->aheads->spins; k++) {
        if (atomic_load_explicit(&t->called, memory_order_acquire))
            return;
        pause_briefly();
    }
}

static void sleep_locked(struct engine_thread *t)
{
    t->sleeps = true;
    pthread_cond_wait(&t->wake, &t->aheads->lock);
    t->sleeps = false;
}

static void withdraw(struct engine_thread *t, struct engine_actor *a)
{
    const struct engine *e = t->aheads->engine;
    struct engine_actor **link = &t->first;
    while (*link != a)
        link = &engine_part_of(e, *link)->next;
    *link = engine_part_of(e, a)->next;
    if (!*link)
        t->last = link;
}

static struct engine_actor *take_first(struct engine_thread *t)
{
    struct engine_actor *a = t->first;
    withdraw(t, a);
    atomic_store_explicit(&engine_part_of(t->aheads->engine, a)->state, ENGINE_PART_AHEAD,
                          memory_order_relaxed);
    return a;
}

/* Its turn has come: it continues as it would without running ahead. */
static void come_home(struct engine_thread *t, struct engine_actor *a)
{
    struct engine_part *p = engine_part_of(t->aheads->engine, a);
    uint8_t state = atomic_load_explicit(&p->state, memory_order_relaxed);
    BASE_ASSERT("E13", state != ENGINE_PART_AHEAD);
    if (state == ENGINE_PART_FREE)
        withdraw(t, a);
    atomic_store_explicit(&p->state, ENGINE_PART_HOME, memory_order_relaxed);
}

/* --- the thread's own stack ----------------------------------------------------------------------- */

static void *nest_context(const struct engine_thread *t)
{
    return t->nest ? t->nest->context : t->place.main_context;
}

/* Leaves the current actor's stack for the one that resumed it. */
static void go_back(struct engine_thread *t, void **context, void **fake)
{
    struct engine_place *p = &t->place;
    void *there = nest_context(t);
    void **fiber = t->nest ? t->nest->fiber : &p->main_fake_stack;
    p->leaving = context;
    engine_leaving(fake, t->nest ? t->nest->low : p->main_low, t->nest ? t->nest->size : p->main_size);
    engine_fiber_switch(fake, fiber);
    struct engine_transfer back = jump_fcontext(there, p);
    engine_arrive(p, back, fake ? *fake : NULL);
}

static void put_on(struct engine_thread *t, struct engine_actor *a)
{
    if (t->on == a)
        return;
    t->aheads->hooks->change(t->aheads->ctx, t->on ? t->on->owner : NULL, a ? a->owner : NULL);
    t->on = a;
}

static void resume(struct engine_thread *t, struct engine_actor *a, void **context, void **fake)
{
    struct engine *e = t->aheads->engine;
    struct engine_place *p = &t->place;
    put_on(t, a);
    if (!a->context)
        engine_actor_begin(e, a);
    p->leaving = context;
    engine_leaving(fake, a->stack_low, e->stacks.size);
    engine_fiber_switch(fake, &a->fake_stack);
    struct engine_transfer back = jump_fcontext(a->context, p);
    engine_arrive(p, back, *fake);
}

static void tell(struct engine *e, struct engine_actor *to)
{
    if (e->on_switch)
        e->on_switch(e->on_switch_ctx, NULL, to);
}

static void begin_ahead(struct engine_thread *t, struct engine_actor *a)
{
    t->ahead = a;
    t->aheads->hooks->ahead(t->aheads->ctx, a->owner);
}

/* --- the turn ------------------------------------------------------------------------------------- */

/* Hands the turn to the thread of `a`, or to the main thread if `a` is NULL. */
static void hand_over(struct engine_thread *t, struct engine_actor *a)
{
    struct engine_aheads *j = t->aheads;
    tell(j->engine, NULL);
    t->turn = false;
    pthread_mutex_lock(&j->lock);
    if (a) {
        j->turn = a;
        j->turn_for = &j->thread[engine_part_of(j->engine, a)->thread];
        engine_ahead_call(j->turn_for);
    } else {
        j->over = true;
        pthread_cond_signal(&j->main_wake);
    }
    pthread_mutex_unlock(&j->lock);
}

static void begin_turn(struct engine *e, struct engine_actor *a)
{
    tell(e, a);
    a->state = ENGINE_RUNNING;
}

/* With the turn: finds the next actor. Returns it if it belongs to this thread, NULL if the turn was handed
 * over. */
static struct engine_actor *run_engine(struct engine_thread *t)
{
    struct engine *e = t->aheads->engine;
    struct engine_actor *a = engine_next(e);
    bool same = a && a == e->public.current;
    if (!same) {
        e->public.switches++;
        e->public.current = a;
        engine_count_tick(e);
    }
    if (!a || engine_part_of(e, a)->thread != t->number) {
        hand_over(t, a);
        return NULL;
    }
    pthread_mutex_lock(&t->aheads->lock);
    come_home(t, a);
    pthread_mutex_unlock(&t->aheads->lock);
    if (same)
        a->state = ENGINE_RUNNING;
    else
        begin_turn(e, a);
    return a;
}

/* Without the turn: waits until this thread gets it, or one of its actors may run ahead. NULL: the run is
 * over. */
static struct engine_actor *await_work(struct engine_thread *t)
{
    struct engine_aheads *j = t->aheads;
    struct engine_actor *a = NULL;
    spin(t);
    pthread_mutex_lock(&j->lock);
    while (!(t->turn = j->turn_for == t) && !t->first && !j->over)
        sleep_locked(t);
    if (t->turn) {
        j->turn_for = NULL;
        a = j->turn;
        come_home(t, a);
    } else if (!j->over) {
        a = take_first(t);
    }
    atomic_store_explicit(&t->called, t->first || j->over, memory_order_relaxed);
    pthread_mutex_unlock(&j->lock);
    if (!a)
        return NULL;
    if (t->turn)
        begin_turn(j->engine, a);
    else
        begin_ahead(t, a);
    return a;
}

void *engine_ahead_work(void *arg)
{
    struct engine_thread *t = here = arg;
    t->aheads->hooks->begin(t->aheads->ctx);
    for (;;) {
        bool turn = t->turn;
        struct engine_actor *a = turn ? run_engine(t) : await_work(t);
        if (!a && !turn)
            break;
        if (a)
            resume(t, a, &t->place.main_context, &t->place.main_fake_stack);
        if (t->dead_stack != ENGINE_NO_STACK)
            engine_stacks_give_back(&t->aheads->engine->stacks, t->dead_stack);
        t->dead_stack = ENGINE_NO_STACK;
    }
    t->aheads->hooks->end(t->aheads->ctx);
    return NULL;
}

/* --- what actors do ------------------------------------------------------------------------------- */

void engine_ahead_wait(struct engine *e, struct engine_actor *self)
{
    if (BASE_UNLIKELY((char *)__builtin_frame_address(0) - self->stack_low < ENGINE_RED_ZONE))
        engine_report_overflow(e, self);
    go_back(here, &self->context, &self->fake_stack);
}

void engine_ahead_ended(struct engine *e, uint32_t stack)
{
    (void)e;
    here->dead_stack = stack;
    here->on = NULL;
    go_back(here, &here->place.dead_context, NULL);
    __builtin_unreachable();
}

void engine_actor_let_go(struct engine *e, struct engine_actor *a)
{
    struct engine_aheads *j = e->aheads;
    struct engine_part *p = engine_part_of(e, a);
    if (e->daemons || a->errand || atomic_load_explicit(&p->state, memory_order_relaxed) != ENGINE_PART_HOME)
        return;
    struct engine_thread *t = &j->thread[p->thread];
    j->let_go++;
    pthread_mutex_lock(&j->lock);
    atomic_store_explicit(&p->state, ENGINE_PART_FREE, memory_order_relaxed);
    p->next = NULL;
    *t->last = a;
    t->last = &p->next;
    if (t != here)
        engine_ahead_call(t);
    pthread_mutex_unlock(&j->lock);
}

bool engine_is_ahead(const struct engine *e)
{
    return e->aheads && here && here->ahead;
}

void engine_take_turn(struct engine *e)
{
    struct engine_thread *t = here;
    struct engine_aheads *j = t->aheads;
    struct engine_actor *self = t->ahead;
    struct engine_part *p = engine_part_of(e, self);
    BASE_ASSERT("E14", self);
    t->ahead = NULL;
    j->hooks->ahead(j->ctx, NULL);
    pthread_mutex_lock(&j->lock);
    atomic_store_explicit(&p->state, ENGINE_PART_BACK, memory_order_release);
    if (j->awaited == p)
        engine_ahead_call(j->awaiter);
    pthread_mutex_unlock(&j->lock);
    go_back(t, &self->context, &self->fake_stack);
}

/* --- waiting for an actor that runs ahead ---------------------------------------------------------- */

/* `a` belongs to this thread and was let go: it runs now, on top of the code that waits for it. */
static void run_nested(struct engine_thread *t, struct engine_actor *a)
{
    struct engine_actor *on = t->on;
    const struct engine_place *p = &t->place;
    struct engine_nest n = {.low = on ? on->stack_low : p->main_low,
                            .size = on ? t->aheads->engine->stacks.size : p->main_size};
    void *fiber = NULL;
    n.fiber = &fiber;
    begin_ahead(t, a);
    t->nest = &n;
    resume(t, a, &n.context, BASE_TSAN ? &fiber : &n.fake);
    t->nest = NULL;
    put_on(t, on);
}

static void await_other(struct engine_thread *t, const struct engine_part *p)
{
    struct engine_aheads *j = t->aheads;
    for (unsigned k = 0; k < j->spins; k++) {
        if (atomic_load_explicit(&p->state, memory_order_acquire) == ENGINE_PART_BACK)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&j->lock);
    j->awaited = p;
    j->awaiter = t;
    while (atomic_load_explicit(&p->state, memory_order_acquire) != ENGINE_PART_BACK)
        sleep_locked(t);
    j->awaited = NULL;
    pthread_mutex_unlock(&j->lock);
}

void engine_actor_await(struct engine *e, const struct engine_actor *a)
{
    struct engine_part *p = engine_part_of(e, a);
    uint8_t state = atomic_load_explicit(&p->state, memory_order_acquire);
    if (state == ENGINE_PART_HOME || state == ENGINE_PART_BACK || !here)
        return;
    if (p->thread != here->number) {
        await_other(here, p);
        return;
    }
    BASE_ASSERT("E14", state == ENGINE_PART_FREE && !here->nest);
    pthread_mutex_lock(&e->aheads->lock);
    withdraw(here, &e->actors[a - e->actors]);
    atomic_store_explicit(&p->state, ENGINE_PART_AHEAD, memory_order_relaxed);
    pthread_mutex_unlock(&e->aheads->lock);
    run_nested(here, &e->actors[a - e->actors]);
}
