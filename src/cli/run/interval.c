/* SPDX-License-Identifier: BSD-3-Clause */
/* interval: the simulated times of several seeds: their median, and an interval for a further run. */
#include "base/json.h"
#include "base/numbers.h"
#include "cli/run/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A further run lies between the i-th and the i-th last of n with probability (n + 1 - 2 i) / (n + 1). */
static void find_interval(struct run_seeds *s)
{
    double *t = base_alloc(s->n * sizeof *t, "times of runs");
    uint64_t i = (s->n + 1) / 20;
    i = i ? i : 1;
    memcpy(t, s->time, s->n * sizeof *t);
    base_numbers_sort(t, s->n);
    s->median = base_numbers_median(t, s->n);
    s->low = t[i - 1];
    s->high = t[s->n - i];
    s->probability = ((double)(s->n + 1) - 2 * (double)i) / (double)(s->n + 1);
    s->probability = s->probability < 0.9 ? s->probability : 0.9;
    s->alike = t[0] == t[s->n - 1];
    free(t);
}

static void show(const struct run_seeds *s)
{
    char low[32], median[32], high[32];
    fprintf(base_report_stream(), "pgasim: %" PRIu64 " seeds: median %s; %.0f%% of runs take %s to %s%s\n",
            s->n, base_show_time(median, s->median), 100 * s->probability, base_show_time(low, s->low),
            base_show_time(high, s->high), s->alike ? " (all alike: is there noise?)" : "");
}

void run_seeds_sum_up(struct run_seeds *s)
{
    find_interval(s);
    show(s);
}

void run_seeds_json(const struct run_seeds *s, struct base_json *j)
{
    if (!s->n)
        return;
    base_json_open(j, "seeds", '{');
    base_json_count(j, "runs", s->n);
    base_json_number(j, "median_seconds", s->median);
    base_json_number(j, "low_seconds", s->low);
    base_json_number(j, "high_seconds", s->high);
    base_json_number(j, "probability", s->probability);
    base_json_open(j, "simulated_seconds", '[');
    for (uint64_t k = 0; k < s->n; k++)
        base_json_number(j, NULL, s->time[k]);
    base_json_close(j);
    base_json_close(j);
}
