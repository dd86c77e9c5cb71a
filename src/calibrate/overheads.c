/* SPDX-License-Identifier: BSD-3-Clause */
/* overheads: what calls take of a rank's own time, by size: SMPI's os, ois and or. */
#include "calibrate/internal.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST = 4,        /* segments */
    DETACHED = 65536 /* SMPI's own threshold, where none is known */
};

/* Sizes from here on say nothing about a call's overhead: it is the transfer. */
static double limit_of(const struct calibrate_result *r, enum calibrate_curve_id id)
{
    if (id == CALIBRATE_OS)
        return !r->detached.known ? DETACHED : isfinite(r->detached.high) ? r->detached.bytes : INFINITY;
    if (id == CALIBRATE_OR)
        return r->async.known && isfinite(r->async.high) ? r->async.bytes : INFINITY;
    return INFINITY;
}

static size_t points_take(const struct calibrate_result *r, enum calibrate_curve_id id,
                          enum calibrate_mode mode, struct fit_point **out)
{
    struct calibrate_query q = {CALIBRATE_CALL, mode, r->where, 0, false};
    double limit = limit_of(r, id);
    size_t n = 0, at = 0;
    const struct calibrate_point *p;
    *out = base_alloc((calibrate_count(r->table, &q) + 1) * sizeof **out, "points of a fit");
    while ((p = calibrate_next(r->table, &q, &at))) {
        double x = (double)p->bytes, y = p->seconds - r->clock;
        if (x < limit && y > 0)
            (*out)[n++] = (struct fit_point){.x = x, .u = 1, .v = x, .y = y, .unit = y};
    }
    return n;
}

static void constant_add(struct calibrate_result *r, const struct fit *f, unsigned k, const char *name,
                         bool slope)
{
    const struct fit_segment *s = &f->segment[k];
    double value[FIT_REPLICAS];
    char sizes[64] = "";
    for (unsigned i = 0; i < FIT_REPLICAS; i++) {
        const struct fit_line *l = &f->replica[(size_t)i * f->segments + k];
        value[i] = slope ? l->b : l->a;
    }
    double is = slope ? s->line.b : s->line.a;
    struct fit_interval in = fit_interval_of(is, value, FIT_REPLICAS, s->n);
    if (k)
        snprintf(sizes, sizeof sizes, ", above %.0f bytes", s->above);
    calibrate_add(r,
                  &(struct calibrate_constant){base_strfmt("%s%s%s", name, slope ? ", each byte" : "", sizes),
                                               slope ? CALIBRATE_SECONDS_PER_BYTE : CALIBRATE_SECONDS, is,
                                               fmax(in.low, 0), in.high, s->n, "call"});
    if (in.high - in.low > is && is > 0)
        calibrate_miss(r, r->constant.at[r->constant.n - 1].name, "its interval is wider than its value");
}

/* Whether a message of this size has overheads in the model, and in the platform. */
static bool has_overheads(const struct calibrate_result *r, double bytes)
{
    return r->apart && bytes < (r->detached.known ? r->detached.bytes : DETACHED);
}

static void find_calls(struct calibrate_result *r)
{
    static const struct {
        enum calibrate_curve_id id;
        enum calibrate_mode mode;
        const char *name, *about;
    } calls[] = {
        {CALIBRATE_OS, CALIBRATE_SEND, "os", "MPI_Send, with the receive posted"},
        {CALIBRATE_OIS, CALIBRATE_ISEND, "ois", "MPI_Isend, with the receive posted"},
        {CALIBRATE_OR, CALIBRATE_RECV, "or", "MPI_Recv of a message that is there"},
    };
    for (size_t k = 0; k < BASE_LENGTH(calls); k++) {
        struct calibrate_curve *c = &r->curve[calls[k].id];
        struct fit_point *p;
        size_t n = points_take(r, calls[k].id, calls[k].mode, &p);
        c->name = calls[k].name;
        c->about = calls[k].about;
        if (calls[k].id == CALIBRATE_OR && !r->async.known && n) {
            /* Without the threshold it is not known of which messages it is the overhead. */
            calibrate_miss(r, c->name, "the threshold of messages that wait for a receive is not identified");
            n = 0;
        } else if (n < FIT_LEAST) {
            calibrate_miss(r, c->name, "expected points of kind call (%s) of %d sizes: %zu are there",
                           calibrate_mode_name(calls[k].mode), FIT_LEAST, n);
        }
        fit_segments(&c->fit, p, n, MOST, 0);
        fit_bootstrap(&c->fit, r->options.seed, calls[k].id, NULL, NULL);
        for (unsigned i = 0; i < c->fit.segments; i++) {
            constant_add(r, &c->fit, i, c->name, false);
            constant_add(r, &c->fit, i, c->name, true);
        }
    }
}

/* After waiting, a call may find cold caches and a slow clock, and takes longer than the whole half of a round trip. */
static void check_sum(struct calibrate_result *r)
{
    struct calibrate_query q = {CALIBRATE_PINGPONG, CALIBRATE_STANDARD, r->where, 0, false};
    size_t n = 0;
    double *part = base_alloc((calibrate_count(r->table, &q) + 1) * sizeof *part, "parts");
    const struct calibrate_point *p;
    r->apart = true;
    for (size_t at = 0; (p = calibrate_next(r->table, &q, &at));)
        if (p->bytes <= 1024 && p->seconds > 0)
            part[n++] = calibrate_overheads_at(r, (double)p->bytes) / p->seconds;
    double middle = fit_median(part, n);
    if (middle > 1) {
        r->apart = false;
        calibrate_miss(r, "os and or in the platform",
                       "together they are %.3g times half a round trip of short messages: calls are slower "
                       "after waiting. "
                       "The platform has none; its latency and factors hold them",
                       middle);
    }
    free(part);
}

void calibrate_find_overheads(struct calibrate_result *r)
{
    find_calls(r);
    check_sum(r);
}

double calibrate_overheads_at(const struct calibrate_result *r, double bytes)
{
    if (!has_overheads(r, bytes))
        return 0;
    return fit_at(&r->curve[CALIBRATE_OS].fit, bytes) + fit_at(&r->curve[CALIBRATE_OR].fit, bytes);
}

double calibrate_overheads_shift(const void *result, unsigned k, double x)
{
    const struct calibrate_result *r = result;
    double bytes = x - CALIBRATE_ENVELOPE;
    if (!has_overheads(r, bytes))
        return 0;
    return fit_replica_at(&r->curve[CALIBRATE_OS].fit, k, bytes) +
           fit_replica_at(&r->curve[CALIBRATE_OR].fit, k, bytes) - calibrate_overheads_at(r, bytes);
}
