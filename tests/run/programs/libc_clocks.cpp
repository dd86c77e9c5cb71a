// SPDX-License-Identifier: BSD-3-Clause
// Every clock is the simulated one, whoever asks: libc's functions, C++'s library; looking at it lets it
// move, so that waiting for a time to come ends.
// run: -np 2
// stdout: passed on 2 PEs
#include "shmem_check.h"
#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/times.h>
#include <thread>
#include <unistd.h>

static double now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

template <class F> static bool takes(double seconds, F f)
{
    double start = now();
    f();
    double took = now() - start;
    if (std::fabs(took - seconds) < 5e-6)
        return true;
    fprintf(stderr, "took %.9f s, not %.9f\n", took, seconds);
    return false;
}

static void sleeps()
{
    timeval half = {0, 500000};
    CHECK(takes(0.5, [&] { select(0, nullptr, nullptr, nullptr, &half); }));
    CHECK(takes(0.25, [] { poll(nullptr, 0, 250); }));
    CHECK(takes(3, [] { std::this_thread::sleep_for(std::chrono::seconds(3)); }));
    CHECK(takes(2, [] {
        std::this_thread::sleep_until(std::chrono::steady_clock::now() + std::chrono::seconds(2));
    }));
    CHECK(takes(2, [] {
        std::this_thread::sleep_until(std::chrono::system_clock::now() + std::chrono::seconds(2));
    }));
    CHECK(takes(0, [] { usleep(0); }));
    CHECK(takes(1, [] { // until a time has come
        for (double start = now(); now() < start + 1;)
            usleep(1000 * 10);
    }));
    CHECK(takes(1e-5, [] {
        auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(10);
        while (std::chrono::steady_clock::now() < end)
            sched_yield();
    }));
    timespec bad = {0, 1000000000};
    errno = 0;
    CHECK(nanosleep(&bad, nullptr) == -1 && errno == EINVAL);
    CHECK(clock_gettime(12345, &bad) == -1 && errno == EINVAL);
}

static void clocks()
{
    rusage use;
    timespec t;
    tms ticks;
    sleep(100);
    double mono = now();
    getrusage(RUSAGE_SELF, &use);
    CHECK(std::fabs(use.ru_utime.tv_sec + 1e-6 * use.ru_utime.tv_usec - mono) < 1e-5);
    CHECK(std::fabs((double)clock() / CLOCKS_PER_SEC - mono) < 1e-5);
    times(&ticks);
    CHECK(std::fabs((double)ticks.tms_utime / sysconf(_SC_CLK_TCK) - mono) < 0.02);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    CHECK(std::fabs(t.tv_sec + 1e-9 * t.tv_nsec - mono) < 1e-5);
    CHECK(timespec_get(&t, TIME_UTC) == TIME_UTC && t.tv_sec - 1735689600 == (time_t)mono);
    CHECK(clock_getres(CLOCK_REALTIME, &t) == 0 && t.tv_sec == 0 && t.tv_nsec == 1);
    auto since = std::chrono::steady_clock::now().time_since_epoch();
    CHECK(std::fabs(std::chrono::duration<double>(since).count() - mono) < 1e-5);
    time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    CHECK(seconds == time(nullptr));
}

static void calendar(int me)
{
    time_t mine = 86400 * (me + 1);
    tm *utc = gmtime(&mine);
    shmem_barrier_all();
    CHECK(utc->tm_mday == me + 2); // not overwritten by another rank
    char *text = asctime(utc);
    shmem_barrier_all();
    CHECK(text[9] == '2' + me);
    CHECK(localtime(&mine)->tm_year == 70 && ctime(&mine)[20] == '1');
    time_t start = time(nullptr);
    CHECK(gmtime(&start)->tm_year == 125); // the calendar begins in 2025, whenever the run is made
}

int main()
{
    shmem_init();
    int me = shmem_my_pe();
    sleeps();
    clocks();
    calendar(me);
    return finish();
}
