/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock: a common start, and sleeping. A sleep ends at a time and not after one, and what it is late is taken from the
 * next one, so that errors do not add up. Where all ranks have one clock (one machine, namespaces, a simulation) they
 * start at the same time; else when each leaves a barrier.
 */
#include <math.h>
#include <sys/resource.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "play/play.h"

double play_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double play_processor_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec * 1e-6 + (double)u.ru_stime.tv_sec +
           (double)u.ru_stime.tv_usec * 1e-6;
}

static void sleep_until(double then)
{
    double seconds = floor(then);
    struct timespec t = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((then - seconds) * 1e9 + 0.5)};
    if (t.tv_nsec > 999999999)
        t = (struct timespec){.tv_sec = t.tv_sec + 1};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
        ;
}

void play_compute(struct play *p, double seconds)
{
    struct play_clock *c = &p->clock;
    double now = play_now(), wanted = seconds - c->behind;
    c->computed += seconds;
    if (wanted <= 0) {
        c->behind -= seconds;
        return;
    }
    sleep_until(now + wanted);
    c->behind = play_now() - (now + wanted);
    if (c->behind > c->latest)
        c->latest = c->behind;
}

/* Whether what rank 0's clock said when it began to send is not in the future here, nor long ago. */
static bool clock_is_shared(void)
{
    double zero = play_now();
    MPI_Bcast(&zero, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double passed = play_now() - zero;
    int here = passed >= 0 && passed < 10, all;
    MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

void play_start(struct play *p)
{
#ifdef PR_SET_TIMERSLACK
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* else Linux may end a sleep 50 us late */
#endif
    double begin = play_now(), start;
    p->clock.shared = clock_is_shared();
    start = play_now();
    start += 0.05 + 10 * (start - begin); /* by then rank 0's message is everywhere */
    MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    p->clock.processor = play_processor_seconds();
    if (!p->clock.shared) {
        p->clock.start = play_now();
        return;
    }
    sleep_until(start);
    p->clock.start = start;
    p->clock.behind = play_now() - start;
}
