/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack: chooses whether each rank has a stack of its own or all share one. A rank that waits on a shared
 * stack has its frames saved elsewhere (the engine's lodgers). Sharing is for very many ranks whose stacks
 * are not deep when they wait.
 *
 * Ranks that may have threads have stacks of their own: the record of a waiting thread lies on its stack,
 * where other waiting threads and timers reach it.
 */
#include "rank/internal.h"

#include <string.h>

enum how { AUTO, OWN, SHARED, UNKNOWN };

static enum how asked(const struct rank_job *job)
{
    static const char *const names[] = {[AUTO] = "auto", [OWN] = "own", [SHARED] = "shared"};
    const char *how = base_settings_text(job->public.settings, "fold/stacks");
    for (unsigned k = 0; k < BASE_LENGTH(names); k++)
        if (!strcmp(how, names[k]))
            return (enum how)k;
    return UNKNOWN;
}

int rank_stacks_check(const struct rank_job *job, struct base_status *st)
{
    if (asked(job) != UNKNOWN)
        return 0;
    return base_fail(st, "setting fold/stacks: '%.80s'; expected auto, own or shared",
                     base_settings_text(job->public.settings, "fold/stacks"));
}

static bool has_threads(const struct rank_job *job)
{
    for (unsigned k = 0; k < job->providers; k++)
        if (job->provider[k]->life->makes_threads && job->provider[k]->life->makes_threads(job))
            return true;
    return false;
}

void rank_stacks_choose(struct rank_job *job)
{
    enum how how = asked(job);
    if (how == OWN || job->aheads ||
        (how == AUTO &&
         job->public.ranks < base_settings_count(job->public.settings, "fold/shared-stack-ranks")))
        return;
    if (has_threads(job)) {
        if (how == SHARED)
            base_warn("fold/stacks", "the program uses threads: each rank gets a stack of its own");
        return;
    }
    job->lodges = engine_lodge_open(job->public.engine);
}
