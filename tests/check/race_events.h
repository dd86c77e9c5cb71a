/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * race_events: what may happen in a run, told to the detector by its hooks, and to the model. One actor plays all
 * strands. Each event is a line of its own in reports, or, now and then, that of an earlier one.
 */
#ifndef PGASIM_TESTS_CHECK_RACE_EVENTS_H
#define PGASIM_TESTS_CHECK_RACE_EVENTS_H

#include "check/race_model.h"
#include "rank/ranks.h"
#include "rma/rma.h"

static struct {
    struct race *race;
    struct base_random random;
    uint32_t event, line, first_line;
    uint64_t operations, fences[MODEL_STREAMS];
    uint32_t scale; /* bytes of memory that stand for one of the model's */
    uintptr_t base[MODEL_REGIONS];
    uint32_t low, span; /* of the bytes of a region that are used, so that accesses meet */
    bool crowded;
    struct types_layout *strided;
    rank_moment message[4];
    struct facts message_facts[4];
} play;

static inline uint32_t below(uint32_t n)
{
    return (uint32_t)base_random_below(&play.random, n);
}
static inline bool in(uint32_t n) /* once in n times */
{
    return below(n) == 0;
}
static inline uint32_t rank_of(uint32_t strand)
{
    return (strand + 1) / 2;
}
static inline uint32_t open_region(uint32_t rank) /* memory that others reach */
{
    return 2 * rank;
}
static inline uint32_t own_region(uint32_t rank)
{
    return 2 * rank + 1;
}
static inline uintptr_t address_of(uint32_t region, uint32_t first)
{
    return play.base[region] + (uintptr_t)first * play.scale;
}
static inline uint64_t bits(uint32_t first, uint32_t n)
{
    return ((UINT64_C(1) << n) - 1) << first;
}

/* The strand runs from now on. */
static inline void as(uint32_t strand)
{
    rank_current = rank_at(ranks_stage->job, rank_of(strand));
    rank_current->caller = play.line;
    engine_actor_set_local(engine_current(ranks_stage->engine),
                           (void *)(uintptr_t)(strand && strand % 2 == 0));
    race_strand_forget(play.race);
}
static inline void event_begins(uint32_t strand)
{
    play.line = play.first_line + play.event;
    as(strand);
}
static inline void event_ends(uint32_t strand)
{
    model.know[strand].done |= UINT64_C(1) << play.event;
    play.event++;
}
static inline uint64_t now(void)
{
    return UINT64_C(1) << play.event;
}

static inline struct model_access access_by(uint32_t strand, uint32_t region, uint64_t bytes,
                                            enum race_kind kind)
{
    return (struct model_access){.event = play.event,
                                 .line = play.line,
                                 .region = region,
                                 .bytes = bytes,
                                 .kind = kind,
                                 .only = -1,
                                 .before = model.know[strand]};
}

/* Some bytes; those of two ranges that must not meet lie in two halves. */
static inline uint32_t some_length(void)
{
    return 1 + below(play.span < 12 ? play.span : 12);
}
static inline uint32_t some_first(uint32_t length)
{
    uint32_t room = play.low + play.span > length ? play.low + play.span - length : 0;
    return room > play.low ? play.low + below(room - play.low + 1) : room;
}

/* --- loads and stores ------------------------------------------------------------------------------------- */

static inline uint32_t some_region(uint32_t strand)
{
    uint32_t rank = rank_of(strand);
    bool foreign = in(6) && !ranks_stage->exchanged; /* a pointer to another's memory (shmem_ptr) */
    return in(3) ? own_region(rank) : open_region(foreign ? below(MODEL_RANKS) : rank);
}

/* A loop: the same line for each element. Now and then the line of an earlier one. */
static inline void event_plain(uint32_t strand)
{
    static const uint32_t sizes[] = {1, 2, 4, 4, 8, 8};
    uint32_t size = sizes[below(6)], n = 1 + below(3), region = some_region(strand);
    bool store = below(2);
    event_begins(strand);
    if (play.event && in(6))
        play.line = play.first_line + below(play.event);
    uint32_t step = play.scale > 1 ? 1 + below(4) : size;
    uint32_t first = below(MODEL_BYTES - n * step + 1);
    if (!in(4))
        first = first / step * step;
    struct model_access a = access_by(strand, region, bits(first, n * step), store ? RACE_WRITE : RACE_READ);
    for (uint32_t k = 0; k < n; k++) {
        uintptr_t at = address_of(region, first + k * step);
        const void *pc = (const void *)(uintptr_t)play.line;
        if (store)
            race_store(at, step * play.scale, pc);
        else
            race_load(at, step * play.scale, pc);
    }
    model_access(&a);
    event_ends(strand);
}

static inline void event_touch(uint32_t strand)
{
    uint32_t region = some_region(strand), n = some_length(), first = some_first(n);
    bool store = below(2);
    event_begins(strand);
    struct model_access a = access_by(strand, region, bits(first, n), store ? RACE_WRITE : RACE_READ);
    rank_touches("touch", (void *)address_of(region, first), (size_t)n * play.scale,
                 store ? RANK_WRITES : RANK_READS, (void *)(uintptr_t)play.line);
    model_access(&a);
    event_ends(strand);
}

/* Memory begins a new life: whole cells. */
static inline void event_renew(uint32_t strand)
{
    uint32_t region = own_region(rank_of(strand)), first = below(10) * 4, n = 4 * (1 + below(10 - first / 4));
    if (in(3))
        first = 0, n = MODEL_BYTES;
    event_begins(strand);
    rank_order_renew(rank_current, (void *)address_of(region, first), (size_t)n * play.scale);
    model_renew(region, bits(first, n));
    event_ends(strand);
}

/* --- order -------------------------------------------------------------------------------------------------- */

static inline void event_send(uint32_t strand)
{
    uint32_t k = below(4);
    event_begins(strand);
    rank_order_forget(play.message[k]);
    play.message[k] = rank_order_release(rank_current);
    play.message_facts[k] = model.know[strand];
    event_ends(strand);
    play.message_facts[k].done |= now() >> 1;
}

static inline void event_receive(uint32_t strand)
{
    uint32_t k = below(4);
    event_begins(strand);
    rank_order_acquire(rank_current, play.message[k]);
    learn(&model.know[strand], &play.message_facts[k]);
    event_ends(strand);
}

/* Order that a program declares itself. */
static inline void event_declared(uint32_t strand, bool releases)
{
    uint32_t region = own_region(rank_of(strand)), k = below(2);
    struct facts *told = &model.declared[region][k];
    event_begins(strand);
    if (releases) {
        race_released((void *)address_of(region, k));
        learn(told, &model.know[strand]);
        told->done |= now();
    } else {
        race_acquired((void *)address_of(region, k));
        learn(&model.know[strand], told);
    }
    event_ends(strand);
}

static inline void event_barrier(uint32_t members)
{
    rank_moment all = 0;
    struct facts facts = {0};
    play.line = play.first_line + play.event;
    for (uint32_t s = 0; s < MODEL_STRANDS; s++)
        if (members >> s & 1) {
            as(s);
            all = rank_order_join(all, rank_order_release(rank_current));
            learn(&facts, &model.know[s]);
        }
    for (uint32_t s = 0; s < MODEL_STRANDS; s++)
        if (members >> s & 1) {
            rank_moment mine = rank_order_copy(all);
            as(s);
            rank_order_acquire(rank_current, mine);
            rank_order_forget(mine);
            learn(&model.know[s], &facts);
        }
    rank_order_forget(all);
    play.event++;
}

/* The second thread of a rank ends, and another one of the same number begins, made by the first. */
static inline void event_thread(uint32_t rank)
{
    uint32_t parent = 2 * rank - 1, child = 2 * rank;
    event_begins(child);
    if (in(2)) { /* joined */
        rank_moment last = rank_order_release(rank_current);
        as(parent);
        rank_order_acquire(rank_current, last);
        rank_order_forget(last);
        learn(&model.know[parent], &model.know[child]);
        as(child);
    }
    rank_order_thread(rank_current, false);
    as(parent);
    rank_moment made = in(5) ? 0 : rank_order_release(rank_current);
    as(child);
    rank_order_thread(rank_current, true);
    rank_order_acquire(rank_current, made);
    model.know[child] = made ? model.know[parent] : (struct facts){0};
    rank_order_forget(made);
    model.pending[child] = model.fence[child] = (struct facts){0};
    play.event++;
}

/* --- atomics of the program --------------------------------------------------------------------------------- */

static const int orders[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL,
                             __ATOMIC_SEQ_CST};
static inline bool acquires(int order)
{
    return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}
static inline bool releases(int order)
{
    return order != __ATOMIC_RELAXED && order != __ATOMIC_ACQUIRE;
}

/* C11, section 7.17.3, with the release sequences of C++20. */
static inline void model_atomic(uint32_t strand, struct facts *value, bool reads, bool changes, int order)
{
    struct facts *know = &model.know[strand];
    if (reads)
        learn(acquires(order) ? know : &model.pending[strand], value);
    if (!changes)
        return;
    struct facts told = releases(order) ? *know : model.fence[strand];
    told.done |= releases(order) ? now() : 0;
    if (!reads)
        *value = (struct facts){0};
    learn(value, &told);
}

static inline void event_atomic(uint32_t strand)
{
    uint32_t region = in(2) ? own_region(rank_of(strand)) : open_region(rank_of(strand));
    uint32_t size = in(2) ? 4 : 8, first = (play.low + below(play.span)) / size * size % (MODEL_BYTES - 7);
    bool changes = below(2), reads = !changes || below(2);
    int order = orders[below(5)];
    event_begins(strand);
    if (rank_current->threads > 1)
        model_atomic(strand, &model.atomic[region][first], reads, changes, order);
    struct model_access a = access_by(strand, region, bits(first, size), changes ? RACE_UPDATE : RACE_FETCH);
    a.unit.what = 1;
    race_atomic(&(struct race_atomic){address_of(region, first), size, reads, changes, order,
                                      (void *)(uintptr_t)play.line});
    model_access(&a);
    event_ends(strand);
}

static inline void event_atomic_fence(uint32_t strand)
{
    int order = orders[1 + below(4)];
    event_begins(strand);
    race_atomic(&(struct race_atomic){0, 0, false, false, order, (void *)(uintptr_t)play.line});
    if (acquires(order)) {
        learn(&model.know[strand], &model.pending[strand]);
        model.pending[strand] = (struct facts){0};
    }
    event_ends(strand);
    if (releases(order))
        model.fence[strand] = model.know[strand];
}

#endif
