/* SPDX-License-Identifier: BSD-3-Clause */
/* figure: charts of given numbers, for pages of others, each with a description and a table. */
#include <math.h>
#include <stdlib.h>

#include "sweep/plot/parts.h"

void plot_escaped(FILE *out, const char *text)
{
    plot_text(out, text);
}

static void open_section(FILE *out, const char *id, const char *title, int height)
{
    fprintf(out, "<section aria-labelledby=\"%s-h\"><h2 id=\"%s-h\">", id, id);
    plot_text(out, title);
    fprintf(out,
            "</h2>\n<div class=\"chart\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
            "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" aria-labelledby=\"%s-t %s-d\">\n"
            "<style>",
            PLOT_WIDTH, height, PLOT_WIDTH, height, id, id);
    plot_style(out);
    fprintf(out, "</style>\n<title id=\"%s-t\">", id);
    plot_text(out, title);
    fprintf(out, "</title>\n<desc id=\"%s-d\">", id);
}

static void open_table(FILE *out, const char *id, const char *title)
{
    fprintf(out,
            "</svg>\n<div class=\"table\" tabindex=\"0\" role=\"region\" "
            "aria-labelledby=\"%s-h\"><table><caption>",
            id);
    plot_text(out, title);
    fputs("</caption>\n", out);
}

static void close_section(FILE *out)
{
    fputs("</table></div>\n</div></section>\n", out);
}

static void cell(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    plot_text(out, text);
    fprintf(out, "</%.2s>", tag);
}

static struct plot_values values_of(const char *const *name, uint32_t n)
{
    struct plot_values v = {0};
    for (uint32_t k = 0; k < n; k++)
        BASE_ARRAY_PUSH(&v, study_value_of(name[k], true));
    return v;
}

/* --- pairs ------------------------------------------------------------------------------------------ */

/* Both axes are of one length, so that equal values are on the diagonal. */
static void draw_pairs(FILE *out, const struct plot_pairs *p, const struct plot_values *series)
{
    double least = INFINITY, most = 0;
    for (uint32_t k = 0; k < p->n; k++) {
        least = fmin(least, fmin(p->at[k].x, p->at[k].y));
        most = fmax(most, fmax(p->at[k].x, p->at[k].y));
    }
    const struct plot_axis x = plot_axis_of(least, most, true, PLOT_LEFT, PLOT_WIDTH - PLOT_RIGHT);
    const struct plot_axis y = plot_axis_of(least, most, true, PLOT_HEIGHT - PLOT_BOTTOM, PLOT_TOP);
    plot_axes(out, &x, &y, p->x_label, p->y_label);
    fprintf(out, "<path class=\"s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x.from, y.from, x.to, y.to);
    for (uint32_t k = 0; k < p->n; k++) {
        fprintf(out, "<circle class=\"f c%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"><title>",
                plot_color(p->at[k].series), plot_place(&x, p->at[k].x), plot_place(&y, p->at[k].y));
        plot_text(out, p->at[k].name);
        fputs("</title></circle>\n", out);
    }
    plot_legend(out, series);
}

static void describe_pairs(FILE *out, const struct plot_pairs *p)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t k = 0; k < p->n; k++) {
        low = fmin(low, p->at[k].y / p->at[k].x);
        high = fmax(high, p->at[k].y / p->at[k].x);
    }
    fprintf(out, "%u points, both axes logarithmic; on the diagonal both values are equal. ", p->n);
    plot_text(out, p->y_label);
    fprintf(out, " is from %.3g to %.3g times ", low, high);
    plot_text(out, p->x_label);
    fputs(".", out);
}

void plot_pairs(FILE *out, const char *id, const struct plot_pairs *p)
{
    struct plot_values series = values_of(p->series, p->series_n);
    char x[32], y[32];
    open_section(out, id, p->title, plot_legend_height(&series));
    describe_pairs(out, p);
    fputs("</desc>\n", out);
    draw_pairs(out, p, &series);
    open_table(out, id, p->title);
    fputs("<tr><th scope=\"col\">case</th>", out);
    cell(out, "th scope=\"col\"", p->x_label);
    cell(out, "th scope=\"col\"", p->y_label);
    fputs("</tr>\n", out);
    for (uint32_t k = 0; k < p->n; k++) {
        fputs("<tr>", out);
        cell(out, "th scope=\"row\"", p->at[k].name);
        fprintf(out, "<td>%s</td><td>%s</td></tr>\n", plot_show(x, p->at[k].x), plot_show(y, p->at[k].y));
    }
    close_section(out);
    plot_values_release(&series);
}

/* --- numbers by name -------------------------------------------------------------------------------- */

static void grid_of(const struct plot_numbers *p, struct plot_grid *g)
{
    *g = (struct plot_grid){.x = values_of(p->name, p->n),
                            .series = values_of(p->series, p->series_n),
                            .least = INFINITY,
                            .most = -INFINITY};
    g->cell = base_zalloc(((size_t)p->n * p->series_n + 1) * sizeof *g->cell, "a chart");
    for (uint32_t x = 0; x < p->n; x++)
        for (uint32_t s = 0; s < p->series_n; s++) {
            double value = p->value[(size_t)x * p->series_n + s];
            if (isnan(value))
                continue;
            g->cell[(size_t)s * p->n + x] = (struct plot_cell){value, value, value, 1};
            g->least = fmin(g->least, value);
            g->most = fmax(g->most, value);
        }
}

void plot_numbers(FILE *out, const char *id, const struct plot_numbers *p)
{
    struct plot_grid g;
    const struct study_plot as = {.chart = STUDY_BARS, .x = (char *)p->x_label, .y = (char *)p->y_label};
    grid_of(p, &g);
    if (g.least <= g.most) {
        open_section(out, id, p->title, plot_legend_height(&g.series));
        plot_describe_grid(out, &as, &g);
        fputs("</desc>\n", out);
        plot_bars(out, &as, &g);
        open_table(out, id, p->title);
        plot_table_grid(out, &as, &g);
        close_section(out);
    }
    plot_grid_release(&g);
}
