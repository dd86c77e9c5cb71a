/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait: ranks that wait in a system call. Who asks for them, and when:
 *
 *   a rank did something (io_changed)       those whom it may concern, at once: in simulated order
 *   nothing can happen in the simulation    outside.c waits for the world outside
 *   others run on                           now and then, for answers from outside (look_outside)
 *
 * A wait with a time limit ends at that simulated time. If somebody outside could answer, he first gets as
 * much of the host's time.
 */
#include "fold/io/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint32_t io_waits;

static struct {
    struct io_waiter *first, **end;
    struct engine_daemon look; /* for answers from outside while others run */
    bool looking;
    double period, looked;
    double empty; /* seconds that a call takes that finds nothing */
    bool by_time; /* what changes now is that a time has come */
} waits;

double io_host_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct io_waiter *io_waiters(void)
{
    return waits.first;
}

/* --- the list ------------------------------------------------------------------------------------- */

static void link_last(struct io_waiter *w)
{
    if (!waits.first)
        waits.end = &waits.first;
    w->next = NULL;
    w->link = waits.end;
    *waits.end = w;
    waits.end = &w->next;
    w->waits = true;
    io_waits++;
}

static void unlink_wait(struct io_waiter *w)
{
    *w->link = w->next;
    if (w->next)
        w->next->link = w->link;
    else
        waits.end = w->link;
    w->waits = false;
    io_waits--;
}

void io_wake(struct io_waiter *w)
{
    unlink_wait(w);
    engine_event_cancel(w->rank->engine, &w->timer);
    engine_wake(w->rank->engine, w->actor);
}

static bool answered(struct io_waiter *w)
{
    return !w->n || poll(w->fds, w->n, 0) != 0;
}

void io_changed_at(uint64_t place)
{
    int error = errno;
    io_stir();
    for (struct io_waiter *w = waits.first, *next; w; w = next) {
        next = w->next;
        if ((!w->place || w->place == place || place == IO_ALL) && answered(w)) {
            if (!waits.by_time)
                w->by = rank_thread_wakes(w->rank, w->thread);
            io_wake(w);
        }
    }
    errno = error;
}

void io_time_came(uint64_t place)
{
    waits.by_time = true;
    io_changed(place);
    waits.by_time = false;
}

/* --- others outside, while the simulation goes on --------------------------------------------------- */

static bool some_outside(void)
{
    for (const struct io_waiter *w = waits.first; w; w = w->next)
        if (io_outside(w))
            return true;
    return false;
}

static void look_later(struct engine *e)
{
    if (waits.looking || engine_stands_still(e) || !some_outside())
        return;
    waits.looking = true;
    engine_daemon_at(e, &waits.look, engine_now(e) + waits.period);
}

/* About once in a millisecond of the host's time, however much simulated time that is. */
static void look_outside(struct engine *e, struct engine_event *ev)
{
    static const double often = 1e-3, shortest = 1e-6, longest = 1;
    double now = io_host_seconds();
    (void)ev;
    waits.looking = false;
    if (now - waits.looked >= often) {
        waits.looked = now;
        waits.period = fmax(waits.period / 2, shortest);
        for (struct io_waiter *w = waits.first, *next; w; w = next) {
            next = w->next;
            if (io_outside(w) && answered(w))
                io_wake(w);
        }
    } else {
        waits.period = fmin(waits.period * 2, longest);
    }
    look_later(e);
}

void io_waits_begin(const struct fold_job *job)
{
    waits.empty = base_settings_number(job->settings, "fold/empty-call");
    waits.first = NULL;
    waits.end = &waits.first;
    io_waits = 0;
    waits.looking = false;
    waits.period = 1e-4;
    waits.look.fn = look_outside;
}

/* --- one wait --------------------------------------------------------------------------------------- */

/* The time is over, in the simulation. */
static void timer_rang(struct engine *e, struct engine_event *ev)
{
    struct io_waiter *w = BASE_CONTAINER(ev, struct io_waiter, timer);
    (void)e;
    double left = w->since + w->seconds - io_host_seconds();
    if (w->n && io_outside(w) && left > 0)
        (void)poll(w->fds, w->n, (int)ceil(left * 1e3));
    w->late = !answered(w) || !w->n;
    unlink_wait(w);
    engine_wake(w->rank->engine, w->actor);
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct io_waiter *w = arg;
    static const char *const of[] = {"a file",       "a pipe",   "a pair of sockets, or an event counter",
                                     "a named pipe", "a socket", "a device, or another special file",
                                     "a timer"};
    if (w->n == 1)
        snprintf(buf, size, "%s", of[w->nature]);
    else if (w->n)
        snprintf(buf, size, "one of %u files", (unsigned)w->n);
}

static struct io_waiter *make(struct rank *r, const struct io_wait_for *f)
{
    struct io_waiter *w = base_zalloc(sizeof *w + f->n * sizeof *w->fds, "a wait for a file");
    *w = (struct io_waiter){.rank = r,
                            .actor = engine_current(r->engine),
                            .thread = rank_thread_number(r) + 1,
                            .call = f->call,
                            .place = f->place,
                            .n = f->n,
                            .nature = f->nature,
                            .outside = f->outside,
                            .inherited = f->inherited,
                            .seconds = f->seconds,
                            .since = io_host_seconds()};
    if (f->n)
        memcpy(w->fds, f->fds, f->n * sizeof *w->fds);
    return w;
}

static void block(struct io_waiter *w)
{
    struct rank *r = w->rank;
    struct engine_reason why = {w->call, describe, w};
    double begin = engine_now(r->engine);
    w->by = (struct rank_waker){0};
    w->last = false;
    engine_event_init(&w->timer, timer_rang);
    if (w->seconds < INFINITY)
        engine_event_at(r->engine, &w->timer, engine_now(r->engine) + w->seconds);
    link_last(w);
    look_later(r->engine);
    if (BASE_UNLIKELY(r->serves))
        rank_away_begin(r);
    if (w->waits)
        engine_block(r->engine, &why);
    if (BASE_UNLIKELY(r->serves))
        rank_away_end(r);
    if (w->by.thread)
        rank_thread_waited(r, w->by, RANK_WAKING_FILE);
    else
        rank_waited_outside(r, begin, w->last);
}

bool io_wait(struct rank *r, struct io_wait_for *f)
{
    if (f->n && poll(f->fds, f->n, 0) != 0)
        return true;
    if (f->alone && io_outside_answers(r, f))
        return true;
    if (f->alone && f->seconds < INFINITY)
        f->outside = f->alone = false; /* it had its time */
    libc_enter(r);
    struct io_waiter *w = make(r, f);
    w->told = f->told;
    if (!f->n || poll(w->fds, w->n, 0) == 0) /* time has passed */
        block(w);
    while (w->tell) {
        w->tell = false;
        io_tell(w);
        block(w);
    }
    bool late = w->late;
    if (f->n)
        memcpy(f->fds, w->fds, f->n * sizeof *w->fds);
    f->told = w->told;
    free(w);
    libc_leave(r);
    return !late;
}

void io_nothing(struct rank *r)
{
    int error = errno;
    libc_sleep(r, waits.empty);
    errno = error;
}

/* A rank that is dropped leaves its waits. */
void io_waits_forget(const struct rank *r)
{
    for (struct io_waiter *w = waits.first, *next; w; w = next) {
        next = w->next;
        if (w->rank != r)
            continue;
        unlink_wait(w);
        engine_event_cancel(r->engine, &w->timer);
        free(w);
    }
}
