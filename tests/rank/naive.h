/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * naive: a checker (rank/order.h) with a plain vector clock for each thread, for tests of those who tell it. It
 * says which actions come before which, notes what calls use, and counts moments that were not given back.
 *
 *   naive_install();
 *   e = naive_event(r);          on a thread of rank r
 *   naive_follows(r, e)          does what r's running thread does now come after e?
 *   naive_remove();              after the job's end: every moment was given back
 */
#ifndef PGASIM_TESTS_RANK_NAIVE_H
#define PGASIM_TESTS_RANK_NAIVE_H

#include "rank/ranks.h"

enum { NAIVE_STRANDS = 48 };
struct naive_clock {
    uint32_t at[NAIVE_STRANDS];
};
struct naive_event {
    uint32_t strand, count;
};
struct naive_moment {
    struct naive_clock clock;
    bool live;
};
struct naive_action {
    const char *call;
    struct naive_event begin, end;
    bool over;
};
struct naive_use {
    uint64_t action;
    uint32_t rank;
    uintptr_t address;
    size_t bytes;
    enum rank_use how;
};
struct naive_area {
    uint32_t rank;
    struct rank_area area;
    bool there;
};

static struct {
    const struct engine_actor *actor[NAIVE_STRANDS];
    struct naive_clock now[NAIVE_STRANDS];
    uint32_t strands;
    uint64_t live; /* moments */
    BASE_ARRAY(struct naive_moment) moments;
    BASE_ARRAY(struct naive_action) actions; /* number k is at k - 1 */
    BASE_ARRAY(struct naive_use) uses;
    BASE_ARRAY(struct naive_area) areas;
    BASE_ARRAY(struct rank_span) fresh;
} naive;

/* --- order ---------------------------------------------------------------------------------------- */

static uint32_t naive_strand(const struct rank *r)
{
    const struct engine_actor *a = engine_current(r->engine);
    assert_non_null(a); /* threads are told of, not events */
    assert_ptr_equal(rank_current, r);
    for (uint32_t k = 0; k < naive.strands; k++)
        if (naive.actor[k] == a)
            return k;
    assert_true(naive.strands < NAIVE_STRANDS);
    naive.actor[naive.strands] = a;
    naive.now[naive.strands] = (struct naive_clock){{0}};
    naive.now[naive.strands].at[naive.strands] = 1;
    return naive.strands++;
}

static inline struct naive_event naive_event(const struct rank *r)
{
    uint32_t s = naive_strand(r);
    return (struct naive_event){s, naive.now[s].at[s]};
}

static inline bool naive_follows(const struct rank *r, struct naive_event e)
{
    return naive.now[naive_strand(r)].at[e.strand] >= e.count;
}

static struct naive_clock *naive_clock_of(rank_moment m)
{
    assert_in_range(m, 1, naive.moments.n);
    assert_true(naive.moments.at[m - 1].live);
    return &naive.moments.at[m - 1].clock;
}

static rank_moment naive_keep(const struct naive_clock *c)
{
    struct naive_moment m = {*c, true};
    BASE_ARRAY_PUSH(&naive.moments, m);
    naive.live++;
    return (rank_moment)naive.moments.n;
}

static void naive_raise(struct naive_clock *c, const struct naive_clock *to)
{
    for (size_t k = 0; k < NAIVE_STRANDS; k++)
        c->at[k] = to->at[k] > c->at[k] ? to->at[k] : c->at[k];
}

static rank_moment naive_release(struct rank *r)
{
    uint32_t s = naive_strand(r);
    rank_moment m = naive_keep(&naive.now[s]);
    naive.now[s].at[s]++;
    return m;
}

static void naive_acquire(struct rank *r, rank_moment m)
{
    naive_raise(&naive.now[naive_strand(r)], naive_clock_of(m));
}

static void naive_forget(rank_moment m)
{
    naive_clock_of(m);
    naive.moments.at[m - 1].live = false;
    naive.live--;
}

static rank_moment naive_join(rank_moment a, rank_moment b)
{
    struct naive_clock c = *naive_clock_of(a);
    naive_raise(&c, naive_clock_of(b));
    naive_forget(a);
    naive_forget(b);
    return naive_keep(&c);
}

static rank_moment naive_copy(rank_moment m)
{
    struct naive_clock c = *naive_clock_of(m);
    return naive_keep(&c);
}

/* --- memory --------------------------------------------------------------------------------------- */

static uint64_t naive_begin(struct rank *r, const char *call)
{
    struct naive_action a = {.call = call, .begin = naive_event(r)};
    BASE_ARRAY_PUSH(&naive.actions, a);
    return naive.actions.n;
}

static void naive_uses(uint64_t action, struct rank *whose, uintptr_t address, size_t bytes,
                       enum rank_use how)
{
    struct naive_use u = {action, whose->id, address, bytes, how};
    assert_in_range(action, 1, naive.actions.n);
    assert_false(naive.actions.at[action - 1].over);
    BASE_ARRAY_PUSH(&naive.uses, u);
}

static void naive_end(struct rank *r, uint64_t action)
{
    struct naive_action *a = &naive.actions.at[action - 1];
    assert_in_range(action, 1, naive.actions.n);
    assert_false(a->over);
    a->over = true;
    a->end = naive_event(r);
}

static void naive_touches(const char *call, uintptr_t address, size_t bytes, enum rank_use how,
                          const void *place)
{
    (void)call, (void)address, (void)bytes, (void)how, (void)place;
}

static void naive_area(struct rank *r, const struct rank_area *a, bool there)
{
    struct naive_area x = {r->id, *a, there};
    BASE_ARRAY_PUSH(&naive.areas, x);
}

static void naive_fresh(struct rank *r, uintptr_t address, size_t bytes)
{
    struct rank_span s = {address, bytes};
    (void)r;
    BASE_ARRAY_PUSH(&naive.fresh, s);
}

/* Bytes of [address, address + bytes) of the rank's memory that the last action of a call uses so. */
static inline size_t naive_used(const char *call, uint32_t rank, uintptr_t address, size_t bytes,
                                enum rank_use how)
{
    size_t sum = 0, last = naive.actions.n;
    while (last && strcmp(naive.actions.at[last - 1].call, call) != 0)
        last--;
    for (size_t k = 0; k < naive.uses.n; k++) {
        const struct naive_use *u = &naive.uses.at[k];
        uintptr_t low = u->address > address ? u->address : address,
                  high = u->address + u->bytes < address + bytes ? u->address + u->bytes : address + bytes;
        if (u->action == last && u->rank == rank && u->how == how && low < high)
            sum += high - low;
    }
    return sum;
}

/* --- its life ------------------------------------------------------------------------------------- */

static const struct rank_checker naive_checker = {.release = naive_release,
                                                  .acquire = naive_acquire,
                                                  .join = naive_join,
                                                  .copy = naive_copy,
                                                  .forget = naive_forget,
                                                  .begin = naive_begin,
                                                  .uses = naive_uses,
                                                  .end = naive_end,
                                                  .touches = naive_touches,
                                                  .area = naive_area,
                                                  .fresh = naive_fresh};

static inline void naive_install(void)
{
    memset(&naive, 0, sizeof naive); /* after a test that has failed */
    rank_checker = &naive_checker;
}

static inline size_t naive_open(void) /* actions that are not over */
{
    size_t open = 0;
    for (size_t k = 0; k < naive.actions.n; k++)
        open += !naive.actions.at[k].over;
    return open;
}

static inline void naive_remove(void)
{
    rank_checker = NULL;
    uint64_t live = naive.live, open = naive_open();
    free(naive.moments.at);
    free(naive.actions.at);
    free(naive.uses.at);
    free(naive.areas.at);
    free(naive.fresh.at);
    memset(&naive, 0, sizeof naive);
    assert_int_equal(live, 0);
    assert_int_equal(open, 0);
}

#endif
