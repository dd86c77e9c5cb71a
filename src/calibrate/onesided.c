/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * onesided: properties rdma/... of hosts, which SimGrid passes over, with which the platform's puts, gets and atomics take what was measured. The time between
 * two is the origin's, as far as the latency has room for it; what that has besides and both ways is the target's, or
 * the completion's.
 */
#include "calibrate/internal.h"

#include <math.h>

enum { HEADER = 42 }; /* rdma/header-bytes by default */

static const struct {
    const char *name, *own, *rest;
} keys[CALIBRATE_ONE_SIDED] = {
    {"put", "rdma/put-overhead", "rdma/ack-overhead"},
    {"get", "rdma/get-overhead", "rdma/read-service"},
    {"atomic", "rdma/atomic-overhead", "rdma/atomic-service"},
};

/* There and back; a put's or a get's byte on one of the two ways. */
static double ways(const struct calibrate_result *r, unsigned k)
{
    double bytes = k < 2 ? HEADER + 1 : 0;
    return 2 * r->latency * calibrate_latency_factor(r, 0) +
           bytes / (r->bandwidth * calibrate_bandwidth_factor(r, 0));
}

static bool is_written(const struct calibrate_result *r, unsigned k)
{
    return r->where == CALIBRATE_NETWORK && r->curve[CALIBRATE_TRANSFER].fit.segments && r->between[k] > 0 &&
           r->completed[k] > 0;
}

/* Operations may follow each other more slowly than the origin issues them: by what a link carries. */
static double own_of(const struct calibrate_result *r, unsigned k)
{
    return fmax(fmin(r->between[k], r->completed[k] - ways(r, k)), 0);
}

/* Atomics on one word follow each other at the target: its service is no longer than the time between two. */
static double rest_of(const struct calibrate_result *r, unsigned k)
{
    double rest = fmax(r->completed[k] - own_of(r, k) - ways(r, k), 0);
    return k == 2 ? fmin(rest, r->between[k]) : rest;
}

void calibrate_check_one_sided(struct calibrate_result *r)
{
    char name[64], off[48];
    for (unsigned k = 0; k < CALIBRATE_ONE_SIDED; k++) {
        double has = own_of(r, k) + ways(r, k) + rest_of(r, k);
        snprintf(name, sizeof name, "latency of %s and its completion", keys[k].name);
        if (is_written(r, k) && fabs(has / r->completed[k] - 1) > 0.02)
            calibrate_miss(r, name, "on the platform it is %.0f%% %s: %s",
                           100 * fabs(has / r->completed[k] - 1),
                           has > r->completed[k] ? "longer" : "shorter",
                           calibrate_show_value(off, CALIBRATE_SECONDS, has));
    }
}

bool calibrate_has_one_sided(const struct calibrate_result *r)
{
    bool any = false;
    for (unsigned k = 0; k < CALIBRATE_ONE_SIDED; k++)
        any |= is_written(r, k);
    return any;
}

void calibrate_one_sided_write(const struct calibrate_result *r, FILE *out)
{
    for (unsigned k = 0; k < CALIBRATE_ONE_SIDED; k++)
        if (is_written(r, k))
            fprintf(out, "    <prop id=\"%s\" value=\"%.9gs\"/>\n    <prop id=\"%s\" value=\"%.9gs\"/>\n",
                    keys[k].own, own_of(r, k), keys[k].rest, rest_of(r, k));
}
