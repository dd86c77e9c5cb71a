/* SPDX-License-Identifier: BSD-3-Clause */
/* result: all constants of a table, in the order in which they need each other, and what is missing. */
#include "calibrate/internal.h"

#include <math.h>
#include <stdlib.h>

static double clock_of(const struct calibrate_table *t)
{
    struct calibrate_query q = {.kind = CALIBRATE_CLOCK};
    size_t n = 0;
    const struct calibrate_point *p;
    double *value = base_alloc((calibrate_count(t, &q) + 1) * sizeof *value, "values");
    for (size_t at = 0; (p = calibrate_next(t, &q, &at));)
        value[n++] = p->seconds;
    double clock = fit_median(value, n);
    free(value);
    return clock;
}

struct calibrate_result *calibrate_fit(const struct calibrate_table *t, const struct calibrate_options *o)
{
    struct calibrate_result *r = base_zalloc(sizeof *r, "constants");
    struct calibrate_query network = {CALIBRATE_PINGPONG, CALIBRATE_STANDARD, CALIBRATE_NETWORK, 0, false};
    r->table = t;
    r->options = *o;
    r->clock = clock_of(t);
    r->where = calibrate_count(t, &network) ? CALIBRATE_NETWORK : CALIBRATE_NODE;
    calibrate_find_thresholds(r);
    calibrate_find_overheads(r);
    calibrate_find_transfers(r);
    calibrate_find_data_ahead(r);
    calibrate_find_sharing(r);
    calibrate_find_links(r);
    calibrate_find_others(r);
    calibrate_check_one_sided(r);
    calibrate_find_memory(r);
    calibrate_find_collectives(r);
    if (o->speed > 0)
        r->speed = o->speed;
    return r;
}

void calibrate_result_destroy(struct calibrate_result *r)
{
    if (!r)
        return;
    for (unsigned k = 0; k < CALIBRATE_CURVES; k++)
        fit_release(&r->curve[k].fit);
    for (size_t k = 0; k < r->constant.n; k++)
        free(r->constant.at[k].name);
    for (size_t k = 0; k < r->missing.n; k++) {
        free(r->missing.at[k].name);
        free(r->missing.at[k].why);
    }
    free(r->constant.at);
    free(r->missing.at);
    free(r->collective.at);
    free(r);
}

int calibrate_platform_check(const struct calibrate_result *r, struct base_status *st)
{
    if (r->bandwidth > 0)
        return 0;
    return base_fail(
        st, "there is no platform without half round trips of %d sizes: expected points of kind pingpong",
        FIT_LEAST);
}
