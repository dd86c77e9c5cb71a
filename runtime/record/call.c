/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call: a call from its beginning to its end. What lies between two calls is computation; the recorder's own time is in
 * neither. Calls of several threads are recorded in the order in which they end, one at a time; the time between them is
 * then that in which none of them was in a call.
 */
#include "recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static struct {
    bool on;
    bool threads;              /* more than one may call */
    int64_t left;              /* when the last call was over and written */
    int64_t counted;           /* recorder_count then */
    unsigned inside;           /* threads that are in calls */
    struct record_words spare; /* memory for the next call's */
    pthread_mutex_t lock;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};
static __thread bool in_call;

int64_t recorder_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool recorder_enter(struct recorder_call *c, uint32_t function)
{
    if (!state.on || in_call)
        return false;
    in_call = true;
    *c = (struct recorder_call){.function = function, .entered = recorder_now(), .counted = recorder_count()};
    return true;
}

void recorder_open(struct recorder_call *c)
{
    if (state.threads)
        pthread_mutex_lock(&state.lock);
    if (!state.inside++)
        recorder_write_computation(c->entered - state.left, c->counted - state.counted);
    recorder_handles_begin();
    c->words = state.spare;
    state.spare = (struct record_words){0};
}

void recorder_go(struct recorder_call *c)
{
    if (state.threads)
        pthread_mutex_unlock(&state.lock);
    c->begin = recorder_now();
}

void recorder_return(struct recorder_call *c)
{
    c->end = recorder_now();
    if (state.threads)
        pthread_mutex_lock(&state.lock);
}

void recorder_close(struct recorder_call *c)
{
    record_words_release(&state.spare);
    state.spare = c->words;
    if (!--state.inside) {
        state.counted = recorder_count();
        state.left = recorder_now();
    }
    if (state.threads)
        pthread_mutex_unlock(&state.lock);
    in_call = false;
}

static void close_early(void)
{
    if (!state.on)
        return;
    state.on = false;
    recorder_file_close();
}

void recorder_start(int rank, int64_t zero, bool threads)
{
    static bool known;
    recorder_lines_begin(rank, zero);
    recorder_counts_begin(rank);
    state.threads = threads;
    state.counted = recorder_count();
    state.left = recorder_now();
    state.on = true;
    if (!known)
        atexit(close_early);
    known = true;
}

void recorder_end(void)
{
    state.on = false;
    recorder_file_close();
    recorder_counts_end();
    recorder_handles_release();
    record_words_release(&state.spare);
}
