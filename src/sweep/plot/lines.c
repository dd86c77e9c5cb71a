/* SPDX-License-Identifier: BSD-3-Clause */
/* lines: lines of means with bands from the least to the greatest value, and bars with whiskers. */
#include <math.h>

#include "sweep/plot/parts.h"

enum { FEW = 200 }; /* values of x, up to which each has a mark */

static bool all_numbers(const struct plot_values *v)
{
    for (size_t k = 0; k < v->n; k++)
        if (!v->at[k].is_number)
            return false;
    return v->n > 0;
}

static const char *label_or(const char *label, const char *name)
{
    return label ? label : name;
}

/* --- lines ------------------------------------------------------------------------------------------ */

struct picture {
    FILE *out;
    const struct plot_grid *g;
    struct plot_axis x, y;
};

static double x_of(const struct picture *p, size_t k)
{
    return plot_place(&p->x, p->x.words ? (double)k : p->g->x.at[k].number);
}

/* Forth along the greatest values, and back along the least. */
static void band(const struct picture *p, size_t series)
{
    const char *from = "<path class=\"b\" d=\"M";
    for (size_t k = 0; k < p->g->x.n; k++) {
        const struct plot_cell *c = plot_cell(p->g, series, k);
        if (c->n)
            fprintf(p->out, "%s%.1f %.1f", from, x_of(p, k), plot_place(&p->y, c->most));
        from = c->n ? "L" : from;
    }
    for (size_t k = p->g->x.n; k-- > 0;) {
        const struct plot_cell *c = plot_cell(p->g, series, k);
        if (c->n)
            fprintf(p->out, "L%.1f %.1f", x_of(p, k), plot_place(&p->y, c->least));
    }
    if (*from == 'L')
        fputs("Z\"/>\n", p->out);
}

static void line(const struct picture *p, size_t series)
{
    const char *from = "<path class=\"l\" d=\"M";
    for (size_t k = 0; k < p->g->x.n; k++) {
        const struct plot_cell *c = plot_cell(p->g, series, k);
        if (c->n)
            fprintf(p->out, "%s%.1f %.1f", from, x_of(p, k), plot_place(&p->y, plot_mean(c)));
        from = c->n ? "L" : from;
    }
    if (*from == 'L')
        fprintf(p->out, "\" stroke-dasharray=\"%s\"/>\n", plot_dashes(series));
}

static void marks(const struct picture *p, size_t series)
{
    if (p->g->x.n > FEW)
        return;
    fputs("<path class=\"m\" d=\"", p->out);
    for (size_t k = 0; k < p->g->x.n; k++) {
        const struct plot_cell *c = plot_cell(p->g, series, k);
        if (c->n)
            plot_mark(p->out, series, false, x_of(p, k), plot_place(&p->y, plot_mean(c)), 3.5);
    }
    fputs("\"/>\n", p->out);
}

void plot_lines(FILE *out, const struct study_plot *p, const struct plot_grid *g)
{
    struct picture q = {.out = out, .g = g};
    bool numbers = all_numbers(&g->x);
    q.x = numbers ? plot_axis_of(g->x.at[0].number, g->x.at[g->x.n - 1].number, p->x_log, PLOT_LEFT,
                                 PLOT_WIDTH - PLOT_RIGHT)
                  : plot_axis_words(&g->x, PLOT_LEFT, PLOT_WIDTH - PLOT_RIGHT);
    q.x.ticks = numbers && !q.x.log ? NULL : &g->x;
    q.y = plot_axis_of(g->least, g->most, p->y_log, PLOT_HEIGHT - PLOT_BOTTOM, PLOT_TOP);
    plot_axes(out, &q.x, &q.y, label_or(p->x_label, p->x), label_or(p->y_label, p->y));
    for (size_t k = 0; k < g->series.n; k++) {
        fprintf(out, "<g class=\"c%u\">", plot_color(k));
        if (g->repeated)
            band(&q, k);
        line(&q, k);
        marks(&q, k);
        fputs("</g>\n", out);
    }
    plot_legend(out, &g->series);
}

/* --- bars ------------------------------------------------------------------------------------------- */

static void bar(const struct picture *p, size_t series, size_t k)
{
    const struct plot_cell *c = plot_cell(p->g, series, k);
    const double slot = (p->x.to - p->x.from) / (double)p->g->x.n,
                 width = 0.8 * slot / (double)p->g->series.n;
    const double x = x_of(p, k) - 0.4 * slot + width * (double)series;
    const double base = plot_place(&p->y, p->y.log ? p->y.low : fmax(p->y.low, 0));
    if (!c->n)
        return;
    double y = plot_place(&p->y, plot_mean(c)), top = fmin(y, base);
    fprintf(p->out, "<rect class=\"c%u m\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            plot_color(series), x, top, fmax(width - 1, 0.5), fabs(base - y));
    if (c->n > 1)
        fprintf(p->out, "<path class=\"w\" d=\"M%.1f %.1fV%.1f\"/>\n", x + width / 2,
                plot_place(&p->y, c->least), plot_place(&p->y, c->most));
}

void plot_bars(FILE *out, const struct study_plot *p, const struct plot_grid *g)
{
    struct picture q = {.out = out, .g = g, .x = plot_axis_words(&g->x, PLOT_LEFT, PLOT_WIDTH - PLOT_RIGHT)};
    bool log = p->y_log && g->least > 0;
    q.y = plot_axis_of(log ? g->least : fmin(g->least, 0), log ? g->most : fmax(g->most, 0), log,
                       PLOT_HEIGHT - PLOT_BOTTOM, PLOT_TOP);
    plot_axes(out, &q.x, &q.y, label_or(p->x_label, p->x), label_or(p->y_label, p->y));
    for (size_t k = 0; k < g->x.n; k++)
        for (size_t series = 0; series < g->series.n; series++)
            bar(&q, series, k);
    plot_legend(out, &g->series);
}
