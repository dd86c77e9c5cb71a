/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * aside: ranks that are put aside until memory that their loop loads has other bytes than it saw. It may
 * change by a delivery, by a store of another thread of the rank, which is seen at that thread's next
 * call, and, once ranks have pointers into each other's memory, by a store of any rank, seen likewise.
 * The rank goes on at that time plus the cost of a look. All this depends on the simulation alone, not on
 * when the loop was found. A loop that is not proven also goes on when nothing else can happen, for some
 * seconds.
 */
#include "fold/poll/waiter.h"

#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static struct {
    struct poll_waiter *first, *free;
    uint32_t everywhere; /* waiters that are */
    bool storing;        /* a thread has stored, as far as can be told, and calls */
    uint64_t events;     /* at the last time that nothing could happen, */
    double since;        /* and since when, in seconds of CPU time */
} waiters;

static struct poll_waiter **list_of(const struct rank *r)
{
    return &fold_part(r)->polls;
}

/* --- waiting ------------------------------------------------------------------------------------ */

/* `fresh`: the thread has no turn, so it must not touch the list of free ones. */
static struct poll_waiter *take(const struct poll_finding *f, const struct poll_turn *t, bool fresh)
{
    struct poll_waiter *w = fresh ? NULL : waiters.free;
    if (w)
        waiters.free = w->next;
    else
        w = base_zalloc(sizeof *w, "ranks that poll");
    w->found = *f;
    w->over = w->resumed = w->blocked = w->last = w->everywhere = false;
    poll_saw(w, t);
    return w;
}

static void give_back(struct poll_waiter *w)
{
    w->next = waiters.free;
    waiters.free = w;
}

static void watch_all(int more)
{
    for (uint32_t k = 0; k < poll_job.job->ranks; k++)
        fold_rank_at(poll_job.job, k)->watching += (uint32_t)more;
}

static void enlist(struct poll_waiter *w)
{
    w->next = waiters.first;
    w->previous = NULL;
    if (w->next)
        w->next->previous = w;
    waiters.first = w;
    w->of_rank = *list_of(w->rank);
    *list_of(w->rank) = w;
    w->rank->watching++;
    w->everywhere = rank_memory_reached(w->rank->job);
    if (w->everywhere && !waiters.everywhere++)
        watch_all(1);
}

static void delist(struct poll_waiter *w)
{
    struct poll_waiter **link = list_of(w->rank);
    while (*link != w)
        link = &(*link)->of_rank;
    *link = w->of_rank;
    if (w->previous)
        w->previous->next = w->next;
    else
        waiters.first = w->next;
    if (w->next)
        w->next->previous = w->previous;
    w->rank->watching--;
    if (w->everywhere && !--waiters.everywhere)
        watch_all(-1);
}

static void wake(struct poll_waiter *w)
{
    delist(w);
    if (waiters.storing)
        w->by = rank_thread_wakes(w->rank, w->thread);
    w->over = true;
    if (w->blocked)
        engine_wake(w->rank->engine, w->actor);
}

static void wait(struct poll_waiter *w)
{
    struct rank *r = w->rank;
    const struct engine_reason why = {"memory polled without a call", poll_describe, w};
    enlist(w);
    w->blocked = true;
    while (!w->over)
        engine_block(r->engine, &why);
    w->blocked = false;
}

/* Until the clock is where the loop has looked. What others do meanwhile it sees, and recorders learn who it was. */
static void catch_up(struct poll_waiter *w)
{
    struct rank *r = w->rank;
    bool ahead = r->ahead_until > engine_now(r->engine);
    if (ahead)
        enlist(w);
    rank_catch_up(r);
    if (ahead && !w->over)
        delist(w);
}

static void spend_look(struct rank *r)
{
    r->ahead_until = rank_now(r) + fabric_host_poll_cost(rank_fabric(r->job), r->host);
    rank_catch_up(r);
}

/* Waits in the rank's turn. */
static void wait_in_turn(struct rank *r, struct poll_waiter *w, double spun)
{
    if (r->measured_from >= 0) { /* turns of the loop are no computation */
        r->measured_from += r->measured_from > 0 ? spun : 0;
        rank_compute_stop(r);
    }
    r->issuing = false;
    catch_up(w);
    rank_look_again(r);
    if (w->found.verdict != POLL_PROVEN || w->found.endless)
        poll_warn(w);
    if (w->found.jump)
        poll_break_add(r, &w->found);
    double begin = engine_now(r->engine);
    if (!w->over && !poll_saw_changed(w))
        wait(w);
    if (w->by.thread)
        rank_thread_waited(r, w->by, RANK_WAKING_POLL);
    else if (w->resumed)
        rank_waited_outside(r, begin, w->last);
    else if (rank_polls_told())
        poll_saw_tell(w, begin);
    if (!w->resumed)
        spend_look(r);
    if (r->measured_from >= 0)
        rank_compute_start(r);
}

void poll_aside(const struct poll_finding *f, const struct poll_turn *t, double spun)
{
    bool ahead = !rank_current;
    struct poll_waiter *w = take(f, t, ahead);
    if (ahead)
        rank_ahead_enter();
    w->rank = rank_current;
    w->actor = engine_current(w->rank->engine);
    w->thread = rank_thread_number(w->rank) + 1;
    w->by = (struct rank_waker){0};
    if (!ahead || !poll_saw_changed(w)) /* in its turn, a rank that was ahead looks for the first time */
        wait_in_turn(w->rank, w, spun);
    give_back(w);
}

/* --- changes ------------------------------------------------------------------------------------ */

static void ask_all(void)
{
    for (struct poll_waiter *w = waiters.first, *next; w; w = next) {
        next = w->next;
        if (!w->rank->ended && poll_saw_others(w, 0, UINTPTR_MAX))
            wake(w);
    }
}

void poll_on_changed(struct rank *r, uintptr_t low, uintptr_t high)
{
    if (waiters.everywhere) {
        ask_all();
        return;
    }
    for (struct poll_waiter *w = *list_of(r), *next; w; w = next) {
        next = w->of_rank;
        if (poll_saw_others(w, low, high))
            wake(w);
    }
}

void poll_on_stored(struct rank *r)
{
    waiters.storing = true;
    if (waiters.first)
        poll_on_changed(r, 0, UINTPTR_MAX);
    waiters.storing = false;
}

/* --- when nothing else can happen ---------------------------------------------------------------- */

static bool wake_changed(void)
{
    bool any = false;
    for (struct poll_waiter *w = waiters.first, *next; w; w = next) {
        next = w->next;
        if (w->rank->ended || !poll_saw_changed(w))
            continue;
        w->last = any = true;
        wake(w);
    }
    return any;
}

static bool timer_shows(void)
{
    static const __itimer_which_t which[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
    struct itimerval t;
    for (size_t k = 0; k < BASE_LENGTH(which); k++)
        if (getitimer(which[k], &t) == 0 && (t.it_value.tv_sec || t.it_value.tv_usec))
            return true;
    return false;
}

/* A signal may come and end a loop. Remaining times are told in whole microseconds: a timer that is about to
 * ring looks as if it did not run, so two looks are taken, further apart than that. */
static bool timer_runs(void)
{
    struct timespec from, now;
    if (timer_shows())
        return true;
    clock_gettime(CLOCK_MONOTONIC, &from);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < 2000);
    return timer_shows();
}

/* Whether the rank is to run on: with a signal in view; if its loop is not proven, for some time; and if it
 * is endless, for it computes as far as anybody can tell. */
static bool goes_on(const struct poll_waiter *w, bool signals, bool patient)
{
    return signals || w->found.endless || (w->found.verdict != POLL_PROVEN && patient);
}

bool poll_idle(void *arg)
{
    const struct engine *e = poll_job.job->engine;
    bool any = false, signals = waiters.first && timer_runs();
    double now = rank_compute_seconds();
    (void)arg;
    if (wake_changed())
        return true;
    if (waiters.events != engine_event_count(e) || waiters.since <= 0) {
        waiters.events = engine_event_count(e);
        waiters.since = now;
    }
    for (struct poll_waiter *w = waiters.first, *next; w; w = next) {
        next = w->next;
        if (w->rank->ended || !goes_on(w, signals, now - waiters.since <= poll_job.patience))
            continue;
        w->resumed = w->last = any = true;
        wake(w);
    }
    return any;
}

/* --- life --------------------------------------------------------------------------------------- */

void poll_waiters_begin(void)
{
    memset(&waiters, 0, sizeof waiters);
}

static void release(struct poll_waiter *w)
{
    for (struct poll_waiter *next; w; w = next) {
        next = w->next;
        free(w->seen.at);
        free(w);
    }
}

void poll_waiters_end(void)
{
    release(waiters.free);
    waiters.free = NULL;
}
