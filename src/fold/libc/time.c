/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * time: clocks show simulated time, and sleeping lets it pass. Reading a clock takes a little of it, so that
 * a loop that waits for a certain time ends. The calendar starts at a fixed date, so that runs do not depend
 * on when they are made. All clocks of a rank show simulated time, even its processor time.
 */
#include "fold/libc/libc.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <sys/time.h>
#include <unistd.h>

#include "clocks/clocks.h"

enum { EPOCH = 1735689600 }; /* 2025-01-01 00:00:00 UTC */

/* Meanwhile the rank is outside of its communication library. */
static void sleep_away(struct rank *r, const char *what, double seconds)
{
    if (BASE_UNLIKELY(r->serves))
        rank_away_begin(r);
    rank_await_until(r, what, engine_now(r->engine) + seconds, 0);
    if (BASE_UNLIKELY(r->serves))
        rank_away_end(r);
}

/* The same at the end of a call, when nothing else needs the rank's turn. Returns when the sleep is over. */
static double pass(struct rank *r, const char *what, double seconds)
{
    rank_slept(r, seconds);
    if (r->serves || !rank_may_go(r)) {
        sleep_away(r, what, seconds);
        return engine_now(r->engine);
    }
    double until = engine_now(r->engine) + seconds;
    engine_sleep_ahead(r->engine, until);
    return until;
}

/* Reads a clock: simulated seconds after the time that this takes. */
static double look(struct rank *r)
{
    libc_enter(r);
    double now = pass(r, "a look at the clock", libc_process.poll_cost);
    libc_leave(r);
    return now;
}

/* The same as the clock of the rank's host shows it. Processor time is not read from that. */
static double shown(struct rank *r)
{
    return clocks_shown(r, look(r));
}

static bool is_processor_time(clockid_t clock)
{
    return clock < 0 || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

/* A sleep of zero still takes a call's time. */
void libc_sleep(struct rank *r, double seconds)
{
    libc_enter(r);
    (void)pass(r, "sleep", fmax(seconds, libc_process.poll_cost));
    libc_leave(r);
}

static struct timespec split(double seconds, time_t epoch)
{
    double whole = floor(seconds);
    struct timespec t = {.tv_sec = epoch + (time_t)whole, .tv_nsec = (long)((seconds - whole) * 1e9 + 0.5)};
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

static double joined(const struct timespec *t)
{
    return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
}

static time_t epoch_of(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ? EPOCH : 0;
}

double libc_until(clockid_t clock, const struct timespec *t)
{
    if (t->tv_nsec < 0 || t->tv_nsec >= 1000000000)
        return NAN;
    struct timespec since = {t->tv_sec - epoch_of(clock), t->tv_nsec};
    return rank_current && !is_processor_time(clock) ? clocks_time(rank_current, joined(&since))
                                                     : joined(&since);
}

/* --- looking ------------------------------------------------------------------------------------ */

time_t in_rank_time(time_t *out)
{
    time_t t = rank_current ? split(shown(rank_current), EPOCH).tv_sec : time(NULL);
    if (out)
        *out = t;
    return t;
}

int in_rank_gettimeofday(struct timeval *out, void *zone)
{
    if (!rank_current)
        return gettimeofday(out, zone);
    struct timespec t = split(shown(rank_current), EPOCH);
    if (out)
        *out = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
    if (zone)
        *(struct timezone *)zone = (struct timezone){0, 0};
    return 0;
}

int in_rank_clock_gettime(clockid_t clock, struct timespec *out)
{
    if (!rank_current)
        return clock_gettime(clock, out);
    if (clock_getres(clock, NULL))
        return -1; /* no such clock */
    *out = split(is_processor_time(clock) ? look(rank_current) : shown(rank_current), epoch_of(clock));
    return 0;
}

int in_rank_clock_getres(clockid_t clock, struct timespec *out)
{
    int failed = clock_getres(clock, NULL);
    if (!rank_current || failed)
        return clock_getres(clock, out);
    if (out)
        *out = (struct timespec){0, 1};
    return 0;
}

int in_rank_timespec_get(struct timespec *out, int base)
{
    if (!rank_current || base != TIME_UTC)
        return timespec_get(out, base);
    *out = split(shown(rank_current), EPOCH);
    return base;
}

clock_t in_rank_clock(void)
{
    return rank_current ? (clock_t)(look(rank_current) * CLOCKS_PER_SEC) : clock();
}

clock_t in_rank_times(struct tms *out)
{
    if (!rank_current)
        return times(out);
    clock_t ticks = (clock_t)(look(rank_current) * (double)sysconf(_SC_CLK_TCK));
    if (out)
        *out = (struct tms){.tms_utime = ticks};
    return ticks;
}

int in_rank_getrusage(__rusage_who_t who, struct rusage *out)
{
    int failed = getrusage(who, out);
    if (!rank_current || failed || who == RUSAGE_CHILDREN)
        return failed;
    struct timespec t = split(look(rank_current), 0);
    out->ru_utime = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
    out->ru_stime = (struct timeval){0, 0};
    return 0;
}

static int64_t nanoseconds(clockid_t clock)
{
    struct timespec t = {0};
    in_rank_clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t in_rank_system_clock_now(void)
{
    return nanoseconds(CLOCK_REALTIME);
}

int64_t in_rank_steady_clock_now(void)
{
    return nanoseconds(CLOCK_MONOTONIC);
}

double in_rank_omp_get_wtime(void)
{
    struct timespec t = {0};
    in_rank_clock_gettime(CLOCK_MONOTONIC, &t);
    return joined(&t);
}

double in_rank_omp_get_wtick(void)
{
    return 1e-9;
}

/* --- sleeping ----------------------------------------------------------------------------------- */

static bool valid(const struct timespec *t)
{
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < 1000000000;
}

int in_rank_clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *rest)
{
    struct rank *r = rank_current;
    if (!r)
        return clock_nanosleep(clock, flags, wanted, rest);
    if (!valid(wanted))
        return EINVAL;
    double seconds = joined(wanted);
    if (flags & TIMER_ABSTIME) {
        libc_enter(r); /* computation up to now counts towards it */
        seconds = libc_until(clock, wanted) - engine_now(r->engine);
        libc_leave(r);
    }
    libc_sleep(r, seconds);
    if (rest && !(flags & TIMER_ABSTIME))
        *rest = (struct timespec){0, 0};
    return 0;
}

int in_rank_nanosleep(const struct timespec *wanted, struct timespec *rest)
{
    if (!rank_current)
        return nanosleep(wanted, rest);
    int error = in_rank_clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, rest);
    if (error)
        errno = error;
    return error ? -1 : 0;
}

int in_rank_usleep(useconds_t us)
{
    if (!rank_current)
        return usleep(us);
    libc_sleep(rank_current, us * 1e-6);
    return 0;
}

unsigned in_rank_sleep(unsigned seconds)
{
    if (!rank_current)
        return sleep(seconds);
    libc_sleep(rank_current, seconds);
    return 0;
}

int in_rank_sched_yield(void)
{
    if (!rank_current)
        return sched_yield();
    libc_sleep(rank_current, 0);
    return 0;
}
