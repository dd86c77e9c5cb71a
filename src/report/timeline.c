/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Links and hosts over time. An operation's bytes are spread evenly over the part of its flight beyond what
 * it takes without bytes, on each link of its way; a host is busy with as many cores as threads compute.
 *
 * Adding an amount over an interval takes constant time, however many bins it covers: the first and last bin
 * get their shares directly, and the bins between a change of rate.
 *
 * Invariants
 *  M1  Spreading preserves amounts: the bins of a series add up to what was put in.
 */
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>

struct series {
    double *amount; /* by bin */
    double *step;   /* by bin: change of what each bin from here on gets in addition */
};

static uint32_t bins_for(const struct report_facts *f)
{
    uint32_t most = f->about->links > f->about->hosts ? f->about->links : f->about->hosts;
    if (!(f->end > 0))
        return 0;
    return most <= 4096 ? 512 : most <= 32768 ? 128 : 64;
}

static void series_prepare(struct series *s, const struct report_bins *b)
{
    if (s->amount)
        return;
    s->amount = base_zalloc(sizeof *s->amount * 2 * b->n, "use of links and hosts");
    s->step = s->amount + b->n;
}

static uint32_t bin_of(const struct report_bins *b, double time)
{
    double k = time / b->width;
    return k >= b->n ? b->n - 1 : (uint32_t)k;
}

static void spread(struct series *s, const struct report_bins *b, double from, double to, double amount)
{
    series_prepare(s, b);
    uint32_t first = bin_of(b, from), last = bin_of(b, to);
    if (first == last || !(to > from)) {
        s->amount[last] += amount;
        return;
    }
    double rate = amount / (to - from), all = rate * b->width;
    double head = rate * ((first + 1) * b->width - from), between = all * (last - first - 1);
    s->amount[first] += head;
    s->amount[last] += amount - head - between;
    if (first + 1 < last) {
        s->step[first + 1] += all;
        s->step[last] -= all;
    }
}

/* Utilization by bin, of so much a bin at most; frees the series. */
static float *resolve(struct series *s, const struct report_bins *b, double capacity, double *mean,
                      double *peak)
{
    double level = 0, sum = 0;
    if (!s->amount)
        return NULL;
    float *usage = base_alloc(sizeof *usage * b->n, "use of links and hosts");
    for (uint32_t k = 0; k < b->n; k++) {
        level += s->step[k];
        double part = capacity > 0 ? fmax(s->amount[k] + level, 0) / capacity : 0;
        usage[k] = (float)part;
        sum += part;
        *peak = fmax(*peak, part);
    }
    *mean = sum / b->n;
    free(s->amount);
    return usage;
}

/* --- links ------------------------------------------------------------------------------------------- */

static void add_operation(struct report_facts *f, struct series *series, const struct report_op *op)
{
    const uint32_t *links;
    uint32_t n = report_op_route(f, op, &links);
    struct report_flight flight = report_op_flight(f, op, op->end);
    for (uint32_t k = 0; k < n; k++) {
        struct report_link *l = &f->link[links[k]];
        l->operations++;
        l->bytes += (double)op->bytes;
        if (f->bins.n)
            spread(&series[links[k]], &f->bins, op->end - flight.transfer - flight.contention, op->end,
                   (double)op->bytes);
    }
    if (op->link != REPORT_NO_LINK) {
        f->link[op->link].transfer += flight.transfer;
        f->link[op->link].contention += flight.contention;
    }
}

static void links(struct report_facts *f)
{
    struct series *series = base_zalloc(sizeof *series * ((size_t)f->about->links + 1), "use of links");
    for (uint32_t k = 0; k < f->work->ops; k++) {
        const struct report_op *op = report_op_at(f->work, k);
        if (op->ended)
            add_operation(f, series, op);
    }
    for (uint32_t k = 0; k < f->about->links; k++)
        f->link[k].usage = resolve(&series[k], &f->bins, f->about->link[k].bandwidth * f->bins.width,
                                   &f->link[k].mean, &f->link[k].peak);
    free(series);
}

/* --- hosts ------------------------------------------------------------------------------------------- */

static void add_lane(struct report_facts *f, struct series *series, const struct report_lane *l)
{
    uint32_t host = f->rank[l->rank].host;
    for (size_t k = 0; k < l->n; k++) {
        double from = l->at[k].time, to = k + 1 < l->n ? l->at[k + 1].time : f->rank[l->rank].end;
        if (l->at[k].doing != REPORT_DOING_COMPUTE || to <= from)
            continue;
        f->host[host].computing += to - from;
        if (f->bins.n)
            spread(&series[host], &f->bins, from, to, to - from);
    }
}

static void hosts(struct report_facts *f)
{
    struct series *series = base_zalloc(sizeof *series * ((size_t)f->about->hosts + 1), "use of hosts");
    for (uint32_t k = 0; k < f->work->lanes; k++)
        add_lane(f, series, &f->work->lane[k]);
    for (uint32_t k = 0; k < f->about->hosts; k++) {
        double cores = f->about->host[k].cores ? f->about->host[k].cores : 1;
        f->host[k].usage =
            resolve(&series[k], &f->bins, cores * f->bins.width, &f->host[k].mean, &f->host[k].peak);
    }
    free(series);
}

void report_timelines(struct report_facts *f)
{
    f->bins.n = bins_for(f);
    f->bins.width = f->bins.n ? f->end / f->bins.n : 0;
    links(f);
    hosts(f);
}
