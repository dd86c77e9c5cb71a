/* SPDX-License-Identifier: BSD-3-Clause */
/* page: predicted against measured, errors by program and size, and all numbers, as one page without scripts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/plot/plot.h"
#include "sweep/validate/parts.h"

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;color:#222;background:#fff;max-width:1250px;margin:2rem "
    "auto;padding:0 1rem}h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2rem 0 .4rem}"
    ".chart{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}.chart>svg{flex:2 1 "
    "480px;min-width:300px;max-width:760px;height:auto}.table{flex:1 1 320px;max-height:430px;overflow:auto;"
    "border:1px solid #ddd}.table:focus{outline:2px solid #0072b2}table{border-collapse:collapse;"
    "font-size:.85rem;width:100%}th,td{padding:.2rem .5rem;border-bottom:1px solid "
    "#eee;text-align:right;white-space:nowrap}th[scope=row]{text-align:left}caption{text-align:left;padding:"
    ".3rem .5rem;caption-side:top}";

/* --- what is drawn ---------------------------------------------------------------------------------- */

static char *label_of(const struct validate_case *c)
{
    char *size = validate_size(c);
    char *out = base_strfmt("%s %s%son %s, %s ranks", c->pair->subject->name, size, *size ? " " : "",
                            c->pair->platform->name, validate_value(c, "ranks"));
    free(size);
    return out;
}

static void scatter(const struct validate *v, FILE *out)
{
    struct plot_pair *at = base_zalloc((v->all.n + 1) * sizeof *at, "a chart");
    const char **series = base_zalloc(v->file->subjects * sizeof *series, "a chart");
    uint32_t n = 0;
    for (size_t k = 0; k < v->file->subjects; k++)
        series[k] = v->file->subject[k].name;
    for (size_t k = 0; k < v->cases; k++) {
        const struct validate_case *c = &v->at[k];
        if (!c->compared || !c->wanted)
            continue;
        at[n++] = (struct plot_pair){c->measured.median, c->predicted.median,
                                     (uint32_t)(c->pair->subject - v->file->subject), label_of(c)};
    }
    const struct plot_pairs pairs = {.title = "Predicted against measured",
                                     .x_label = "measured [s]",
                                     .y_label = "predicted [s]",
                                     .series = series,
                                     .series_n = (uint32_t)v->file->subjects,
                                     .at = at,
                                     .n = n};
    plot_pairs(out, "scatter", &pairs);
    for (uint32_t k = 0; k < n; k++)
        free(at[k].name);
    free(at);
    free(series);
}

static void program_bars(const struct validate *v, FILE *out)
{
    static const char *const series[] = {"median", "95%", "worst", "bias"};
    size_t n = v->file->subjects;
    const char **names = base_zalloc((n + 1) * sizeof *names, "a chart");
    double *value = base_alloc(4 * (n + 1) * sizeof *value, "a chart");
    for (size_t k = 0; k <= n; k++) {
        const struct validate_errors *e = k < n ? &v->program[k] : &v->all;
        names[k] = k < n ? e->name : "all";
        value[4 * k] = 100 * e->median;
        value[4 * k + 1] = 100 * e->p95;
        value[4 * k + 2] = e->n ? 100 * e->worst : NAN;
        value[4 * k + 3] = 100 * e->bias;
    }
    const struct plot_numbers chart = {.title = "Errors by program",
                                       .x_label = "program",
                                       .y_label = "error [%]",
                                       .series = series,
                                       .series_n = 4,
                                       .name = names,
                                       .n = (uint32_t)n + 1,
                                       .value = value};
    plot_numbers(out, "programs", &chart);
    free(names);
    free(value);
}

/* The errors of one program: sizes and ranks along the axis, platforms side by side. */
static void case_bars(const struct validate *v, size_t program, FILE *out)
{
    const struct study_validation *f = v->file;
    const char **series = base_zalloc(f->platforms * sizeof *series, "a chart");
    char **name = base_zalloc((v->cases + 1) * sizeof *name, "a chart");
    double *value = base_alloc((v->cases + 1) * f->platforms * sizeof *value, "a chart");
    uint32_t n = 0;
    for (size_t k = 0; k < f->platforms; k++)
        series[k] = f->platform[k].name;
    for (size_t k = 0; k < v->cases; k++) {
        const struct validate_case *c = &v->at[k];
        uint32_t i = 0;
        if (!c->compared || !c->wanted || c->pair->subject != &f->subject[program])
            continue;
        char *size = validate_size(c);
        char *label = base_strfmt("%s%s%s ranks", size, *size ? ", " : "", validate_value(c, "ranks"));
        while (i < n && strcmp(name[i], label) != 0)
            i++;
        if (i == n) {
            name[n++] = base_strdup(label);
            for (size_t p = 0; p < f->platforms; p++)
                value[i * f->platforms + p] = NAN;
        }
        value[i * f->platforms + (size_t)(c->pair->platform - f->platform)] = 100 * c->error;
        free(label);
        free(size);
    }
    char *title = base_strfmt("Errors of %s", f->subject[program].name), id[40];
    snprintf(id, sizeof id, "errors%zu", program);
    const struct plot_numbers chart = {.title = title,
                                       .x_label = "size and ranks",
                                       .y_label = "error [%]",
                                       .series = series,
                                       .series_n = (uint32_t)f->platforms,
                                       .name = (const char *const *)name,
                                       .n = n,
                                       .value = value};
    if (n)
        plot_numbers(out, id, &chart);
    for (uint32_t k = 0; k < n; k++)
        free(name[k]);
    free(title);
    free(value);
    free(name);
    free(series);
}

/* --- the page --------------------------------------------------------------------------------------- */

static void text_of(const struct validate *v, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to)
        validate_table(v, to);
    if (!to || fclose(to))
        base_fatal(BASE_EXIT_HOST, "out of memory: a page");
    fputs("<section aria-labelledby=\"all\"><h2 id=\"all\">All numbers</h2>\n<div class=\"table\" "
          "style=\"max-height:none\" tabindex=\"0\" role=\"region\" aria-labelledby=\"all\"><pre>",
          out);
    plot_escaped(out, text);
    fputs("</pre></div></section>\n", out);
    free(text);
}

static void facts(const struct validate *v, FILE *out)
{
    fprintf(out, "<p>%u of %u cases have been compared; the error is (predicted - measured) / measured. ",
            v->all.n, v->all.cases);
    if (v->all.n)
        fprintf(out, "Median %.2f%%, 95%% within %.2f%%, worst %+.2f%%, bias %+.2f%%. ", 100 * v->all.median,
                100 * v->all.p95, 100 * v->all.worst, 100 * v->all.bias);
    fputs("pgasim ", out);
    plot_escaped(out, v->q->version);
    fputs(" on ", out);
    plot_escaped(out, v->machine ? v->machine : "an unknown machine");
    fputs(".</p>\n", out);
}

void validate_page(const struct validate *v, FILE *out)
{
    const char *title = v->file->title ? v->file->title : v->file->path;
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>",
          out);
    plot_escaped(out, title);
    fprintf(out, "</title><style>%s</style></head>\n<body><main><h1>", style);
    plot_escaped(out, title);
    fputs("</h1>\n", out);
    facts(v, out);
    if (v->all.n) {
        scatter(v, out);
        program_bars(v, out);
        for (size_t k = 0; k < v->file->subjects; k++)
            case_bars(v, k, out);
    }
    text_of(v, out);
    fputs("</main></body></html>\n", out);
}
