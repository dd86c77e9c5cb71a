/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lodge: one stack shared by many actors, the lodgers. One of them is in; the frames of each other one are
 * kept aside. For a waiting rank these are some hundred bytes, instead of the pages of a stack of its own.
 * They come back to the same addresses, so pointers into them hold while the lodger is in; while it is out,
 * its bytes are at engine_actor_place.
 *
 * The mover, on a stack of its own, brings lodgers in: code cannot exchange the stack on which it runs.
 *
 * Invariants
 *  E11  A running lodger is in; a lodger that is out and has a context has exactly its frames in `kept`.
 *  E21  A lodger that rests has no record in `kept`, and no context while it is out.
 */
#include "engine/internal.h"

#include <string.h>

static void take_out(struct engine *e, struct engine_actor *a)
{
    if (engine_frames_may_go(a)) {
        a->context = NULL;
        return;
    }
    char *from = a->context;
    size_t bytes = (size_t)(e->lodge.top - from);
    a->kept = engine_kept_resize(&e->lodge.kept, a->kept, bytes);
    memcpy(a->kept, from, bytes);
}

static void bring_in(struct engine *e, struct engine_actor *a)
{
    struct engine_lodge *l = &e->lodge;
    if (l->in)
        take_out(e, l->in);
    l->in = a;
    e->stacks.owner[l->stack] = (uint32_t)(a - e->actors);
    if (a->context)
        memcpy(a->context, a->kept, (size_t)(l->top - (char *)a->context));
}

static void move(struct engine_transfer t)
{
    engine_stack_begins();
    for (;;) {
        struct engine_place *p = t.data;
        struct engine *e = p->engine;
        struct engine_actor *to = e->public.current;
        *p->leaving = t.left;
        bring_in(e, to);
        if (!to->context)
            engine_actor_begin(e, to);
        p->leaving = &e->lodge.mover;
        t = jump_fcontext(to->context, p);
    }
}

bool engine_lodge_open(struct engine *e)
{
    struct engine_lodge *l = &e->lodge;
    if (base_sanitizer.start_switch || BASE_TSAN || base_sanitizer.valgrind || e->public.lodgers)
        return e->public.lodgers;
    engine_kept_init(&l->kept, e->max_actors);
    l->stack = engine_stacks_take(&e->stacks, ENGINE_NO_STACK);
    l->low = engine_stacks_low(&e->stacks, l->stack);
    l->top = engine_stacks_top(&e->stacks, l->stack);
    uint32_t own = engine_stacks_take(&e->stacks, ENGINE_NO_STACK);
    char *top = engine_stacks_top(&e->stacks, own);
    l->mover = make_fcontext(top, (size_t)(top - engine_stacks_low(&e->stacks, own)), move);
    return e->public.lodgers = true;
}

void engine_lodge_release(struct engine *e)
{
    struct engine_lodge *l = &e->lodge;
    if (!e->public.lodgers || e->aheads)
        return;
    for (uint32_t k = 0; k < e->fresh_actor; k++) {
        struct engine_actor *a = &e->actors[k];
        if (a->lodges && a->context && !engine_frames_may_go(a) && a->kept)
            engine_kept_give_back(&l->kept, a->kept);
    }
    engine_kept_release(&l->kept);
}

void engine_actor_lodge(struct engine *e, struct engine_actor *a)
{
    BASE_ASSERT("E11", e->public.lodgers && !a->context);
    a->lodges = true;
}

void engine_lodger_show(struct engine *e, struct engine_actor *a)
{
    if (a->lodges && a != e->lodge.in)
        bring_in(e, a);
}

void engine_lodger_ended(struct engine *e, struct engine_actor *a)
{
    BASE_ASSERT("E11", e->lodge.in == a);
    engine_kept_give_back(&e->lodge.kept, a->kept);
    a->kept = NULL;
    e->lodge.in = NULL;
    e->stacks.owner[e->lodge.stack] = ENGINE_NO_STACK;
}

void *engine_lodger_place(const struct engine *e, const struct engine_actor *a, const void *address)
{
    const struct engine_lodge *l = &e->lodge;
    uintptr_t at = (uintptr_t)address, low = (uintptr_t)l->low;
    if (e->aheads) {
        engine_actor_await((struct engine *)(uintptr_t)e, a);
        return (void *)at;
    }
    if (BASE_LIKELY(at - low >=
                    (uintptr_t)l->top - low)) /* without looking at the actor, which is not in the cache */
        return (void *)at;
    if (!a->lodges || a == l->in || !a->context || at < (uintptr_t)a->context)
        return (void *)at;
    return a->kept + (at - (uintptr_t)a->context);
}

void *engine_lodger_range(const struct engine *e, const struct engine_actor *a, const void *address,
                          size_t size)
{
    const struct engine_lodge *l = &e->lodge;
    uintptr_t at = (uintptr_t)address, end = at + size, low = (uintptr_t)l->low, top = (uintptr_t)l->top;
    if (BASE_LIKELY(e->aheads || at >= top || end <= low || !a->lodges || a == l->in))
        return engine_lodger_place(e, a, address);
    uintptr_t frames = (uintptr_t)a->context;
    if (end <= frames || (at >= frames && end <= top))
        return engine_lodger_place(e, a, address);
    return NULL;
}
