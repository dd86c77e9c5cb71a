/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * call: a call from its beginning to its end. What lies between two calls of a thread is computation; the recorder's own
 * time is in neither. Threads are numbered in the order of their first calls; the first one makes the others, as far as the
 * trace tells, where its lines have come to then, and what is left until their first calls they sleep. What they waited for
 * of one another is not seen, and is in their computation.
 */
#include "recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static struct {
    bool on;
    bool threads;              /* more than one may call */
    unsigned begun;            /* times that recording has */
    uint32_t numbers;          /* of threads, given so far */
    int64_t told;              /* until when the first thread's lines tell of it */
    struct record_words spare; /* memory for the next call's */
    pthread_mutex_t lock;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};
static __thread bool in_call;
static __thread struct {
    unsigned begun;  /* state.begun, if it has a number */
    uint32_t number; /* from 1 */
    int64_t left;    /* when its last call was over and written */
    int64_t counted; /* recorder_count then */
} self;

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

/* Numbers the calling thread, if it has none. */
static uint32_t number_of(const struct recorder_call *c)
{
    if (self.begun == state.begun)
        return self.number;
    self.begun = state.begun;
    self.number = ++state.numbers;
    self.left = c->entered;
    self.counted = c->counted;
    recorder_write_thread(self.number, c->entered - state.told);
    return self.number;
}

void recorder_open(struct recorder_call *c)
{
    if (state.threads)
        pthread_mutex_lock(&state.lock);
    recorder_lines_thread(number_of(c));
    recorder_write_computation(c->entered - self.left, c->counted - self.counted);
    if (self.number == 1)
        state.told = c->entered;
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
    recorder_lines_thread(self.number);
}

void recorder_close(struct recorder_call *c)
{
    record_words_release(&state.spare);
    state.spare = c->words;
    self.counted = recorder_count();
    self.left = recorder_now();
    if (self.number == 1)
        state.told = self.left;
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
    state.numbers = self.number = 1;
    self.begun = ++state.begun;
    self.counted = recorder_count();
    state.told = self.left = recorder_now();
    state.on = true;
    if (!known)
        atexit(close_early);
    known = true;
}

uint32_t recorder_thread(void)
{
    return self.number;
}

void recorder_join_threads(void)
{
    for (uint32_t k = 2; k <= state.numbers; k++)
        recorder_write_thread_end(k);
    recorder_lines_thread(self.number);
}

void recorder_end(void)
{
    state.on = false;
    recorder_file_close();
    recorder_counts_end();
    recorder_handles_release();
    record_words_release(&state.spare);
}
