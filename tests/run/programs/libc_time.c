/* SPDX-License-Identifier: BSD-3-Clause */
/* Clocks show simulated time and sleeping advances it: by what was asked for, at no cost of real time. */
// run: -np 3
// stdout: PE 0 slept 7201.50025 s
// stdout: PE 1 slept 7202.50025 s
// stdout: PE 2 slept 7203.50025 s
#include <shmem.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double of_day(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    struct timespec half = {0, 500000000}, until;
    double start = monotonic(), day = of_day();
    time_t seconds = time(NULL);
    sleep(3600);
    usleep(250);
    nanosleep(&half, NULL);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 3600;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    sleep((unsigned)(1 + me));
    double slept = monotonic() - start, by_day = of_day() - day, by_second = difftime(time(NULL), seconds);
    if (by_day - slept > 1e-4 || slept - by_day > 1e-4 || by_second - slept > 1 || slept - by_second > 1)
        printf("PE %d: the clocks do not agree: %f %f %f\n", me, slept, by_day, by_second);
    printf("PE %d slept %.5f s\n", me, slept);
    shmem_finalize();
    return 0;
}
