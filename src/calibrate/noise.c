/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise: what differs between equal pieces of work, and between equal messages, as settings noise/... (docs/noise.md).
 *
 * Interruptions: with a rate of r a second, a piece of w seconds is not interrupted with probability exp(-r w). That gives
 * the rate; what the disturbed pieces have above the median, and how often two interruptions meet in one piece, how long
 * they last. Late messages: a sample is the mean of 2 n messages (n round trips), of which a late one adds 1/(2 n).
 */
#include "calibrate/internal.h"

#include <math.h>
#include <stdlib.h>

/* Work between the checks of a clock is known no better. */
static const double least_share = 1e-5;

/* --- interruptions --------------------------------------------------------------------------------------------------- */

struct pieces {
    double n, disturbed; /* samples */
    double work;         /* seconds, of all of them */
    double excess;       /* seconds, of all disturbed ones */
    double
        part[CALIBRATE_EXCESSES]; /* their quantiles, each as often as it counts; the largest one as it is */
};

static void pieces_add(struct pieces *all, const struct calibrate_point *p)
{
    all->n += p->samples;
    all->work += p->samples * p->seconds;
    all->disturbed += p->disturbed;
    all->excess += p->disturbed * p->excess;
    for (int k = 0; k < CALIBRATE_EXCESSES - 1; k++)
        all->part[k] += p->disturbed * p->excesses[k];
    double *most = &all->part[CALIBRATE_EXCESSES - 1];
    *most = fmax(*most, p->excesses[CALIBRATE_EXCESSES - 1]);
}

static double mean_of(const double *value)
{
    double sum = 0;
    for (int k = 1; k < CALIBRATE_EXCESSES; k++)
        sum += (calibrate_excess_parts[k] - calibrate_excess_parts[k - 1]) * (value[k] + value[k - 1]) / 2;
    return sum;
}

/* The quantiles have the mean that makes the share of all interruptions what it was. */
static void compute_write(struct pieces *all, FILE *out)
{
    double apart = 1 - all->disturbed / all->n, w = all->work / all->n, last = 0;
    if (!(all->disturbed > 0 && apart > 0 && all->excess > least_share * all->work))
        return;
    double rate = -log(apart) / w, mean = all->excess / all->n / (rate * w), *value = all->part;
    double most = value[CALIBRATE_EXCESSES - 1];
    for (int k = 0; k < CALIBRATE_EXCESSES; k++) {
        value[k] = fmax(last, k + 1 < CALIBRATE_EXCESSES ? value[k] / all->disturbed : most);
        last = value[k];
    }
    double scale = mean / mean_of(value);
    fprintf(out, "--set noise/compute=exponential:%.6gs/quantiles:", 1 / rate);
    for (int k = 0; k < CALIBRATE_EXCESSES; k++)
        fprintf(out, "%s%g=%.6gs", k ? "," : "", calibrate_excess_parts[k], value[k] * scale);
    fputs("\n", out);
}

static void find_interruptions(const struct calibrate_table *t, FILE *out)
{
    struct calibrate_query q = {.kind = CALIBRATE_NOISE};
    struct pieces all = {0};
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(t, &q, &at));)
        if (p->seconds > 0 && p->samples && p->disturbed < p->samples)
            pieces_add(&all, p);
    if (all.n > 0)
        compute_write(&all, out);
}

/* --- late messages --------------------------------------------------------------------------------------------------- */

enum { SHORT = 1024, FEW = 20 }; /* bytes; samples that show a tail */

/* What single messages are late, at these parts of all messages. */
struct late {
    double q90, q99, most, part90, part99;
    double mean; /* of all messages */
    unsigned n, means;
};

static void late_add(struct late *l, const struct calibrate_point *p)
{
    double messages = 2.0 * (p->repetitions ? p->repetitions : 1);
    l->q90 += messages * (p->q90 - p->seconds);
    l->q99 += messages * (p->q99 - p->seconds);
    l->most = fmax(l->most, messages * (p->most - p->seconds));
    l->part90 += 1 - 0.1 / messages;
    l->part99 += 1 - 0.01 / messages;
    l->mean += p->mean > 0 ? p->mean - p->seconds : 0;
    l->means += p->mean > 0;
    l->n++;
}

/* The parts and values as they are, and their mean made what was measured: if only few messages are late, by how few they
 * are; if many are, by how late. */
static void late_write(const struct late *l, double q90, double q99, double most, FILE *out)
{
    double tail = (1 - l->part99) * (q99 + most) / 2, early = l->part90, scale = 1;
    double mean = l->means ? fmax(0, l->mean / l->means) : 0;
    double body = (l->part90 - 0.5) * q90 / 2 + (l->part99 - l->part90) * (q90 + q99) / 2;
    bool few = q90 <= 0.01 * q99;
    if (l->means && few)
        early = fmax(0.5, l->part99 - fmax(1e-4, 2 * (mean - tail) / q99));
    else if (l->means)
        scale = mean / (body + tail);
    if (!few)
        fprintf(out, "0.5=0s,");
    fprintf(out, "%.6g=%.6gs,%.6g=%.6gs,1=%.6gs\n", early, few ? 0 : scale * q90, l->part99, scale * q99,
            scale * most);
}

/* Where messages of single samples are late, and under which name. */
static const struct {
    enum calibrate_where where;
    const char *key;
} lates[] = {{CALIBRATE_NETWORK, "latency"}, {CALIBRATE_NODE, "local-latency"}};

/* Returns how many points of short messages there are, whether they show a tail or not. */
static unsigned lates_add(struct late *l, const struct calibrate_table *t, enum calibrate_where where)
{
    struct calibrate_query q = {.kind = CALIBRATE_PINGPONG, .mode = CALIBRATE_STANDARD, .where = where};
    unsigned n = 0;
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(t, &q, &at));) {
        n += p->bytes <= SHORT;
        if (p->bytes <= SHORT && p->samples >= FEW && p->q90 > 0 && p->q99 >= p->q90)
            late_add(l, p);
    }
    return n;
}

void calibrate_check_late(struct calibrate_result *r)
{
    for (size_t k = 0; k < BASE_LENGTH(lates); k++) {
        struct late l = {0};
        char name[40];
        snprintf(name, sizeof name, "noise/%s", lates[k].key);
        if (lates_add(&l, r->table, lates[k].where) && !l.n)
            calibrate_miss(r, name, "expected half round trips of %d bytes at most with %d samples or more",
                           SHORT, FEW);
    }
}

static void find_late(const struct calibrate_table *t, enum calibrate_where where, const char *key, FILE *out)
{
    struct late l = {0};
    lates_add(&l, t, where);
    if (!l.n || !(l.q99 > 0))
        return;
    double q90 = fmax(0, l.q90 / l.n), q99 = fmax(q90, l.q99 / l.n);
    l.part90 /= l.n;
    l.part99 /= l.n;
    fprintf(out, "--set noise/%s=quantiles:", key);
    late_write(&l, q90, q99, fmax(q99, l.most), out);
}

void calibrate_noise(const struct calibrate_result *r, FILE *out)
{
    find_interruptions(r->table, out);
    for (size_t k = 0; k < BASE_LENGTH(lates); k++)
        find_late(r->table, lates[k].where, lates[k].key, out);
}
