/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flat: collectives of some of the ranks as messages, one round after the other: all that waits for nothing is started, then
 * what waits for the end of others, and at last all are waited for. Other actions pass.
 */
#include "replay/convert/steps.h"

#include "p2p/p2p.h"

#include <stdlib.h>

struct stage {
    struct replay_step step;
    uint32_t waits; /* for so many others that were not waited for yet */
    bool started, ended;
};
struct before {
    uint32_t before, after;
};
struct replay_flat {
    struct replay_sink sink; /* first */
    struct replay_sink *to;
    struct replay_steps steps;
    uint32_t rank;
    uint32_t open;                   /* collectives of the rank that were to be waited for later */
    BASE_ARRAY(struct stage) stages; /* of the round */
    BASE_ARRAY(struct before) orders;
};

/* --- a round ------------------------------------------------------------------------------------------------- */

static void step(void *arg, const struct replay_step *s)
{
    struct replay_flat *x = arg;
    const struct stage stage = {.step = *s};
    BASE_ARRAY_PUSH(&x->stages, stage);
}

static void order(void *arg, uint32_t before, uint32_t after)
{
    struct replay_flat *x = arg;
    const struct before o = {before, after};
    BASE_ARRAY_PUSH(&x->orders, o);
}

static void start(struct replay_flat *x, struct stage *s)
{
    bool sends = s->step.kind == COLL_UNROLLED_SEND;
    s->started = true;
    s->ended = s->step.kind == COLL_UNROLLED_LOCAL;
    if (!s->ended)
        x->to->put(x->to, x->rank,
                   &(struct replay_action){.kind = sends ? REPLAY_ISEND : REPLAY_IRECV,
                                           .peer = s->step.peer,
                                           .tag = (int32_t)s->step.tag,
                                           .bytes = s->step.bytes,
                                           .number = P2P_STANDARD});
}

static void finish(struct replay_flat *x, struct stage *s)
{
    bool sends = s->step.kind == COLL_UNROLLED_SEND;
    if (s->ended)
        return;
    s->ended = true;
    x->to->put(x->to, x->rank,
               &(struct replay_action){.kind = REPLAY_WAIT,
                                       .peer = sends ? x->rank : s->step.peer,
                                       .peer2 = sends ? s->step.peer : x->rank,
                                       .tag = (int32_t)s->step.tag});
}

static int by_after(const void *a, const void *b)
{
    const struct before *x = a, *y = b;
    int by = (x->after > y->after) - (x->after < y->after);
    return by ? by : (x->before > y->before) - (x->before < y->before);
}

/* Starts what has waited for others, if these have started; returns how many that were. */
static uint32_t go_on(struct replay_flat *x)
{
    uint32_t n = 0;
    for (size_t k = 0, end; k < x->orders.n; k = end) {
        bool can = true;
        struct stage *s = &x->stages.at[x->orders.at[k].after];
        for (end = k; end < x->orders.n && x->orders.at[end].after == x->orders.at[k].after; end++)
            can &= x->stages.at[x->orders.at[end].before].started;
        for (size_t i = k; can && !s->started && i < end; i++)
            finish(x, &x->stages.at[x->orders.at[i].before]);
        if (!can || s->started)
            continue;
        start(x, s);
        n++;
    }
    return n;
}

static void round_over(void *arg)
{
    struct replay_flat *x = arg;
    if (x->orders.n)
        qsort(x->orders.at, x->orders.n, sizeof *x->orders.at, by_after);
    for (size_t k = 0; k < x->orders.n; k++)
        x->stages.at[x->orders.at[k].after].waits++;
    for (size_t k = 0; k < x->stages.n; k++)
        if (!x->stages.at[k].waits)
            start(x, &x->stages.at[k]);
    while (go_on(x))
        continue;
    for (size_t k = 0; k < x->stages.n; k++)
        finish(x, &x->stages.at[k]);
    x->stages.n = x->orders.n = 0;
}

/* --- actions -------------------------------------------------------------------------------------------------- */

static void collective(struct replay_flat *x, const struct replay_action *a)
{
    const char *name = replay_name_of(a);
    bool later = a->kind == REPLAY_ICOLLECTIVE;
    bool can =
        replay_steps_tell(&x->steps, x->rank, a, &(struct replay_steps_sink){step, order, round_over, x});
    replay_unsay(x->sink.out, name,
                 !can    ? "left out"
                 : later ? "of some ranks, as its messages, and as the blocking one"
                         : "of some ranks, as its messages");
    x->open += later;
    if (a->amount > 0)
        x->to->put(x->to, x->rank,
                   &(struct replay_action){.kind = REPLAY_COMPUTE, .line = a->line, .amount = a->amount});
}

static void put(struct replay_sink *s, uint32_t rank, const struct replay_action *a)
{
    struct replay_flat *x = (struct replay_flat *)(void *)s;
    bool collectives = a->kind == REPLAY_COLLECTIVE || a->kind == REPLAY_ICOLLECTIVE;
    x->rank = rank;
    if (collectives && a->group) {
        collective(x, a);
    } else if (x->open && a->kind == REPLAY_WAIT && a->peer == REPLAY_ANY && a->tag == REPLAY_ANY_TAG) {
        x->open--; /* it is over already */
    } else {
        if (a->kind == REPLAY_WAITALL)
            x->open = 0;
        x->to->put(x->to, rank, a);
    }
}

static void end(struct replay_sink *s, uint32_t rank)
{
    struct replay_flat *x = (struct replay_flat *)(void *)s;
    x->open = 0;
    replay_steps_next_rank(&x->steps);
    x->to->end(x->to, rank);
}

struct replay_flat *replay_flat_create(const struct replay_tape *t, struct replay_sink *to,
                                       struct base_status *st)
{
    struct replay_flat *x = base_zalloc(sizeof *x, "collectives of a trace");
    x->sink = (struct replay_sink){.put = put, .end = end, .out = to->out};
    x->to = to;
    if (!replay_steps_init(&x->steps, t, to->out, st))
        return x;
    replay_flat_destroy(x);
    return NULL;
}

struct replay_sink *replay_flat_sink(struct replay_flat *x)
{
    return &x->sink;
}

void replay_flat_destroy(struct replay_flat *x)
{
    replay_steps_release(&x->steps);
    free(x->stages.at);
    free(x->orders.at);
    free(x);
}
