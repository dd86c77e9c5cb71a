/* SPDX-License-Identifier: BSD-3-Clause */
/* memory: what runs are expected to need, and what there is, so that two big ones do not meet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/internal.h"

/* A number behind a word in a file of the kernel's; NAN: it is not there. */
static double number_in(const char *path, const char *word, double unit)
{
    char line[200];
    double x = NAN;
    FILE *f = fopen(path, "r");
    while (f && isnan(x) && fgets(line, sizeof line, f))
        if (!strncmp(line, word, strlen(word)) && line[strlen(word)] != 'm') /* "max": no limit */
            x = strtod(line + strlen(word), NULL) * unit;
    if (f)
        fclose(f);
    return x;
}

double sweep_memory_free(void)
{
    double machine = number_in("/proc/meminfo", "MemAvailable:", 1024);
    double limit = number_in("/sys/fs/cgroup/memory.max", "", 1);
    double used = number_in("/sys/fs/cgroup/memory.current", "", 1);
    if (!isnan(limit) && !isnan(used) && limit - used < machine)
        return fmax(limit - used, 0);
    return isnan(machine) ? INFINITY : machine;
}

/* Of the points that have ended well, the one with the most ranks below this task's, or else with the fewest: what it
 * needed, scaled by the ranks if there are more now. */
double sweep_memory_of(const struct sweep *x, const struct sweep_task *t)
{
    const struct sweep_task *best = NULL;
    if (t->memory > 0)
        return t->memory;
    for (uint32_t k = 0; k < x->study->points; k++) {
        const struct sweep_task *o = &x->task[k];
        if (o->state != SWEEP_DONE || !o->row.peak_bytes || !store_row_ok(&o->row))
            continue;
        bool below = o->ranks <= t->ranks, best_below = best && best->ranks <= t->ranks;
        if (!best || (below && !best_below) ||
            (below == best_below && (below ? o->ranks > best->ranks : o->ranks < best->ranks)) ||
            (o->ranks == best->ranks && o->row.peak_bytes > best->row.peak_bytes))
            best = o;
    }
    return best ? (double)best->row.peak_bytes * fmax(1, t->ranks / best->ranks) : 0;
}
