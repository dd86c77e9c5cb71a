/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * actor: the life of an actor, waiting and waking, and the switch. The states of an actor:
 *
 *   state     what holds                        left by
 *   FREE      record in the free list           engine_actor_spawn -> READY
 *   READY     in the ready queue                engine_next pops it -> RUNNING
 *   RUNNING   its code runs                     block, sleep, yield, exit, stop
 *   BLOCKED   `reason` says what it waits for   engine_wake -> READY
 *   SLEEPING  its timer is pending              the timer -> READY
 *   HALTED    called engine_stop                nobody
 *   DROPPED   another ended it                  nobody
 *
 * A waiting actor runs events on its own stack until an actor is ready; it switches only if that is another
 * one. An actor that has ended uses its stack in the same way until it switches away.
 *
 * Invariants (also E4 and E5 of engine.h)
 *  E9  No more actors are alive than the engine was created for.
 */
#include "engine/internal.h"

/* --- the switch --------------------------------------------------------------------------------- */

static _Noreturn void end_current(struct engine *e);

static void first_run(struct engine_transfer t)
{
    engine_stack_begins();
    struct engine_place *p = t.data;
    struct engine *e = p->engine;
    struct engine_actor *self = e->public.current;
    engine_actor_fn fn = self->fn;
    void *arg = self->arg;
    engine_arrive(p, t, NULL);
    if (BASE_UNLIKELY(self->rests)) /* it began before, and its frames had to go */
        engine_rest_ends(e, self);
    self->kept = NULL;
    do
        fn(arg);
    while (engine_actor_rests(e, self, fn));
    end_current(e);
}

void engine_actor_begin(struct engine *e, struct engine_actor *a)
{
    a->stack = a->lodges ? e->lodge.stack : engine_stacks_take(&e->stacks, (uint32_t)(a - e->actors));
    a->stack_low = engine_stacks_low(&e->stacks, a->stack);
    char *top = engine_stacks_top(&e->stacks, a->stack);
    a->context = make_fcontext(top, (size_t)(top - a->stack_low), first_run);
}

/* With thousands of ranks every stack has left the cache by its turn: the next actor's frames are prefetched
 * while this one runs. */
static inline void prefetch_next(const struct engine *e)
{
    const struct engine_actor *next = e->ready.head;
    if (!next)
        return;
    const char *frames = next->lodges ? next->kept : next->context;
    for (int line = 0; line < 6; line++)
        __builtin_prefetch((const void *)((uintptr_t)frames + (unsigned)line * 64), 1);
    __builtin_prefetch(next->next, 1);
}

/* Where to jump to continue the actor, or to begin it. */
static inline void *context_of(struct engine *e, struct engine_actor *a)
{
    if (BASE_UNLIKELY(a->lodges) && a != e->lodge.in)
        return e->lodge.mover;
    if (BASE_UNLIKELY(!a->context))
        engine_actor_begin(e, a);
    return a->context;
}

/* Saves the current context in *context, and its fake stack in *fake (NULL: it will not be resumed), and
 * switches to actor `to` or the main stack. Returns when this stack is resumed. */
static inline void leave(struct engine *e, void **context, void **fake, struct engine_actor *to)
{
    struct engine_place *p = &e->place;
    p->leaving = context;
    e->public.current = to;
    e->public.switches++;
    engine_count_tick(e);
    void *there = p->main_context;
    if (to) {
        to->state = ENGINE_RUNNING;
        there = context_of(e, to);
        engine_leaving(fake, to->stack_low, e->stacks.size);
    } else {
        engine_leaving(fake, p->main_low, p->main_size);
    }
    prefetch_next(e);
    engine_fiber_switch(fake, to ? &to->fake_stack : &p->main_fake_stack);
    struct engine_transfer t = jump_fcontext(there, p);
    engine_arrive(p, t, fake ? *fake : NULL);
}

static inline void tell(struct engine *e, struct engine_actor *from, struct engine_actor *to)
{
    if (e->on_switch)
        e->on_switch(e->on_switch_ctx, from, to);
}

void engine_report_overflow(struct engine *e, struct engine_actor *a)
{
    if (e->on_overflow)
        e->on_overflow(e->on_overflow_ctx, a);
    base_fatal(BASE_EXIT_PROGRAM, "stack overflow: more than the %zu bytes of an actor's stack were used",
               e->stacks.size);
}

void engine_on_overflow(struct engine *e, engine_overflow_fn fn, void *ctx)
{
    e->on_overflow = fn;
    e->on_overflow_ctx = ctx;
}

void engine_switch(struct engine *e, struct engine_actor *from, struct engine_actor *to)
{
    if (BASE_UNLIKELY((char *)__builtin_frame_address(0) - from->stack_low < ENGINE_RED_ZONE))
        engine_report_overflow(e, from);
    tell(e, from, to);
    leave(e, &from->context, &from->fake_stack, to);
}

void engine_switch_from_main(struct engine *e, struct engine_actor *to)
{
    tell(e, NULL, to);
    leave(e, &e->place.main_context, &e->place.main_fake_stack, to);
}

/* --- life --------------------------------------------------------------------------------------- */

static void timer_rang(struct engine *e, struct engine_event *ev)
{
    e->waiting--;
    engine_queue_push(&e->ready, BASE_CONTAINER(ev, struct engine_actor, timer));
}

struct engine_actor *engine_actor_spawn(struct engine *e, engine_actor_fn fn, void *arg, void *owner)
{
    struct engine_actor *a = e->free_actors;
    if (a) {
        e->free_actors = a->next;
    } else {
        BASE_ASSERT("E9", e->fresh_actor < e->max_actors);
        a = &e->actors[e->fresh_actor++];
    }
    a->context = NULL;
    a->stack = ENGINE_NO_STACK;
    a->fn = fn;
    a->arg = arg;
    a->owner = owner;
    a->local = NULL;
    a->lodges = false;
    a->errand = 0;
    a->rests = ENGINE_RESTS_NOT;
    a->reason = NULL;
    engine_event_init(&a->timer, timer_rang);
    e->live++;
    engine_queue_push(&e->ready, a);
    return a;
}

/* From here on the record and the stack are free, but we still run on the stack: it is returned after the
 * last event that runs on it. The next actor may get it at once: make_fcontext writes only above all frames
 * that still matter. */
static _Noreturn void end_current(struct engine *e)
{
    struct engine_actor *self = e->public.current;
    uint32_t stack = self->stack;
    BASE_ASSERT("E5", self->state == ENGINE_RUNNING);
    if (engine_stacks_damaged(&e->stacks, stack))
        engine_report_overflow(e, self);
    if (self->lodges)
        engine_lodger_ended(e, self);
    self->state = ENGINE_FREE;
    self->context = NULL;
    self->next = e->free_actors;
    e->free_actors = self;
    e->live--;
    e->public.current = NULL;
    if (e->aheads)
        engine_ahead_ended(e, stack);
    struct engine_actor *next = engine_next(e);
    tell(e, NULL, next);
    if (stack != e->lodge.stack)
        engine_stacks_give_back(&e->stacks, stack);
    leave(e, &e->place.dead_context, NULL, next);
    __builtin_unreachable();
}

void engine_actor_exit(struct engine *e)
{
    end_current(e);
}

void *engine_actor_owner(const struct engine_actor *a)
{
    return a->owner;
}

void engine_actor_set_owner(struct engine_actor *a, void *owner)
{
    a->owner = owner;
}

bool engine_actor_running(const struct engine_actor *a)
{
    return a->state == ENGINE_RUNNING;
}

void *engine_actor_local(const struct engine_actor *a)
{
    return a->local;
}

void engine_actor_set_local(struct engine_actor *a, void *local)
{
    a->local = local;
}

uint32_t engine_actor_room(const struct engine *e)
{
    return e->max_actors - e->live - e->dropped;
}

void engine_actor_drop(struct engine *e, struct engine_actor *a)
{
    BASE_ASSERT("E5", a->state != ENGINE_RUNNING);
    switch (a->state) {
    case ENGINE_READY:
        engine_queue_remove(&e->ready, a);
        break;
    case ENGINE_SLEEPING:
        engine_heap_withdraw(&e->heap, &a->timer);
        e->waiting--;
        break;
    case ENGINE_BLOCKED:
        e->waiting--;
        break;
    default:
        return;
    }
    a->state = ENGINE_DROPPED;
    e->live--;
    e->dropped++;
}

bool engine_actor_blocked(const struct engine_actor *a)
{
    return a->state == ENGINE_BLOCKED;
}

const struct engine_reason *engine_actor_reason(const struct engine_actor *a, double *since)
{
    if (a->state != ENGINE_BLOCKED)
        return NULL;
    if (since)
        *since = a->since;
    return a->reason;
}

/* --- waiting ------------------------------------------------------------------------------------ */

/* Ends the current actor's turn; returns at its next one. */
static inline void let_others_run(struct engine *e, struct engine_actor *self)
{
    if (BASE_UNLIKELY(e->aheads != NULL)) {
        engine_ahead_wait(e, self);
        return;
    }
    struct engine_actor *next = engine_next(e);
    if (next == self)
        self->state = ENGINE_RUNNING;
    else
        engine_switch(e, self, next);
}

void engine_give_turn(struct engine *e, struct engine_actor *self)
{
    let_others_run(e, self);
}

static inline struct engine_actor *running(struct engine *e)
{
    struct engine_actor *self = e->public.current;
    BASE_ASSERT("E5", self && self->state == ENGINE_RUNNING);
    return self;
}

void engine_on_wait(struct engine *e, engine_wait_fn fn, void *ctx)
{
    e->on_wait = fn;
    e->on_wait_ctx = ctx;
    engine_note_waits(e);
}

void engine_block(struct engine *e, const struct engine_reason *why)
{
    struct engine_actor *self = running(e);
    if (BASE_UNLIKELY(e->notes_waits) && engine_wait_begins(e, self, why))
        return;
    self->reason = why;
    self->since = e->public.now;
    self->state = ENGINE_BLOCKED;
    e->waiting++;
    let_others_run(e, self);
    if (BASE_UNLIKELY(e->notes_waits | self->errand))
        engine_wait_ends(e, self, why);
}

/* Running code counts as the current actor's, unless it is an event's. */
uint64_t engine_present_cause(const struct engine *e)
{
    const struct engine_actor *self = e->public.current;
    if (e->public.cause || !self || self->state != ENGINE_RUNNING)
        return e->public.cause;
    return ENGINE_BY_ACTOR | (uint64_t)(self - e->actors);
}

void engine_wake(struct engine *e, struct engine_actor *a)
{
    engine_wake_for(e, a, engine_present_cause(e));
}

const struct engine_actor *engine_cause_actor(const struct engine *e, uint64_t cause)
{
    return cause & ENGINE_BY_ACTOR ? &e->actors[cause & ~ENGINE_BY_ACTOR] : NULL;
}

void engine_wake_for(struct engine *e, struct engine_actor *a, uint64_t operation)
{
    if (BASE_UNLIKELY((a->state ^ ENGINE_BLOCKED) | a->errand)) {
        engine_errand_wake(a, operation);
        return;
    }
    if (BASE_UNLIKELY(e->on_wait != NULL)) /* it lies in a cache line of its own */
        a->cause = operation;
    e->waiting--;
    engine_queue_push(&e->ready, a);
}

void engine_sleep(struct engine *e, double seconds)
{
    engine_sleep_until(e, e->public.now + seconds);
}

void engine_sleep_until(struct engine *e, double until)
{
    struct engine_actor *self = running(e);
    if (BASE_LIKELY(engine_only_time_passes(e, until))) {
        e->public.now = until;
        return;
    }
    engine_event_post(e, &self->timer, until);
    self->state = ENGINE_SLEEPING;
    e->waiting++;
    let_others_run(e, self);
}

/* If nothing else happens before, the actor's turn simply continues. */
void engine_sleep_ahead(struct engine *e, double until)
{
    struct engine_actor *self = running(e);
    if (e->ready.head || e->settle || until >= e->heap.next_time)
        engine_actor_let_go(e, self);
    engine_sleep_until(e, until);
}

void engine_halt(struct engine *e)
{
    struct engine_actor *self = running(e);
    self->state = ENGINE_HALTED;
    let_others_run(e, self);
}

void engine_yield(struct engine *e)
{
    struct engine_actor *self = running(e);
    if (!e->ready.head)
        return;
    engine_queue_push(&e->ready, self);
    let_others_run(e, self);
}
