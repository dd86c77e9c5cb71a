/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * errand: lets an actor interrupt its wait, do something on its own stack, and wait again. Whoever wakes such
 * an actor need not know: the wake-up is kept until it is back in its wait.
 *
 *   errand        state                         left by
 *   none          any                           engine_errand_call of a BLOCKED actor -> CALLED; engine_block
 *   CALLED        READY                         its turn -> OUT
 *   OUT           RUNNING, SLEEPING, BLOCKED    its errands are done: BLOCKED again, or RUNNING if WOKEN
 *   ALONE         BLOCKED                       engine_wake_alone
 *
 * Invariants
 *  E20  WOKEN stands only beside CALLED or OUT.
 */
#include "engine/ahead.h"

void engine_on_errand(struct engine *e, void (*fn)(void *ctx, struct engine_actor *a), void *ctx)
{
    e->on_errand = fn;
    e->on_errand_ctx = ctx;
}

void engine_errands_add(struct engine *e, int more)
{
    e->errands += (uint32_t)more;
    engine_note_waits(e);
}

/* --- calling an actor ----------------------------------------------------------------------------- */

static bool is_home(const struct engine *e, const struct engine_actor *a)
{
    return !e->aheads ||
           atomic_load_explicit(&engine_part_of(e, a)->state, memory_order_relaxed) == ENGINE_PART_HOME;
}

bool engine_errand_call(struct engine *e, struct engine_actor *a)
{
    if (a->state != ENGINE_BLOCKED || a->errand || !is_home(e, a))
        return false;
    a->errand = ENGINE_CALLED;
    a->cause = engine_present_cause(e);
    e->waiting--;
    engine_queue_push(&e->ready, a);
    return true;
}

bool engine_errand_call_any(struct engine *e, const void *owner)
{
    for (uint32_t k = 0; k < e->fresh_actor; k++)
        if (e->actors[k].owner == owner && engine_errand_call(e, &e->actors[k]))
            return true;
    return false;
}

bool engine_errand_ask(struct engine *e, struct engine_actor *a,
                       void (*fn)(void *ctx, struct engine_actor *a), void *ctx)
{
    if (e->aheads || e->end != ENGINE_DEADLOCK || !engine_errand_call(e, a))
        return false;
    const __typeof__(e->on_wait) on_wait = e->on_wait;
    const __typeof__(e->on_idles) on_idles = e->on_idles;
    const __typeof__(e->on_outside) on_outside = e->on_outside;
    const __typeof__(e->on_errand) on_errand = e->on_errand;
    void *on_errand_ctx = e->on_errand_ctx;
    e->on_wait = NULL;
    e->on_idles = 0;
    e->on_outside = NULL;
    engine_on_errand(e, fn, ctx);
    (void)engine_run(e);
    engine_on_errand(e, on_errand, on_errand_ctx);
    e->on_wait = on_wait;
    e->on_idles = on_idles;
    e->on_outside = on_outside;
    return true;
}

bool engine_errand_ask_any(struct engine *e, const void *owner, void (*fn)(void *ctx, struct engine_actor *a),
                           void *ctx)
{
    for (uint32_t k = 0; k < e->fresh_actor; k++)
        if (e->actors[k].owner == owner && engine_errand_ask(e, &e->actors[k], fn, ctx))
            return true;
    return false;
}

/* --- what the actor does -------------------------------------------------------------------------- */

/* true: the actor's wait has ended meanwhile. */
static bool go_out(struct engine *e, struct engine_actor *self)
{
    self->errand = (uint8_t)(ENGINE_OUT | (self->errand & ENGINE_WOKEN));
    e->on_errand(e->on_errand_ctx, self);
    bool woken = self->errand & ENGINE_WOKEN;
    self->errand = 0;
    return woken;
}

static void tell(struct engine *e, struct engine_actor *self, const struct engine_reason *why, bool begins)
{
    if (e->on_wait)
        e->on_wait(e->on_wait_ctx, self, why, begins, begins ? 0 : self->cause);
}

bool engine_wait_begins(struct engine *e, struct engine_actor *self, const struct engine_reason *why)
{
    if (e->errands && !(self->errand & ENGINE_OUT) && go_out(e, self))
        return true;
    tell(e, self, why, true);
    return false;
}

/* Until it is not called again; true: it was woken meanwhile. */
static bool do_errands(struct engine *e, struct engine_actor *self, const struct engine_reason *why)
{
    double since = self->since;
    do {
        tell(e, self, why, false);
        if (go_out(e, self))
            return true;
        tell(e, self, why, true);
        self->reason = why;
        self->since = since;
        self->state = ENGINE_BLOCKED;
        e->waiting++;
        engine_give_turn(e, self);
    } while (self->errand & ENGINE_CALLED);
    return false;
}

void engine_wait_ends(struct engine *e, struct engine_actor *self, const struct engine_reason *why)
{
    if (!(self->errand & ENGINE_CALLED) || !do_errands(e, self, why))
        tell(e, self, why, false);
}

/* Only the wait that it is to go back to has come to its end. */
void engine_errand_wake(struct engine_actor *a, uint64_t operation)
{
    if (!(a->errand & (ENGINE_CALLED | ENGINE_OUT)))
        return;
    a->errand |= ENGINE_WOKEN;
    a->cause = operation;
}

/* --- waiting alone -------------------------------------------------------------------------------- */

void engine_block_alone(struct engine *e, const struct engine_reason *why)
{
    struct engine_actor *self = e->public.current;
    uint8_t before = self->errand;
    BASE_ASSERT("E5", self->state == ENGINE_RUNNING && !(before & ENGINE_ALONE));
    tell(e, self, why, true);
    self->errand |= ENGINE_ALONE;
    self->reason = why;
    self->since = e->public.now;
    self->state = ENGINE_BLOCKED;
    e->waiting++;
    engine_give_turn(e, self);
    tell(e, self, why, false);
}

void engine_wake_alone(struct engine *e, struct engine_actor *a)
{
    if (a->state != ENGINE_BLOCKED || !(a->errand & ENGINE_ALONE))
        return;
    a->errand &= (uint8_t)~ENGINE_ALONE;
    if (!(a->errand & ENGINE_WOKEN))
        a->cause = engine_present_cause(e);
    e->waiting--;
    engine_queue_push(&e->ready, a);
}
