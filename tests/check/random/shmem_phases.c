/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random OpenSHMEM programs that are synchronized by construction, or but for one place: see plan.h. In each phase
 * every PE issues its actions, they are completed or announced in one of several ways, and the owners check.
 */
// build: $OSHCC -g -O1 -Wall -I "$DIR" "$SRC" -o $EXE
#include "plan.h"
#include <shmem.h>

enum way { BARRIER, QUIET_SYNC, CONTEXT, FLAGS, SIGNALS, LOCKED, CHAIN, COLLECTIVE, WAYS };
static const char *const way_names[] = {"barrier", "quiet and sync", "context", "flags",
                                        "signals", "lock",           "chain",   "collective"};
enum spoil {
    SYNC_ONLY,     /* a sync instead of a barrier, or without its quiet */
    LATE_QUIET,    /* the quiet after the sync */
    DEFAULT_QUIET, /* quiet of the default context */
    EARLY_RESULT,  /* results of nonblocking gets are read before quiet */
    EARLY_REUSE,   /* sources of nonblocking puts are overwritten before quiet */
    NO_FENCE,      /* no fence between data and flag or signal */
    NO_LOCK,       /* PE 0 does not take the lock */
    NO_QUIET,      /* neither fence nor quiet before the token */
    FENCE_ONLY,    /* a fence where data and token are at different PEs */
    SPOILS
};
static const char *const spoil_names[] = {"a sync completes nothing",
                                          "the quiet comes after the sync",
                                          "quiet of the default context",
                                          "results are read before quiet",
                                          "sources are overwritten before quiet",
                                          "no fence between data and flag",
                                          "PE 0 does not take the lock",
                                          "no quiet before the token is passed on",
                                          "a fence instead of a quiet before the token is passed on"};
/* What can be left out in which way, as bits. */
static const unsigned possible[WAYS] = {
    [BARRIER] = 1 << SYNC_ONLY | 1 << EARLY_RESULT | 1 << EARLY_REUSE,
    [QUIET_SYNC] = 1 << SYNC_ONLY | 1 << LATE_QUIET | 1 << EARLY_RESULT | 1 << EARLY_REUSE,
    [CONTEXT] = 1 << DEFAULT_QUIET,
    [FLAGS] = 1 << NO_FENCE,
    [SIGNALS] = 1 << NO_FENCE,
    [LOCKED] = 1 << NO_LOCK,
    [CHAIN] = 1 << NO_QUIET | 1 << FENCE_ONLY,
    [COLLECTIVE] = 1 << SYNC_ONLY,
};

static long mine[SLOTS];              /* what the actions work on */
static long arrived, token, lock;     /* flags, which only grow */
static uint64_t signals;              /* counts announced actions */
static long part[WIDTH], sums[WIDTH]; /* arrays of a reduction */
static long expect_arrived, expect_token;
static uint64_t expect_signals;
static shmem_ctx_t own;

static void act(const struct action *a, int k, shmem_ctx_t ctx, int signalling)
{
    long *out = origin[k], *in = result[k], *there = mine + a->slot;
    switch (a->kind) {
    case PUT:
        if (signalling)
            shmem_long_put_signal(there, out, WIDTH, &signals, 1, SHMEM_SIGNAL_ADD, a->to);
        else
            shmem_ctx_long_put(ctx, there, out, WIDTH, a->to);
        break;
    case PUT_LATER:
        if (signalling)
            shmem_long_put_signal_nbi(there, out, WIDTH, &signals, 1, SHMEM_SIGNAL_ADD, a->to);
        else
            shmem_ctx_long_put_nbi(ctx, there, out, WIDTH, a->to);
        break;
    case PUT_ONE:
        shmem_ctx_long_p(ctx, there, out[0], a->to);
        break;
    case GET:
        shmem_ctx_long_get(ctx, in, there, WIDTH, a->to);
        break;
    case GET_LATER:
        shmem_ctx_long_get_nbi(ctx, in, there, WIDTH, a->to);
        break;
    case ADD:
        shmem_ctx_long_atomic_add(ctx, there, out[0], a->to);
        break;
    default:
        shmem_ctx_long_atomic_fetch_add_nbi(ctx, in, there, out[0], a->to);
    }
    if (signalling && (a->kind == PUT_ONE || adds(a))) {
        if (spoiled != NO_FENCE)
            shmem_fence();
        shmem_signal_add(&signals, 1, a->to);
    }
}

/* Tells the targets that my actions are there, and waits for those that others have sent me. */
static void announce(const struct plan *plan)
{
    if (plan->how == FLAGS && spoiled != NO_FENCE)
        shmem_fence();
    for (int to = 0; to < ranks; to++) {
        for (int from = 0; from < ranks; from++) {
            int some = 0;
            for (int k = 0; k < plan->count; k++) {
                const struct action *a = &plan->actions[k];
                if (a->to == to && a->from == from && !reads(a)) {
                    some = 1;
                    expect_signals += plan->how == SIGNALS && to == me;
                }
            }
            if (plan->how == FLAGS && some && from == me)
                shmem_long_atomic_inc(&arrived, to);
            expect_arrived += plan->how == FLAGS && some && to == me;
        }
    }
    if (plan->how == FLAGS)
        shmem_long_wait_until(&arrived, SHMEM_CMP_GE, expect_arrived);
    else
        shmem_signal_wait_until(&signals, SHMEM_CMP_GE, expect_signals);
}

/* A phase in which all actions happen at the same time. Leaves with the memory checked, and everything complete. */
static void together(const struct plan *plan)
{
    fill_buffers(plan);
    for (int k = 0; k < plan->count; k++)
        if (plan->actions[k].from == me)
            act(&plan->actions[k], k, plan->how == CONTEXT ? own : SHMEM_CTX_DEFAULT, plan->how == SIGNALS);
    if (spoiled == EARLY_RESULT)
        check_results(plan);
    if (spoiled == EARLY_REUSE)
        reuse_buffers(plan);
    if (plan->how == BARRIER && spoiled != SYNC_ONLY)
        shmem_barrier_all();
    else if (plan->how == FLAGS || plan->how == SIGNALS)
        announce(plan);
    else {
        if (plan->how == CONTEXT && spoiled != DEFAULT_QUIET)
            shmem_ctx_quiet(own);
        else if (spoiled != SYNC_ONLY && spoiled != LATE_QUIET)
            shmem_quiet();
        shmem_sync_all();
    }
    long before[MOST_RANKS * SLOTS];
    memcpy(before, model, sizeof before);
    advance(plan);
    if (spoiled != EARLY_RESULT && spoiled != EARLY_REUSE)
        check_memory(mine);
    shmem_quiet();
    shmem_ctx_quiet(own);
    if (spoiled < 0) {
        long after[MOST_RANKS * SLOTS];
        memcpy(after, model, sizeof after);
        memcpy(model, before, sizeof before);
        check_results(plan);
        memcpy(model, after, sizeof after);
    }
    shmem_sync_all();
}

/* A word goes from PE to PE by way of another PE's memory; a flag at the next PE tells when it is there. */
static void chain(const struct plan *plan)
{
    int holder = plan->actions[0].to, slot = plan->actions[0].slot;
    long *word = &model[holder * SLOTS + slot], value = *word;
    expect_token += me > 0;
    if (me > 0)
        shmem_long_wait_until(&token, SHMEM_CMP_GE, expect_token);
    shmem_long_get(&result[0][0], mine + slot, 1, holder);
    if (result[0][0] != value + me)
        fail("chain", slot, result[0][0], value + me);
    shmem_long_p(mine + slot, result[0][0] + 1, holder);
    if (spoiled == FENCE_ONLY)
        shmem_fence();
    else if (spoiled != NO_QUIET)
        shmem_quiet();
    if (me + 1 < ranks)
        shmem_long_atomic_inc(&token, me + 1);
    *word += ranks;
    shmem_barrier_all();
}

/* Every PE adds to a counter in critical regions. */
static void count(const struct plan *plan)
{
    int holder = plan->actions[0].to, slot = plan->actions[0].slot;
    int locks = spoiled != NO_LOCK || me != 0;
    for (int times = 0; times < 2; times++) {
        if (locks)
            shmem_set_lock(&lock);
        long value = shmem_long_g(mine + slot, holder);
        shmem_long_p(mine + slot, value + 1, holder);
        if (locks)
            shmem_clear_lock(&lock);
    }
    model[holder * SLOTS + slot] += 2 * ranks;
    shmem_barrier_all();
}

/* Every PE puts its neighbour's part of a sum. */
static void reduce(const struct plan *plan)
{
    long parts[WIDTH] = {plan->actions[0].value + me, me};
    shmem_long_put(part, parts, WIDTH, (me + 1) % ranks);
    if (spoiled == SYNC_ONLY)
        shmem_sync_all();
    else
        shmem_barrier_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sums, part, WIDTH);
    long all = ranks * (ranks - 1) / 2;
    if (sums[0] != plan->actions[0].value * ranks + all || sums[1] != all)
        fail("sum", 0, sums[0], plan->actions[0].value * ranks + all);
    shmem_sync_all();
}

/* The way to spoil the phase that comes first in a random order, or -1 if none makes a conflict. */
static int how_to_spoil(const struct plan *plan)
{
    for (int k = 0, start = (int)below(SPOILS); k < SPOILS; k++) {
        int what = (start + k) % SPOILS, fits = 1;
        if (!(possible[plan->how] >> what & 1))
            continue;
        if (what == EARLY_RESULT)
            fits = has_kind(plan, GET_LATER);
        else if (what == EARLY_REUSE)
            fits = has_kind(plan, PUT_LATER);
        else if (what == FENCE_ONLY)
            fits = ranks > 2;
        else if (plan->how == SIGNALS)
            fits = has_kind(plan, PUT_ONE) || has_kind(plan, ADD);
        else if (plan->how < LOCKED)
            fits = has_update(plan);
        if (fits)
            return what;
    }
    return -1;
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    ranks = shmem_n_pes();
    seed_stream(argc > 1 ? argv[1] : "1");
    int phases = argc > 2 ? atoi(argv[2]) : 8;
    spoiling = argc > 3;
    int from = spoiling ? (int)below((unsigned)phases) : phases;
    shmem_ctx_create(0, &own);
    for (int phase = 0; (phase < phases || spoiling) && spoiled < 0; phase++) {
        struct plan plan;
        choose(&plan, WAYS);
        if (spoiling && phase >= from)
            spoiled = how_to_spoil(&plan);
        if (spoiled >= 0)
            say_spoiled(phase, way_names[plan.how], spoil_names[spoiled], &plan);
        if (plan.how == LOCKED)
            count(&plan);
        else if (plan.how == CHAIN)
            chain(&plan);
        else if (plan.how == COLLECTIVE)
            reduce(&plan);
        else
            together(&plan);
        if (spoiled >= 0)
            break;
        check_memory(mine);
        store_memory(mine);
        shmem_sync_all();
    }
    shmem_barrier_all();
    shmem_ctx_destroy(own);
    if (me == 0)
        printf("seed %s: %lx\n", argc > 1 ? argv[1] : "1", hash());
    shmem_finalize();
    return wrong;
}
