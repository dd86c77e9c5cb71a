/* SPDX-License-Identifier: BSD-3-Clause */
/* threaded: who is told what threads of ranks do to one another. */
#include "rank/threaded.h"

#include <math.h>

static rank_threaded_fn told;
static void *told_arg;

void rank_on_threaded(rank_threaded_fn fn, void *arg)
{
    told = fn;
    told_arg = arg;
}

void rank_threaded(struct rank *r, const struct rank_threaded *t)
{
    if (BASE_UNLIKELY(told != NULL))
        told(told_arg, r, t);
}

struct rank_waker rank_thread_wakes(const struct rank *r, uint32_t thread)
{
    struct rank *by = rank_current;
    if (BASE_LIKELY(!told) || !by || !engine_current(by->engine))
        return (struct rank_waker){0};
    bool early = by->ahead_until > engine_now(by->engine);
    rank_threaded(by, &(struct rank_threaded){
                          .what = RANK_THREAD_WOKE, .rank = r->id, .thread = thread, .early = early});
    return (struct rank_waker){by->id, rank_thread_number(by) + 1};
}

void rank_thread_waited(struct rank *r, struct rank_waker by, enum rank_waking how)
{
    if (BASE_UNLIKELY(by.thread != 0))
        rank_threaded(r, &(struct rank_threaded){
                             .what = RANK_THREAD_WAITED, .how = how, .rank = by.rank, .thread = by.thread});
}

/* Seconds that, added to `begin`, are the present time to the last bit. */
static double since(double begin, double now)
{
    double seconds = now - begin;
    while (begin + seconds < now)
        seconds = nextafter(seconds, INFINITY);
    while (begin + seconds > now)
        seconds = nextafter(seconds, 0);
    return seconds;
}

void rank_thread_timed_out(struct rank *r, double begin)
{
    if (BASE_UNLIKELY(told != NULL))
        rank_threaded(r, &(struct rank_threaded){.what = RANK_THREAD_TIMED_OUT,
                                                 .seconds = since(begin, engine_now(r->engine))});
}

void rank_waited_outside(struct rank *r, double begin, bool last)
{
    if (BASE_LIKELY(!told))
        return;
    double seconds = since(begin, engine_now(r->engine));
    if (seconds > 0)
        rank_slept(r, seconds);
    if (last)
        rank_threaded(r, &(struct rank_threaded){.what = RANK_THREAD_LAST});
}
