/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transfers: latency, bandwidth and their factors by size, from half round trips without the overheads that SMPI's model
 * charges for a message of that size. Within a node the same factors hold, for SMPI has one list: what is fitted there
 * is a latency and a bandwidth in units of the factors.
 */
#include "calibrate/internal.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_FACTOR 1e-9
#define MOST_FACTOR  1e6

double calibrate_latency_factor(const struct calibrate_result *r, unsigned k)
{
    const struct fit *f = &r->curve[CALIBRATE_TRANSFER].fit;
    return fmin(fmax(f->segment[k].line.a / r->latency, LEAST_FACTOR), MOST_FACTOR);
}

double calibrate_bandwidth_factor(const struct calibrate_result *r, unsigned k)
{
    double b = r->curve[CALIBRATE_TRANSFER].fit.segment[k].line.b;
    return b > 0 ? fmin(fmax(1 / (b * r->bandwidth), LEAST_FACTOR), MOST_FACTOR) : MOST_FACTOR;
}

double calibrate_predict_half(const struct calibrate_result *r, double bytes)
{
    return calibrate_overheads_at(r, bytes) +
           fit_at(&r->curve[CALIBRATE_TRANSFER].fit, bytes + CALIBRATE_ENVELOPE);
}

static size_t points_take(const struct calibrate_result *r, enum calibrate_where where, bool across,
                          struct fit_point **out)
{
    struct calibrate_query q = {CALIBRATE_PINGPONG, CALIBRATE_STANDARD, where, 0, across};
    size_t n = 0, at = 0;
    const struct calibrate_point *p;
    *out = base_alloc((calibrate_count(r->table, &q) + 1) * sizeof **out, "points of a fit");
    while ((p = calibrate_next(r->table, &q, &at))) {
        double bytes = (double)p->bytes, times = p->repetitions ? p->repetitions : 1;
        double half = p->seconds - r->clock / (2 * times);
        if (half > 0)
            (*out)[n++] = (struct fit_point){.x = bytes + CALIBRATE_ENVELOPE,
                                             .u = 1,
                                             .v = bytes + CALIBRATE_ENVELOPE,
                                             .y = half - calibrate_overheads_at(r, bytes),
                                             .unit = half};
    }
    return n;
}

/* The constant and its interval: the line's start, or the bandwidth of its slope. */
static void line_add(struct calibrate_result *r, const struct fit *f, unsigned k, const char *name,
                     bool bandwidth)
{
    double value[FIT_REPLICAS];
    const struct fit_segment *s = &f->segment[k];
    for (unsigned i = 0; i < FIT_REPLICAS; i++) {
        const struct fit_line *l = &f->replica[(size_t)i * f->segments + k];
        value[i] = !bandwidth ? l->a : l->b > 0 ? 1 / l->b : INFINITY;
    }
    double is = bandwidth ? 1 / s->line.b : s->line.a;
    struct fit_interval in = fit_interval_of(is, value, FIT_REPLICAS, s->n);
    calibrate_add(r, &(struct calibrate_constant){base_strdup(name),
                                                  bandwidth ? CALIBRATE_BANDWIDTH : CALIBRATE_SECONDS, is,
                                                  fmax(in.low, 0), in.high, s->n, "pingpong"});
    if (in.high - in.low > is)
        calibrate_miss(r, name, "its interval is wider than its value");
}

/* The latency is that of the shortest messages, the bandwidth that of the longest ones. */
static void nominal_find(struct calibrate_result *r, const struct fit *f)
{
    bool network = r->where == CALIBRATE_NETWORK;
    unsigned first = 0, last = f->segments - 1;
    while (first < last && !(f->segment[first].line.a > 0))
        first++;
    while (last > 0 && !(f->segment[last].line.b > 0))
        last--;
    if (f->segment[first].line.a > 0) {
        r->latency = f->segment[first].line.a;
        line_add(r, f, first, network ? "latency of the network" : "latency within a node", false);
    } else {
        r->latency = 1e-9;
        calibrate_miss(r, "latency",
                       "half round trips are as long as their calls and bytes take: 1 ns is written");
    }
    if (f->segment[last].line.b > 0) {
        r->bandwidth = 1 / f->segment[last].line.b;
        line_add(r, f, last, network ? "bandwidth of one message" : "bandwidth within a node", true);
    } else {
        const struct fit_point *p = &f->point[f->n - 1];
        r->bandwidth = p->x / p->unit;
        calibrate_miss(r, "bandwidth",
                       "times do not grow with the size: that of the largest message is written");
    }
}

static void factors_add(struct calibrate_result *r, const struct fit *f)
{
    for (unsigned k = 0; f->segments > 1 && k < f->segments; k++) {
        const struct fit_segment *s = &f->segment[k];
        double a = calibrate_latency_factor(r, k), b = calibrate_bandwidth_factor(r, k), value[FIT_REPLICAS];
        for (unsigned i = 0; i < FIT_REPLICAS; i++)
            value[i] = f->replica[(size_t)i * f->segments + k].a / r->latency;
        struct fit_interval in = fit_interval_of(a, value, FIT_REPLICAS, s->n);
        calibrate_add(r, &(struct calibrate_constant){
                             base_strfmt("latency factor, above %.0f bytes", fmax(s->above - f->offset, 0)),
                             CALIBRATE_RATIO, a, fmax(in.low, 0), in.high, s->n, "pingpong"});
        for (unsigned i = 0; i < FIT_REPLICAS; i++) {
            double slope = f->replica[(size_t)i * f->segments + k].b * r->bandwidth;
            value[i] = slope > 0 ? fmin(1 / slope, MOST_FACTOR) : MOST_FACTOR;
        }
        in = fit_interval_of(b, value, FIT_REPLICAS, s->n);
        calibrate_add(r, &(struct calibrate_constant){
                             base_strfmt("bandwidth factor, above %.0f bytes", fmax(s->above - f->offset, 0)),
                             CALIBRATE_RATIO, b, fmax(in.low, 0), in.high, s->n, "pingpong"});
    }
}

/* A message of a threshold's size is of the upper mode, and of the upper segment: factors hold above a size. */
static void cuts_align(const struct calibrate_result *r, struct fit *f)
{
    const struct calibrate_threshold *t[] = {&r->async, &r->detached};
    for (unsigned k = 1; k < f->segments; k++)
        for (size_t i = 0; i < BASE_LENGTH(t); i++)
            if (t[i]->known && f->segment[k].above == t[i]->bytes + f->offset) {
                f->segment[k].above--;
                break;
            }
}

static void find_transfer(struct calibrate_result *r)
{
    struct calibrate_curve *c = &r->curve[CALIBRATE_TRANSFER];
    struct fit_point *p;
    size_t n = points_take(r, r->where, false, &p);
    c->name = "transfer";
    c->about = r->where == CALIBRATE_NETWORK
                   ? "half a round trip between nodes, without the calls' overheads"
                   : "half a round trip within a node, without the calls' overheads";
    fit_segments(&c->fit, p, n, FIT_SEGMENTS, CALIBRATE_ENVELOPE);
    if (!c->fit.segments) {
        calibrate_miss(r, "latency and bandwidth", "expected half round trips of %d sizes: %zu are there",
                       FIT_LEAST, n);
        return;
    }
    cuts_align(r, &c->fit);
    fit_bootstrap(&c->fit, r->options.seed, CALIBRATE_TRANSFER, calibrate_overheads_shift, r);
    if (c->fit.error > 0.1)
        calibrate_miss(r, "transfer",
                       "half of the times are off by more than %.0f%%: the machine was not steady",
                       100 * c->fit.error);
    nominal_find(r, &c->fit);
    factors_add(r, &c->fit);
}

/* --- within a node -------------------------------------------------------------------------------------- */

static void local_points_scale(const struct calibrate_result *r, struct fit_point *p, size_t n)
{
    const struct fit *f = &r->curve[CALIBRATE_TRANSFER].fit;
    for (size_t k = 0; k < n; k++) {
        unsigned segment = fit_segment_of(f, p[k].x);
        p[k].u = calibrate_latency_factor(r, segment);
        p[k].v = p[k].x / calibrate_bandwidth_factor(r, segment);
    }
}

static void find_local(struct calibrate_result *r)
{
    struct calibrate_curve *c = &r->curve[CALIBRATE_LOCAL];
    struct fit_point *p;
    size_t n = points_take(r, CALIBRATE_NODE, false, &p);
    c->name = "within a node";
    c->about = "half a round trip within a node, without the calls' overheads, by the network's factors";
    local_points_scale(r, p, n);
    fit_segments(&c->fit, p, n, 1, CALIBRATE_ENVELOPE);
    if (!c->fit.segments) {
        calibrate_miss(r, "latency and bandwidth within a node",
                       "expected half round trips within a node of %d sizes: %zu are there", FIT_LEAST, n);
        return;
    }
    fit_bootstrap(&c->fit, r->options.seed, CALIBRATE_LOCAL, calibrate_overheads_shift, r);
    const struct fit_line *l = &c->fit.segment[0].line;
    r->local_latency = l->a;
    r->local_bandwidth = l->b > 0 ? 1 / l->b : 0;
    line_add(r, &c->fit, 0, "latency within a node", false);
    if (l->b > 0)
        line_add(r, &c->fit, 0, "bandwidth within a node", true);
    if (c->fit.error > 0.1)
        calibrate_miss(r, "paths within a node",
                       "with the network's overheads and factors, which SMPI has for all paths, half of the "
                       "times are off by more than %.0f%%",
                       100 * c->fit.error);
}

/* Between sockets: printed, for a platform has one path within a node. */
static void find_across(struct calibrate_result *r)
{
    struct calibrate_curve *c = &r->curve[CALIBRATE_ACROSS];
    struct fit_point *p;
    size_t n = points_take(r, CALIBRATE_NODE, true, &p);
    c->name = "between sockets";
    c->about = "half a round trip between sockets, without the calls' overheads, by the same factors";
    local_points_scale(r, p, n);
    fit_segments(&c->fit, p, n, 1, CALIBRATE_ENVELOPE);
    if (!c->fit.segments)
        return;
    fit_bootstrap(&c->fit, r->options.seed, CALIBRATE_ACROSS, calibrate_overheads_shift, r);
    line_add(r, &c->fit, 0, "latency between sockets", false);
    if (c->fit.segment[0].line.b > 0)
        line_add(r, &c->fit, 0, "bandwidth between sockets", true);
    calibrate_miss(r, "paths between sockets", "the platform has one path within a node, that of a socket");
}

void calibrate_find_transfers(struct calibrate_result *r)
{
    find_transfer(r);
    if (r->where == CALIBRATE_NODE) {
        calibrate_miss(r, "network", "no two ranks were on different nodes");
        r->local_latency = r->latency;
        r->local_bandwidth = r->bandwidth;
    } else if (r->curve[CALIBRATE_TRANSFER].fit.segments) {
        find_local(r);
    }
    if (r->curve[CALIBRATE_TRANSFER].fit.segments)
        find_across(r);
}
