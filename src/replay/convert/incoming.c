/* SPDX-License-Identifier: BSD-3-Clause */
/* incoming: which one-sided operations come to each rank, so that its schedule has their receives. */
#include "replay/convert/remote.h"

#include <stdlib.h>

struct replay_incoming {
    struct replay_sink sink;         /* first */
    struct replay_conversion unsaid; /* what is not said is counted by who writes */
    struct replay_arrivals *of;
    uint32_t ranks;
};

static void move(struct replay_sink *s, uint32_t rank, const struct replay_remote *o)
{
    struct replay_incoming *x = (struct replay_incoming *)(void *)s;
    const struct replay_arrival a = {rank, o->number, o->there, o->back};
    BASE_ARRAY_PUSH(&x->of[o->target], a);
}

static void settle(struct replay_sink *s, uint32_t rank, uint64_t stream, uint32_t target)
{
    (void)s, (void)rank, (void)stream, (void)target;
}

static void until(struct replay_sink *s, uint32_t rank, uint32_t origin, uint32_t number)
{
    (void)s, (void)rank, (void)origin, (void)number;
}

static void put(struct replay_sink *s, uint32_t rank, const struct replay_action *a)
{
    (void)s, (void)rank, (void)a;
}

static void end(struct replay_sink *s, uint32_t rank)
{
    (void)s, (void)rank;
}

/* Questions to targets have numbers of their own, so a rank's need not come in order. */
static int by_number(const void *left, const void *right)
{
    const struct replay_arrival *a = left, *b = right;
    if (a->origin != b->origin)
        return a->origin < b->origin ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

struct replay_incoming *replay_incoming_find(struct replay_tape *t)
{
    static const struct replay_remote_sink remote = {move, settle, until};
    struct replay_incoming *x = base_zalloc(sizeof *x, "one-sided operations of a trace");
    x->sink = (struct replay_sink){.put = put, .end = end, .remote = &remote, .out = &x->unsaid};
    x->ranks = replay_tape_ranks(t);
    x->of = base_zalloc(((size_t)x->ranks + 1) * sizeof *x->of, "one-sided operations of a trace");
    if (replay_tape_calls(t))
        replay_feed(t, &x->sink, false);
    for (uint32_t rank = 0; rank < x->ranks; rank++)
        if (x->of[rank].n)
            qsort(x->of[rank].at, x->of[rank].n, sizeof *x->of[rank].at, by_number);
    return x;
}

void replay_incoming_destroy(struct replay_incoming *x)
{
    for (uint32_t rank = 0; x && rank < x->ranks; rank++)
        free(x->of[rank].at);
    if (x)
        free(x->of);
    free(x);
}

const struct replay_arrivals *replay_incoming_of(const struct replay_incoming *x, uint32_t rank)
{
    return &x->of[rank];
}

size_t replay_arrival_find(const struct replay_arrivals *l, uint32_t origin, uint32_t number)
{
    size_t low = 0, high = l->n;
    while (low < high) {
        size_t k = low + (high - low) / 2;
        const struct replay_arrival *a = &l->at[k];
        if (a->origin < origin || (a->origin == origin && a->number < number))
            low = k + 1;
        else
            high = k;
    }
    return low < l->n && l->at[low].origin == origin && l->at[low].number == number ? low : l->n;
}
