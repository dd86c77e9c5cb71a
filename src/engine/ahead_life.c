/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ahead_life: the threads on which actors may run ahead: starting them, the run as seen by the main thread,
 * ending them.
 */
#include "engine/ahead.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    SPINS = 4000, /* polls before a thread sleeps */
    PATIENCE = 2, /* seconds to wait for a thread that does not come back */
};

bool engine_ahead_open(struct engine *e, uint32_t threads, const struct engine_ahead_hooks *hooks, void *ctx)
{
    if (e->public.lodgers)
        return false;
    struct engine_aheads *j = base_zalloc(sizeof *j, "running ahead");
    j->engine = e;
    j->hooks = hooks;
    j->ctx = ctx;
    j->n = threads;
    j->spins = sysconf(_SC_NPROCESSORS_ONLN) >= (long)threads ? SPINS : 0;
    j->thread = base_zalloc(threads * sizeof *j->thread, "running ahead");
    j->part = base_reserve(e->max_actors * sizeof *j->part, "running ahead");
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->main_wake, NULL);
    for (uint32_t k = 0; k < threads; k++) {
        struct engine_thread *t = &j->thread[k];
        *t = (struct engine_thread){
            .place.engine = e, .aheads = j, .number = k, .dead_stack = ENGINE_NO_STACK};
        t->last = &t->first;
        pthread_cond_init(&t->wake, NULL);
    }
    e->aheads = j;
    e->public.lodgers = true;
    return true;
}

void engine_actor_assign(struct engine *e, struct engine_actor *a, uint32_t thread)
{
    engine_part_of(e, a)->thread = thread;
}

/* Signals from outside go to the main thread. */
static void start_threads(struct engine_aheads *j)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};
    sigset_t others, before;
    sigfillset(&others);
    for (size_t k = 0; k < BASE_LENGTH(own); k++)
        sigdelset(&others, own[k]);
    pthread_sigmask(SIG_BLOCK, &others, &before);
    for (uint32_t k = 0; k < j->n; k++) {
        int error = pthread_create(&j->thread[k].id, NULL, engine_ahead_work, &j->thread[k]);
        if (error)
            base_fatal(BASE_EXIT_HOST, "cannot create a thread for --jobs: %s", strerror(error));
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* A run may end while code runs ahead; that code would otherwise never have run, and it may never end. */
static void join_threads(struct engine_aheads *j)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    for (uint32_t k = 0; k < j->n; k++)
        if (pthread_timedjoin_np(j->thread[k].id, NULL, &until))
            j->lost = true;
}

enum engine_end engine_ahead_run(struct engine *e)
{
    struct engine_aheads *j = e->aheads;
    struct engine_actor *first = engine_next(e);
    if (!first)
        return e->end;
    e->public.switches++;
    e->public.current = first;
    j->turn = first;
    j->turn_for = &j->thread[engine_part_of(e, first)->thread];
    j->turn_for->called = true;
    start_threads(j);
    pthread_mutex_lock(&j->lock);
    while (!j->over)
        pthread_cond_wait(&j->main_wake, &j->lock);
    for (uint32_t k = 0; k < j->n; k++)
        engine_ahead_call(&j->thread[k]);
    pthread_mutex_unlock(&j->lock);
    join_threads(j);
    return e->end;
}

bool engine_ahead_lost(const struct engine *e)
{
    return e->aheads && e->aheads->lost;
}

uint64_t engine_ahead_count(const struct engine *e)
{
    return e->aheads ? e->aheads->let_go : 0;
}

void engine_ahead_release(struct engine *e)
{
    struct engine_aheads *j = e->aheads;
    if (!j)
        return;
    for (uint32_t k = 0; k < j->n; k++)
        pthread_cond_destroy(&j->thread[k].wake);
    pthread_cond_destroy(&j->main_wake);
    pthread_mutex_destroy(&j->lock);
    base_unreserve(j->part, e->max_actors * sizeof *j->part);
    free(j->thread);
    free(j);
    e->aheads = NULL;
}
