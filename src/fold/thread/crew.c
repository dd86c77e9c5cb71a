/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crew: the threads of a rank, by slot, and what is exchanged when one stops and another continues: errno,
 * C++'s exceptions, the thread-local bytes of system libraries. The program's own thread-local data needs no
 * exchange, because each thread has its own (local.c).
 */
#include "fold/thread/thread.h"

#include <stdlib.h>
#include <string.h>

RANK_THREAD struct fold_thread *fold_thread;
struct thread_costs thread_costs;

enum { CALLS_AT_ONCE = 64 }; /* cheap calls whose time passes together */

/* --- records ------------------------------------------------------------------------------------ */

static struct fold_crew *crew_of(struct rank *r)
{
    struct fold_part *p = fold_part(r);
    if (!p->crew)
        p->crew = base_zalloc(sizeof *p->crew, "threads of a rank");
    r->stays = true;
    return p->crew;
}

static uint32_t free_slot(struct fold_crew *c)
{
    for (size_t k = 0; k < c->slot.n; k++)
        if (!c->slot.at[k])
            return (uint32_t)k;
    BASE_ARRAY_PUSH(&c->slot, NULL);
    return (uint32_t)(c->slot.n - 1);
}

struct fold_thread *thread_add(struct rank *r)
{
    struct fold_crew *c = crew_of(r);
    struct fold_thread *t = base_zalloc(sizeof *t, "a thread");
    t->rank = r;
    t->slot = free_slot(c);
    t->generation = c->generation++;
    c->slot.at[t->slot] = t;
    return t;
}

void thread_remove(struct fold_thread *t)
{
    fold_part(t->rank)->crew->slot.at[t->slot] = NULL;
    thread_local_release(t);
    thread_moment_forget(&t->begun);
    thread_moment_forget(&t->done);
    free(t->openmp);
    free(t->cleanup.at);
    free(t->cores);
    free(t->system_tls);
    free(t->openmp_tls);
    free(t);
}

struct fold_thread *thread_me(void)
{
    struct rank *r = rank_current;
    if (BASE_LIKELY(fold_thread != NULL))
        return fold_thread;
    struct fold_thread *t = thread_add(r);
    BASE_ASSERT("T1", t->slot == 0);
    t->actor = engine_current(r->engine);
    engine_actor_set_local(t->actor, t);
    return fold_thread = t;
}

uint32_t thread_number(const struct rank *r)
{
    return fold_thread && fold_thread->rank == r ? fold_thread->slot + 1 : 1;
}

uint32_t thread_slot(const void *local)
{
    return ((const struct fold_thread *)local)->slot;
}

pthread_t thread_id(const struct fold_thread *t)
{
    return (pthread_t)t->generation << 32 | (t->slot + 1);
}

struct fold_thread *thread_find(const struct rank *r, pthread_t id)
{
    const struct fold_crew *c = fold_part(r)->crew;
    uint64_t slot = (id & UINT32_MAX) - 1;
    struct fold_thread *t = c && slot < c->slot.n ? c->slot.at[slot] : NULL;
    return t && t->generation == id >> 32 ? t : NULL;
}

static struct {
    void (*save)(struct fold_thread *t);
    void (*load)(struct fold_thread *t);
} system_values; /* thread_exchange */

void thread_exchange(void (*save)(struct fold_thread *t), void (*load)(struct fold_thread *t))
{
    system_values.save = save;
    system_values.load = load;
}

/* --- the exchange ------------------------------------------------------------------------------- */

void thread_values_first(void)
{
    uint64_t *exception = libc_cxx_exception();
    errno = 0;
    if (exception)
        exception[0] = exception[1] = 0;
    system_values.load(NULL);
}

void thread_switch_from(struct fold_thread *t)
{
    const uint64_t *exception = libc_cxx_exception();
    BASE_ASSERT("T4", t->rank->measured_from <= 0);
    t->error = errno;
    if (exception)
        memcpy(t->exception, exception, sizeof t->exception);
    system_values.save(t);
    thread_values_first();
}

void thread_switch_to(struct fold_thread *t)
{
    uint64_t *exception = libc_cxx_exception();
    errno = t->error;
    if (exception)
        memcpy(exception, t->exception, sizeof t->exception);
    system_values.load(t);
}

/* --- time --------------------------------------------------------------------------------------- */

void thread_pass(struct rank *r)
{
    struct fold_crew *c = crew_of(r);
    if (++c->cheap_calls < CALLS_AT_ONCE || !(thread_costs.call > 0))
        return;
    c->cheap_calls = 0;
    rank_threaded(r, &(struct rank_threaded){.what = RANK_THREAD_CALLED, .n = CALLS_AT_ONCE});
    engine_sleep(r->engine, CALLS_AT_ONCE * thread_costs.call);
}

/* --- the rank's end ----------------------------------------------------------------------------- */

static void end_by_me(struct rank *r)
{
    struct fold_crew *c = fold_part(r)->crew;
    bool told = c->ends == thread_me();
    c->ends = thread_me();
    if (!told && c->ends->slot)
        rank_threaded(r, &(struct rank_threaded){.what = RANK_THREAD_EXITED});
}

void thread_take_end(struct rank *r)
{
    if (fold_part(r)->crew)
        end_by_me(r);
}

void thread_claim_end(struct rank *r)
{
    struct engine_reason why = {"the end of the rank, which another thread works on", NULL, NULL};
    struct fold_crew *c = fold_part(r)->crew;
    if (!c || c->ends == thread_me())
        return;
    if (!c->ends) {
        end_by_me(r);
        return;
    }
    libc_enter(r);
    for (;;)
        engine_block(r->engine, &why);
}

void thread_drop_others(struct rank *r)
{
    const struct fold_crew *c = fold_part(r)->crew;
    for (size_t k = 0; c && k < c->slot.n; k++) {
        struct fold_thread *t = c->slot.at[k];
        if (!t || t->ended || t == fold_thread)
            continue;
        if (t->waiting)
            thread_forget_wait(t->waiting);
        engine_actor_drop(r->engine, t->actor);
        rank_threads_add(r, -1);
    }
}

/* Events may run on the stack of one of these threads. */
void thread_drop_all(struct rank *r)
{
    const struct fold_crew *c = fold_part(r)->crew;
    for (size_t k = 0; c && k < c->slot.n; k++) {
        struct fold_thread *t = c->slot.at[k];
        if (!t || t->ended)
            continue;
        if (t->waiting)
            thread_forget_wait(t->waiting);
        engine_actor_drop(r->engine, t->actor);
    }
    if (!c)
        engine_actor_drop(r->engine, r->actor);
}

void thread_crew_release(struct rank *r)
{
    struct fold_crew *c = fold_part(r)->crew;
    if (!c)
        return;
    if (fold_thread) {
        thread_values_first();
        fold_thread = NULL;
    }
    for (size_t k = 0; k < c->slot.n; k++)
        if (c->slot.at[k])
            thread_remove(c->slot.at[k]);
    thread_moment_forget(&c->done);
    free(c->slot.at);
    free(c->keys.at);
    free(c);
    fold_part(r)->crew = NULL;
}

/* --- life --------------------------------------------------------------------------------------- */

void thread_costs_read(const struct fold_job *job)
{
    thread_costs = (struct thread_costs){.create = base_settings_number(job->settings, "thread/create-cost"),
                                         .wake = base_settings_number(job->settings, "thread/wake-cost"),
                                         .call = base_settings_number(job->settings, "thread/call-cost")};
}
