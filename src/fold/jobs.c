/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jobs: ranks that run ahead of their turns, on several threads (decision 0010): who may, what is exchanged on a thread
 * that several ranks use, and how a rank takes its turn. The threads and the turns are the engine's, the gates at which
 * code that is ahead stops are gates.c's.
 *
 * Invariants
 *  D5  fold_ahead is the rank whose code runs ahead on the thread; fold_current is NULL there meanwhile, so that calls of
 *      the simulator find no rank and take the turn (fold_no_rank).
 *  D6  errno and C++'s exceptions on a thread are those of the rank whose code was there last.
 */
#include "fold/gates.h"
#include "fold/job.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "fold/thread.h"

enum { SIGNAL_STACK = 1 << 16 };

/* What a rank has while its code is not on its thread, and what its call left to be done. */
struct part {
    int error;
    uint64_t exception[2];
    void (*owed)(void *arg);
    void *arg;
};

struct fold_jobs {
    bool ended; /* ranks reach into each other's memory */
    struct part *part;
};

static FOLD_THREAD struct fold_rank *before; /* fold_current, while a rank runs ahead */
static FOLD_THREAD uint64_t *exception;      /* the thread's */
static FOLD_THREAD void *signal_stack;
static FOLD_THREAD bool crashed;

static struct part *part_of(const struct fold_rank *r)
{
    return &r->job->jobs->part[r->id];
}

/* --- the threads --------------------------------------------------------------------------------- */

/* One that a crashed rank's handler stands on is left to it. */
static void set_signal_stack(void)
{
    signal_stack = base_alloc(SIGNAL_STACK, "a stack for signals");
    stack_t ss = {.ss_sp = signal_stack, .ss_size = SIGNAL_STACK};
    sigaltstack(&ss, NULL);
    crashed = false;
}

static void begin(void *ctx)
{
    (void)ctx;
    set_signal_stack();
    exception = libc_cxx_exception_here();
    errno = 0;
}

static void end(void *ctx)
{
    stack_t ss = {.ss_flags = SS_DISABLE};
    (void)ctx;
    sigaltstack(&ss, NULL);
    free(signal_stack);
}

static void change(void *ctx, void *from, void *to)
{
    (void)ctx;
    if (from) {
        struct part *p = part_of(from);
        p->error = errno;
        if (exception)
            memcpy(p->exception, exception, sizeof p->exception);
    }
    if (to) {
        const struct part *p = part_of(to);
        errno = p->error;
        if (exception)
            memcpy(exception, p->exception, sizeof p->exception);
    }
    if (BASE_UNLIKELY(crashed))
        set_signal_stack();
}

static void ahead(void *ctx, void *owner)
{
    (void)ctx;
    if (owner) {
        before = fold_current;
        fold_current = NULL;
    } else {
        fold_current = before;
    }
    fold_ahead = owner;
}

void fold_jobs_crashed(void)
{
    crashed = true;
}

/* --- who may, and the turn ------------------------------------------------------------------------- */

bool fold_jobs_may_go(const struct fold_rank *r)
{
    return r->threads == 1 && !r->crew && !r->ended && !r->job->jobs->ended;
}

void fold_jobs_end(struct fold_job *job)
{
    if (!job->jobs || job->jobs->ended)
        return;
    job->jobs->ended = true;
    for (uint32_t i = 0; i < job->config.ranks; i++)
        engine_actor_await(job->engine, job->rank[i].actor);
}

void fold_owe(struct fold_rank *r, void (*fn)(void *arg), void *arg)
{
    struct part *p = part_of(r);
    p->owed = fn;
    p->arg = arg;
}

struct fold_rank *fold_who_is_ahead(void)
{
    return fold_ahead;
}

static void pay(struct fold_rank *r)
{
    struct part *p = part_of(r);
    void (*fn)(void *arg) = p->owed;
    p->owed = NULL;
    if (fn)
        fn(p->arg);
}

/* What was measured until now is the rank's; what it waits for the turn is not. */
void fold_gate_enter(void)
{
    struct fold_rank *r = fold_ahead;
    double computed = r->measured_from > 0 ? fold_compute_seconds() - r->measured_from : 0;
    int error = errno;
    engine_take_turn(r->engine);
    pay(r);
    if (r->measured_from > 0)
        r->measured_from = fold_compute_seconds() - computed;
    errno = error;
}

/* --- life ------------------------------------------------------------------------------------------ */

void fold_jobs_create(struct fold_job *job)
{
    if (!job->images.gated)
        return;
    job->jobs = base_zalloc(sizeof *job->jobs, "jobs");
    job->jobs->part = base_zalloc(job->config.ranks * sizeof *job->jobs->part, "jobs");
}

const char *fold_jobs_refusal(const struct fold_job *job)
{
    if (!job->config.jobs || job->jobs)
        return NULL;
    return job->trace->on ? "calls are traced" : job->images.alone;
}

void fold_jobs_begin(struct fold_job *job)
{
    static const struct engine_jobs_hooks hooks = {begin, end, change, ahead};
    if (!job->jobs)
        return;
    if (thread_system_openmp()) /* a system library brought it */
        base_info("--jobs: the ranks run one at a time: a library uses OpenMP");
    if (thread_system_openmp() || !engine_jobs_open(job->engine, job->config.jobs, &hooks, job)) {
        fold_jobs_destroy(job);
        return;
    }
    libc_jobs_begin();
    fold_jobs_on = true;
}

/* In turn, as ranks whose turns follow each other, mostly neighbours, are to run ahead at the same time. */
void fold_jobs_assign(struct fold_rank *r)
{
    const struct fold_config *c = &r->job->config;
    engine_actor_assign(r->engine, r->actor, r->id % c->jobs);
}

void fold_jobs_destroy(struct fold_job *job)
{
    fold_jobs_on = false;
    if (!job->jobs)
        return;
    free(job->jobs->part);
    free(job->jobs);
    job->jobs = NULL;
}
