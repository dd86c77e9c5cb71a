/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stacks: whether each rank has a stack of its own, or all share one and a rank that waits has its frames kept aside
 * (engine's lodgers). Shared ones are for very many ranks that are not deep when they wait.
 *
 * What a thread waits with lies on its stack, where the others that wait, and timers, meet it: so ranks that may have threads
 * have stacks of their own.
 */
#include "fold/job.h"

#include <string.h>

/* By these is a program known that makes threads or waits for them. */
static bool is_of_threads(const char *name)
{
    static const char *const names[] = {"pthread_create", "thrd_create", "GOMP_parallel"};
    static const char *const ends[] = {"cond_wait",     "cond_timedwait", "cond_clockwait", "cnd_wait",
                                       "cnd_timedwait", "sem_wait",       "sem_timedwait",  "sem_clockwait"};
    size_t length = strlen(name);
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (!strcmp(name, names[k]))
            return true;
    for (size_t k = 0; k < BASE_LENGTH(ends); k++)
        if (length >= strlen(ends[k]) && !strcmp(name + length - strlen(ends[k]), ends[k]))
            return true;
    return false;
}

static void look(void *arg, const char *name, bool weak)
{
    bool *threads = arg;
    *threads |= !weak && is_of_threads(name);
}

static bool has_threads(const struct objects *o)
{
    bool threads = false;
    for (size_t i = 0; i < o->list.n; i++)
        elf_references_each(&o->list.at[i]->elf, look, &threads);
    return threads;
}

int fold_stacks_choose(struct fold_job *job, struct base_status *st)
{
    const char *how = base_settings_text(job->settings, "fold/stacks");
    bool always = strcmp(how, "shared") == 0, never = strcmp(how, "own") == 0;
    if (!always && !never && strcmp(how, "auto") != 0)
        return base_fail(st, "setting fold/stacks: '%.80s'; expected auto, own or shared", how);
    if (never || job->jobs ||
        (!always && job->config.ranks < base_settings_count(job->settings, "fold/shared-stack-ranks")))
        return 0;
    if (has_threads(&job->images.objects)) {
        if (always)
            base_warn("fold/stacks", "the program uses threads: each rank gets a stack of its own");
        return 0;
    }
    job->lodges = engine_lodge_open(job->engine);
    return 0;
}
