/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outside: waiting, with the whole process, for something outside of the simulation: a terminal, a child
 * process, a peer on a network. That happens when a rank waits for what nobody inside can do, and when
 * nothing else can happen. After a while a warning says who waits.
 *
 * Something that nobody outside can do either is a deadlock: a pipe, a pair of sockets or an event counter,
 * as long as the job has made no process that could have inherited it.
 */
#include "fold/io/outside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SLICE_FIRST = 1, SLICE_LAST = 20 }; /* milliseconds between two questions, if one must ask */

static struct {
    bool forked, is_child;
    double patience; /* host seconds until the warning; 0: none */
    int slice;
    struct pollfd *fds;
    size_t room;
} outside;

void io_forked(void)
{
    outside.forked = true;
}

void io_become_child(void)
{
    outside.is_child = true;
}

bool io_is_child(void)
{
    return outside.is_child;
}

void io_stir(void)
{
    outside.slice = SLICE_FIRST;
}

bool io_outside(const struct io_waiter *w)
{
    return w->outside && (!w->inherited || outside.forked);
}

static int next_slice(void)
{
    int slice = outside.slice;
    outside.slice = slice * 2 < SLICE_LAST ? slice * 2 : SLICE_LAST;
    return slice;
}

/* Everything printed so far is to be seen while nothing moves. */
static void show_output(struct rank *r)
{
    libc_streams_flush(&libc_process);
    if (r)
        rank_output_prompt(r);
    else
        rank_output_flush();
}

/* --- telling ---------------------------------------------------------------------------------------- */

static void tell(struct rank *r, const char *call, double seconds, const char *consequence)
{
    char where[RANK_WHERE_SIZE], place[RANK_WHERE_SIZE] = "";
    struct rank_code code = rank_code_caller(r);
    if (code.object)
        rank_code_name(r, code, place, sizeof place);
    base_warn("blocked", "%s has waited in %s%s%s for %.1f s of this machine's time; %s",
              rank_where(where, r), call, *place ? ", called in " : "", place, seconds, consequence);
}

void io_tell(struct io_waiter *w)
{
    w->told = true;
    tell(w->rank, w->call, io_host_seconds() - w->since,
         "nothing else can happen in the simulation, only something outside can answer");
}

/* --- only they can answer ----------------------------------------------------------------------------- */

bool io_outside_answers(struct rank *r, struct io_wait_for *f)
{
    if (!f->begun)
        f->begun = io_host_seconds();
    double most = outside.patience > 0 ? outside.patience : INFINITY;
    double end = f->begun + (f->seconds < most ? f->seconds : most);
    show_output(r);
    for (;;) {
        double left = end - io_host_seconds();
        int slice = left > 1 ? 1000 : left > 0 ? (int)ceil(left * 1e3) : 0;
        if (left <= 0)
            break;
        if (poll(f->fds, f->n, f->n ? slice : next_slice()) > 0 || !f->n)
            return true;
    }
    if (f->seconds > most && !f->told) {
        f->told = true;
        tell(
            r, f->call, io_host_seconds() - f->begun,
            "only something outside of the simulation can answer; other ranks go on, and simulated times may "
            "depend on this machine from now on");
    }
    return false;
}

/* --- nothing else can happen ---------------------------------------------------------------------- */

static void add(const struct io_waiter *w, size_t *n)
{
    if (*n + w->n > outside.room)
        outside.fds = base_array_grow(outside.fds, &outside.room, *n + w->n, sizeof *outside.fds, "waits");
    if (w->n)
        memcpy(outside.fds + *n, w->fds, w->n * sizeof *w->fds);
    *n += w->n;
}

/* How long to wait at most, in milliseconds; -1: for ever. */
static int most_milliseconds(bool asks, const struct io_waiter *oldest)
{
    int slice = asks ? next_slice() : -1;
    if (!oldest || outside.patience <= 0)
        return slice;
    double left = oldest->since + outside.patience - io_host_seconds();
    int until_told = left > 0 ? (int)ceil(fmin(left, 1e6) * 1e3) : 0;
    return slice < 0 || until_told < slice ? until_told : slice;
}

static bool wake_answered(void)
{
    bool some = false;
    for (struct io_waiter *w = io_waiters(), *next; w; w = next) {
        next = w->next;
        if (w->n && poll(w->fds, w->n, 0) == 0)
            continue;
        some = w->last = true;
        io_wake(w);
    }
    return some;
}

static bool wake_to_tell(void)
{
    for (struct io_waiter *w = io_waiters(); w; w = w->next)
        if (io_outside(w) && !w->told && outside.patience > 0 &&
            io_host_seconds() - w->since >= outside.patience) {
            w->tell = w->last = true;
            io_wake(w);
            return true;
        }
    return false;
}

/* true: somebody can go on. */
static bool idle(void *ctx)
{
    size_t n = 0;
    bool any = false, asks = false;
    const struct io_waiter *oldest = NULL;
    (void)ctx;
    for (const struct io_waiter *w = io_waiters(); w; w = w->next) {
        if (!io_outside(w))
            continue;
        any = true;
        asks |= !w->n;
        if (!w->told && (!oldest || w->since < oldest->since))
            oldest = w;
        add(w, &n);
    }
    if (!any)
        return false;
    int error = errno;
    show_output(NULL);
    do
        (void)poll(outside.fds, (nfds_t)n, most_milliseconds(asks, oldest));
    while (!wake_answered() && !wake_to_tell());
    errno = error;
    return true;
}

void io_outside_begin(struct fold_job *job)
{
    outside.forked = false;
    outside.slice = SLICE_FIRST;
    outside.patience = base_settings_number(job->settings, "fold/blocked-after");
    engine_on_outside(job->engine, idle, NULL);
}
