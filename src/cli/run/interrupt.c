/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interrupt: SIGINT, SIGTERM and SIGHUP end a run with one line and what the ranks have written so far.
 *
 * The handler only notes the signal; the engine's next tick, where the simulator's state is whole, ends the
 * process. A rank that computes for long reaches no tick, so an alarm does the same a little later, wherever
 * the rank is; if that hangs (the rank was inside malloc), a second alarm ends the process at once, after a
 * time in which traces can be closed.
 */
#include "cli/run/run.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_US = 300000, PATIENCE_TO_CLOSE_S = 3 };

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[BASE_LENGTH(caught)];
static struct engine *engine;
static volatile sig_atomic_t pending; /* the signal, or 0 */
static volatile sig_atomic_t alarms;
static timer_t timer; /* of -timeout */
static bool timed;

static _Noreturn void end_now(void)
{
    char when[32];
    int sig = pending;
    run_progress_end();
    base_info("ended by SIG%s at %s of simulated time", sigabbrev_np(sig),
              base_show_time(when, engine_now(engine)));
    base_exit(128 + sig);
}

static void on_alarm(int sig)
{
    (void)sig;
    if (alarms++)
        _exit(128 + pending);
    end_now();
}

static void on_signal(int sig)
{
    if (pending)
        return;
    pending = sig;
    engine_tick_soon(engine);
    struct sigaction sa = {.sa_handler = on_alarm, .sa_flags = SA_ONSTACK | SA_NODEFER};
    struct itimerval soon = {.it_value.tv_usec = PATIENCE_US, .it_interval.tv_sec = PATIENCE_TO_CLOSE_S};
    sigaction(SIGALRM, &sa, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
}

/* -timeout: the signal comes from the clock. */
static void end_after(uint32_t seconds)
{
    struct sigevent end = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM};
    struct itimerspec when = {.it_value.tv_sec = seconds};
    timed = seconds && timer_create(CLOCK_MONOTONIC, &end, &timer) == 0 &&
            timer_settime(timer, 0, &when, NULL) == 0;
}

void run_interrupt_begin(const struct run *r)
{
    struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_RESTART};
    engine = r->engine;
    for (size_t k = 0; k < BASE_LENGTH(caught); k++) {
        sigaction(caught[k], NULL, &before[k]);
        if (before[k].sa_handler != SIG_IGN) /* nohup, and shells' background jobs */
            sigaction(caught[k], &sa, NULL);
    }
    end_after(r->options.timeout);
}

/* Nothing can hang here, and traces may take longer to close than the alarm allows. */
static _Noreturn void end_in_peace(void)
{
    const struct itimerval none = {.it_value.tv_usec = 0};
    setitimer(ITIMER_REAL, &none, NULL);
    end_now();
}

void run_interrupt_tick(void)
{
    if (BASE_UNLIKELY(pending))
        end_in_peace();
}

bool run_interrupted(void)
{
    return pending != 0;
}

void run_interrupt_end(void)
{
    if (timed)
        timer_delete(timer);
    timed = false;
    run_interrupt_tick();
    for (size_t k = 0; k < BASE_LENGTH(caught); k++)
        sigaction(caught[k], &before[k], NULL);
}
