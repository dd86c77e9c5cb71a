/* SPDX-License-Identifier: BSD-3-Clause */
/* words: what a chart shows, in words and as a table. */
#include "sweep/plot/parts.h"

enum { TOLD = 12, ROWS = 500 }; /* series of a description; rows of a table, of which scripts show all */

static void first_and_last(FILE *out, const struct plot_grid *g, size_t series)
{
    char first[32], last[32];
    size_t a = 0, b = g->x.n;
    while (a < g->x.n && !plot_cell(g, series, a)->n)
        a++;
    while (b > a && !plot_cell(g, series, b - 1)->n)
        b--;
    if (a == b)
        return;
    plot_text(out, g->series.at[series].text);
    fprintf(out, "%s%s at ", *g->series.at[series].text ? ": " : "",
            plot_show(first, plot_mean(plot_cell(g, series, a))));
    plot_text(out, g->x.at[a].text);
    if (b - 1 > a) {
        fprintf(out, ", %s at ", plot_show(last, plot_mean(plot_cell(g, series, b - 1))));
        plot_text(out, g->x.at[b - 1].text);
    }
    fputs(". ", out);
}

void plot_describe_grid(FILE *out, const struct study_plot *p, const struct plot_grid *g)
{
    static const char *const kinds[] = {"Lines", "Bars", "A map"};
    char least[32], most[32];
    const bool heat = p->chart == STUDY_HEAT;
    fprintf(out, "%s of ", kinds[p->chart]);
    plot_text(out, heat ? p->value : p->y);
    fputs(" by ", out);
    plot_text(out, p->x);
    if (heat) {
        fputs(" and ", out);
        plot_text(out, p->y);
    }
    fprintf(out, ", from %s to %s. ", plot_show(least, g->least), plot_show(most, g->most));
    for (size_t k = 0; !heat && k < g->series.n && k < TOLD; k++)
        first_and_last(out, g, k);
    if (!heat && g->series.n > TOLD)
        fprintf(out, "%zu more are in the table. ", g->series.n - TOLD);
    if (g->repeated)
        fputs("Values are means of several runs; their least and greatest are in the table.", out);
}

void plot_describe_dots(FILE *out, const struct study_plot *p, const struct plot_dots *d)
{
    size_t front = 0;
    for (size_t k = 0; k < d->n; k++)
        front += d->at[k].front;
    fprintf(out, "%zu points by ", d->n);
    plot_text(out, p->x);
    fputs(" and ", out);
    plot_text(out, p->y);
    fprintf(out, "; %zu of them are the front: no other point is better in both.", front);
}

/* --- tables ----------------------------------------------------------------------------------------- */

static void cell(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    plot_text(out, text);
    fprintf(out, "</%.2s>", tag);
}

static void value_cell(FILE *out, const struct plot_cell *c)
{
    char mean[32], least[32], most[32];
    if (!c->n)
        fputs("<td></td>", out);
    else if (c->least == c->most)
        fprintf(out, "<td>%s</td>", plot_show(mean, c->least));
    else
        fprintf(out, "<td>%s (%s to %s, %u runs)</td>", plot_show(mean, plot_mean(c)),
                plot_show(least, c->least), plot_show(most, c->most), c->n);
}

static void rest(FILE *out, size_t rows, size_t columns)
{
    if (rows > ROWS)
        fprintf(
            out,
            "<tr><td colspan=\"%zu\">%zu more rows are shown when scripts are allowed, and written by pgasim "
            "sweep csv.</td></tr>\n",
            columns, rows - ROWS);
}

/* A row for each x, and a column for each series. */
void plot_table_grid(FILE *out, const struct study_plot *p, const struct plot_grid *g)
{
    fputs("<tr>", out);
    cell(out, "th scope=\"col\"", p->x);
    for (size_t k = 0; k < g->series.n; k++)
        cell(out, "th scope=\"col\"", *g->series.at[k].text ? g->series.at[k].text : p->y);
    fputs("</tr>\n", out);
    for (size_t x = 0; x < g->x.n && x < ROWS; x++) {
        fputs("<tr>", out);
        cell(out, "th scope=\"row\"", g->x.at[x].text);
        for (size_t k = 0; k < g->series.n; k++)
            value_cell(out, plot_cell(g, k, x));
        fputs("</tr>\n", out);
    }
    rest(out, g->x.n, g->series.n + 1);
}

void plot_table_dots(FILE *out, const struct study_plot *p, const struct plot_dots *d)
{
    char x[32], y[32];
    fputs("<tr>", out);
    cell(out, "th scope=\"col\"", "point");
    cell(out, "th scope=\"col\"", p->x);
    cell(out, "th scope=\"col\"", p->y);
    cell(out, "th scope=\"col\"", "series");
    cell(out, "th scope=\"col\"", "front");
    fputs("</tr>\n", out);
    for (size_t k = 0; k < d->n && k < ROWS; k++) {
        const struct plot_dot *o = &d->at[k];
        fprintf(out, "<tr><th scope=\"row\">%u</th><td>%s</td><td>%s</td>", o->point + 1, plot_show(x, o->x),
                plot_show(y, o->y));
        cell(out, "td", d->series.at[o->series].text);
        fprintf(out, "<td>%s</td></tr>\n", o->front ? "yes" : "");
    }
    rest(out, d->n, 5);
}
