/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of plot/ share (private to plot/). */
#ifndef PGASIM_SWEEP_PLOT_PARTS_H
#define PGASIM_SWEEP_PLOT_PARTS_H

#include "base/text.h"
#include "sweep/plot/plot.h"

enum {
    PLOT_WIDTH = 760,
    PLOT_HEIGHT = 420,
    PLOT_LEFT = 84,
    PLOT_RIGHT = 20,
    PLOT_TOP = 16,
    PLOT_BOTTOM = 64,
    PLOT_COLORS = 7
};

/* --- gather.c: the values of one chart --- */
/* All runs with the same x and series. */
struct plot_cell {
    double sum, least, most;
    uint32_t n; /* 0: there is none */
};
struct plot_values {
    struct study_value *at;
    size_t n, cap;
};
struct plot_grid {
    struct plot_values x, series; /* numbers in ascending order, texts as they come first */
    struct plot_cell *cell;       /* series x x */
    bool repeated;                /* some cell has several runs */
    double least, most;           /* of all */
};
struct plot_dot {
    double x, y;
    uint32_t series, point;
    bool front;
};
struct plot_dots {
    struct plot_values series;
    struct plot_dot *at; /* in order of x, best first */
    size_t n, cap;
};
static inline const struct plot_cell *plot_cell(const struct plot_grid *g, size_t series, size_t x)
{
    return &g->cell[series * g->x.n + x];
}
static inline double plot_mean(const struct plot_cell *c)
{
    return c->sum / c->n;
}
/* The values by which charts are made, one for each of plot->by. */
int plot_by(const struct plot_data *d, const struct study_plot *p, struct plot_values *out,
            struct base_status *st);
/* Whether a point belongs to a chart, by its conditions. */
int plot_has(const struct plot_data *d, const struct study_plot *p, const struct study_value *by,
             uint32_t point, bool *out, struct base_status *st);
/* Texts stay as they came. */
void plot_values_arrange(struct plot_values *v);
size_t plot_values_add(struct plot_values *v, const struct study_value *x); /* if it is new; its place */
/* `by`: the one of this chart; NULL: all points. */
int plot_grid_read(const struct plot_data *d, const struct study_plot *p, const struct study_value *by,
                   struct plot_grid *out, struct base_status *st);
void plot_grid_release(struct plot_grid *g);
int plot_dots_read(const struct plot_data *d, const struct study_plot *p, const struct study_value *by,
                   struct plot_dots *out, struct base_status *st);
void plot_dots_release(struct plot_dots *d);
void plot_values_release(struct plot_values *v);

/* --- axis.c --- */
struct plot_axis {
    double low, high, from, to; /* values; pixels */
    bool log;
    const struct plot_values *ticks; /* where they are; NULL: round numbers */
    bool words;                      /* ticks are not numbers: they are at 0, 1, ... */
};
/* An axis for values between these. */
struct plot_axis plot_axis_of(double least, double most, bool log, double from, double to);
/* One for the values of a grid's x: by number, or as words. */
struct plot_axis plot_axis_words(const struct plot_values *v, double from, double to);
double plot_place(const struct plot_axis *a, double value);
void plot_axes(FILE *out, const struct plot_axis *x, const struct plot_axis *y, const char *x_label,
               const char *y_label);
char *plot_show(char buf[32], double value);
void plot_text(FILE *out, const char *text); /* escaped */

/* --- legend.c --- */
void plot_style(FILE *out);    /* of a picture: CSS */
unsigned plot_color(size_t k); /* the number of its class: c0, c1, ... */
void plot_mark(FILE *out, size_t series, bool many, double x, double y, double r); /* as a part of a path */
const char *plot_dashes(size_t k);
/* Below the axes; returns the height of the whole picture. */
int plot_legend_height(const struct plot_values *series);
void plot_legend(FILE *out, const struct plot_values *series);

/* --- lines.c, heat.c, pareto.c: what is within the picture --- */
void plot_lines(FILE *out, const struct study_plot *p, const struct plot_grid *g);
void plot_bars(FILE *out, const struct study_plot *p, const struct plot_grid *g);
void plot_heat(FILE *out, const struct study_plot *p, const struct plot_grid *g);
void plot_pareto(FILE *out, const struct study_plot *p, const struct plot_dots *d);

/* --- words.c: descriptions and tables --- */
void plot_describe_grid(FILE *out, const struct study_plot *p, const struct plot_grid *g);
void plot_describe_dots(FILE *out, const struct study_plot *p, const struct plot_dots *d);
void plot_table_grid(FILE *out, const struct study_plot *p, const struct plot_grid *g);
void plot_table_dots(FILE *out, const struct study_plot *p, const struct plot_dots *d);

/* --- data.c: what the page's script draws from (page/README.md) --- */
struct plot_charts { /* in the order of the page */
    struct plot_chart {
        const struct study_plot *plot;
        struct study_value by; /* without text: all points */
    } * at;
    size_t n, cap;
};
int plot_charts_read(const struct plot_data *d, struct plot_charts *out, struct base_status *st);
void plot_charts_release(struct plot_charts *c);
int plot_data_write(const struct plot_data *d, const struct plot_charts *charts, FILE *out,
                    struct base_status *st);

/* --- script.c: within the program --- */
void plot_page_style(FILE *out);
void plot_page_script(FILE *out);

#endif
