/* SPDX-License-Identifier: BSD-3-Clause */
/* page: the report: constants, what is missing, and each fit with its measurements and residuals, as pictures and as
 * tables. It needs nothing else and has no script: all of it is reached with the keyboard. */
#include <math.h>

#include "base/text.h"
#include "calibrate/chart.h"

enum { ROWS = 1000 }; /* of a table of measurements */

static const char style[] =
    "body{font:15px/1.45 system-ui,-apple-system,'Segoe "
    "UI',sans-serif;color:#222;background:#fff;max-width:1250px;"
    "margin:2rem auto;padding:0 1rem}h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2rem 0 .4rem}"
    ".chart{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}.chart>svg{flex:2 1 "
    "480px;min-width:320px;"
    "max-width:760px;height:auto}.table{flex:1 1 320px;max-height:390px;overflow:auto;border:1px solid #ddd}"
    ".table:focus{outline:2px solid "
    "#0072b2}.all{max-height:none}table{border-collapse:collapse;font-size:.85rem;"
    "width:100%}th,td{padding:.2rem .5rem;border-bottom:1px solid #eee;text-align:right;white-space:nowrap}"
    "th[scope=row],.w{font-weight:600;text-align:left}.w{font-weight:400;white-space:normal}"
    "caption{text-align:left;padding:.3rem .5rem;color:#444;caption-side:top}";

static void put_text(FILE *out, const char *text)
{
    struct base_text t;
    base_text_init(&t, "a page's text");
    base_text_xml(&t, text);
    base_text_write(&t, out);
    base_text_release(&t);
}

static void head(const struct calibrate_result *r, FILE *out)
{
    fprintf(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\"><title>Calibration</title><style>%s</style></head>\n"
        "<body><main><h1>Calibration</h1>\n<ul>\n",
        style);
    for (size_t k = 0; k < r->table->file.n; k++) {
        const struct calibrate_file *f = &r->table->file.at[k];
        fputs("<li>", out);
        put_text(out, f->name);
        fprintf(out, ": %s", f->format);
        if (f->library) {
            fputs(", ", out);
            put_text(out, f->library);
        }
        if (f->ranks)
            fprintf(out, ", %u ranks on %u nodes", f->ranks, f->nodes);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

static void constants(const struct calibrate_result *r, FILE *out)
{
    char text[48];
    fputs(
        "<section aria-labelledby=\"constants\"><h2 id=\"constants\">Constants</h2>\n<div class=\"table "
        "all\" "
        "tabindex=\"0\" role=\"region\" aria-labelledby=\"constants\"><table><caption>with 95% intervals; of "
        "thresholds the sizes between which they are</caption><tr><th scope=\"col\">constant</th>"
        "<th scope=\"col\">value</th><th scope=\"col\">low</th><th scope=\"col\">high</th><th "
        "scope=\"col\">points"
        "</th><th scope=\"col\">from</th></tr>\n",
        out);
    for (size_t k = 0; k < r->constant.n; k++) {
        const struct calibrate_constant *c = &r->constant.at[k];
        fputs("<tr><th scope=\"row\">", out);
        put_text(out, c->name);
        fprintf(out, "</th><td>%s</td>", calibrate_show_value(text, c->unit, c->value));
        fprintf(out, "<td>%s</td>", calibrate_show_value(text, c->unit, c->low));
        fprintf(out, "<td>%s</td><td>%zu</td><td class=\"w\">%s</td></tr>\n",
                calibrate_show_value(text, c->unit, c->high), c->points, c->from);
    }
    fputs("</table></div>\n", out);
    if (r->where == CALIBRATE_NETWORK)
        fprintf(out, "<p>Both directions: %s.</p>\n", calibrate_cause_text(r->cause));
    fputs("</section>\n", out);
}

static void collectives(const struct calibrate_result *r, FILE *out)
{
    char text[48];
    fputs("<section aria-labelledby=\"collectives\"><h2 id=\"collectives\">Collectives</h2>\n<div class=\"table "
          "all\" tabindex=\"0\" role=\"region\" aria-labelledby=\"collectives\"><table><caption>of all ranks: "
          "measured, and predicted by a simulation on the platform</caption><tr><th scope=\"col\">collective</th>"
          "<th scope=\"col\">bytes</th><th scope=\"col\">ranks</th><th scope=\"col\">measured</th>"
          "<th scope=\"col\">predicted</th><th scope=\"col\">error</th></tr>\n",
          out);
    for (size_t k = 0; k < r->collective.n; k++) {
        const struct calibrate_collective *c = &r->collective.at[k];
        fprintf(out, "<tr><th scope=\"row\">%s</th><td>%llu</td><td>%u</td><td>%s</td>",
                calibrate_kind_name(c->kind), (unsigned long long)c->bytes, c->ranks,
                calibrate_show_value(text, CALIBRATE_SECONDS, c->seconds));
        if (c->predicted > 0)
            fprintf(out, "<td>%s</td><td>%+.1f%%</td></tr>\n",
                    calibrate_show_value(text, CALIBRATE_SECONDS, c->predicted),
                    100 * calibrate_collective_error(c));
        else
            fputs("<td>not simulated</td><td></td></tr>\n", out);
    }
    fputs("</table></div></section>\n", out);
}

static void missing(const struct calibrate_result *r, FILE *out)
{
    fputs("<section aria-labelledby=\"missing\"><h2 id=\"missing\">Not identified</h2>\n", out);
    fputs(r->missing.n ? "<ul>\n" : "<p>Nothing is missing.</p>\n", out);
    for (size_t k = 0; k < r->missing.n; k++) {
        fputs("<li>", out);
        put_text(out, r->missing.at[k].name);
        fputs(": ", out);
        put_text(out, r->missing.at[k].why);
        fputs("</li>\n", out);
    }
    fputs(r->missing.n ? "</ul></section>\n" : "</section>\n", out);
}

/* --- fits ------------------------------------------------------------------------------------------------ */

static void segments(const struct fit *f, unsigned number, FILE *out)
{
    char text[48];
    fprintf(out,
            "<div class=\"table all\" tabindex=\"0\" role=\"region\" "
            "aria-labelledby=\"h%u\"><table><caption>Segments: "
            "seconds = start + size x each byte</caption><tr><th scope=\"col\">above</th><th "
            "scope=\"col\">start</th>"
            "<th scope=\"col\">each byte</th><th scope=\"col\">points</th></tr>\n",
            number);
    for (unsigned k = 0; k < f->segments; k++) {
        const struct fit_segment *s = &f->segment[k];
        fprintf(out, "<tr><th scope=\"row\">%.0f B</th><td>%s</td>", fmax(s->above - f->offset, 0),
                calibrate_show_value(text, CALIBRATE_SECONDS, s->line.a));
        fprintf(out, "<td>%s</td><td>%zu</td></tr>\n",
                calibrate_show_value(text, CALIBRATE_SECONDS_PER_BYTE, s->line.b), s->n);
    }
    fputs("</table></div>\n", out);
}

static void measurements(const struct fit *f, unsigned number, FILE *out)
{
    char text[48];
    size_t stride = f->n / ROWS + 1;
    fprintf(out,
            "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-labelledby=\"h%u\"><table><caption>%s"
            "</caption><tr><th scope=\"col\">size</th><th scope=\"col\">measured</th><th "
            "scope=\"col\">fitted</th>"
            "<th scope=\"col\">residual</th></tr>\n",
            number, stride > 1 ? "Some of the measurements" : "Measurements");
    for (size_t k = 0; k < f->n; k += stride) {
        const struct fit_point *p = &f->point[k];
        fprintf(out, "<tr><th scope=\"row\">%.0f</th><td>%s</td>", p->x,
                calibrate_show_value(text, CALIBRATE_SECONDS, p->y));
        fprintf(out, "<td>%s</td><td>%.2f%%%s</td></tr>\n",
                calibrate_show_value(text, CALIBRATE_SECONDS, p->y - p->residual * p->unit),
                100 * p->residual, p->outlier ? " outlier" : "");
    }
    fputs("</table></div>\n", out);
}

static void curve(const struct calibrate_curve *c, unsigned number, FILE *out)
{
    const struct fit *f = &c->fit;
    char title[200], words[400];
    fprintf(out, "<section aria-labelledby=\"h%u\"><h2 id=\"h%u\">%s: %s</h2>\n<div class=\"chart\">\n",
            number, number, c->name, c->about);
    snprintf(title, sizeof title, "%s: measured and fitted", c->name);
    snprintf(words, sizeof words,
             "Dots: %zu measured times over sizes from %.0f to %.0f bytes; %zu rings are outliers. A line of "
             "%u segments: "
             "half of the dots are within %.2g%% of it.",
             f->n, f->point[0].x, f->point[f->n - 1].x, f->outliers, f->segments, 100 * f->error);
    chart_open(out, number, title, words);
    chart_fit(out, f);
    measurements(f, number, out);
    fputs("</div>\n<div class=\"chart\">\n", out);
    snprintf(title, sizeof title, "%s: residuals", c->name);
    snprintf(
        words, sizeof words,
        "What the measured times are above the fit, relative, over sizes. Half of them are within %.2g%%.",
        100 * f->error);
    chart_open(out, number + 1, title, words);
    chart_residuals(out, f);
    segments(f, number, out);
    fputs("</div></section>\n", out);
}

void calibrate_page(const struct calibrate_result *r, FILE *out)
{
    head(r, out);
    constants(r, out);
    if (r->collective.n)
        collectives(r, out);
    missing(r, out);
    for (unsigned k = 0; k < CALIBRATE_CURVES; k++)
        if (r->curve[k].fit.segments)
            curve(&r->curve[k], 2 * k + 1, out);
    fputs("</main></body></html>\n", out);
}
