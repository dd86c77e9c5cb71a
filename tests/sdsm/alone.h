/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone: files of sdsm/ without MPI, and cmocka. Stands in for the process and for what ends a run: that is
 * expected of a child process here.
 */
#ifndef PGASIM_TESTS_SDSM_ALONE_H
#define PGASIM_TESTS_SDSM_ALONE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sdsm/internal.h"

Sdsm_t *sdsm;

void *sat_alloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    assert_non_null(p);
    return p;
}

void *sat_grow(void *p, size_t bytes)
{
    void *more = realloc(p, bytes ? bytes : 1);
    assert_non_null(more);
    return more;
}

/* Prints `PLACE: TEXT`, a line. */
void sat_fail(int status, const char *place, const char *format, ...)
{
    va_list args;
    fprintf(stderr, "%s%s", place ? place : "", place ? ": " : "");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    fflush(stderr);
    _exit(status);
}

/* `call(ctx)` must end its process with the status, after this line on stderr and nothing else. NULL, 0: it
 * must return, and print nothing. */
static inline void ends_with(void (*call)(void *ctx), void *ctx, int status, const char *line)
{
    int ends[2], said = 0;
    char text[4096];
    size_t n = 0;
    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        call(ctx);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t more = 1; more > 0 && n<sizeof text - 1; n += more> 0 ? (size_t)more : 0)
        more = read(ends[0], text + n, sizeof text - 1 - n);
    text[n] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &said, 0), child);
    if (n && text[n - 1] == '\n')
        text[n - 1] = 0;
    assert_string_equal(text, line ? line : "");
    assert_true(WIFEXITED(said));
    assert_int_equal(WEXITSTATUS(said), status);
}

/* Random numbers: xorshift. The seed is printed where a test fails. */
static inline uint64_t draw(uint64_t *state, uint64_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (*state >> 11) % below;
}

#endif
