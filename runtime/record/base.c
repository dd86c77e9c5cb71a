/* SPDX-License-Identifier: BSD-3-Clause */
/* base: what src/record needs of src/base; the functions behind this library. */
#include "recorder.h"

#include <dlfcn.h>
#include <stdlib.h>

void recorder_stop(const char *why)
{
    fprintf(stderr, "pgasim record: %s\n", why);
    exit(1);
}

void *base_array_grow_for(void *at, size_t *cap, size_t need, size_t item, const char *what,
                          const char *layer)
{
    size_t wanted = *cap + *cap / 2 + 32;
    (void)what, (void)layer;
    if (wanted < need)
        wanted = need;
    at = realloc(at, wanted * item);
    if (!at)
        recorder_stop("no memory left");
    *cap = wanted;
    return at;
}

int(base_fail)(struct base_status *st, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (st)
        vsnprintf(st->text, sizeof st->text, fmt, args);
    va_end(args);
    return -1;
}

void *recorder_find(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}
