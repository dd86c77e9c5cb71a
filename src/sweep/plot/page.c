/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page: the page with all charts of a study. Pictures and tables are in it as they are; its script, where scripts are
 * allowed, draws them anew from the page's data, and they can be looked into.
 */
#include <stdlib.h>

#include "sweep/plot/parts.h"

enum { FAILED_SHOWN = 100 };

static void title_of(FILE *out, const struct plot_chart *c)
{
    const struct study_plot *p = c->plot;
    if (p->title) {
        plot_text(out, p->title);
    } else {
        plot_text(out, p->chart == STUDY_HEAT ? p->value : p->y);
        fputs(p->chart == STUDY_PARETO ? " and " : " by ", out);
        plot_text(out, p->x);
    }
    if (c->by.text) {
        fputs(": ", out);
        plot_text(out, c->by.text);
    }
}

/* A picture's title and description, which a screen reader reads in its place. Alone, it has its style within it. */
static void open_picture(FILE *out, unsigned number, const struct plot_chart *c, int height, bool alone)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" aria-labelledby=\"t%u d%u\">\n",
            PLOT_WIDTH, height, PLOT_WIDTH, height, number, number);
    if (alone) {
        fputs("<style>", out);
        plot_style(out);
        fprintf(out, "</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", PLOT_WIDTH, height);
    }
    fprintf(out, "<title id=\"t%u\">", number);
    title_of(out, c);
    fprintf(out, "</title>\n<desc id=\"d%u\">", number);
}

static void open_section(FILE *out, unsigned number, const struct plot_chart *c)
{
    fprintf(out, "<section id=\"chart-%u\" aria-labelledby=\"h%u\"><h2 id=\"h%u\">", number, number, number);
    title_of(out, c);
    fprintf(out,
            "</h2>\n<div class=\"chart\">\n<div class=\"picture\" tabindex=\"0\" role=\"group\" "
            "aria-labelledby=\"h%u\">\n",
            number);
}

static void open_table(FILE *out, unsigned number, const struct study_plot *p)
{
    fprintf(out,
            "</div>\n<div class=\"table\" tabindex=\"0\" role=\"region\" "
            "aria-labelledby=\"h%u c%u\"><table><caption id=\"c%u\">",
            number, number, number);
    plot_text(out, p->chart == STUDY_HEAT ? p->value : p->y);
    fputs(p->chart == STUDY_PARETO ? " against " : " by ", out);
    plot_text(out, p->x);
    fputs("</caption>\n", out);
}

static void empty(FILE *out, unsigned number, const struct plot_chart *c)
{
    fprintf(out, "<section id=\"chart-%u\"><h2>", number);
    title_of(out, c);
    fputs("</h2><p>There are no values yet.</p></section>\n", out);
}

/* --- charts ----------------------------------------------------------------------------------------- */

static const struct study_value *by_of(const struct plot_chart *c)
{
    return c->by.text ? &c->by : NULL;
}

static void grid_picture(FILE *out, const struct plot_chart *c, const struct plot_grid *g, unsigned number,
                         bool alone)
{
    const struct study_plot *p = c->plot;
    open_picture(out, number, c, p->chart == STUDY_HEAT ? PLOT_HEIGHT : plot_legend_height(&g->series),
                 alone);
    plot_describe_grid(out, p, g);
    fputs("</desc>\n", out);
    (p->chart == STUDY_LINES ? plot_lines : p->chart == STUDY_BARS ? plot_bars : plot_heat)(out, p, g);
    fputs("</svg>\n", out);
}

static void dots_picture(FILE *out, const struct plot_chart *c, const struct plot_dots *dots, unsigned number,
                         bool alone)
{
    open_picture(out, number, c, plot_legend_height(&dots->series), alone);
    plot_describe_dots(out, c->plot, dots);
    fputs("</desc>\n", out);
    plot_pareto(out, c->plot, dots);
    fputs("</svg>\n", out);
}

static int grid_chart(const struct plot_data *d, const struct plot_chart *c, unsigned number, bool alone,
                      FILE *out, struct base_status *st)
{
    struct plot_grid g;
    int rc = plot_grid_read(d, c->plot, by_of(c), &g, st);
    if (rc == 0 && !g.x.n && alone) {
        rc = base_fail(st, "chart %u has no values yet", number);
    } else if (rc == 0 && !g.x.n) {
        empty(out, number, c);
    } else if (rc == 0 && alone) {
        grid_picture(out, c, &g, number, true);
    } else if (rc == 0) {
        open_section(out, number, c);
        grid_picture(out, c, &g, number, false);
        open_table(out, number, c->plot);
        plot_table_grid(out, c->plot, &g);
        fputs("</table></div>\n</div></section>\n", out);
    }
    plot_grid_release(&g);
    return rc;
}

static int dots_chart(const struct plot_data *d, const struct plot_chart *c, unsigned number, bool alone,
                      FILE *out, struct base_status *st)
{
    struct plot_dots dots;
    int rc = plot_dots_read(d, c->plot, by_of(c), &dots, st);
    if (rc == 0 && !dots.n && alone) {
        rc = base_fail(st, "chart %u has no values yet", number);
    } else if (rc == 0 && !dots.n) {
        empty(out, number, c);
    } else if (rc == 0 && alone) {
        dots_picture(out, c, &dots, number, true);
    } else if (rc == 0) {
        open_section(out, number, c);
        dots_picture(out, c, &dots, number, false);
        open_table(out, number, c->plot);
        plot_table_dots(out, c->plot, &dots);
        fputs("</table></div>\n</div></section>\n", out);
    }
    plot_dots_release(&dots);
    return rc;
}

static int chart(const struct plot_data *d, const struct plot_charts *charts, size_t k, bool alone, FILE *out,
                 struct base_status *st)
{
    const struct plot_chart *c = &charts->at[k];
    return (c->plot->chart == STUDY_PARETO ? dots_chart : grid_chart)(d, c, (unsigned)k + 1, alone, out, st);
}

int plot_picture(const struct plot_data *d, uint64_t number, FILE *out, struct base_status *st)
{
    struct plot_charts charts;
    int rc = plot_charts_read(d, &charts, st);
    if (rc == 0 && (number < 1 || number > charts.n))
        rc = base_fail(st, "the study has %zu charts; there is no chart %llu", charts.n,
                       (unsigned long long)number);
    if (rc == 0)
        rc = chart(d, &charts, number - 1, true, out, st);
    plot_charts_release(&charts);
    return rc;
}

/* --- the page --------------------------------------------------------------------------------------- */

static void failures(const struct plot_data *d, FILE *out)
{
    static const char *const columns[] = {"status", "reason"};
    uint32_t shown = 0;
    for (uint32_t k = 0; k < d->study->points; k++) {
        const struct study_value *status = d->get(d->arg, k, "status");
        if (!status || !status->text || d->ok(d->arg, k) || shown == FAILED_SHOWN)
            continue;
        if (!shown++)
            fputs("<section aria-labelledby=\"failed\"><h2 id=\"failed\">Points that have failed</h2>\n<div "
                  "class=\"table\" "
                  "tabindex=\"0\" role=\"region\" aria-label=\"Table of failures\"><table><tr><th "
                  "scope=\"col\">point</th>"
                  "<th scope=\"col\">parameters</th><th scope=\"col\">status</th><th "
                  "scope=\"col\">reason</th></tr>\n",
                  out);
        char *point = study_point_json(d->study, &d->study->point[k]);
        fprintf(out, "<tr><th scope=\"row\">%u</th><td>", k + 1);
        plot_text(out, point);
        for (size_t i = 0; i < BASE_LENGTH(columns); i++) {
            const struct study_value *v = d->get(d->arg, k, columns[i]);
            fputs("</td><td>", out);
            plot_text(out, v && v->text ? v->text : "");
        }
        fputs("</td></tr>\n", out);
        free(point);
    }
    if (shown)
        fputs("</table></div></section>\n", out);
}

static void contents(const struct plot_charts *charts, FILE *out)
{
    if (charts->n < 2)
        return;
    fputs("<nav aria-label=\"Charts\"><ol>", out);
    for (size_t k = 0; k < charts->n; k++) {
        fprintf(out, "<li><a href=\"#chart-%zu\">", k + 1);
        title_of(out, &charts->at[k]);
        fputs("</a></li>", out);
    }
    fputs("</ol></nav>\n", out);
}

/* Nothing may be loaded, from anywhere. */
static int head(const struct plot_data *d, const struct plot_charts *charts, const char *title, FILE *out,
                struct base_status *st)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
          "'unsafe-inline'; "
          "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\"><title>",
          out);
    plot_text(out, title);
    fputs("</title><style>", out);
    plot_style(out);
    plot_page_style(out);
    fputs("</style>\n<script type=\"application/json\" id=\"data\">", out);
    if (plot_data_write(d, charts, out, st))
        return -1;
    fputs("</script>\n<script>", out);
    plot_page_script(out);
    fputs("</script></head>\n", out);
    return 0;
}

static void summary(const struct plot_data *d, const char *title, FILE *out)
{
    uint32_t ok = 0, ended = 0;
    for (uint32_t k = 0; k < d->study->points; k++) {
        const struct study_value *status = d->get(d->arg, k, "status");
        ok += d->ok(d->arg, k);
        ended += status && status->text;
    }
    fputs("<body><a class=\"skip\" href=\"#charts\">Skip to the charts</a><header><h1>", out);
    plot_text(out, title);
    fprintf(out, "</h1>\n<p>%u points: %u ended well, %u failed, %u have not been run.</p>\n",
            d->study->points, ok, ended - ok, d->study->points - ended);
    if (d->earlier)
        fprintf(out,
                "<p>%u of them are of an earlier version of pgasim, of the program, of its files or of the "
                "study, and "
                "have not been run anew.</p>\n",
                d->earlier);
}

int plot_page(const struct plot_data *d, FILE *out, struct base_status *st)
{
    struct plot_charts charts;
    const char *title = d->study->title ? d->study->title : d->study->path;
    int rc = plot_charts_read(d, &charts, st);
    if (rc == 0)
        rc = head(d, &charts, title, out, st);
    if (rc == 0) {
        summary(d, title, out);
        contents(&charts, out);
        fputs("</header>\n<main id=\"charts\" tabindex=\"-1\">\n", out);
    }
    for (size_t k = 0; rc == 0 && k < charts.n; k++)
        rc = chart(d, &charts, k, false, out, st);
    if (rc == 0) {
        failures(d, out);
        fputs("</main></body></html>\n", out);
    }
    plot_charts_release(&charts);
    return rc;
}
