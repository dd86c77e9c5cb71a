/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slice: a timer on the thread's CPU time looks every few milliseconds at who runs. A rank that stays in its
 * own code, while nothing happens in the simulation, is followed for some steps (step.c), more of them the
 * longer it goes on: a short loop that polls is found at the first look, and a rank that computes for long is
 * disturbed for a small part of its time. One that was seen to poll gets a second signal, whose handler runs
 * on the rank's own stack and waits there.
 */
#include "fold/poll/waiter.h"

#include "base/sanitizer.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fold/libc/libc.h"

enum { SETTLES_AT = 3 };          /* ticks after which an unproven loop will do */
enum { HANDLER_ROOM = 24 << 10 }; /* bytes of stack for what the second handler calls */
enum { MOST_THREADS = 1024 };

RANK_THREAD struct poll_here *poll_here;
struct poll_job poll_job;
static struct poll_here *all[MOST_THREADS];
static _Atomic unsigned n_all;

/* --- who runs ----------------------------------------------------------------------------------- */

struct rank *poll_rank(void)
{
    return libc_self();
}

struct engine_actor *poll_actor(const struct rank *r)
{
    return rank_ahead ? r->actor : engine_current(r->engine);
}

bool poll_own_code(const struct rank *r, uintptr_t pc)
{
    struct module_view v = modules_view(r);
    for (size_t k = 0; k < v.n; k++)
        if (v.at[k].handle && pc - v.at[k].base < v.objects->list.at[k]->elf.image_size)
            return true;
    return false;
}

uintptr_t poll_stack_pointer(const ucontext_t *u)
{
#if defined(__x86_64__)
    return (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)u->uc_mcontext.sp;
#endif
}

bool poll_stack_room(const struct rank *r, uintptr_t sp, uintptr_t *low, uintptr_t *high)
{
    void *at;
    size_t size;
    struct engine_actor *a = poll_actor(r);
    if (!a || !engine_actor_stack(r->engine, a, &at, &size))
        return false;
    *low = (uintptr_t)at;
    *high = *low + size;
    return sp < *high && sp > *low && sp - *low > getauxval(AT_MINSIGSTKSZ) + HANDLER_ROOM;
}

/* --- a tick ------------------------------------------------------------------------------------- */

/* Whether to follow the rank at this age, in ticks: less often if that led to nothing the last times. */
static bool due(unsigned age, unsigned missed)
{
    unsigned first = missed < 4 ? 1 : missed < 8 ? 2 : missed < 16 ? 4 : 8;
    return age == SETTLES_AT ? first < SETTLES_AT : age >= first && (age & (age - 1)) == 0;
}

/* For how long. */
static double time_for(unsigned age)
{
    static const double least = 0.5e-3, share = 0.06;
    double part = share * age * poll_job.slice;
    return part > least ? part : least;
}

/* Nothing has happened since the last tick, as far as can be seen from outside. While ranks run ahead,
 * another thread may have the engine: its counts are neither read nor compared then. */
static bool unchanged(struct poll_here *h, const struct rank *r)
{
    uint64_t events = rank_ahead_on ? 0 : engine_event_count(r->engine);
    uint64_t switches = rank_ahead_on ? 0 : engine_switch_count(r->engine);
    const struct engine_actor *actor = poll_actor(r);
    bool same = r == h->rank && actor == h->actor && events == h->events && switches == h->switches;
    h->rank = r;
    h->actor = actor;
    h->events = events;
    h->switches = switches;
    return same;
}

static void look(struct poll_here *h, const struct rank *r, ucontext_t *u)
{
    uintptr_t low, high;
    bool own = poll_own_code(r, rank_program_counter(u));
    if ((!own && h->age < SETTLES_AT) || rank_work_doing(r) ||
        !poll_stack_room(r, poll_stack_pointer(u), &low, &high))
        return;
    bool is_due = due(h->age, h->missed);
    if (own && (is_due || !poll_job.steps)) /* loading a library is safe only there */
        poll_job.steps =
            poll_steps_possible() && !poll_job.broken && !base_traced(); /* a debugger would get the traps */
    if (!poll_job.steps) {
        if (own && poll_sample(&h->samples, u))
            poll_ask_aside(&(struct poll_finding){POLL_UNPROVEN, rank_program_counter(u), .sampled = true});
    } else if (is_due) {
        poll_step_start(u, time_for(h->age), h->age >= SETTLES_AT);
    }
}

static void on_slice(int sig, siginfo_t *info, void *context)
{
    struct poll_here *h = poll_here;
    int error = errno;
    (void)sig, (void)info;
    const struct rank *r = h ? poll_rank() : NULL;
    if (!r || h->asked || getpid() != poll_job.process)
        return;
    if (h->stepping) {
        poll_job.broken |= h->turn.n + h->seeks == h->seen; /* no trap since the last tick */
        h->seen = h->turn.n + h->seeks;
        if (poll_job.broken)
            poll_step_stop(context);
    } else if (unchanged(h, r)) {
        h->age++;
        look(h, r, context);
    } else {
        h->age = 0;
        h->since = rank_compute_seconds();
        h->samples.n = h->samples.same = 0;
    }
    errno = error;
}

/* --- putting aside ------------------------------------------------------------------------------ */

/* The signal stays blocked until the handler returns, which may be one that the program has set, too. */
void poll_ask_aside(const struct poll_finding *f)
{
    sigset_t every;
    sigfillset(&every);
    pthread_sigmask(SIG_BLOCK, &every, NULL);
    poll_here->found = *f;
    poll_here->asked = true;
    syscall(SYS_tgkill, poll_job.process, syscall(SYS_gettid), poll_aside_signal());
}

/* Runs on the rank's stack. Other signals are not blocked, because other ranks will run, and need the signal
 * stack: one that disarms itself (view/) is brought back here. */
static void on_aside(int sig, siginfo_t *info, void *context)
{
    struct poll_here *h = poll_here;
    int error = errno;
    (void)sig, (void)info;
    if (!h || !h->asked)
        return;
    sigaltstack(&((ucontext_t *)context)->uc_stack, NULL);
    h->asked = false;
    h->age = 0;
    poll_aside(&h->found, &h->turn, rank_compute_seconds() - h->since);
    errno = error;
}

void poll_interrupted(void *context)
{
    if (poll_here && poll_here->stepping)
        poll_step_stop(context);
}

/* --- life --------------------------------------------------------------------------------------- */

static void handle(int sig, void (*fn)(int, siginfo_t *, void *), int flags, bool blocks)
{
    struct sigaction sa = {.sa_sigaction = fn, .sa_flags = SA_SIGINFO | SA_RESTART | flags};
    if (blocks)
        sigfillset(&sa.sa_mask);
    else
        sigemptyset(&sa.sa_mask);
    sigaction(sig, &sa, NULL);
}

void poll_thread_begin(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = poll_slice_signal()};
    struct itimerspec time = {{0}, {0}};
    sigset_t ours;
    if (poll_job.slice <= 0 || n_all == MOST_THREADS)
        return;
    struct poll_here *h = base_zalloc(sizeof *h, "polling ranks");
    poll_turn_create(&h->turn);
    time.it_interval.tv_sec = (time_t)poll_job.slice;
    time.it_interval.tv_nsec = 1 + (long)(1e9 * (poll_job.slice - (double)time.it_interval.tv_sec));
    time.it_value = time.it_interval;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &h->timer)) {
        poll_turn_destroy(&h->turn);
        free(h);
        return; /* loops that poll are not found */
    }
    poll_here = h;
    all[n_all++] = h;
    sigemptyset(&ours);
    sigaddset(&ours, poll_slice_signal());
    sigaddset(&ours, poll_aside_signal());
    pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
    timer_settime(h->timer, 0, &time, NULL);
}

void poll_begin(struct fold_job *job)
{
    double patience = base_settings_number(job->settings, "fold/stall-after");
    poll_job = (struct poll_job){.job = job,
                                 .slice = base_settings_number(job->settings, "fold/poll-slice"),
                                 .patience = patience > 0 ? patience : 10,
                                 .process = getpid()};
    poll_waiters_begin();
    if (poll_job.slice <= 0 || base_traced() || base_sanitizer.valgrind) /* single steps are the tracer's */
        return;
    poll_steps_begin();
    handle(poll_slice_signal(), on_slice, SA_ONSTACK, true);
    handle(poll_aside_signal(), on_aside, (int)SA_NODEFER, false);
    engine_on_idle(job->engine, poll_idle, NULL);
    if (rank_job_config(job->job)->ahead)
        (void)poll_steps_possible(); /* before there are several threads */
    poll_thread_begin();             /* this one runs the second threads of ranks in any case */
}

void poll_end(struct fold_job *job)
{
    for (unsigned k = 0; k < n_all; k++)
        timer_delete(all[k]->timer);
    if (engine_ahead_lost(job->engine))
        return; /* a thread still runs code of the program */
    for (unsigned k = 0; k < n_all; k++) {
        poll_turn_destroy(&all[k]->turn);
        free(all[k]);
    }
    n_all = 0;
    poll_here = NULL;
    if (poll_job.slice > 0) {
        engine_on_idle_end(job->engine, poll_idle, NULL);
        signal(poll_slice_signal(), SIG_IGN); /* one may be on its way */
        signal(poll_aside_signal(), SIG_IGN);
        poll_breaks_end();
        poll_steps_end();
    }
    poll_waiters_end();
}

void poll_register(void)
{
    rank_on_changed(poll_on_changed);
    rank_on_stored(poll_on_stored);
    engine_waits_placed(poll_describe);
}
