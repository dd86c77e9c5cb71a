/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timer: timerfd, on the simulated clock. Behind the number is an eventfd, which read, poll and epoll know; an event of
 * the engine makes it readable at the simulated time of the first expiry that nobody has read. Later expiries of a
 * periodic timer are only counted, when it is read: a timer that nobody reads is one event, and hides no deadlock.
 *
 * Invariants
 *  TI1  A timer is armed exactly while `next` is finite. Its event is pending until `next`, and its file is readable
 *       from then on until it is read or set again.
 */
#include "fold/io/io.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct timer {
    struct engine_event expiry;
    struct rank *rank;
    uint64_t place;
    clockid_t clock;
    double next, interval; /* simulated seconds; next INFINITY: not armed; interval 0: once */
};
static struct base_table timers; /* place to struct timer * */

static int fail(int error)
{
    errno = error;
    return -1;
}

static struct timer *find(uint64_t place)
{
    struct timer **t = timers.live ? base_table_find(&timers, place) : NULL;
    return t ? *t : NULL;
}

/* A descriptor of the timer; -1: all are closed. */
static int descriptor_of(const struct timer *t)
{
    const struct files_table *files = fold_part(t->rank)->files;
    for (int number = 0; number <= files_highest(files); number++) {
        const struct files_entry *e = files_find(files, number);
        if (e && e->nature == FILES_TIMER && e->place == t->place)
            return e->descriptor;
    }
    return -1;
}

static void expired(struct engine *engine, struct engine_event *ev)
{
    const struct timer *t = BASE_CONTAINER(ev, struct timer, expiry);
    const uint64_t one = 1;
    int error = errno, descriptor = descriptor_of(t);
    (void)engine;
    if (descriptor >= 0 && write(descriptor, &one, sizeof one) == sizeof one)
        io_time_came(t->place);
    errno = error;
}

static void forget(struct timer *t)
{
    engine_event_cancel(t->rank->engine, &t->expiry);
    base_table_remove(&timers, t->place);
    free(t);
}

void io_timer_closed(uint64_t place)
{
    struct timer *t = find(place);
    if (t && !files_held(place))
        forget(t);
}

void io_timers_forget(const struct rank *r)
{
    const struct files_table *files = fold_part(r)->files;
    for (int number = 0; timers.live && number <= files_highest(files); number++) {
        const struct files_entry *e = files_find(files, number);
        struct timer *t = e && e->nature == FILES_TIMER ? find(e->place) : NULL;
        if (t)
            forget(t);
    }
}

/* --- making and setting ------------------------------------------------------------------------------ */

int in_rank_timerfd_create(clockid_t clock, int flags)
{
    struct rank *r = rank_current;
    if (!r)
        return timerfd_create(clock, flags);
    if (io_full(r))
        return -1;
    int checked = timerfd_create(clock, flags); /* the kernel knows which clocks and flags there are */
    if (checked < 0)
        return -1;
    close(checked);
    int number = io_install(r, eventfd(0, (flags & TFD_NONBLOCK ? EFD_NONBLOCK : 0) | EFD_CLOEXEC),
                            FILES_TIMER, flags & TFD_CLOEXEC);
    if (number < 0)
        return -1;
    if (!timers.live)
        base_table_init(&timers, BASE_NUMBERS, sizeof(struct timer *), "timers of ranks");
    struct timer *t = base_zalloc(sizeof *t, "a timer of a rank");
    *t = (struct timer){.rank = r, .place = io_entry(r, number)->place, .clock = clock, .next = INFINITY};
    engine_event_init(&t->expiry, expired);
    *(struct timer **)base_table_add(&timers, t->place, NULL) = t;
    return number;
}

/* The timer of a number; NULL with errno. */
static struct timer *timer_of(const struct rank *r, int number)
{
    const struct files_entry *e = io_entry(r, number);
    struct timer *t = e && e->nature == FILES_TIMER ? find(e->place) : NULL;
    if (e && !t)
        errno = EINVAL;
    return t;
}

static double seconds_of(const struct timespec *t)
{
    return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
}

static bool is_valid(const struct timespec *t)
{
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < 1000000000;
}

static struct timespec split(double seconds)
{
    double whole = floor(seconds);
    struct timespec t = {.tv_sec = (time_t)whole, .tv_nsec = lround((seconds - whole) * 1e9)};
    if (t.tv_nsec == 1000000000)
        t = (struct timespec){t.tv_sec + 1, 0};
    return t;
}

/* How many expiries there have been, the one at `next` the first; half a nanosecond early is not early. */
static uint64_t expiries(const struct timer *t, double now)
{
    double past = now - t->next + 0.5e-9;
    return past < 0 ? 0 : t->interval > 0 ? 1 + (uint64_t)(past / t->interval) : 1;
}

static void arm(struct timer *t, double next)
{
    double now = engine_now(t->rank->engine);
    t->next = next;
    engine_event_cancel(t->rank->engine, &t->expiry);
    if (next < INFINITY)
        engine_event_at(t->rank->engine, &t->expiry, fmax(next, now));
}

/* What is left, and the interval. A timer that nobody has read goes on by its intervals. */
static struct itimerspec state_of(const struct timer *t, double now)
{
    uint64_t past = expiries(t, now);
    if (t->next == INFINITY || (past && !t->interval))
        return (struct itimerspec){.it_interval = split(t->interval)};
    return (struct itimerspec){.it_interval = split(t->interval),
                               .it_value = split(fmax(t->next + (double)past * t->interval - now, 1e-9))};
}

static void drain(int descriptor)
{
    uint64_t told;
    int error = errno;
    if (poll(&(struct pollfd){.fd = descriptor, .events = POLLIN}, 1, 0) > 0 &&
        read(descriptor, &told, sizeof told) < 0)
        errno = error;
}

int in_rank_timerfd_settime(int number, int flags, const struct itimerspec *set, struct itimerspec *old)
{
    struct rank *r = rank_current;
    if (!r)
        return timerfd_settime(number, flags, set, old);
    struct timer *t = timer_of(r, number);
    if (!t)
        return -1;
    if (!is_valid(&set->it_value) || !is_valid(&set->it_interval) ||
        flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))
        return fail(EINVAL);
    libc_enter(r); /* computation up to now counts towards it */
    double now = engine_now(r->engine), value = seconds_of(&set->it_value);
    if (old)
        *old = state_of(t, now);
    drain(io_descriptor(number));
    t->interval = seconds_of(&set->it_interval);
    arm(t, value <= 0                  ? INFINITY
           : flags & TFD_TIMER_ABSTIME ? fmax(libc_until(t->clock, &set->it_value), 0)
                                       : now + value);
    libc_leave(r);
    return 0;
}

int in_rank_timerfd_gettime(int number, struct itimerspec *out)
{
    struct rank *r = rank_current;
    if (!r)
        return timerfd_gettime(number, out);
    const struct timer *t = timer_of(r, number);
    if (!t)
        return -1;
    libc_enter(r);
    *out = state_of(t, engine_now(r->engine));
    libc_leave(r);
    return 0;
}

/* --- reading ----------------------------------------------------------------------------------------- */

ssize_t io_timer_read(struct rank *r, const struct files_entry *e, void *bytes, size_t size)
{
    uint64_t count;
    struct timer *t = find(e->place);
    if (!t || size < sizeof count)
        return fail(EINVAL);
    libc_enter(r);
    libc_leave(r); /* what is due by now has happened */
    do {           /* another thread may have been quicker */
        io_await(r, "read", e, POLLIN);
        count = expiries(t, engine_now(r->engine));
    } while (!count && io_patient(e));
    if (!count)
        return fail(EAGAIN);
    drain(e->descriptor);
    arm(t, t->interval > 0 ? t->next + (double)count * t->interval : INFINITY);
    memcpy(bytes, &count, sizeof count);
    return sizeof count;
}
