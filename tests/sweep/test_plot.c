/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins the page: well-formed for any texts, a description and a table for each chart, means and ranges of repeated runs,
 * and fronts against the definition, on random points. Prints its seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <expat.h>

#include "sweep/plot/parts.h"

enum { SEED = 5, ROUNDS = 200 };

/* Values of points as "kept": column names x, y, s. */
struct world {
    struct study *study;
    struct study_value *value; /* points x 3 */
};

static const struct study_value *get(const void *arg, uint32_t point, const char *name)
{
    const struct world *w = arg;
    const char *at = strchr("xys", name[0]);
    if (!strcmp(name, "n"))
        return &w->study->point[point].value[0];
    return at && !name[1] ? &w->value[point * 3 + (uint32_t)(at - "xys")] : NULL;
}

static bool ok(const void *arg, uint32_t point)
{
    return (void)arg, (void)point, true;
}

static struct study *study_of(uint32_t points, const char *plots)
{
    struct base_status st;
    struct study *s = NULL;
    char *text = base_strfmt(
        "title: <a> & \"b\"\nprogram: p\nparameters: {n: {from: 1, to: %u}}\nkeep: {x: x, y: y, s: s}\n%s",
        points, plots);
    if (study_read_text(&s, text, strlen(text), "s.yaml", &st))
        fail_msg("%s", st.text);
    free(text);
    return s;
}

static struct world world_of(struct base_random *r, uint32_t points, unsigned distinct, const char *plots)
{
    static const char *const names[] = {"a", "<b>", "c & \"d\""};
    struct world w = {study_of(points, plots), base_zalloc(points * 3 * sizeof *w.value, "values")};
    for (uint32_t k = 0; k < points; k++) {
        w.value[k * 3] = study_value_number((double)base_random_below(r, distinct));
        w.value[k * 3 + 1] = study_value_number((double)base_random_below(r, distinct) / 3);
        w.value[k * 3 + 2] = study_value_of(names[base_random_below(r, 3)], true);
    }
    return w;
}

static void release(struct world *w)
{
    for (uint32_t k = 0; k < w->study->points * 3; k++)
        study_value_release(&w->value[k]);
    free(w->value);
    study_destroy(w->study);
}

static int count_in(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

/* The page is HTML that is also XML, but for its first line and two tags of the head that have no end. */
static void check_page(const char *page, const char *about)
{
    char *text = base_strdup(strstr(page, "</style>") + strlen("</style></head>")),
         *end = strstr(text, "</html>");
    XML_Parser parser = XML_ParserCreate(NULL);
    *end = 0;
    if (XML_Parse(parser, strstr(text, "<body>"), (int)strlen(strstr(text, "<body>")), 1) != XML_STATUS_OK)
        fail_msg("%s: line %lu: %s", about, XML_GetCurrentLineNumber(parser),
                 XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
    if (strstr(text, "nan") || strstr(text, "inf") || strstr(text, ">-0<"))
        fail_msg("%s: a number that is none", about);
    free(text);
}

static void test_pages(void **state)
{
    static const char plots[] = "plots:\n"
                                "- {chart: lines, x: x, y: y, series: s, title: '<t>'}\n"
                                "- {chart: lines, x: s, y: y, by: s}\n"
                                "- {chart: lines, x: n, y: y, x-scale: log, y-scale: log}\n"
                                "- {chart: bars, x: s, y: y}\n"
                                "- {chart: heat, x: x, y: s, value: y}\n"
                                "- {chart: pareto, x: x, y: y, series: [s], y-best: most, x-scale: log}\n";
    struct base_random r;
    (void)state;
    base_random_seed(&r, SEED, 1);
    for (int round = 0; round < ROUNDS; round++) {
        struct base_status st;
        struct world w = world_of(&r, 1 + (uint32_t)base_random_below(&r, 40),
                                  1 + (unsigned)base_random_below(&r, 30), plots);
        const struct plot_data d = {w.study, get, ok, &w, 0};
        char *page = NULL, about[60];
        size_t size = 0;
        FILE *out = open_memstream(&page, &size);
        if (plot_page(&d, out, &st))
            fail_msg("%s", st.text);
        fclose(out);
        snprintf(about, sizeof about, "seed %d, round %d", SEED, round);
        check_page(page, about);
        int svg = count_in(page, "<svg "), desc = count_in(page, "<desc "), table = count_in(page, "<table>");
        if (svg < 6 || svg != desc || svg != table)
            fail_msg("%s: %d pictures, %d descriptions, %d tables", about, svg, desc, table);
        free(page);
        release(&w);
    }
}

static void test_means(void **state)
{
    struct base_status st;
    struct plot_grid g;
    struct world w = {study_of(4, "plots: [{chart: lines, x: x, y: y, series: s}]\n"),
                      base_zalloc(12 * sizeof *w.value, "values")};
    static const double numbers[4][2] = {{2, 5}, {1, 4}, {2, 9}, {2, 1}};
    const struct plot_data d = {w.study, get, ok, &w, 0};
    (void)state;
    for (int k = 0; k < 4; k++) {
        w.value[k * 3] = study_value_number(numbers[k][0]);
        w.value[k * 3 + 1] = study_value_number(numbers[k][1]);
        w.value[k * 3 + 2] = study_value_of("s", true);
    }
    assert_int_equal(plot_grid_read(&d, w.study->plot, NULL, &g, &st), 0);
    assert_int_equal(g.x.n, 2);
    assert_int_equal(g.series.n, 1);
    const struct plot_cell *c = plot_cell(&g, 0, 1); /* of x = 2 */
    if (c->n != 3 || plot_mean(c) != 5 || c->least != 1 || c->most != 9)
        fail_msg("%u runs, mean %g, from %g to %g; not 3, 5, 1 and 9", c->n, plot_mean(c), c->least, c->most);
    plot_grid_release(&g);
    release(&w);
}

/* A point is of the front if no other one is at least as good in both and better in one. */
static void test_fronts(void **state)
{
    struct base_random r;
    (void)state;
    base_random_seed(&r, SEED, 2);
    for (int round = 0; round < ROUNDS; round++) {
        struct base_status st;
        struct plot_dots dots;
        struct world w = world_of(&r, 30, 12,
                                  round % 2 ? "plots: [{chart: pareto, x: x, y: y, x-best: most}]\n"
                                            : "plots: [{chart: pareto, x: x, y: y}]\n");
        const struct plot_data d = {w.study, get, ok, &w, 0};
        double sign = round % 2 ? -1 : 1;
        assert_int_equal(plot_dots_read(&d, w.study->plot, NULL, &dots, &st), 0);
        assert_int_equal(dots.n, 30);
        for (size_t k = 0; k < dots.n; k++) {
            bool front = true;
            for (size_t i = 0; i < dots.n; i++) {
                double x = sign * (dots.at[i].x - dots.at[k].x), y = dots.at[i].y - dots.at[k].y;
                front &= !(x <= 0 && y <= 0 && (x < 0 || y < 0));
            }
            if (front != dots.at[k].front)
                fail_msg("seed %d, round %d: (%g, %g) is %sof the front", SEED, round, dots.at[k].x,
                         dots.at[k].y, front ? "" : "not ");
        }
        plot_dots_release(&dots);
        release(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages), cmocka_unit_test(test_means),
                                       cmocka_unit_test(test_fronts)};
    printf("seed %d\n", SEED);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
