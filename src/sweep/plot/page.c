/* SPDX-License-Identifier: BSD-3-Clause */
/* page: the page with all charts of a study. It has no script: all of it is reached with the keyboard. */
#include <stdlib.h>

#include "sweep/plot/parts.h"

enum { FAILED_SHOWN = 100 };

static const char style[] =
    "body{font:15px/1.45 system-ui,-apple-system,'Segoe "
    "UI',sans-serif;color:#222;background:#fff;max-width:1250px;"
    "margin:2rem auto;padding:0 1rem}h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2rem 0 .4rem}"
    ".chart{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}.chart>svg{flex:2 1 "
    "480px;min-width:320px;"
    "max-width:760px;height:auto}.table{flex:1 1 320px;max-height:430px;overflow:auto;border:1px solid #ddd}"
    ".table:focus{outline:2px solid #0072b2}table{border-collapse:collapse;font-size:.85rem;width:100%}"
    "th,td{padding:.2rem .5rem;border-bottom:1px solid #eee;text-align:right;white-space:nowrap}"
    "th[scope=row]{font-weight:600}caption{text-align:left;padding:.3rem .5rem;color:#444;caption-side:top}";

/* Of a picture: within it, so that it can be taken out of the page. */
static const char picture_style[] =
    "text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#333}.k{font-size:12px;fill:#444}"
    ".g{stroke:#e6e6e6}.x{stroke:#777;fill:none}.l{fill:none;stroke-width:2}.b{fill-opacity:.18}"
    ".w{stroke:#222;stroke-width:1.5}.s{fill:none;stroke:#222;stroke-width:1.5;stroke-dasharray:4 3}"
    ".p{fill-opacity:.45}.f{stroke:#222}";

static void title_of(FILE *out, const struct study_plot *p, const struct study_value *by)
{
    if (p->title) {
        plot_text(out, p->title);
    } else {
        plot_text(out, p->chart == STUDY_HEAT ? p->value : p->y);
        fputs(p->chart == STUDY_PARETO ? " and " : " by ", out);
        plot_text(out, p->x);
    }
    if (by) {
        fputs(": ", out);
        plot_text(out, by->text);
    }
}

/* What surrounds a picture: its title and description, which a screen reader reads in its place. */
static void open_picture(FILE *out, unsigned number, const struct study_plot *p, const struct study_value *by,
                         int height)
{
    fprintf(out, "<section aria-labelledby=\"h%u\"><h2 id=\"h%u\">", number, number);
    title_of(out, p, by);
    fprintf(out,
            "</h2>\n<div class=\"chart\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
            "viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" aria-labelledby=\"t%u d%u\">\n<style>%s</style>\n<title id=\"t%u\">",
            PLOT_WIDTH, height, PLOT_WIDTH, height, number, number, picture_style, number);
    title_of(out, p, by);
    fprintf(out, "</title>\n<desc id=\"d%u\">", number);
}

static void open_table(FILE *out, unsigned number, const struct study_plot *p)
{
    fprintf(out,
            "</svg>\n<div class=\"table\" tabindex=\"0\" role=\"region\" "
            "aria-labelledby=\"h%u\"><table><caption>",
            number);
    plot_text(out, p->chart == STUDY_HEAT ? p->value : p->y);
    fputs(p->chart == STUDY_PARETO ? " against " : " by ", out);
    plot_text(out, p->x);
    fputs("</caption>\n", out);
}

static void empty(FILE *out, const struct study_plot *p, const struct study_value *by)
{
    fputs("<section><h2>", out);
    title_of(out, p, by);
    fputs("</h2><p>There are no values yet.</p></section>\n", out);
}

static int grid_chart(const struct plot_data *d, const struct study_plot *p, const struct study_value *by,
                      unsigned number, FILE *out, struct base_status *st)
{
    struct plot_grid g;
    int rc = plot_grid_read(d, p, by, &g, st);
    if (rc == 0 && !g.x.n) {
        empty(out, p, by);
    } else if (rc == 0) {
        open_picture(out, number, p, by,
                     p->chart == STUDY_HEAT ? PLOT_HEIGHT : plot_legend_height(&g.series));
        plot_describe_grid(out, p, &g);
        fputs("</desc>\n", out);
        (p->chart == STUDY_LINES ? plot_lines : p->chart == STUDY_BARS ? plot_bars : plot_heat)(out, p, &g);
        open_table(out, number, p);
        plot_table_grid(out, p, &g);
        fputs("</table></div>\n</div></section>\n", out);
    }
    plot_grid_release(&g);
    return rc;
}

static int dots_chart(const struct plot_data *d, const struct study_plot *p, const struct study_value *by,
                      unsigned number, FILE *out, struct base_status *st)
{
    struct plot_dots dots;
    int rc = plot_dots_read(d, p, by, &dots, st);
    if (rc == 0 && !dots.n) {
        empty(out, p, by);
    } else if (rc == 0) {
        open_picture(out, number, p, by, plot_legend_height(&dots.series));
        plot_describe_dots(out, p, &dots);
        fputs("</desc>\n", out);
        plot_pareto(out, p, &dots);
        open_table(out, number, p);
        plot_table_dots(out, p, &dots);
        fputs("</table></div>\n</div></section>\n", out);
    }
    plot_dots_release(&dots);
    return rc;
}

static int charts(const struct plot_data *d, const struct study_plot *p, unsigned *number, FILE *out,
                  struct base_status *st)
{
    struct plot_values by = {0};
    int rc = p->by.at ? plot_by(d, p, &by, st) : 0;
    for (size_t k = 0; rc == 0 && k < (p->by.at ? by.n : 1); k++)
        rc = (p->chart == STUDY_PARETO ? dots_chart : grid_chart)(d, p, p->by.at ? &by.at[k] : NULL,
                                                                  ++*number, out, st);
    plot_values_release(&by);
    return rc;
}

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
                  "tabindex=\"0\" role=\"region\" aria-labelledby=\"failed\"><table><tr><th "
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

static void head(const struct plot_data *d, FILE *out)
{
    uint32_t ok = 0, ended = 0;
    const char *title = d->study->title ? d->study->title : d->study->path;
    for (uint32_t k = 0; k < d->study->points; k++) {
        const struct study_value *status = d->get(d->arg, k, "status");
        ok += d->ok(d->arg, k);
        ended += status && status->text;
    }
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>",
          out);
    plot_text(out, title);
    fprintf(out, "</title><style>%s</style></head>\n<body><main><h1>", style);
    plot_text(out, title);
    fprintf(out, "</h1>\n<p>%u points: %u ended well, %u failed, %u have not been run.</p>\n",
            d->study->points, ok, ended - ok, d->study->points - ended);
}

int plot_page(const struct plot_data *d, FILE *out, struct base_status *st)
{
    unsigned number = 0;
    head(d, out);
    for (size_t k = 0; k < d->study->plots; k++)
        if (charts(d, &d->study->plot[k], &number, out, st))
            return -1;
    failures(d, out);
    fputs("</main></body></html>\n", out);
    return 0;
}
