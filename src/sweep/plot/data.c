/* SPDX-License-Identifier: BSD-3-Clause */
/* data: the charts of a page, and their values as JSON for its script, each value once (page/README.md). */
#include <stdlib.h>
#include <string.h>

#include "sweep/plot/parts.h"

enum { FEW = 64 }; /* distinct values of a column that are numbered */

/* --- the charts ------------------------------------------------------------------------------------- */

int plot_charts_read(const struct plot_data *d, struct plot_charts *out, struct base_status *st)
{
    *out = (struct plot_charts){0};
    for (size_t k = 0; k < d->study->plots; k++) {
        const struct study_plot *p = &d->study->plot[k];
        struct plot_values by = {0};
        if (p->by.at && plot_by(d, p, &by, st)) {
            plot_values_release(&by);
            return -1;
        }
        for (size_t i = 0; i < (p->by.at ? by.n : 1); i++) {
            struct plot_chart chart = {.plot = p};
            if (p->by.at)
                chart.by = study_value_copy(&by.at[i]);
            BASE_ARRAY_PUSH(out, chart);
        }
        plot_values_release(&by);
    }
    return 0;
}

void plot_charts_release(struct plot_charts *c)
{
    for (size_t k = 0; k < c->n; k++)
        study_value_release(&c->at[k].by);
    free(c->at);
}

/* --- columns ---------------------------------------------------------------------------------------- */

static const struct study_value *value_of(const struct plot_data *d, uint32_t point, const char *name)
{
    const struct study_value *v = d->get(d->arg, point, name);
    return v && v->text ? v : NULL;
}

/* Numbers of distinct values, -1 where there is none; false: they are too many. */
static bool number_values(const struct plot_data *d, const char *name, struct plot_values *distinct)
{
    for (uint32_t k = 0; k < d->study->points; k++) {
        const struct study_value *v = d->ok(d->arg, k) ? value_of(d, k, name) : NULL;
        if (v && plot_values_add(distinct, v) >= FEW)
            return false;
    }
    plot_values_arrange(distinct);
    return true;
}

static void write_few(const struct plot_data *d, const char *name, struct plot_values *distinct,
                      struct base_json *j)
{
    base_json_open(j, "distinct", '[');
    for (size_t k = 0; k < distinct->n; k++)
        study_value_json(j, NULL, &distinct->at[k]);
    base_json_close(j);
    base_json_open(j, "of", '[');
    for (uint32_t k = 0; k < d->study->points; k++) {
        if (!d->ok(d->arg, k))
            continue;
        const struct study_value *v = value_of(d, k, name);
        base_text_format(base_json_value(j, NULL), "%d", v ? (int)plot_values_add(distinct, v) : -1);
    }
    base_json_close(j);
}

static void write_column(const struct plot_data *d, const char *name, bool parameter, struct base_json *j)
{
    static const struct study_value none = {0};
    struct plot_values distinct = {0};
    base_json_open(j, NULL, '{');
    base_json_text(j, "name", name);
    base_json_flag(j, "parameter", parameter);
    if (number_values(d, name, &distinct)) {
        write_few(d, name, &distinct, j);
    } else {
        base_json_open(j, "values", '[');
        for (uint32_t k = 0; k < d->study->points; k++) {
            const struct study_value *v = value_of(d, k, name);
            if (d->ok(d->arg, k))
                study_value_json(j, NULL, v ? v : &none);
        }
        base_json_close(j);
    }
    base_json_close(j);
    plot_values_release(&distinct);
}

static bool uses(const struct study_plot *p, const char *name)
{
    const char *const direct[] = {p->x, p->y, p->value};
    for (size_t k = 0; k < BASE_LENGTH(direct); k++)
        if (direct[k] && !strcmp(direct[k], name))
            return true;
    for (size_t k = 0; k < p->series.n; k++)
        if (!strcmp(p->series.at[k].at, name))
            return true;
    return false;
}

static bool is_parameter(const struct study *s, const char *name)
{
    uint32_t k = 0;
    while (k < s->names && strcmp(s->name[k], name) != 0)
        k++;
    return k < s->names;
}

/* All parameters, and what else the charts show. */
static void write_columns(const struct plot_data *d, struct base_json *j)
{
    static const char *const always[] = {"host_seconds", "peak_bytes", "exit_status",
                                         "status",       "reason",     "current"};
    const struct study *s = d->study;
    base_json_open(j, "columns", '[');
    for (uint32_t k = 0; k < s->names; k++)
        write_column(d, s->name[k], true, j);
    for (size_t k = 0; k < s->keeps + BASE_LENGTH(always); k++) {
        const char *name = k < s->keeps ? s->keep[k].name : always[k - s->keeps];
        bool used = false;
        for (size_t i = 0; i < s->plots; i++)
            used |= uses(&s->plot[i], name);
        if (used && !is_parameter(s, name))
            write_column(d, name, false, j);
    }
    base_json_close(j);
}

/* --- charts ----------------------------------------------------------------------------------------- */

/* Which of the points are in a chart; null: all. */
static int write_members(const struct plot_data *d, const struct plot_chart *c, struct base_json *j,
                         struct base_status *st)
{
    if (!c->plot->where.at && !c->by.text) {
        base_json_text(j, "points", NULL);
        return 0;
    }
    uint64_t number = 0;
    base_json_open(j, "points", '[');
    for (uint32_t k = 0; k < d->study->points; k++) {
        bool in;
        if (!d->ok(d->arg, k))
            continue;
        if (plot_has(d, c->plot, c->by.text ? &c->by : NULL, k, &in, st))
            return -1;
        if (in)
            base_json_count(j, NULL, number);
        number++;
    }
    base_json_close(j);
    return 0;
}

static int write_chart(const struct plot_data *d, const struct plot_chart *c, struct base_json *j,
                       struct base_status *st)
{
    const struct study_plot *p = c->plot;
    base_json_open(j, NULL, '{');
    base_json_text(j, "chart", study_charts[p->chart]);
    base_json_text(j, "x", p->x);
    base_json_text(j, "y", p->y);
    base_json_text(j, "value", p->value);
    base_json_text(j, "xLabel", p->x_label ? p->x_label : p->x);
    base_json_text(j, "yLabel", p->y_label ? p->y_label : p->y);
    base_json_text(j, "valueLabel", p->value_label ? p->value_label : p->value);
    base_json_flag(j, "xLog", p->x_log);
    base_json_flag(j, "yLog", p->y_log);
    base_json_flag(j, "xMost", p->x_most);
    base_json_flag(j, "yMost", p->y_most);
    base_json_open(j, "series", '[');
    for (size_t k = 0; k < p->series.n; k++)
        base_json_text(j, NULL, p->series.at[k].at);
    base_json_close(j);
    if (write_members(d, c, j, st))
        return -1;
    base_json_close(j);
    return 0;
}

int plot_data_write(const struct plot_data *d, const struct plot_charts *charts, FILE *out,
                    struct base_status *st)
{
    struct base_json j;
    int rc = 0;
    base_json_init(&j, NULL, &(struct base_json_form){.style = BASE_JSON_MARKUP});
    base_json_open(&j, NULL, '{');
    base_json_open(&j, "points", '[');
    for (uint32_t k = 0; k < d->study->points; k++)
        if (d->ok(d->arg, k))
            base_json_count(&j, NULL, k + 1);
    base_json_close(&j);
    write_columns(d, &j);
    base_json_open(&j, "charts", '[');
    for (size_t k = 0; rc == 0 && k < charts->n; k++)
        rc = write_chart(d, &charts->at[k], &j, st);
    if (rc) {
        base_text_release(&j.text);
        return rc;
    }
    base_json_close(&j);
    base_json_close(&j);
    base_text_write(&j.text, out);
    base_json_end(&j);
    return 0;
}
