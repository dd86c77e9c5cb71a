/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the random programs of both interfaces have in common: the stream of random numbers, the plan of a phase,
 * the model of all ranks' memory, and what to leave out.
 *
 *     program SEED [PHASES [spoil]]
 *
 * All ranks draw the same plan. In a phase each slot of memory is put by at most one action, or only added to, or
 * only read, so the result is fixed whatever the order of delivery; between phases everything is synchronized.
 * With "spoil", one synchronization of one phase is left out, where the plan has an access that needs it. The
 * program then says which, and ends after that phase.
 */
#ifndef PGASIM_TESTS_CHECK_PLAN_H
#define PGASIM_TESTS_CHECK_PLAN_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 24, MOST_RANKS = 16, MOST_ACTIONS = 48, WIDTH = 2 };
enum kind { PUT, PUT_ONE, PUT_LATER, GET, GET_LATER, ADD, FETCH_ADD, KINDS };

struct action {
    int from, to, slot, kind;
    long value;
};

struct plan {
    int how; /* the phase's way to synchronize */
    int count;
    struct action actions[MOST_ACTIONS];
};

static int me, ranks, wrong;
static int spoiling, spoiled = -1; /* whether to leave something out; what, in this phase */
static uint64_t state;
static long model[MOST_RANKS * SLOTS];                                /* what each rank's memory must be */
static long origin[MOST_ACTIONS][WIDTH], result[MOST_ACTIONS][WIDTH]; /* local buffers of my actions */

/* The same numbers at all ranks. */
static unsigned below(unsigned limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % limit;
}

static void seed_stream(const char *text)
{
    state = strtoull(text, NULL, 10) * 0x9e3779b97f4a7c15u;
    state = (state ^ state >> 29) * 0xbf58476d1ce4e5b9u;
    state ^= state >> 32;
}

static inline int slots_of(const struct action *a)
{
    return a->kind == PUT || a->kind == PUT_LATER || a->kind == GET || a->kind == GET_LATER ? WIDTH : 1;
}

static inline int reads(const struct action *a)
{
    return a->kind == GET || a->kind == GET_LATER;
}

static inline int adds(const struct action *a)
{
    return a->kind == ADD || a->kind == FETCH_ADD;
}

/* Fills in a phase: actions of all ranks that do not conflict. */
static void choose(struct plan *plan, int ways)
{
    static char taken[MOST_RANKS * SLOTS]; /* 'r': read, '+': added to, 'w': put */
    memset(taken, 0, sizeof taken);
    plan->how = (int)below((unsigned)ways);
    plan->count = 0;
    for (int tries = 6 * ranks; tries-- && plan->count < MOST_ACTIONS;) {
        struct action a = {(int)below((unsigned)ranks), (int)below((unsigned)ranks),
                           (int)below(SLOTS - WIDTH), (int)below(KINDS), 1 + (long)below(1000)};
        char use = reads(&a) ? 'r' : adds(&a) ? '+' : 'w';
        int clash = 0;
        for (int i = 0; i < slots_of(&a); i++) {
            char before = taken[a.to * SLOTS + a.slot + i];
            clash |= before && (before != use || use == 'w');
        }
        if (clash)
            continue;
        for (int i = 0; i < slots_of(&a); i++)
            taken[a.to * SLOTS + a.slot + i] = use;
        plan->actions[plan->count++] = a;
    }
}

/* Whether the plan has an update of another rank's memory. */
static inline int has_update(const struct plan *plan)
{
    for (int k = 0; k < plan->count; k++)
        if (!reads(&plan->actions[k]) && plan->actions[k].from != plan->actions[k].to)
            return 1;
    return 0;
}

static inline int has_kind(const struct plan *plan, int kind)
{
    for (int k = 0; k < plan->count; k++)
        if (plan->actions[k].kind == kind)
            return 1;
    return 0;
}

static void fail(const char *what, int at, long got, long expected)
{
    if (!spoiling) {
        printf("rank %d: %s %d is %ld, expected %ld\n", me, what, at, got, expected);
        wrong = 1;
    }
}

/* Compares what my gets fetched with the model before the phase. */
static void check_results(const struct plan *plan)
{
    for (int k = 0; k < plan->count; k++) {
        const struct action *a = &plan->actions[k];
        if (a->from != me || !reads(a))
            continue;
        for (int i = 0; i < WIDTH; i++)
            if (result[k][i] != model[a->to * SLOTS + a->slot + i])
                fail("result", k, result[k][i], model[a->to * SLOTS + a->slot + i]);
    }
}

/* Overwrites the buffers of my actions. */
static void reuse_buffers(const struct plan *plan)
{
    for (int k = 0; k < plan->count; k++)
        if (plan->actions[k].from == me && !reads(&plan->actions[k]))
            memset(origin[k], 0xff, sizeof origin[k]);
}

/* Fills in the buffers of my actions. */
static void fill_buffers(const struct plan *plan)
{
    for (int k = 0; k < plan->count; k++)
        for (int i = 0; i < WIDTH; i++)
            if (plan->actions[k].from == me)
                origin[k][i] = plan->actions[k].value + i;
}

/* Carries the phase out in the model. */
static void advance(const struct plan *plan)
{
    for (int k = 0; k < plan->count; k++) {
        const struct action *a = &plan->actions[k];
        for (int i = 0; i < slots_of(a); i++) {
            long *slot = &model[a->to * SLOTS + a->slot + i];
            if (adds(a))
                *slot += a->value;
            else if (!reads(a))
                *slot = a->value + i;
        }
    }
}

/* Loads my own memory and compares it with the model. */
static void check_memory(const long *mine)
{
    for (int k = 0; k < SLOTS; k++) {
        long value = mine[k];
        if (value != model[me * SLOTS + k])
            fail("slot", k, value, model[me * SLOTS + k]);
    }
}

/* Stores to some slots of my own memory; the model knows everybody's. */
static void store_memory(long *mine)
{
    for (int rank = 0; rank < ranks; rank++) {
        int slot = (int)below(SLOTS);
        long value = (long)below(1000);
        model[rank * SLOTS + slot] = value;
        if (rank == me)
            mine[slot] = value;
    }
}

/* A number that depends on all memory. */
static inline unsigned long hash(void)
{
    unsigned long h = 14695981039346656037u;
    for (int k = 0; k < ranks * SLOTS; k++)
        h = (h ^ (unsigned long)model[k]) * 1099511628211u;
    return h;
}

static void say_spoiled(int phase, const char *way, const char *what, const struct plan *plan)
{
    if (me != 0)
        return;
    printf("spoiled: phase %d, %s: %s\n", phase, way, what);
    for (int k = 0; k < plan->count; k++) {
        const struct action *a = &plan->actions[k];
        static const char *const names[] = {"put",        "put of one", "put, later",   "get",
                                            "get, later", "add",        "fetch and add"};
        printf("  action %d: %s of rank %d at rank %d, slots %d to %d\n", k, names[a->kind], a->from, a->to,
               a->slot, a->slot + slots_of(a) - 1);
    }
}

#endif
