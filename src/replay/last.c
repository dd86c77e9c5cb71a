/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * last: ranks that go on when nothing else can happen at the present time. So did one in the recorded run that waited for
 * something outside of the simulation, for which everything else came first.
 */
#include "replay/player.h"

#include <stdlib.h>

/* On the heap: the rank's stack may lie elsewhere while it waits. */
struct replay_last {
    struct replay_last *next;
    struct replay_job *job;
    struct rank *rank;
    struct engine_actor *actor; /* NULL: it was dropped */
    struct engine_settle settle;
    bool over;
};

static void take(struct replay_last *x)
{
    struct replay_last **at = &x->job->last;
    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    free(x);
}

static void settle(void *arg)
{
    struct replay_last *x = arg;
    x->over = true;
    if (x->actor)
        engine_wake(x->rank->engine, x->actor);
    else
        take(x);
}

void replay_thread_last(struct replay_job *j, struct rank *r)
{
    static const struct engine_reason why = {"sleep", NULL, NULL};
    rank_catch_up(r);
    struct replay_last *x = base_zalloc(sizeof *x, "players that are last");
    *x = (struct replay_last){.next = j->last, .job = j, .rank = r, .actor = engine_current(r->engine)};
    x->settle = (struct engine_settle){.fn = settle, .arg = x};
    j->last = x;
    engine_settle_ask(r->engine, &x->settle);
    while (!x->over)
        engine_block(r->engine, &why);
    take(x);
}

void replay_last_drop(struct replay_job *j, const struct rank *r, const struct engine_actor *but)
{
    for (struct replay_last *x = j->last; x; x = x->next)
        if (x->rank == r && x->actor != but)
            x->actor = NULL;
}
