/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait.h: computation as waiting of the same length, for programs whose ranks are more than the CPUs that they run on
 * (tools/cluster), and for their simulation. One file, plain C; include it where it is used.
 *
 *     for (int k = 0; k < n; k++)
 *         WAIT_INSTEAD("relax") {
 *             relax(grid, k);
 *         }
 *
 * WAIT_MEASURE=FILE in the environment: blocks are executed and timed, and at the end of the process a line "NAME
 * SECONDS" for each name, the mean of its executions, is added to FILE. Measure with one rank on a quiet machine.
 * WAIT_LENGTHS=FILE: a block with a name in FILE is not executed; the process sleeps instead. pgasim simulates the sleep.
 * Neither: blocks are executed. The block must not be left but at its end. Results of skipped blocks are missing:
 * a program whose messages depend on them needs another way.
 */
#ifndef PGASIM_WAIT_H
#define PGASIM_WAIT_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WAIT_NAMES = 64 };
struct wait_block {
    char name[64];
    double begin, seconds; /* of all executions, or of one if it is replaced */
    long count;            /* -1: replaced by waiting */
};
static struct wait_block wait_blocks[WAIT_NAMES];
static int wait_n = -1; /* -1: nothing has been read */

static inline double wait_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void wait_sleep(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&t, &t) && errno == EINTR)
        ;
}

static inline void wait_write(void)
{
    const char *path = getenv("WAIT_MEASURE");
    FILE *f = path ? fopen(path, "a") : NULL;
    for (int k = 0; f && k < wait_n; k++)
        if (wait_blocks[k].count > 0)
            fprintf(f, "%s %.9g\n", wait_blocks[k].name,
                    wait_blocks[k].seconds / (double)wait_blocks[k].count);
    if (f)
        fclose(f);
}

static inline void wait_read(void)
{
    const char *path = getenv("WAIT_LENGTHS");
    FILE *f = path ? fopen(path, "r") : NULL;
    wait_n = 0;
    if (path && !f) {
        fprintf(stderr, "wait.h: %s: cannot be read\n", path);
        exit(2);
    }
    while (f && wait_n < WAIT_NAMES &&
           fscanf(f, "%63s %lf", wait_blocks[wait_n].name, &wait_blocks[wait_n].seconds) == 2)
        wait_blocks[wait_n++].count = -1;
    if (f)
        fclose(f);
    if (getenv("WAIT_MEASURE"))
        atexit(wait_write);
}

static inline struct wait_block *wait_find(const char *name)
{
    if (wait_n < 0)
        wait_read();
    for (int k = 0; k < wait_n; k++)
        if (!strcmp(wait_blocks[k].name, name))
            return &wait_blocks[k];
    if (wait_n == WAIT_NAMES || strlen(name) > 63) {
        fprintf(stderr, "wait.h: block '%s': expected at most %d names of 63 bytes\n", name, WAIT_NAMES);
        exit(2);
    }
    strcpy(wait_blocks[wait_n].name, name);
    return &wait_blocks[wait_n++];
}

/* NULL: the block has been waited for. */
static inline struct wait_block *wait_begin(const char *name)
{
    struct wait_block *b = wait_find(name);
    if (b->count < 0) {
        wait_sleep(b->seconds);
        return NULL;
    }
    b->begin = wait_clock();
    return b;
}

static inline struct wait_block *wait_end(struct wait_block *b)
{
    b->seconds += wait_clock() - b->begin;
    b->count++;
    return NULL;
}

#define WAIT_INSTEAD(name)                                                                                   \
    for (struct wait_block *wait_b = wait_begin(name); wait_b; wait_b = wait_end(wait_b))

#endif
