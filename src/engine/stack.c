/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack: the region of stacks. Gives one to an actor at its first run and takes it back at its end; knows
 * which address belongs to which actor. Callers report overflows.
 *
 * Invariants
 *  E6  A stack is in the free list, or its owner is the actor that has it, or it was never used.
 *  E7  The CANARY bytes below a stack without a guard page are zero unless it overflowed. They are the top of
 *      the stack below, in a page that is touched anyway: watching them costs no memory.
 */
#include "engine/context.h"
#include "engine/internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef VALGRIND_STACK_REGISTER
#define VALGRIND_STACK_REGISTER(low, high) ((void)(low), (void)(high), 0u)
#define VALGRIND_STACK_DEREGISTER(id)      ((void)(id))
#define RUNNING_ON_VALGRIND                0
#endif

#ifndef MADV_GUARD_INSTALL /* Linux 6.13: pages that cannot be accessed, without a mapping of their own */
#define MADV_GUARD_INSTALL 102
#endif

enum {
    CANARY = 256,
    GUARD = 64 << 10,     /* bytes of a guard at least: as much as libraries of the system step at once */
    AHEAD = 16 << 10,     /* bytes below the stack pointer that code may touch before it moves there */
    SPARSE_GUARDS = 1024, /* guards at most when a page below each stack is not wanted */
    COLOURS = 16,
    COLOUR = 128, /* stacks begin at different cache lines; otherwise all would share a few cache sets */
};

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Whether the kernel has guards that cost no mapping. */
static bool has_light_guards(void)
{
    size_t page = base_page_size();
    void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool has = p != MAP_FAILED && madvise(p, page, MADV_GUARD_INSTALL) == 0;
    if (p != MAP_FAILED)
        munmap(p, page);
    return has;
}

void engine_stacks_init(struct engine_stacks *s, const struct engine_config *config)
{
    size_t page = base_page_size();
    uint32_t max = config->max_actors + 2; /* two more: the lodgers' stack and the mover's */
    uint32_t usual = config->usual ? config->usual : max;
    bool light = !config->guard_pages && config->light_guards && has_light_guards();
    bool each = config->guard_pages || light;
    uint32_t per_guard = each ? 1 : (usual + SPARSE_GUARDS - 1) / SPARSE_GUARDS;
    if (!each && per_guard < 16)
        per_guard = 16;
    *s = (struct engine_stacks){.size = round_up(config->stack_size, page), .max = max, .light = light};
    s->guard = round_up(config->guard_size > GUARD ? config->guard_size : GUARD, page);
    s->per_guard = per_guard;
    s->group_bytes = s->guard + per_guard * s->size;
    s->bytes = (max + per_guard - 1) / per_guard * s->group_bytes;
    char what[120], one[32];
    snprintf(what, sizeof what, "stacks (%u of %s; --stack-size and --set thread/most=N change that)", max,
             base_show_size(one, (double)s->size));
    s->region = base_reserve(s->bytes, what);
    s->free_list = base_reserve(max * sizeof *s->free_list, "the list of stacks");
    s->owner = base_reserve(max * sizeof *s->owner, "the list of stacks");
    if (RUNNING_ON_VALGRIND)
        s->valgrind_id = base_zalloc(max * sizeof *s->valgrind_id, "the list of stacks");
}

void engine_stacks_release(struct engine_stacks *s)
{
    for (uint32_t k = 0; s->valgrind_id && k < s->fresh; k++)
        VALGRIND_STACK_DEREGISTER(s->valgrind_id[k]);
    free(s->valgrind_id);
    for (uint32_t k = 0; k < s->fresh; k++)
        engine_stack_clean(engine_stacks_low(s, k), s->size);
    base_unreserve(s->region, s->bytes);
    base_unreserve(s->free_list, s->max * sizeof *s->free_list);
    base_unreserve(s->owner, s->max * sizeof *s->owner);
}

char *engine_stacks_low(const struct engine_stacks *s, uint32_t stack)
{
    return s->region + stack / s->per_guard * s->group_bytes + s->guard + stack % s->per_guard * s->size;
}

char *engine_stacks_top(const struct engine_stacks *s, uint32_t stack)
{
    return engine_stacks_low(s, stack) + s->size - CANARY - stack % COLOURS * COLOUR;
}

/* Prepares a stack for its first use: the guard below its group, Valgrind's list. */
static void prepare(struct engine_stacks *s, uint32_t stack)
{
    char *low = engine_stacks_low(s, stack);
    if (stack % s->per_guard == 0 && (s->light ? madvise(low - s->guard, s->guard, MADV_GUARD_INSTALL)
                                               : mprotect(low - s->guard, s->guard, PROT_NONE)))
        base_warn("stack-guards", "the system allows no more mappings: some stacks have no guard page");
    if (s->valgrind_id)
        s->valgrind_id[stack] = VALGRIND_STACK_REGISTER(low, low + s->size);
}

uint32_t engine_stacks_take(struct engine_stacks *s, uint32_t owner)
{
    uint32_t stack;
    if (s->n_free) {
        stack = s->free_list[--s->n_free];
        engine_stack_clean(engine_stacks_low(s, stack), s->size);
    } else {
        BASE_ASSERT("E6", s->fresh < s->max);
        stack = s->fresh++;
        prepare(s, stack);
    }
    s->owner[stack] = owner;
    return stack;
}

void engine_stacks_give_back(struct engine_stacks *s, uint32_t stack)
{
    s->owner[stack] = ENGINE_NO_STACK;
    s->free_list[s->n_free++] = stack;
}

/* Stacks are first used in ascending order, so the one below, whose first page holds the canary, was used,
 * too. */
__attribute__((no_sanitize("address"))) bool engine_stacks_damaged(const struct engine_stacks *s,
                                                                   uint32_t stack)
{
    if (stack % s->per_guard == 0)
        return false; /* a guard page lies below */
    const uint64_t *word = (const uint64_t *)(const void *)(engine_stacks_low(s, stack) - CANARY);
    uint64_t any = 0;
    for (unsigned k = 0; k < CANARY / sizeof *word; k++)
        any |= word[k];
    return any != 0;
}

/* --- whose address is it? ----------------------------------------------------------------------- */

static struct engine_actor *holder(const struct engine *e, uint32_t stack)
{
    uint32_t actor = stack < e->stacks.fresh ? e->stacks.owner[stack] : ENGINE_NO_STACK;
    return actor == ENGINE_NO_STACK ? NULL : &e->actors[actor];
}

struct engine_actor *engine_stack_owner(const struct engine *e, const void *address, bool *overflow)
{
    const struct engine_stacks *s = &e->stacks;
    uintptr_t at = (uintptr_t)address - (uintptr_t)s->region;
    *overflow = false;
    if (at >= s->bytes)
        return NULL;
    size_t within = at % s->group_bytes;
    uint32_t first = (uint32_t)(at / s->group_bytes) * s->per_guard;
    if (within >= s->guard) {
        size_t above = within - s->guard + CANARY; /* a canary belongs to the stack above it */
        if (above / s->size >= s->per_guard)
            return NULL; /* the top of a group, where a canary would be */
        *overflow = above % s->size < CANARY;
        return holder(e, first + (uint32_t)(above / s->size));
    }
    /* In a guard. If every stack has one, it is its owner's; otherwise the running actor came down from
     * further up. */
    *overflow = true;
    return s->per_guard > 1 && e->public.current ? e->public.current : holder(e, first);
}

bool engine_stack_overflowed(const struct engine *e, const void *pointer, const void *address)
{
    const struct engine_stacks *s = &e->stacks;
    const struct engine_actor *a = e->public.current;
    if (!a || a->stack == ENGINE_NO_STACK)
        return false;
    uintptr_t low = (uintptr_t)a->stack_low, sp = (uintptr_t)pointer, at = (uintptr_t)address;
    if (sp - low < s->size)
        return sp - low < AHEAD && at - (low - s->guard) < s->guard;
    return sp < low && sp - (uintptr_t)s->region < s->bytes;
}

size_t engine_guard_size(const struct engine *e)
{
    return e->stacks.guard;
}

bool engine_stack_damaged(const struct engine *e, const struct engine_actor *a)
{
    return a->stack != ENGINE_NO_STACK && engine_stacks_damaged(&e->stacks, a->stack);
}

bool engine_actor_stack(const struct engine *e, const struct engine_actor *a, void **low, size_t *size)
{
    if (a->stack == ENGINE_NO_STACK)
        return false;
    *low = engine_stacks_low(&e->stacks, a->stack);
    *size = e->stacks.size;
    return true;
}

bool engine_actor_frames(const struct engine *e, const struct engine_actor *a, void **low, size_t *size)
{
    if (!a || a->stack == ENGINE_NO_STACK || a->lodges)
        return false;
    *low = a->state == ENGINE_RUNNING ? __builtin_frame_address(0) : a->context;
    *size = (size_t)(engine_stacks_top(&e->stacks, a->stack) - (char *)*low);
    return *low != NULL;
}

size_t engine_stack_size(const struct engine *e)
{
    return e->stacks.size;
}
