/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stall: warns of a rank that loops until a plain variable changes. It never ends, because the ranks that
 * would change the variable run only when this one makes a call. A timer on the process's CPU clock checks a
 * few times whether one rank has run all along, without an event, while others wait, be it for an event or
 * for their turn, which some may never have had. If so, one warning says where it is.
 *
 * The handler composes the warning only when it has interrupted the program's own code, where no lock of libc
 * is held. It runs on the alternate signal stack.
 */
#include "rank/internal.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

enum { LOOKS = 4 };
static const double longest_period = 1; /* seconds */

static struct {
    struct rank_job *job; /* NULL: no timer */
    timer_t timer;
    double after;
    /* the state at the last check */
    const struct rank *rank;
    uint64_t events, switches;
    double since; /* CPU seconds when it was first so */
    bool told;
} stall;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether nothing has changed since the last check. */
static bool unchanged(const struct rank *r, const struct engine *e)
{
    uint64_t events = engine_event_count(e), switches = engine_switch_count(e);
    bool same = r && r == stall.rank && events == stall.events && switches == stall.switches;
    stall.rank = r;
    stall.events = events;
    stall.switches = switches;
    return same && (engine_ready_count(e) || engine_waiting_count(e));
}

static void tell(const struct rank *r, struct rank_code at, double seconds)
{
    char where[RANK_WHERE_SIZE], place[RANK_WHERE_SIZE];
    at.offset++; /* names are looked up for return addresses */
    stall.told = true;
    base_warn(
        "stall",
        "%s has computed for %.1f s without a call, in %s, while all others wait; if it waits there for a "
        "plain variable to change, it never ends",
        rank_where(where, r), seconds, rank_code_name(r, at, place, sizeof place));
}

static void on_timer(int sig, siginfo_t *info, void *context)
{
    const struct rank *r = rank_current;
    int kept = errno;
    (void)sig, (void)info;
    double now = cpu_seconds();
    if (!stall.job || stall.told)
        return;
    if (!unchanged(r, stall.job->public.engine)) {
        stall.since = now;
    } else if (now - stall.since >= stall.after) {
        struct rank_code at = rank_code_of(r, (const void *)rank_program_counter(context));
        if (at.object)
            tell(r, at, now - stall.since);
    }
    errno = kept;
}

static int signal_used(void)
{
    return SIGRTMAX - 3;
}

void rank_stall_begin(struct rank_job *job)
{
    double after = base_settings_number(job->public.settings, "fold/stall-after");
    if (after <= 0 || job->public.ranks < 2 || job->aheads) /* with `aheads`, signals go to the main thread */
        return;
    double period = after / LOOKS < longest_period ? after / LOOKS : longest_period;
    struct timespec each = {.tv_sec = (time_t)period,
                            .tv_nsec = 1 + (long)(1e9 * (period - (double)(time_t)period))};
    struct itimerspec time = {.it_value = each, .it_interval = each};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal_used()};
    struct sigaction sa = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigfillset(&sa.sa_mask);
    stall.after = after;
    stall.told = false;
    stall.rank = NULL;
    if (sigaction(signal_used(), &sa, NULL) || timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &stall.timer))
        return; /* no timer, no warning */
    stall.job = job;
    timer_settime(stall.timer, 0, &time, NULL);
}

void rank_stall_end(void)
{
    if (!stall.job)
        return;
    timer_delete(stall.timer);
    signal(signal_used(), SIG_IGN); /* one may be on its way */
    stall.job = NULL;
}
