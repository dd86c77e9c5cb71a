/* SPDX-License-Identifier: BSD-3-Clause */
/* waiter: what tests of started collectives share: a rank that starts several and waits for all of them. */
#ifndef PGASIM_TESTS_COLL_WAITER_H
#define PGASIM_TESTS_COLL_WAITER_H

#include "coll/stage.h"

struct waiter {
    struct engine *engine;
    struct engine_actor *actor; /* NULL: it does not wait yet */
    unsigned open;
    double last; /* when the last one was done */
};

static inline void one_done(void *arg)
{
    struct waiter *w = arg;
    w->open--;
    w->last = engine_now(w->engine);
    if (!w->open && w->actor)
        engine_wake(w->engine, w->actor);
}

static inline void start_by(struct rank *r, struct coll_call *call, const struct coll_transport *t,
                            struct waiter *w)
{
    call->transport = t;
    w->engine = r->engine;
    w->open++;
    coll_start(r, call, one_done, w);
    memset(call, 0x5a, sizeof *call); /* it need not outlive the start */
}

static inline void await(struct rank *r, struct waiter *w)
{
    static const struct engine_reason why = {.what = "what was started"};
    if (!w->open)
        return;
    w->actor = engine_current(r->engine);
    engine_block(r->engine, &why);
    w->actor = NULL;
}

#endif
