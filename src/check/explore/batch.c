/* SPDX-License-Identifier: BSD-3-Clause */
/* batch: many runs in a few processes at a time, handed over in the order in which they were started (E1). */
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

struct batch {
    struct explore *x;
    struct explore_run *run;
    size_t n, started, taken;
    uint32_t running;
    bool stopped; /* no others are wanted */
};

static void start_some(struct batch *b)
{
    while (!b->stopped && b->started < b->n && b->running < b->x->request->parallel && !explore_over(b->x)) {
        explore_start(b->x, &b->run[b->started++]);
        b->running++;
    }
}

static void look(struct batch *b)
{
    for (size_t k = b->taken; k < b->started; k++)
        if (!b->run[k].done && explore_finished(b->x, &b->run[k]))
            b->running--;
}

static void hand_over(struct batch *b, explore_take_fn take, void *arg)
{
    while (!b->stopped && b->taken < b->started && b->run[b->taken].done) {
        struct explore_run *r = &b->run[b->taken++];
        b->stopped = !take(arg, r);
        explore_run_forget(b->x, r);
    }
}

/* Ends what is under way. */
static void end_all(struct batch *b)
{
    for (size_t k = b->taken; k < b->started; k++) {
        explore_kill(&b->run[k]);
        explore_run_forget(b->x, &b->run[k]);
    }
}

size_t explore_batch(struct explore *x, struct explore_run *run, size_t n, explore_take_fn take, void *arg)
{
    struct batch b = {.x = x, .run = run, .n = n};
    while (!x->interrupt) {
        start_some(&b);
        look(&b);
        hand_over(&b, take, arg);
        if (b.stopped || (b.taken == b.started && (b.started == n || explore_over(x))))
            break;
        base_signals_wait(&x->signals, 0.02, &x->interrupt);
    }
    end_all(&b);
    return b.taken;
}

bool explore_one(struct explore *x, struct explore_run *r)
{
    struct explore_tail t = {0};
    explore_start(x, r);
    while (!explore_finished(x, r) && !x->interrupt) {
        base_signals_wait(&x->signals, 0.02, &x->interrupt);
        explore_show(x, r, &t);
    }
    explore_kill(r);
    explore_show(x, r, &t);
    return !x->interrupt;
}
