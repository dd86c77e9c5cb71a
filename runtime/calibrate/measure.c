/* SPDX-License-Identifier: BSD-3-Clause */
/* measure: samples, medians and lines of JSON. */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct measure_limits measure_default = {
    .least = 6, .most = 200, .precision = 0.02, .seconds = 1, .shortest = 20e-6, .repetitions = 1024};

void measure_add(struct measure *m, double seconds)
{
    if (m->n == m->room) {
        m->room = m->room ? 2 * m->room : 64;
        m->sample = realloc(m->sample, (size_t)m->room * sizeof *m->sample);
        if (!m->sample) {
            fputs("calibrate: out of memory\n", stderr);
            exit(1);
        }
    }
    m->sample[m->n++] = seconds;
}

void measure_clear(struct measure *m)
{
    m->n = 0;
}

void measure_release(struct measure *m)
{
    free(m->sample);
    memset(m, 0, sizeof *m);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const struct measure *m, double q)
{
    double at = q * (m->n - 1);
    int k = (int)at;
    if (k + 1 >= m->n)
        return m->sample[m->n - 1];
    return m->sample[k] + (at - k) * (m->sample[k + 1] - m->sample[k]);
}

struct measure_summary measure_summary(struct measure *m)
{
    struct measure_summary s = {0};
    if (!m->n)
        return s;
    qsort(m->sample, (size_t)m->n, sizeof *m->sample, ascending);
    /* The number of samples below the median is binomial: n/2 +- 1.96 sqrt(n)/2. */
    int low = (int)floor(0.5 * m->n - 0.98 * sqrt(m->n)), high = (int)ceil(0.5 * m->n + 0.98 * sqrt(m->n));
    s.median = quantile(m, 0.5);
    s.low = m->sample[low < 0 ? 0 : low];
    s.high = m->sample[high >= m->n ? m->n - 1 : high];
    s.least = m->sample[0];
    s.q10 = quantile(m, 0.1);
    s.q90 = quantile(m, 0.9);
    s.q99 = quantile(m, 0.99);
    s.most = m->sample[m->n - 1];
    for (int k = 0; k < m->n; k++)
        s.mean += m->sample[k] / m->n;
    s.n = m->n;
    return s;
}

const double measure_excess_parts[MEASURE_EXCESSES] = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};

struct measure_disturbed measure_disturbed(const struct measure *m)
{
    struct measure_disturbed d = {0};
    double median = quantile(m, 0.5), far = 2 * (quantile(m, 0.75) - median);
    double above = median + (far > 0.01 * median ? far : 0.01 * median);
    int first = m->n;
    while (first > 0 && m->sample[first - 1] > above)
        first--;
    d.n = m->n - first;
    if (!d.n)
        return d;
    struct measure part = {.sample = m->sample + first, .n = d.n};
    for (int k = 0; k < MEASURE_EXCESSES; k++)
        d.excess[k] = quantile(&part, measure_excess_parts[k]) - median;
    for (int k = 0; k < d.n; k++)
        d.mean += (part.sample[k] - median) / d.n;
    return d;
}

void line_disturbed(FILE *f, const struct measure_disturbed *d)
{
    char key[16];
    line_count(f, "disturbed", d->n);
    line_number(f, "excess", d->mean);
    for (int k = 0; k < MEASURE_EXCESSES; k++) {
        snprintf(key, sizeof key, "excess%.0f", 100 * measure_excess_parts[k]);
        line_number(f, key, d->excess[k]);
    }
}

int measure_enough(struct measure *m, const struct measure_limits *l, double elapsed)
{
    if (m->n < l->least)
        return 0;
    if (m->n >= l->most || elapsed >= l->seconds)
        return 1;
    struct measure_summary s = measure_summary(m);
    return s.high - s.low <= 2 * l->precision * s.median;
}

static unsigned long long random_next(struct measure_random *r)
{
    unsigned long long x = r->state ? r->state : 0x9e3779b97f4a7c15ULL;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    r->state = x;
    return x * 0x2545f4914f6cdd1dULL;
}

unsigned measure_below(struct measure_random *r, unsigned n)
{
    return (unsigned)((random_next(r) >> 32) * n >> 32);
}

void measure_shuffle(struct measure_random *r, int *items, int n)
{
    for (int k = n - 1; k > 0; k--) {
        int other = (int)measure_below(r, (unsigned)k + 1), item = items[k];
        items[k] = items[other];
        items[other] = item;
    }
}

int measure_sizes(struct measure_random *r, size_t largest, size_t **out)
{
    int n = 2;
    size_t *sizes = malloc(140 * sizeof *sizes);
    if (!sizes)
        exit(1);
    sizes[0] = 0;
    sizes[1] = 1;
    for (double from = 2; from <= (double)largest && n < 139; from *= sqrt(2)) {
        double to = from * sqrt(2);
        size_t size = (size_t)(from + (to - from) * measure_below(r, 1000) / 1000);
        if (size > sizes[n - 1] && size < largest)
            sizes[n++] = size;
    }
    if (largest > sizes[n - 1])
        sizes[n++] = largest;
    *out = sizes;
    return n;
}

void line_begin(FILE *f, const char *kind)
{
    fprintf(f, "{\"kind\":\"%s\"", kind);
}

void line_text(FILE *f, const char *key, const char *text)
{
    fprintf(f, ",\"%s\":\"", key);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(f, "\\%c", *text);
        else if ((unsigned char)*text < 32)
            fprintf(f, "\\u%04x", (unsigned char)*text);
        else
            fputc(*text, f);
    fputc('"', f);
}

void line_number(FILE *f, const char *key, double x)
{
    fprintf(f, ",\"%s\":%.9g", key, x);
}

void line_count(FILE *f, const char *key, long long n)
{
    fprintf(f, ",\"%s\":%lld", key, n);
}

void line_end(FILE *f)
{
    fputs("}\n", f);
    fflush(f);
}

void line_summary(FILE *f, const struct measure_summary *s, double clock)
{
    if (s->most <= clock) {
        line_text(f, "unidentified", "no time passes");
        return;
    }
    line_number(f, "seconds", s->median);
    line_number(f, "low", s->low);
    line_number(f, "high", s->high);
    line_number(f, "mean", s->mean);
    line_number(f, "least", s->least);
    line_number(f, "q10", s->q10);
    line_number(f, "q90", s->q90);
    line_number(f, "q99", s->q99);
    line_number(f, "most", s->most);
    line_count(f, "samples", s->n);
}
