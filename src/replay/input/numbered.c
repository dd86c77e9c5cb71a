/* SPDX-License-Identifier: BSD-3-Clause */
/* numbered: files of a trace whose names differ in a number only, that of a rank. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/record.h"
#include "replay/input/input.h"

int replay_numbered_find(struct replay_numbered *x, const char *path, struct base_status *st)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *at = path + strlen(path);
    while (at > name && !isdigit((unsigned char)at[-1]))
        at--;
    x->path = path;
    x->behind = at;
    while (at > name && isdigit((unsigned char)at[-1]))
        at--;
    x->before = (int)(at - path);
    x->digits = (int)(x->behind - at);
    if (!x->digits || strtoul(at, NULL, 10))
        return base_fail(
            st,
            "%s: expected the file of rank 0, whose name has the number 0 where the other ranks' files "
            "have theirs",
            path);
    return 0;
}

char *replay_numbered_name(const struct replay_numbered *x, uint32_t number)
{
    return base_strfmt("%.*s%0*" PRIu32 "%s", x->before, x->path, x->digits, number, x->behind);
}

uint32_t replay_numbered_count(const struct replay_numbered *x)
{
    uint32_t n = 1;
    for (bool there = true; there && n < RECORD_RANKS_MOST;) {
        char *name = replay_numbered_name(x, n);
        there = !access(name, F_OK);
        n += there;
        free(name);
    }
    return n;
}
