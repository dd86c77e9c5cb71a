/* SPDX-License-Identifier: BSD-3-Clause */
/* pareto: points by two results, and the stairs along those that no other one is better than in both. */
#include <math.h>

#include "sweep/plot/parts.h"

enum { FEW = 1000 }; /* points, up to which each has the mark of its series */

static void stairs(FILE *out, const struct plot_dots *d, const struct plot_axis *x, const struct plot_axis *y)
{
    const char *from = "<path class=\"s\" d=\"M";
    for (size_t k = 0; k < d->n; k++) {
        if (!d->at[k].front)
            continue;
        double px = plot_place(x, d->at[k].x), py = plot_place(y, d->at[k].y);
        if (*from)
            fprintf(out, "%s%.1f %.1f", from, px, py);
        else
            fprintf(out, "H%.1fV%.1f", px, py);
        from = "";
    }
    if (!*from)
        fputs("\"/>\n", out);
}

/* A path for those of a series that are of the front, and one for the others. */
static void dots(FILE *out, const struct plot_dots *d, size_t series, bool front, const struct plot_axis *x,
                 const struct plot_axis *y)
{
    bool any = false;
    for (size_t k = 0; k < d->n; k++) {
        const struct plot_dot *o = &d->at[k];
        if (o->series != series || o->front != front)
            continue;
        if (!any)
            fprintf(out, "<g class=\"c%u\"><path class=\"%s\" d=\"", plot_color(series), front ? "f" : "p");
        any = true;
        plot_mark(out, series, !front && d->n > FEW, plot_place(x, o->x), plot_place(y, o->y),
                  front ? 5 : 3.5);
    }
    if (any)
        fputs("\"/></g>\n", out);
}

void plot_pareto(FILE *out, const struct study_plot *p, const struct plot_dots *d)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t k = 0; k < d->n; k++) {
        low[0] = fmin(low[0], d->at[k].x);
        high[0] = fmax(high[0], d->at[k].x);
        low[1] = fmin(low[1], d->at[k].y);
        high[1] = fmax(high[1], d->at[k].y);
    }
    const struct plot_axis x = plot_axis_of(low[0], high[0], p->x_log, PLOT_LEFT, PLOT_WIDTH - PLOT_RIGHT);
    const struct plot_axis y = plot_axis_of(low[1], high[1], p->y_log, PLOT_HEIGHT - PLOT_BOTTOM, PLOT_TOP);
    plot_axes(out, &x, &y, p->x_label ? p->x_label : p->x, p->y_label ? p->y_label : p->y);
    stairs(out, d, &x, &y);
    for (size_t series = 0; series < d->series.n; series++)
        for (int front = 0; front < 2; front++)
            dots(out, d, series, front, &x, &y);
    plot_legend(out, &d->series);
}
