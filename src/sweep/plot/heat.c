/* SPDX-License-Identifier: BSD-3-Clause */
/* heat: a map of cells, the darker the greater; with their numbers where there is room. */
#include <math.h>

#include "sweep/plot/parts.h"

/* From light to dark, in lightness alone: it is read in grey, too. */
static void color_of(double part, char out[8])
{
    static const int light[3] = {0xf1, 0xf6, 0xfb}, dark[3] = {0x08, 0x30, 0x6b};
    int c[3];
    for (int k = 0; k < 3; k++)
        c[k] = light[k] + (int)lround(part * (dark[k] - light[k]));
    snprintf(out, 8, "#%02x%02x%02x", c[0] & 0xff, c[1] & 0xff, c[2] & 0xff);
}

/* From this part of the scale on, white has more contrast than black: at least 4.5 on either side. */
static const double black_until = 0.643;

static void cell(FILE *out, const struct plot_grid *g, const struct plot_axis *x, const struct plot_axis *y,
                 size_t row, size_t column)
{
    const struct plot_cell *c = plot_cell(g, row, column);
    char color[8], text[32];
    if (!c->n)
        return;
    double part = g->most > g->least ? (plot_mean(c) - g->least) / (g->most - g->least) : 0.5;
    double left = plot_place(x, (double)column - 0.5), right = plot_place(x, (double)column + 0.5);
    double top = plot_place(y, (double)row + 0.5), bottom = plot_place(y, (double)row - 0.5);
    color_of(part, color);
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", left, top,
            right - left, bottom - top, color);
    if (right - left >= 48 && bottom - top >= 14)
        fprintf(
            out,
            "<text class=\"k\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\" style=\"fill:%s\">%s</text>\n",
            (left + right) / 2, (top + bottom) / 2 + 4, part > black_until ? "#fff" : "#000",
            plot_show(text, plot_mean(c)));
}

static void scale(FILE *out, const struct study_plot *p, const struct plot_grid *g)
{
    char color[8], least[32], most[32];
    int y = PLOT_HEIGHT - 12;
    for (int k = 0; k < 10; k++) {
        color_of(k / 9.0, color);
        fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"10\" fill=\"%s\"/>", PLOT_LEFT + 14 * k,
                y, color);
    }
    fprintf(out, "<text class=\"k\" x=\"%d\" y=\"%d\">%s to %s: ", PLOT_LEFT + 148, y + 9,
            plot_show(least, g->least), plot_show(most, g->most));
    plot_text(out, p->value_label ? p->value_label : p->value);
    fputs("</text>\n", out);
}

void plot_heat(FILE *out, const struct study_plot *p, const struct plot_grid *g)
{
    const struct plot_axis x = plot_axis_words(&g->x, PLOT_LEFT, PLOT_WIDTH - PLOT_RIGHT);
    const struct plot_axis y = plot_axis_words(&g->series, PLOT_HEIGHT - PLOT_BOTTOM, PLOT_TOP);
    plot_axes(out, &x, &y, p->x_label ? p->x_label : p->x, p->y_label ? p->y_label : p->y);
    for (size_t row = 0; row < g->series.n; row++)
        for (size_t column = 0; column < g->x.n; column++)
            cell(out, g, &x, &y, row, column);
    scale(out, p, g);
}
