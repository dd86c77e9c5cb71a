/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_page SHAPE POINTS: writes the page of a study whose results are made up, to the standard output. SHAPE is
 *   every   one chart of each kind, repeated runs, names that are markup, a point that has failed
 *   cloud   a front of all points
 *   line    a line through all points
 *   map     a heat map of all points
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/plot/plot.h"

enum { SEED = 11, COLUMNS = 4 };

struct world {
    struct study *study;
    struct study_value *value; /* points x COLUMNS: x, y, s, t */
};

static const struct {
    const char *shape, *plots;
} shapes[] = {
    {"every",
     "- {chart: lines, x: x, y: y, series: s, title: '<i>Lines</i>', x-label: sizes, y-label: seconds}\n"
     "- {chart: lines, x: t, y: y, by: s}\n"
     "- {chart: bars, x: t, y: y, series: s}\n"
     "- {chart: heat, x: x, y: t, value: y, title: A map}\n"
     "- {chart: pareto, x: x, y: y, series: [s], title: A front}\n"},
    {"cloud", "- {chart: pareto, x: x, y: y, series: s}\n"},
    {"line", "- {chart: lines, x: n, y: y, x-scale: log}\n"},
    {"map", "- {chart: heat, x: x, y: t, value: y}\n"},
};

static const struct study_value *get(const void *arg, uint32_t point, const char *name)
{
    static const struct study_value failed = {.text = (char *)"exit 3"}, good = {.text = (char *)"ok"};
    const struct world *w = arg;
    if (!strcmp(name, "status"))
        return point == 0 ? &failed : &good;
    for (uint32_t k = 0; k < w->study->names; k++)
        if (!strcmp(name, w->study->name[k]))
            return &w->study->point[point].value[k];
    const char *at = name[1] ? NULL : strchr("xyst", name[0]);
    return at ? &w->value[point * COLUMNS + (uint32_t)(at - "xyst")] : NULL;
}

static bool ok(const void *arg, uint32_t point)
{
    return (void)arg, point > 0;
}

static struct study *study_of(uint32_t points, const char *plots)
{
    struct base_status st;
    struct study *s = NULL;
    char *text =
        base_strfmt("title: A <study> & \"more\"\nprogram: p\nparameters: {n: {from: 1, to: %u}, kind: [1]}\n"
                    "keep: {x: x, y: y, s: s, t: t}\nplots:\n%s",
                    points, plots);
    if (study_read_text(&s, text, strlen(text), "sample.yaml", &st)) {
        fprintf(stderr, "%s\n", st.text);
        exit(1);
    }
    free(text);
    return s;
}

static void make_values(struct world *w, const char *shape)
{
    static const char *const series[] = {"fat tree", "<b>torus</b>", "c & \"d\""};
    const bool map = !strcmp(shape, "map"), few = !strcmp(shape, "every");
    struct base_random r;
    base_random_seed(&r, SEED, 1);
    for (uint32_t k = 0; k < w->study->points; k++) {
        struct study_value *v = &w->value[k * COLUMNS];
        double x = map ? k % 100 : few ? (double)(1 + k % 12) : (double)base_random_below(&r, 1000000) / 1e4;
        v[0] = study_value_number(x);
        v[1] = study_value_number((1 + k % 3) * x / 7 + (double)base_random_below(&r, 1000) / 300);
        v[2] = study_value_of(series[few ? k / 12 % BASE_LENGTH(series) : k % BASE_LENGTH(series)], true);
        v[3] = study_value_number(map ? k / 100 : few ? k / 36 % 5 : k % 5);
    }
}

int main(int argc, char **argv)
{
    struct base_status st;
    size_t shape = 0;
    if (argc != 3)
        return 2;
    while (shape < BASE_LENGTH(shapes) && strcmp(shapes[shape].shape, argv[1]) != 0)
        shape++;
    if (shape == BASE_LENGTH(shapes))
        return 2;
    struct world w = {.study = study_of((uint32_t)strtoul(argv[2], NULL, 10), shapes[shape].plots)};
    w.value = base_zalloc(w.study->points * COLUMNS * sizeof *w.value, "values");
    make_values(&w, argv[1]);
    const struct plot_data d = {w.study, get, ok, &w, 0};
    int rc = plot_page(&d, stdout, &st);
    if (rc)
        fprintf(stderr, "%s\n", st.text);
    for (uint32_t k = 0; k < w.study->points * COLUMNS; k++)
        study_value_release(&w.value[k]);
    free(w.value);
    study_destroy(w.study);
    return rc ? 1 : 0;
}
