/* SPDX-License-Identifier: BSD-3-Clause */
/* show: constants for people, and everything as JSON. */
#include <math.h>

#include "base/json.h"
#include "base/text.h"
#include "calibrate/internal.h"

static void files_show(const struct calibrate_table *t, FILE *out)
{
    char name[100], library[100];
    for (size_t k = 0; k < t->file.n; k++) {
        const struct calibrate_file *f = &t->file.at[k];
        size_t points = 0;
        for (size_t i = 0; i < t->point.n; i++)
            points += t->point.at[i].file == k;
        fprintf(out, "%s: %zu points, %s", base_text_show(name, sizeof name, f->name), points, f->format);
        if (f->library)
            fprintf(out, ", %s", base_text_show(library, sizeof library, f->library));
        if (f->ranks)
            fprintf(out, ", %u ranks on %u nodes", f->ranks, f->nodes);
        fputc('\n', out);
    }
}

static void collectives_show(const struct calibrate_result *r, FILE *out)
{
    char measured[48], low[48], high[48], predicted[48], interval[100];
    if (r->collective.n)
        fprintf(out, "\n%-12s %10s %6s %12s  %-29s %12s %8s\n", "collective", "bytes", "ranks", "measured",
                "interval", "predicted", "error");
    for (size_t k = 0; k < r->collective.n; k++) {
        const struct calibrate_collective *c = &r->collective.at[k];
        snprintf(interval, sizeof interval, "%s to %s", calibrate_show_value(low, CALIBRATE_SECONDS, c->low),
                 calibrate_show_value(high, CALIBRATE_SECONDS, c->high));
        fprintf(out, "%-12s %10llu %6u %12s  %-29s", calibrate_kind_name(c->kind), (unsigned long long)c->bytes,
                c->ranks, calibrate_show_value(measured, CALIBRATE_SECONDS, c->seconds), interval);
        if (c->predicted > 0)
            fprintf(out, " %12s %+7.1f%%", calibrate_show_value(predicted, CALIBRATE_SECONDS, c->predicted),
                    100 * calibrate_collective_error(c));
        fputc('\n', out);
    }
}

void calibrate_show(const struct calibrate_result *r, FILE *out)
{
    char value[48], low[48], high[48];
    files_show(r->table, out);
    fprintf(out, "\n%-50s %14s  %-29s %6s  %s\n", "constant", "value", "95% interval", "points", "from");
    for (size_t k = 0; k < r->constant.n; k++) {
        const struct calibrate_constant *c = &r->constant.at[k];
        char interval[100];
        snprintf(interval, sizeof interval, "%s to %s", calibrate_show_value(low, c->unit, c->low),
                 calibrate_show_value(high, c->unit, c->high));
        fprintf(out, "%-50s %14s  %-29s %6zu  %s\n", c->name, calibrate_show_value(value, c->unit, c->value),
                interval, c->points, c->from);
    }
    collectives_show(r, out);
    if (r->where == CALIBRATE_NETWORK)
        fprintf(out, "\nboth directions: %s\n", calibrate_cause_text(r->cause));
    for (unsigned k = 0; k < CALIBRATE_CURVES; k++) {
        const struct calibrate_curve *c = &r->curve[k];
        if (c->fit.segments)
            fprintf(out, "%s%s: %u segment%s through %zu points, half of them within %.2g%%, %zu outliers\n",
                    k == 0 ? "\n" : "", c->name, c->fit.segments, c->fit.segments > 1 ? "s" : "", c->fit.n,
                    100 * c->fit.error, c->fit.outliers);
    }
    fprintf(out, "\nnot identified:%s\n", r->missing.n ? "" : " nothing");
    for (size_t k = 0; k < r->missing.n; k++)
        fprintf(out, "  %s: %s\n", r->missing.at[k].name, r->missing.at[k].why);
}

/* --- JSON ------------------------------------------------------------------------------------------------ */

static void files_json(struct base_json *j, const struct calibrate_table *t)
{
    base_json_open(j, "files", '[');
    for (size_t k = 0; k < t->file.n; k++) {
        const struct calibrate_file *f = &t->file.at[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", f->name);
        base_json_text(j, "format", f->format);
        base_json_text(j, "library", f->library);
        base_json_count(j, "ranks", f->ranks);
        base_json_count(j, "nodes", f->nodes);
        base_json_close(j);
    }
    base_json_close(j);
}

static void constants_json(struct base_json *j, const struct calibrate_result *r)
{
    base_json_open(j, "constants", '[');
    for (size_t k = 0; k < r->constant.n; k++) {
        const struct calibrate_constant *c = &r->constant.at[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", c->name);
        base_json_text(j, "unit", calibrate_unit_name(c->unit));
        base_json_number(j, "value", c->value);
        base_json_number(j, "low", c->low);
        base_json_number(j, "high", c->high);
        base_json_count(j, "points", c->points);
        base_json_text(j, "from", c->from);
        base_json_close(j);
    }
    base_json_close(j);
}

static void curve_json(struct base_json *j, const struct calibrate_curve *c)
{
    base_json_open(j, NULL, '{');
    base_json_text(j, "name", c->name);
    base_json_count(j, "points", c->fit.n);
    base_json_count(j, "outliers", c->fit.outliers);
    base_json_number(j, "median_residual", c->fit.error);
    base_json_open(j, "segments", '[');
    for (unsigned k = 0; k < c->fit.segments; k++) {
        const struct fit_segment *s = &c->fit.segment[k];
        base_json_open(j, NULL, '{');
        base_json_number(j, "above", fmax(s->above - c->fit.offset, 0));
        base_json_number(j, "seconds", s->line.a);
        base_json_number(j, "seconds_per_byte", s->line.b);
        base_json_count(j, "points", s->n);
        base_json_close(j);
    }
    base_json_close(j);
    base_json_close(j);
}

static void directions_json(struct base_json *j, const struct calibrate_result *r)
{
    static const char *const cause[CALIBRATE_CAUSES] = {"unknown", "full", "half", "middle", "protocol"};
    base_json_open(j, "directions", '{');
    base_json_text(j, "cause", cause[r->cause]);
    base_json_number(j, "crosstraffic", r->crosstraffic);
    base_json_number(j, "bidirectional", r->bidirectional > 0 ? r->bidirectional : 2);
    base_json_number(j, "above", r->above);
    base_json_number(j, "backbone", r->backbone);
    base_json_close(j);
}

/* What no constant is made of: compared with a simulation on the platform. */
static void collectives_json(struct base_json *j, const struct calibrate_result *r)
{
    base_json_open(j, "kept", '[');
    for (size_t k = 0; k < r->collective.n; k++) {
        const struct calibrate_collective *c = &r->collective.at[k];
        base_json_open(j, NULL, '{');
        base_json_text(j, "file", r->table->file.at[c->file].name);
        base_json_text(j, "kind", calibrate_kind_name(c->kind));
        base_json_count(j, "bytes", c->bytes);
        base_json_count(j, "ranks", c->ranks);
        base_json_number(j, "seconds", c->seconds);
        base_json_number(j, "low", c->low);
        base_json_number(j, "high", c->high);
        if (c->predicted > 0) {
            base_json_number(j, "predicted", c->predicted);
            base_json_number(j, "error", calibrate_collective_error(c));
        }
        base_json_close(j);
    }
    base_json_close(j);
}

void calibrate_json(const struct calibrate_result *r, FILE *out)
{
    struct base_json j;
    base_json_init(&j, out, &(struct base_json_form){.indent = "  "});
    base_json_open(&j, NULL, '{');
    base_json_text(&j, "pgasim", pgasim_version);
    files_json(&j, r->table);
    constants_json(&j, r);
    base_json_open(&j, "curves", '[');
    for (unsigned k = 0; k < CALIBRATE_CURVES; k++)
        if (r->curve[k].fit.segments)
            curve_json(&j, &r->curve[k]);
    base_json_close(&j);
    directions_json(&j, r);
    base_json_open(&j, "not_identified", '[');
    for (size_t k = 0; k < r->missing.n; k++) {
        base_json_open(&j, NULL, '{');
        base_json_text(&j, "name", r->missing.at[k].name);
        base_json_text(&j, "why", r->missing.at[k].why);
        base_json_close(&j);
    }
    base_json_close(&j);
    collectives_json(&j, r);
    base_json_close(&j);
    base_json_end(&j);
    fputc('\n', out);
}
