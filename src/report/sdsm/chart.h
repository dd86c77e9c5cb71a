/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chart: what the figures share as pictures (SVG): a frame, an axis of time, one of addresses, a legend
 * (private to sdsm/).
 */
#ifndef PGASIM_REPORT_SDSM_CHART_H
#define PGASIM_REPORT_SDSM_CHART_H

#include "report/sdsm/sdsm.h"

#include "base/text.h"

/* The picture, and the field within it; pixels. Its own axes are x to the right and y upwards. */
struct chart {
    FILE *out;
    double width, height;
    double left, top, wide, high; /* of the field */
    double x_most, y_most;        /* values at its far ends; those at the near ends are 0 */
    double legend;                /* where the next entry begins */
};

#define CHART_INK   "#1d2430"
#define CHART_SOFT  "#5b6678"
#define CHART_LINE  "#d9dee6"
#define CHART_LIMIT "#c81e3a"

/* `left`: room for the names of the axis there. */
void chart_begin(struct chart *d, FILE *out, double width, double height, double left, const char *title);
void chart_end(struct chart *d);
void chart_legend(struct chart *d, const char *colour, const char *text);
static inline double chart_x(const struct chart *d, double x)
{
    return d->left + (d->x_most > 0 ? x / d->x_most : 0) * d->wide;
}
static inline double chart_y(const struct chart *d, double y)
{
    return d->top + d->high - (d->y_most > 0 ? y / d->y_most : 0) * d->high;
}
void chart_rect(const struct chart *d, double x, double y, double wide, double high, const char *colour);
/* `anchor`: start, middle or end. The text may hold anything. */
void chart_text(const struct chart *d, double x, double y, const char *anchor, const char *text);
/* Ticks and lines at round values of x, which is seconds; of y: seconds, or whole numbers on the right. */
void chart_time_below(const struct chart *d);
void chart_time_beside(const struct chart *d);
void chart_count_right(const struct chart *d, double most, const char *name);

/* Places of chunks on an axis of addresses: their ids where these lie close together, else their ranks. */
struct chart_places {
    uint32_t *place; /* by chunk: 1 + its place; 0: it has none */
    uint64_t *id;    /* by place */
    uint32_t n;      /* places */
    bool scaled;     /* a place is an id less the lowest */
};
struct chart_places chart_places_of(const struct report_sdsm *s, const struct sdsm_process *p);
void chart_places_release(struct chart_places *a);
void chart_addresses(const struct chart *d, const struct chart_places *a); /* y_most must be a->n */
static inline double chart_place(const struct chart *d, const struct chart_places *a, uint32_t chunk)
{
    return chart_y(d, (double)a->place[chunk] - 0.5);
}

/* figures.c. Of a process with scopes or allocations, the last two. */
void chart_volume(const struct report_sdsm *s, FILE *out);
void chart_times(const struct report_sdsm *s, FILE *out);
void chart_allocation(const struct report_sdsm *s, uint32_t rank, double end, FILE *out);
void chart_accesses(const struct report_sdsm *s, uint32_t rank, double end, FILE *out);

#endif
