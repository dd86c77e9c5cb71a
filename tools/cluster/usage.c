/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: reads /proc/stat. */
#include "usage.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_seconds(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool usage_parse(const char *line, double *busy, double *total)
{
    /* user, nice, system, idle, waiting for disks, interrupts (2), stolen; guests are part of user */
    double all = 0, idle = 0;
    int k = 0;
    if (strncmp(line, "cpu ", 4) != 0)
        return false;
    for (const char *p = line + 4; k < 8; k++) {
        char *end;
        double x = strtod(p, &end);
        if (end == p)
            break;
        all += x;
        if (k == 3 || k == 4)
            idle += x;
        p = end;
    }
    if (k < 5)
        return false;
    *busy = all - idle;
    *total = all;
    return true;
}

int usage_read(struct usage_point *p, struct base_status *st)
{
    char line[512] = "";
    FILE *f = fopen("/proc/stat", "re");
    if (f) {
        if (!fgets(line, sizeof line, f))
            line[0] = 0;
        fclose(f);
    }
    if (!usage_parse(line, &p->busy, &p->total))
        return base_fail(st, "/proc/stat: expected a line of figures for all CPUs");
    p->seconds = clock_seconds(CLOCK_MONOTONIC);
    p->own = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    return 0;
}

struct usage usage_between(const struct usage_point *a, const struct usage_point *b)
{
    double ticks = b->total - a->total, seconds = b->seconds - a->seconds;
    struct usage u = {.seconds = seconds,
                      .busy = ticks > 0 ? (b->busy - a->busy) / ticks : 0,
                      .own = seconds > 0 ? (b->own - a->own) / seconds : 0};
    u.is_void = u.busy > 0.5;
    return u;
}
