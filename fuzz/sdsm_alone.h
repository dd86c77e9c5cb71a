/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sdsm_alone: files of sdsm/ without MPI, for fuzz targets. What ends a run, with one message about its
 * input, ends a call: sdsm_fails.
 */
#ifndef PGASIM_FUZZ_SDSM_ALONE_H
#define PGASIM_FUZZ_SDSM_ALONE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Sdsm_t *sdsm;
static jmp_buf sdsm_leave;
static char sdsm_reason[1024];

void *sat_alloc(size_t bytes)
{
    return calloc(1, bytes ? bytes : 1);
}

void *sat_grow(void *p, size_t bytes)
{
    return realloc(p, bytes ? bytes : 1);
}

void sat_fail(int status, const char *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(sdsm_reason, sizeof sdsm_reason, format, args);
    va_end(args);
    (void)place;
    if (status != SAT_STATUS_INPUT || !sdsm_reason[0])
        abort();
    longjmp(sdsm_leave, 1);
}

__attribute__((noinline)) static bool sdsm_fails(void (*call)(void *ctx), void *ctx)
{
    if (setjmp(sdsm_leave))
        return true;
    call(ctx);
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
