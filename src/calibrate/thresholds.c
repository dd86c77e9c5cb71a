/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thresholds: where an MPI changes its protocol. A send whose receiver comes late returns before that (eager, or
 * detached in SMPI's words) or waits. A receive that comes late finds its message there (asynchronous), or its first bytes,
 * or the transfer begins then.
 */
#include "calibrate/internal.h"

#include <math.h>
#include <stdlib.h>

/* A message of this size was of the upper mode. */
struct vote {
    double bytes;
    bool upper;
};

static int by_bytes(const void *a, const void *b)
{
    const struct vote *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return x->upper - y->upper;
}

/* A size from which the upper mode holds: the power of two between both sizes, if there is one. */
static double between(double below, double from)
{
    double power = exp2(ceil(log2(fmax(below, 0.5) + 1)));
    return power <= from ? power : floor((below + from + 1) / 2);
}

/* The cut that the fewest votes contradict. Returns the part of those. */
static double votes_split(struct vote *v, size_t n, struct calibrate_threshold *out)
{
    size_t wrong = 0, least, cut = 0;
    qsort(v, n, sizeof *v, by_bytes);
    for (size_t k = 0; k < n; k++)
        wrong += !v[k].upper; /* with the cut before the first one */
    least = wrong;
    for (size_t k = 0; k < n; k++) {
        wrong += v[k].upper ? 1 : (size_t)-1;
        if (wrong < least && (k + 1 == n || v[k + 1].bytes > v[k].bytes)) {
            least = wrong;
            cut = k + 1;
        }
    }
    out->low = cut ? v[cut - 1].bytes + 1 : 0;
    out->high = cut < n ? v[cut].bytes : INFINITY;
    out->bytes = cut == n ? v[n - 1].bytes + 1 : cut ? between(v[cut - 1].bytes, v[cut].bytes) : 0;
    return (double)least / (double)n;
}

static void threshold_add(struct calibrate_result *r, struct calibrate_threshold *t, const char *name,
                          const char *from, size_t n, double wrong)
{
    if (wrong > 0.1) {
        calibrate_miss(r, name, "%.0f%% of %zu points contradict every threshold", 100 * wrong, n);
        return;
    }
    t->known = true;
    calibrate_add(r, &(struct calibrate_constant){base_strdup(name), CALIBRATE_BYTES, t->bytes, t->low,
                                                  t->high, n, from});
    if (isinf(t->high))
        calibrate_miss(r, name, "no message up to %.0f bytes is above: it is this size at least", t->low - 1);
}

static void find_detached(struct calibrate_result *r)
{
    static const char name[] = "threshold of sends that wait";
    struct calibrate_query q = {.kind = CALIBRATE_LATE, .where = r->where};
    size_t n = calibrate_count(r->table, &q), at = 0, k = 0;
    const struct calibrate_point *p;
    if (n < FIT_LEAST) {
        calibrate_miss(r, name, "expected points of kind late: %zu are there", n);
        return;
    }
    struct vote *v = base_alloc(n * sizeof *v, "votes");
    for (; (p = calibrate_next(r->table, &q, &at)); k++)
        v[k] = (struct vote){(double)p->bytes, p->seconds > 0.5 * p->wait};
    double wrong = votes_split(v, n, &r->detached);
    threshold_add(r, &r->detached, name, "late", n, wrong);
    free(v);
}

/* Half a round trip of the size that is nearest. */
static double half_near(const struct calibrate_result *r, uint64_t bytes)
{
    struct calibrate_query q = {CALIBRATE_PINGPONG, CALIBRATE_STANDARD, r->where, 0, false};
    double nearest = INFINITY, seconds = 0;
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, &q, &at));) {
        double off = fabs(log(((double)p->bytes + 1) / ((double)bytes + 1)));
        if (off < nearest) {
            nearest = off;
            seconds = p->seconds;
        }
    }
    return seconds;
}

/* Below the threshold a receive must be clearly shorter than half a round trip: else nothing tells modes apart. */
static bool is_clear(const struct calibrate_result *r, const struct calibrate_query *q, double below)
{
    size_t clear = 0, n = 0;
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, q, &at));)
        if ((double)p->bytes < below) {
            clear += p->seconds - r->clock < 0.6 * half_near(r, p->bytes);
            n++;
        }
    return n && clear * 10 >= n * 9;
}

static void find_async(struct calibrate_result *r)
{
    static const char name[] = "threshold of messages that wait for a receive";
    struct calibrate_query q = {CALIBRATE_CALL, CALIBRATE_RECV, r->where, 0, false};
    struct calibrate_query half = {CALIBRATE_PINGPONG, CALIBRATE_STANDARD, r->where, 0, false};
    size_t n = calibrate_count(r->table, &q), at = 0, k = 0;
    const struct calibrate_point *p;
    if (n < FIT_LEAST || !calibrate_count(r->table, &half)) {
        calibrate_miss(r, name, "expected points of kinds call (recv) and pingpong");
        return;
    }
    struct vote *v = base_alloc(n * sizeof *v, "votes");
    for (; (p = calibrate_next(r->table, &q, &at)); k++)
        v[k] = (struct vote){(double)p->bytes, p->seconds - r->clock > 0.7 * half_near(r, p->bytes)};
    double wrong = votes_split(v, n, &r->async);
    if (!is_clear(r, &q, r->async.bytes))
        calibrate_miss(r, name, "a receive takes about as long whether its message is there or not");
    else
        threshold_add(r, &r->async, name, "call recv, pingpong", n, wrong);
    free(v);
}

void calibrate_find_thresholds(struct calibrate_result *r)
{
    find_detached(r);
    find_async(r);
    /* A message that its sender waits for is never there before its receive. */
    if (r->async.known && r->detached.known && r->async.bytes > r->detached.bytes)
        r->async.bytes = r->detached.bytes;
}

enum { FEW_SIZES = 2 }; /* at least, that tell what goes ahead */

/* A receive that comes late saves the time of the bytes that have come with the request. If these are about as many as
 * a message without a request has, then they are as many as its longest one. */
void calibrate_find_data_ahead(struct calibrate_result *r)
{
    static const char name[] = "data that goes with a request";
    struct calibrate_query q = {CALIBRATE_CALL, CALIBRATE_RECV, r->where, 0, false};
    size_t n = 0;
    double *bytes = base_alloc((calibrate_count(r->table, &q) + 1) * sizeof *bytes, "sizes");
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, &q, &at));) {
        bytes[n] = (half_near(r, p->bytes) - (p->seconds - r->clock) - r->latency) * r->bandwidth;
        n += r->detached.known && (double)p->bytes >= r->detached.bytes && bytes[n] < 0.9 * (double)p->bytes;
    }
    double middle = fit_median(bytes, n);
    if (n >= FEW_SIZES && bytes[n / 4] > 0.1 * r->detached.bytes) {
        r->ahead = fabs(middle / r->detached.bytes - 1) < 0.2 ? r->detached.bytes - 1 : floor(middle);
        calibrate_add(r, &(struct calibrate_constant){base_strdup(name), CALIBRATE_BYTES, r->ahead, bytes[0],
                                                      bytes[n - 1], n, "call recv, pingpong"});
    }
    free(bytes);
}
