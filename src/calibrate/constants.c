/* SPDX-License-Identifier: BSD-3-Clause */
/* constants: what is found, and what is not, is listed in the order in which it is. */
#include "calibrate/internal.h"

#include <string.h>

#include <stdarg.h>
#include <stdio.h>

void calibrate_add(struct calibrate_result *r, const struct calibrate_constant *c)
{
    BASE_ARRAY_PUSH(&r->constant, *c);
}

const struct calibrate_constant *calibrate_find(const struct calibrate_result *r, const char *name)
{
    for (size_t k = 0; k < r->constant.n; k++)
        if (!strcmp(r->constant.at[k].name, name))
            return &r->constant.at[k];
    return NULL;
}

void calibrate_miss(struct calibrate_result *r, const char *name, const char *fmt, ...)
{
    char why[300];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    BASE_ARRAY_PUSH(&r->missing, ((struct calibrate_missing){base_strdup(name), base_strdup(why)}));
}
