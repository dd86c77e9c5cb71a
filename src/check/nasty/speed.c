/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * speed: how fast the ranks go, which the seed decides. A run has one of four moods: all as fast as the platform
 * says; short random pauses; priorities, of which two change in the run (Burckhardt et al.: a randomized
 * scheduler with probabilistic guarantees, ASPLOS 2010); or a few ranks that are slow, and now and then starved
 * (rr's chaos mode).
 */
#include "check/nasty/parts.h"

#include <math.h>

enum { STEADY, PAUSES, PRIORITIES, CHAOS, MOODS };
enum { LEVELS = 6 };

static void sleep_for(struct rank *r, double seconds)
{
    r->ahead_until = rank_now(r) + seconds;
    rank_catch_up(r);
}

/* A level of 0 costs nothing, each higher one four times as much a call. */
static double draw_speed(struct nasty *n, uint32_t id, uint64_t from)
{
    struct nasty_key k = {NASTY_SLOW, id, from};
    struct base_random r = nasty_random(n, k);
    const struct nasty_about a = {rank_at(n->job, id), NULL, 0};
    unsigned level = (unsigned)base_random_below(&r, LEVELS);
    double seconds = level ? ldexp(0.25e-6, 2 * (int)level - 2) : 0;
    return level && nasty_may(n, k, &a, "from its call %llu on, each takes %.9f s", (unsigned long long)from,
                              seconds)
               ? seconds
               : 0;
}

static bool is_low(const struct nasty *n, uint32_t id)
{
    struct base_random r = nasty_random(n, (struct nasty_key){NASTY_MODE, id, 1});
    return nasty_chance(&r, 3, 10);
}

void nasty_speed_begin(struct nasty *n)
{
    uint32_t ranks = rank_count(n->job);
    struct base_random r = nasty_random(n, (struct nasty_key){NASTY_MODE, 0, 0});
    n->speed = (unsigned)base_random_below(&r, MOODS);
    if (n->speed != PRIORITIES)
        return;
    for (uint32_t id = 0; id < ranks; id++)
        n->rank[id].slow = draw_speed(n, id, 0);
    for (int k = 0; k < 2; k++)
        n->rank[base_random_below(&r, ranks)].slower[k] =
            1 + base_random_below(&r, UINT64_C(1) << (1 + base_random_below(&r, 12)));
}

static void rest(struct nasty *n, struct rank *r, const char *call, unsigned in, unsigned doublings)
{
    struct nasty_key k = {NASTY_PAUSE, r->id, n->rank[r->id].calls};
    struct base_random random = nasty_random(n, k);
    const struct nasty_about a = {r, call, r->caller};
    if (!nasty_chance(&random, 1, in))
        return;
    double seconds = nasty_delay(&random, doublings);
    if (nasty_may(n, k, &a, "begins %.9f s late", seconds))
        sleep_for(r, seconds);
}

static void starve(struct nasty *n, struct rank *r, const char *call)
{
    struct nasty_key k = {NASTY_STARVE, r->id, n->rank[r->id].calls};
    struct base_random random = nasty_random(n, k);
    const struct nasty_about a = {r, call, r->caller};
    if (!nasty_chance(&random, 1, 400))
        return;
    double seconds = 1000 * nasty_delay(&random, 5);
    if (nasty_may(n, k, &a, "begins %.9f s late", seconds))
        sleep_for(r, seconds);
}

void nasty_speed_called(struct nasty *n, struct rank *r, const char *call)
{
    struct nasty_rank *k = &n->rank[r->id];
    k->calls++;
    if (n->speed == PAUSES)
        rest(n, r, call, 8, 9);
    if (n->speed == CHAOS && is_low(n, r->id))
        rest(n, r, call, 2, 5);
    if (n->speed == CHAOS)
        starve(n, r, call);
    if (n->speed == PRIORITIES && (k->calls == k->slower[0] || k->calls == k->slower[1]))
        k->slow = draw_speed(n, r->id, k->calls);
    if (k->slow > 0)
        sleep_for(r, k->slow);
}
