/* SPDX-License-Identifier: BSD-3-Clause */
/* others: constants that are a median of a few points each: computation and memory, one-sided operations, gaps, what a
 * synchronous send costs more; drift and noise of the measurements. */
#include "calibrate/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 32 }; /* one-sided operations that are completed together, as runtime/calibrate has it */

/* The median over points of one size, and what their intervals span. `value` makes a number of a time. */
struct median {
    double value, low, high;
    size_t points;
};

static struct median median_of(const struct calibrate_result *r, const struct calibrate_query *q,
                               uint64_t bytes, double numerator)
{
    struct median m = {.low = INFINITY};
    double *value = base_alloc((calibrate_count(r->table, q) + 1) * sizeof *value, "values");
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, q, &at));) {
        double seconds[3] = {p->seconds, p->low > 0 ? p->low : p->seconds,
                             p->high > 0 ? p->high : p->seconds};
        if (p->bytes != bytes || !(seconds[0] > 0))
            continue;
        for (int k = 0; k < 3; k++) {
            double x = numerator > 0 ? numerator / seconds[k] : seconds[k];
            m.low = fmin(m.low, x);
            m.high = fmax(m.high, x);
        }
        value[m.points++] = numerator > 0 ? numerator / seconds[0] : seconds[0];
    }
    m.value = fit_median(value, m.points);
    m.low = fmin(m.low, m.value * (1 - FIT_FLOOR));
    m.high = fmax(m.high, m.value * (1 + FIT_FLOOR));
    free(value);
    return m;
}

static void median_add(struct calibrate_result *r, const char *name, enum calibrate_unit unit,
                       const struct median *m, const char *from)
{
    calibrate_add(
        r, &(struct calibrate_constant){base_strdup(name), unit, m->value, m->low, m->high, m->points, from});
}

/* Whether such points were written, but no time passed in them. */
static bool stood_still(const struct calibrate_result *r, enum calibrate_kind kind)
{
    for (size_t k = 0; k < r->table->point.n; k++)
        if (r->table->point.at[k].kind == kind && !r->table->point.at[k].identified)
            return true;
    return false;
}

static void kind_miss(struct calibrate_result *r, const char *name, enum calibrate_kind kind)
{
    if (stood_still(r, kind))
        calibrate_miss(r, name, "no time passes");
    else
        calibrate_miss(r, name, "expected points of kind %s", calibrate_kind_name(kind));
}

static uint64_t first_bytes(const struct calibrate_result *r, const struct calibrate_query *q)
{
    size_t at = 0;
    const struct calibrate_point *p = calibrate_next(r->table, q, &at);
    return p ? p->bytes : 0;
}

static void find_compute(struct calibrate_result *r)
{
    static const struct {
        enum calibrate_kind kind;
        enum calibrate_mode mode;
        const char *name;
    } rates[] = {
        {CALIBRATE_FLOPS, CALIBRATE_ONE, "speed of a core"},
        {CALIBRATE_FLOPS, CALIBRATE_ALL, "speed of a core, all ranks computing"},
        {CALIBRATE_TRIAD, CALIBRATE_ONE, "memory bandwidth of a core"},
        {CALIBRATE_TRIAD, CALIBRATE_ALL, "memory bandwidth of a core, all ranks at a time"},
        {CALIBRATE_COPY, CALIBRATE_ONE, "copying by a core"},
        {CALIBRATE_COPY, CALIBRATE_ALL, "copying by a core, all ranks at a time"},
    };
    for (size_t k = 0; k < BASE_LENGTH(rates); k++) {
        struct calibrate_query q = {.kind = rates[k].kind, .mode = rates[k].mode};
        bool flops = rates[k].kind == CALIBRATE_FLOPS;
        size_t at = 0;
        const struct calibrate_point *p = calibrate_next(r->table, &q, &at);
        if (!p || (flops && !p->width)) {
            kind_miss(r, rates[k].name, rates[k].kind);
            continue;
        }
        struct median m = median_of(r, &q, p->bytes, (double)(flops ? p->width : p->bytes));
        median_add(r, rates[k].name, flops ? CALIBRATE_FLOPS_PER_SECOND : CALIBRATE_BANDWIDTH, &m,
                   calibrate_kind_name(q.kind));
        if (k == 0)
            r->speed = m.value;
    }
}

/* T(32) = T(1) + 31 overheads: the operations follow each other, and their ways overlap. */
static void find_one_sided(struct calibrate_result *r)
{
    static const enum calibrate_kind kinds[] = {CALIBRATE_PUT, CALIBRATE_GET, CALIBRATE_ATOMIC};
    for (size_t k = 0; k < BASE_LENGTH(kinds); k++) {
        const char *kind = calibrate_kind_name(kinds[k]);
        struct calibrate_query q = {.kind = kinds[k], .mode = CALIBRATE_LATENCY, .where = r->where}, rate = q;
        char name[64];
        rate.mode = CALIBRATE_RATE;
        uint64_t bytes = kinds[k] == CALIBRATE_ATOMIC ? first_bytes(r, &q) : 1;
        struct median m = median_of(r, &q, bytes, 0), each = median_of(r, &rate, bytes, 0);
        if (!m.points) {
            snprintf(name, sizeof name, "latency of %s", kind);
            calibrate_miss(r, name, "expected points of kind %s (latency) of %llu bytes", kind,
                           (unsigned long long)bytes);
            continue;
        }
        snprintf(name, sizeof name, "latency of %s and its completion", kind);
        median_add(r, name, CALIBRATE_SECONDS, &m, kind);
        if (!each.points)
            continue;
        struct median o = {(MANY * each.value - m.value) / (MANY - 1),
                           fmax((MANY * each.low - m.high) / (MANY - 1), 0),
                           (MANY * each.high - m.low) / (MANY - 1), each.points};
        snprintf(name, sizeof name, "time between two of %s", kind);
        if (!(o.value > 0))
            continue;
        median_add(r, name, CALIBRATE_SECONDS, &o, kind);
        r->between[k] = o.value;
        r->completed[k] = m.value;
    }
}

static void find_gap(struct calibrate_result *r)
{
    struct calibrate_query q = {.kind = CALIBRATE_PAIRS, .where = r->where, .width = 1};
    struct median m = median_of(r, &q, 1, 0);
    if (m.points)
        median_add(r, "gap between messages of 1 byte in a stream", CALIBRATE_SECONDS, &m, "pairs");
    else
        calibrate_miss(r, "gap between messages", "expected streams of messages of 1 byte (pairs)");
}

/* What MPI_Ssend's half round trip is longer by, of short messages. */
static void find_synchronous(struct calibrate_result *r)
{
    struct calibrate_query q = {CALIBRATE_PINGPONG, CALIBRATE_SYNCHRONOUS, r->where, 0, false};
    size_t n = 0, at = 0;
    double *more = base_alloc((calibrate_count(r->table, &q) + 1) * sizeof *more, "differences");
    const struct calibrate_point *p;
    while (r->curve[CALIBRATE_TRANSFER].fit.segments && (p = calibrate_next(r->table, &q, &at)))
        if (p->bytes <= 1024)
            more[n++] = p->seconds - calibrate_predict_half(r, (double)p->bytes);
    double value = fit_median(more, n);
    if (n >= FIT_LEAST && value > 0)
        calibrate_add(r, &(struct calibrate_constant){
                             base_strdup("what MPI_Ssend takes longer, up to 1 KiB"), CALIBRATE_SECONDS,
                             value, fit_quantile_sorted(more, n, 0.5 - 0.98 / sqrt((double)n)),
                             fit_quantile_sorted(more, n, 0.5 + 0.98 / sqrt((double)n)), n, "pingpong"});
    free(more);
}

static void find_calls(struct calibrate_result *r)
{
    static const struct {
        enum calibrate_kind kind;
        const char *name;
        uint64_t bytes;
    } calls[] = {{CALIBRATE_CLOCK, "MPI_Wtime", 0},
                 {CALIBRATE_TEST, "MPI_Test", 1},
                 {CALIBRATE_PROBE, "MPI_Iprobe", 1},
                 {CALIBRATE_BARRIER, "MPI_Barrier of all ranks", 0}};
    for (size_t k = 0; k < BASE_LENGTH(calls); k++) {
        struct calibrate_query q = {.kind = calls[k].kind};
        struct median m = median_of(r, &q, calls[k].bytes, 0);
        if (m.points)
            median_add(r, calls[k].name, CALIBRATE_SECONDS, &m, calibrate_kind_name(q.kind));
    }
}

/* --- how steady the machine was ------------------------------------------------------------------------- */

/* Of each pass the median of what half round trips are off the fit by. */
static void find_drift(struct calibrate_result *r)
{
    struct calibrate_query q = {CALIBRATE_PINGPONG, CALIBRATE_STANDARD, r->where, 0, false};
    size_t n = calibrate_count(r->table, &q), points = 0;
    double *off = base_alloc((n + 1) * sizeof *off, "residuals"), least = INFINITY, most = -INFINITY;
    uint32_t passes = 0, counted = 0;
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, &q, &at));)
        passes = p->pass + 1 > passes ? p->pass + 1 : passes;
    for (uint32_t pass = 0; pass < passes && r->curve[CALIBRATE_TRANSFER].fit.segments && passes < 1001;
         pass++) {
        size_t k = 0;
        for (size_t at = 0; (p = calibrate_next(r->table, &q, &at));)
            if (p->pass == pass && p->seconds > 0)
                off[k++] = 1 - calibrate_predict_half(r, (double)p->bytes) / p->seconds;
        if (k < FIT_LEAST)
            continue;
        double middle = fit_median(off, k);
        least = fmin(least, middle);
        most = fmax(most, middle);
        points += k;
        counted++;
    }
    free(off);
    if (counted > 1)
        calibrate_add(r, &(struct calibrate_constant){base_strdup("drift between passes"), CALIBRATE_RATIO,
                                                      most - least, most - least, most - least, points,
                                                      "pingpong"});
    else
        calibrate_miss(r, "drift", "expected two passes");
}

static void find_noise(struct calibrate_result *r)
{
    struct calibrate_query q = {.kind = CALIBRATE_NOISE};
    size_t n = calibrate_count(r->table, &q), k = 0, at = 0;
    double *q99 = base_alloc((n + 1) * sizeof *q99, "quantiles"),
           *mean = base_alloc((n + 1) * sizeof *mean, "means");
    const struct calibrate_point *p;
    for (; (p = calibrate_next(r->table, &q, &at));)
        if (p->seconds > 0 && p->q99 > 0 && p->mean > 0) {
            q99[k] = p->q99 / p->seconds;
            mean[k++] = p->mean / p->seconds;
        }
    double high = fit_median(q99, k), middle = fit_median(mean, k);
    if (k) {
        calibrate_add(
            r, &(struct calibrate_constant){base_strdup("noise: 99% quantile of equal work, to its median"),
                                            CALIBRATE_RATIO, high, q99[0], q99[k - 1], k, "noise"});
        calibrate_add(r, &(struct calibrate_constant){base_strdup("noise: mean of equal work, to its median"),
                                                      CALIBRATE_RATIO, middle, mean[0], mean[k - 1], k,
                                                      "noise"});
    } else {
        kind_miss(r, "noise", CALIBRATE_NOISE);
    }
    free(q99);
    free(mean);
}

/* What is drawn once in a run: a job is one draw of it. */
static void miss_runs(struct calibrate_result *r)
{
    static const char *const keys[] = {"noise/bandwidth", "noise/speed"};
    for (size_t k = 0; k < BASE_LENGTH(keys); k++)
        calibrate_miss(r, keys[k],
                       "it is the same in all of a job; how it differs between jobs was not measured");
}

void calibrate_find_others(struct calibrate_result *r)
{
    find_gap(r);
    find_synchronous(r);
    find_one_sided(r);
    find_calls(r);
    find_compute(r);
    find_drift(r);
    find_noise(r);
    calibrate_check_late(r);
    miss_runs(r);
}
