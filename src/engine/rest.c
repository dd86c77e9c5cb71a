/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rest: waits that need nothing of the stack. The actor's function asks for one and returns; when the wait is over,
 * it is called anew. A lodger that rests gives up its frames as soon as another one needs the stack, and begins
 * again as at its first run, so all that it costs is its record.
 *
 *   rests      what holds                                            left by
 *   NOT        it runs, waits otherwise, or is yet to run            engine_rest, engine_rest_until
 *   ASKED_...  its function is about to return, or is on an errand   engine_actor_rests
 *   BLOCKED    it is BLOCKED, or READY; its frames may go            its next turn
 *   ASLEEP     it is SLEEPING, or READY; its frames may go           its next turn
 */
#include "engine/internal.h"

void engine_rest(struct engine *e, const struct engine_reason *why)
{
    struct engine_actor *self = e->public.current;
    BASE_ASSERT("E5", self && self->state == ENGINE_RUNNING);
    self->reason = why;
    self->rests = ENGINE_ASKED_TO_BLOCK;
}

void engine_rest_until(struct engine *e, double until)
{
    struct engine_actor *self = e->public.current;
    BASE_ASSERT("E5", self && self->state == ENGINE_RUNNING);
    self->since = until;
    self->rests = ENGINE_ASKED_TO_SLEEP;
}

void engine_rest_ends(struct engine *e, struct engine_actor *self)
{
    bool blocked = self->rests == ENGINE_RESTS_BLOCKED;
    self->rests = ENGINE_RESTS_NOT;
    self->kept = NULL;
    if (blocked && BASE_UNLIKELY(e->notes_waits | self->errand))
        engine_wait_ends(e, self, self->reason);
}

static void lie_down(struct engine *e, struct engine_actor *self, engine_actor_fn fn, enum engine_rests how)
{
    if (self->lodges)
        engine_kept_give_back(&e->lodge.kept, self->kept);
    self->fn = fn;
    self->rests = (uint8_t)how;
    self->state = how == ENGINE_RESTS_BLOCKED ? ENGINE_BLOCKED : ENGINE_SLEEPING;
    e->waiting++;
    engine_give_turn(e, self);
    engine_rest_ends(e, self);
}

static void block(struct engine *e, struct engine_actor *self, engine_actor_fn fn)
{
    const struct engine_reason *why = self->reason; /* errands may wait for something else */
    bool woken = BASE_UNLIKELY(e->notes_waits) && engine_wait_begins(e, self, why);
    self->rests = ENGINE_RESTS_NOT;
    if (woken)
        return;
    self->reason = why;
    self->since = e->public.now;
    lie_down(e, self, fn, ENGINE_RESTS_BLOCKED);
}

static void sleep_until(struct engine *e, struct engine_actor *self, engine_actor_fn fn)
{
    double until = self->since;
    self->rests = ENGINE_RESTS_NOT;
    if (engine_only_time_passes(e, until)) {
        e->public.now = until;
        return;
    }
    engine_event_post(e, &self->timer, until);
    lie_down(e, self, fn, ENGINE_RESTS_ASLEEP);
}

bool engine_actor_rests(struct engine *e, struct engine_actor *self, engine_actor_fn fn)
{
    if (self->rests == ENGINE_RESTS_NOT)
        return false;
    (self->rests == ENGINE_ASKED_TO_BLOCK ? block : sleep_until)(e, self, fn);
    return true;
}
