/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait: receiving with micro-sleeps, and the classes of a process's time.
 *
 * A process that waits polls for a while, then sleeps between two looks: at first for `sleep-min`, each time
 * `sleep-growth` times as long, at most `sleep-max` (the paper's section 3.1; L. Cudennec, CCPE 2020, e5960).
 * On a simulated host nothing is polled: the process waits for the message, and sleeps on until the end of
 * the sleep into which the arrival falls.
 */
#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include "sdsm/internal.h"

/* Linux makes each sleep up to 50 us longer unless it is told that this matters. */
void sat_sleep_exactly(void)
{
    if (!sdsm->simulated && sdsm->options.sleep)
        prctl(PR_SET_TIMERSLACK, 1000ul, 0, 0, 0);
}

void sat_time_start(void)
{
    sdsm->started = sdsm->class_since = MPI_Wtime();
    sdsm->class = SAT_SDSM;
}

static enum sat_class enter_at(enum sat_class class, double now)
{
    enum sat_class before = sdsm->class;
    sdsm->time[before] += now - sdsm->class_since;
    sdsm->class_since = now;
    sdsm->class = class;
    return before;
}

enum sat_class sat_enter(enum sat_class class)
{
    if (!sdsm->timed || class == sdsm->class)
        return sdsm->class;
    return enter_at(class, MPI_Wtime());
}

static void sleep_for(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
        ;
}

#define SHORTEST 1e-12 /* a sleep of less is none */

/* How long it still takes until a process that has been waiting for `waited` seconds wakes up. */
static double rest_of_sleep(const struct sat_options *o, double waited)
{
    double end = o->poll, length = o->sleep_min;
    if (length < SHORTEST)
        return 0;
    for (; end < waited && length < o->sleep_max && o->sleep_growth > 1; length *= o->sleep_growth)
        end += length;
    if (end >= waited)
        return end - waited;
    if (length > o->sleep_max)
        length = o->sleep_max;
    end += (double)(long long)((waited - end) / length) * length; /* all are of this length from here on */
    return end < waited ? end + length - waited : 0;
}

static void wait_simulated(void *buffer, int size, MPI_Status *status)
{
    const struct sat_options *o = &sdsm->options;
    double from = o->sleep || sdsm->timed ? MPI_Wtime() : 0;
    enum sat_class before = sat_enter(SAT_SYNC);
    MPI_Recv(buffer, size, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, sdsm->comm, status);
    if (o->sleep) {
        double now = MPI_Wtime();
        if (now - from > o->poll) {
            if (sdsm->timed)
                enter_at(SAT_SLEEP, from + o->poll);
            double rest = rest_of_sleep(o, now - from);
            if (rest > 0)
                sleep_for(rest);
        }
    }
    sat_enter(before);
}

static void wait_polling(void *buffer, int size, MPI_Status *status)
{
    const struct sat_options *o = &sdsm->options;
    double from = MPI_Wtime(), length = o->sleep_min;
    enum sat_class before = sat_enter(SAT_SYNC);
    for (int there = 0;;) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, sdsm->comm, &there, status);
        if (there)
            break;
        double waited = MPI_Wtime() - from;
        if (o->timeout > 0 && waited > o->timeout) {
            sat_wait_timed_out();
            from = MPI_Wtime();
        }
        if (!o->sleep || waited < o->poll) {
            sched_yield();
            continue;
        }
        sat_enter(SAT_SLEEP);
        sleep_for(length);
        length = length * o->sleep_growth < o->sleep_max ? length * o->sleep_growth : o->sleep_max;
        sat_enter(SAT_SYNC);
    }
    MPI_Recv(buffer, size, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, sdsm->comm, status);
    sat_enter(before);
}

void sat_wait_message(void *buffer, int size, MPI_Status *status)
{
    if (sdsm->simulated)
        wait_simulated(buffer, size, status);
    else
        wait_polling(buffer, size, status);
}
