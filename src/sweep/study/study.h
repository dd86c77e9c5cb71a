/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * study: a study as its file says it (YAML), and the points that it has. A *point* gives each parameter a value. Points
 * are the product of the explicit list of points and of all parameters, in this order, the last parameter changing
 * fastest, without those for which a condition does not hold.
 *
 * Texts of the file may have expressions: "${ranks / 2}". What is wrong is said with file and line.
 *
 * Invariants
 *  ST1  A point has one value for each name of the study, in their order.
 *  ST2  What a study says depends on its text alone.
 */
#ifndef PGASIM_SWEEP_STUDY_H
#define PGASIM_SWEEP_STUDY_H

#include "base/json.h"

enum { STUDY_POINTS = 100000, STUDY_NAMES = 64, STUDY_TIMEOUT = 3600 /* seconds, if not said */ };

/* --- values and expressions (value.c, expression.c) ------------------------------------------------- */

/* A number or a text; `text` is as it was written. */
struct study_value {
    char *text; /* NULL: there is none */
    double number;
    bool is_number;
    bool absent; /* of another program: no comparison with it holds but != */
};
/* Of a text: a number if all of it is one. */
struct study_value study_value_of(const char *text, bool quoted);
struct study_value study_value_number(double x);
struct study_value study_value_copy(const struct study_value *v);
void study_value_release(struct study_value *v);
void study_value_json(struct base_json *j, const char *key, const struct study_value *v);
int study_value_compare(const struct study_value *a, const struct study_value *b); /* numbers before texts */

/* What names mean: NULL if the name is unknown. */
struct study_scope {
    const struct study_value *(*find)(const void *arg, const char *name);
    const void *arg;
};
/* or, and, not; == != < <= > >=; + - * / % ; numbers, "texts", 'texts', names, parentheses; min, max, floor, ceil,
 * round, sqrt, log2 of arguments in parentheses. What is true is 1, what is not is 0. The caller releases *out. */
int study_evaluate(const char *text, const struct study_scope *scope, struct study_value *out,
                   struct base_status *st);
/* Whether the condition holds. */
int study_holds(const char *text, const struct study_scope *scope, bool *out, struct base_status *st);
/* The text with the value of each "${...}"; the caller frees it. "$$" is a dollar. */
char *study_expand(const char *text, const struct study_scope *scope, struct base_status *st);
bool study_name_is_good(const char *name); /* letters, digits and '_', no digit first */

/* --- the study (read.c, values.c, points.c) ---------------------------------------------------------- */

/* A text of the file. */
struct study_text {
    char *at; /* NULL: not said */
    uint32_t line;
};
struct study_pair {
    char *key;
    struct study_text text;
};
struct study_texts {
    struct study_text *at;
    size_t n, cap;
};
struct study_pairs {
    struct study_pair *at;
    size_t n, cap;
};

enum study_source { STUDY_JSON, STUDY_OUTPUT, STUDY_ERRORS, STUDY_FILE, STUDY_VALUE, STUDY_FOUND };
/* A result to be kept: a path in the run's JSON, a regular expression on its output, a file, an expression, or
 * whether a regular expression is in its output or errors (1 or 0). */
struct study_keep {
    char *name;
    enum study_source source;
    struct study_text what;
};

enum study_command { STUDY_RUN, STUDY_REPLAY, STUDY_RISCV, STUDY_OTHER };
extern const char *const study_commands[STUDY_OTHER + 1];

enum study_chart { STUDY_LINES, STUDY_BARS, STUDY_HEAT, STUDY_PARETO, STUDY_CHARTS };
extern const char *const study_charts[STUDY_CHARTS];
/* A chart of the page: names of parameters and results. */
struct study_plot {
    enum study_chart chart;
    uint32_t line;
    char *title, *x, *y, *value; /* value: the colour of a heat map */
    char *x_label, *y_label, *value_label;
    struct study_texts series;
    struct study_text by;              /* a chart for each of its values */
    struct study_text where;           /* of points */
    bool x_log, y_log, x_most, y_most; /* most: of a front, the more the better */
};

struct study_point {
    struct study_value *value; /* ST1 */
    uint32_t number;           /* from 1 */
};

struct study {
    char *path, *folder; /* of the file */
    char *title;
    char *database; /* as a path from here; NULL: not said */
    /* parameters */
    char *name[STUDY_NAMES];
    uint32_t names;
    struct study_point *point;
    uint32_t points;
    /* what is run */
    enum study_command command;
    struct study_texts words; /* program or trace, and arguments; of other commands all words */
    struct study_texts options, inputs;
    struct study_pairs settings;
    struct study_text ranks, platform, generate, memory;
    double timeout; /* seconds of this machine */
    bool own_folder;
    /* what is kept */
    struct study_keep *keep;
    size_t keeps, keeps_cap;
    /* the page */
    struct study_plot *plot;
    size_t plots, plots_cap;
    /* Slurm */
    struct study_texts slurm_options;
    uint32_t slurm_tasks;
};

/* The study in a file, or in a text as from a file of this name. -1 with st: "file:line: ...". */
int study_read(struct study **out, const char *path, struct base_status *st);
int study_read_text(struct study **out, const char *text, size_t size, const char *path,
                    struct base_status *st);
void study_destroy(struct study *s);
/* Formats "file:line: ..." into st; -1. */
int study_wrong(const struct study *s, uint32_t line, struct base_status *st, const char *fmt, ...)
    BASE_PRINTF(4, 5);

/* The names of a point, and others: `more` is asked first (its find may be NULL). */
struct study_point_scope {
    const struct study *study;
    const struct study_point *point;
    struct study_scope more;
};
struct study_scope study_scope_of(const struct study_point_scope *s);
/* {"topology": "torus", "ranks": 16}; the caller frees it. */
char *study_point_json(const struct study *s, const struct study_point *p);

void study_texts_release(struct study_texts *t);
void study_pairs_release(struct study_pairs *p);

#include "sweep/study/validation.h"

#endif
