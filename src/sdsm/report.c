/* SPDX-License-Identifier: BSD-3-Clause */
/* report: memory, and what ends a run or deserves a warning. */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

void *sat_alloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p)
        sat_fail(1, NULL, "no memory for %zu bytes", bytes);
    return p;
}

void *sat_alloc_array(size_t n, size_t each)
{
    void *p = calloc(n ? n : 1, each);
    if (!p)
        sat_fail(1, NULL, "no memory for %zu times %zu bytes", n, each);
    return p;
}

void *sat_grow(void *p, size_t bytes)
{
    void *more = realloc(p, bytes ? bytes : 1);
    if (!more)
        sat_fail(1, NULL, "no memory for %zu bytes", bytes);
    return more;
}

const char *sat_short_place(const char *place)
{
    const char *slash = place ? strrchr(place, '/') : NULL;
    return slash ? slash + 1 : place ? place : "";
}

const char *sat_mode_name(int mode)
{
    static const char *const names[] = {"no scope", "READ", "WRITE", "READWRITE"};
    return names[mode & 3];
}

static void say(const char *place, const char *kind, const char *format, va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    fflush(stdout);
    if (sdsm)
        fprintf(stderr, "sat: process %d: %s%s%s%s\n", sdsm->id, place ? place : "", place ? ": " : "", kind,
                text);
    else
        fprintf(stderr, "sat: %s%s%s%s\n", place ? place : "", place ? ": " : "", kind, text);
    fflush(stderr);
}

void sat_fail(int status, const char *place, const char *format, ...)
{
    va_list args;
    int started = 0, over = 0;
    va_start(args, format);
    say(place, "", format, args);
    va_end(args);
    MPI_Initialized(&started);
    MPI_Finalized(&over);
    if (started && !over) {
        sat_host_pass_on();
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    exit(status);
}

void sat_warn(const char *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(place, "warning: ", format, args);
    va_end(args);
}
