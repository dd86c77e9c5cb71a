/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack: chooses whether each rank has a stack of its own or all share one. A rank that waits on a shared
 * stack has its frames saved elsewhere (the engine's lodgers). Sharing is for many ranks whose stacks are not
 * deep when they wait. For very many it is chosen at once; for fewer, when the first rank waits and before
 * the next one begins, by how deep that one is. The first one has a stack of its own in any case.
 *
 * Under a debugger few ranks never share one: `next` and `finish` recognize a frame by its address, and would
 * stop in another rank's. Ranks that may have threads have stacks of their own: the record of a waiting
 * thread lies on its stack, where other waiting threads and timers reach it. So do ranks whose accesses are
 * checked: one address is then one place.
 */
#include "rank/internal.h"

#include "base/sanitizer.h"

#include <string.h>

enum how { AUTO, OWN, SHARED, UNKNOWN };
enum { SHALLOW = 4096 }; /* bytes of frames */

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
    bool many = job->public.ranks >= base_settings_count(job->public.settings, "fold/shared-stack-ranks");
    bool some = job->public.ranks >= base_settings_count(job->public.settings, "fold/shallow-stack-ranks");
    if (how == OWN || job->aheads || rank_checker || (how == AUTO && !many && (!some || base_traced())))
        return;
    if (has_threads(job)) {
        if (how == SHARED)
            base_warn("fold/stacks", "the program uses threads: each rank gets a stack of its own");
        return;
    }
    job->lodges = engine_lodge_open(job->public.engine);
    if (how == SHARED && !job->lodges && base_checked())
        base_warn("fold/stacks", "the program's memory is checked: each rank gets a stack of its own");
    job->undecided = job->lodges && how == AUTO && !many;
}

void rank_stacks_decide(struct rank_job *job, const struct engine_actor *waits)
{
    struct engine *e = job->public.engine;
    void *low;
    size_t size;
    job->undecided = false;
    job->lodges = engine_actor_stack(e, waits, &low, &size) &&
                  (size_t)((char *)low + size - (char *)__builtin_frame_address(0)) <= SHALLOW;
    for (uint32_t i = 0; i < job->public.ranks; i++) {
        struct rank *r = rank_at(job, i);
        if (!job->lodges && r->memory == &rank_memory_native)
            r->memory = &rank_memory_plain;
        if (job->lodges && !engine_actor_stack(e, r->actor, &low, &size)) /* it has not begun */
            engine_actor_lodge(e, r->actor);
    }
}
