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
 */
#include "engine/internal.h"

#include <stdlib.h>
#include <string.h>

/* Records of a few sizes, none below what nearly every rank needs at its deepest wait: a rank that changes
 * its size leaves behind a record that only another rank of the old size can use. */
static const uint16_t sizes[ENGINE_KEPT_POOLS] = {768, 1024, 1536, 2048, 3072, 4096, 6144, 8192};

static unsigned size_for(size_t bytes)
{
    unsigned k = 0;
    while (k < ENGINE_KEPT_POOLS && sizes[k] < bytes)
        k++;
    return k;
}

static void keep_free(struct engine_lodge *l, struct engine_actor *a)
{
    if (a->kept && a->kept_size < ENGINE_KEPT_POOLS)
        base_pool_put(&l->pools[a->kept_size], a->kept);
    else
        free(a->kept);
    a->kept = NULL;
}

static char *keep_room(struct engine_lodge *l, struct engine_actor *a, size_t bytes)
{
    unsigned k = size_for(bytes);
    if (!a->kept || k != a->kept_size || k == ENGINE_KEPT_POOLS) {
        keep_free(l, a);
        a->kept = k < ENGINE_KEPT_POOLS ? base_pool_get(&l->pools[k]) : base_alloc(bytes, "frames of a rank");
        a->kept_size = (uint8_t)k;
    }
    return a->kept;
}

static void take_out(struct engine *e, struct engine_actor *a)
{
    char *from = a->context;
    size_t bytes = (size_t)(e->lodge.top - from);
    memcpy(keep_room(&e->lodge, a, bytes), from, bytes);
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
    if (BASE_ASAN || BASE_TSAN || e->public.lodgers)
        return e->public.lodgers;
    for (size_t k = 0; k < ENGINE_KEPT_POOLS; k++)
        base_pool_init(&l->pools[k], sizes[k], "frames of ranks that wait");
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
        if (a->lodges && a->context && a->kept && a->kept_size == ENGINE_KEPT_POOLS)
            keep_free(l, a);
    }
    for (size_t k = 0; k < ENGINE_KEPT_POOLS; k++)
        base_pool_release(&l->pools[k]);
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
    keep_free(&e->lodge, a);
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
    if (!a->lodges || a == l->in || at < (uintptr_t)a->context)
        return (void *)at;
    return a->kept + (at - (uintptr_t)a->context);
}
