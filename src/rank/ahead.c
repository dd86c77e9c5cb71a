/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ahead: ranks that run ahead of their turns on several threads (decision 0010). Decides who may, exchanges
 * what ranks of one thread must not share, and lets a rank take its turn. The engine owns the threads and the
 * turns. The provider stops code that is ahead when it reaches one of its calls.
 *
 * Invariants
 *  N11  rank_ahead is the rank whose code runs ahead on the thread; rank_current is NULL there meanwhile, so
 *       calls into the simulator find no rank and take the turn (rank_none).
 *  N12  errno on a thread belongs to the rank whose code ran there last, as does what the provider exchanges.
 */
#include "rank/internal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

enum { SIGNAL_STACK = 1 << 16 };

/* What is kept for a rank while its code is off its thread, and what its call left to be done. */
struct part {
    int error;
    void (*owed)(void *arg);
    void *arg;
};

struct rank_aheads {
    const struct rank_ahead_hooks *hooks;
    bool ended; /* ranks reach into each other's memory */
    struct part *part;
};

static RANK_THREAD struct rank *before; /* rank_current, while a rank runs ahead */
static RANK_THREAD void *signal_stack;
static RANK_THREAD bool crashed;
static RANK_THREAD sigset_t mask; /* of the thread, if crashed */

static struct part *part_of(const struct rank *r)
{
    return &r->job->aheads->part[r->id];
}

/* --- the threads --------------------------------------------------------------------------------- */

/* The alternate stack of a thread whose rank has crashed stays, since the handler runs on it. Until the
 * thread has another it takes no signal: the kernel would put the next one over the handler's frames. */
static void set_signal_stack(void)
{
    signal_stack = base_alloc(SIGNAL_STACK, "a stack for signals");
    stack_t ss = {.ss_sp = signal_stack, .ss_size = SIGNAL_STACK};
    sigaltstack(&ss, NULL);
    if (crashed)
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
    crashed = false;
}

static void begin(void *ctx)
{
    const struct rank_job *job = ctx;
    set_signal_stack();
    job->aheads->hooks->thread_begin();
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
    const struct rank_job *job = ctx;
    int error = errno;
    job->aheads->hooks->change(from, to);
    if (from)
        part_of(from)->error = error;
    errno = to ? part_of(to)->error : error;
    if (BASE_UNLIKELY(crashed))
        set_signal_stack();
}

static void ahead(void *ctx, void *owner)
{
    (void)ctx;
    if (owner) {
        before = rank_current;
        rank_current = NULL;
    } else {
        rank_current = before;
    }
    rank_ahead = owner;
}

void rank_ahead_crashed(void)
{
    sigset_t every;
    sigfillset(&every);
    if (!crashed)
        pthread_sigmask(SIG_BLOCK, &every, &mask);
    crashed = true;
}

/* --- who may, and the turn ------------------------------------------------------------------------- */

bool rank_ahead_may_go(const struct rank *r)
{
    return r->threads == 1 && !r->stays && !r->ended && !r->job->aheads->ended;
}

void rank_ahead_end(struct rank_job *job)
{
    if (!job->aheads || job->aheads->ended)
        return;
    job->aheads->ended = true;
    for (uint32_t i = 0; i < job->public.ranks; i++)
        engine_actor_await(job->public.engine, rank_at(job, i)->actor);
}

void rank_owe(struct rank *r, void (*fn)(void *arg), void *arg)
{
    struct part *p = part_of(r);
    p->owed = fn;
    p->arg = arg;
}

static void pay(struct rank *r)
{
    struct part *p = part_of(r);
    void (*fn)(void *arg) = p->owed;
    p->owed = NULL;
    if (fn)
        fn(p->arg);
}

/* The rank is charged what was measured until now, but not its wait for the turn. */
void rank_ahead_enter(void)
{
    struct rank *r = rank_ahead;
    double computed = r->measured_from > 0 ? rank_compute_seconds() - r->measured_from : 0;
    int error = errno;
    engine_take_turn(r->engine);
    pay(r);
    if (r->measured_from > 0)
        r->measured_from = rank_compute_seconds() - computed;
    errno = error;
}

/* --- life ------------------------------------------------------------------------------------------ */

const char *rank_ahead_refusal(const struct rank_job *job)
{
    const struct rank_ahead_hooks *hooks = job->providers == 1 ? job->provider[0]->ahead : NULL;
    if (!job->config.ahead)
        return NULL;
    if (job->public.trace->on)
        return "calls are traced";
    if (rank_checker)
        return "the order of their accesses is checked";
    if (job->config.later)
        return "the program may start other processes";
    return hooks ? hooks->refusal(job) : "not all of them are programs, or they are of several kinds";
}

/* Decided early, because the ranks' stacks and memory depend on it; the threads are made last. */
void rank_ahead_prepare(struct rank_job *job)
{
    if (!job->config.ahead || rank_ahead_refusal(job))
        return;
    job->aheads = base_zalloc(sizeof *job->aheads, "running ahead");
    job->aheads->hooks = job->provider[0]->ahead;
    job->aheads->part = base_zalloc(job->public.room * sizeof *job->aheads->part, "running ahead");
}

void rank_ahead_begin(struct rank_job *job)
{
    static const struct engine_ahead_hooks hooks = {begin, end, change, ahead};
    if (!job->aheads)
        return;
    if (job->aheads->hooks->begin(job) &&
        engine_ahead_open(job->public.engine, job->config.ahead, &hooks, job))
        rank_ahead_on = true;
    else
        rank_ahead_destroy(job);
}

/* Round robin: neighbours mostly have turns that follow each other, and should run ahead at the same time. */
void rank_ahead_assign(struct rank *r)
{
    engine_actor_assign(r->engine, r->actor, r->id % r->job->config.ahead);
}

void rank_ahead_destroy(struct rank_job *job)
{
    rank_ahead_on = false;
    if (!job->aheads)
        return;
    free(job->aheads->part);
    free(job->aheads);
    job->aheads = NULL;
}
