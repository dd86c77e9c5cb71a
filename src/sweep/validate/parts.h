/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of validate/ share (private to it). */
#ifndef PGASIM_SWEEP_VALIDATE_PARTS_H
#define PGASIM_SWEEP_VALIDATE_PARTS_H

#include "sweep/internal.h"
#include "sweep/validate/validate.h"

/* One program on one platform, really or simulated: a sweep whose points are cases x repetitions, or cases x seeds. */
struct validate_side {
    struct sweep sweep;
    bool real;
    uint32_t each; /* repetitions or seeds of a case */
    char *program; /* what is run: as its words have it */
    bool present;  /* false: it is not built, because none of its cases will be run */
    char *content; /* of the platform's file, in hexadecimal */
};
struct validate_pair {
    const struct study_subject *subject;
    const struct study_platform *platform;
    struct validate_side real, simulated;
    uint32_t cases;
    bool wanted; /* at least one of them */
};

/* Several runs of the same, in seconds. */
struct validate_sample {
    double *value; /* n, ascending */
    uint32_t n, voids, failed;
    double median, low, high; /* the median's interval; of seeds: the least and the greatest */
    const char *reason;       /* why one has failed, or is void; NULL: none has */
};
struct validate_case {
    const struct validate_pair *pair;
    uint32_t number; /* in its pair */
    bool wanted, compared;
    struct validate_sample measured, predicted;
    double error;   /* (predicted - measured) / measured */
    double earlier; /* the error of the earlier prediction; NAN: there is none */
};
/* How far predictions of some cases are off. */
struct validate_errors {
    const char *name;                /* of a program or platform; NULL: of all */
    uint32_t cases, n, above;        /* above: predictions that are too long */
    double median, p95, worst, bias; /* of the sizes; worst with its sign; bias: the mean with signs */
    uint32_t runs, inside;           /* real runs; of them those within the interval of the seeds */
};

struct validate {
    const struct validate_request *q;
    struct sweep_request request; /* of all sweeps */
    struct study_validation *file;
    struct sweep main; /* the database, its folder, signals */
    struct validate_pair *pair;
    size_t pairs;
    struct validate_case *at;
    size_t cases;
    char *machine, *kernel, *mpi; /* mpi NULL: not known */
    struct validate_errors *program, *platform, all;
    uint32_t earlier, worse, better; /* cases with an earlier prediction */
};

/* sides.c */
int validate_sides_make(struct validate *v, struct base_status *st);
void validate_sides_release(struct validate *v);
static inline struct sweep_task *validate_task(struct validate_side *s, uint32_t number, uint32_t k)
{
    return &s->sweep.task[number * s->each + k];
}
/* commands.c: what a side's study runs and keeps. The files stand for ${program} and ${platform}. */
struct validate_files {
    const char *program, *platform;
};
void validate_real_study(const struct validate *v, const struct validate_pair *p,
                         const struct validate_files *f, struct study *s);
void validate_simulated_study(const struct validate *v, const struct validate_pair *p,
                              const struct validate_files *f, struct study *s);

/* cases.c, when sides have their points */
int validate_cases_make(struct validate *v, struct base_status *st);
/* The value of a case's parameter, and the names of those that are neither program, platform nor ranks. */
const char *validate_value(const struct validate_case *c, const char *name);
char *validate_size(const struct validate_case *c); /* "bytes=8 steps=3"; the caller frees it */

/* build.c: the file of the program, built first if it is not there and `may`; NULL with st. The caller frees it. */
char *validate_build(struct validate *v, const struct study_subject *s, bool real, bool may, bool *present,
                     struct base_status *st);

/* facts.c: what rows say about where and when they were made */
void validate_facts_read(struct validate *v);
void validate_facts_add(const struct validate *v, const struct validate_side *s, struct store_row *row);

/* rows.c: rows that a database holds */
int validate_rows_look(struct validate *v, struct base_status *st);
int validate_rows_number(struct validate *v, struct base_status *st);
int validate_rows_against(struct validate *v, struct base_status *st);

/* runs.c. -1 with st. An interrupt ends them early. */
int validate_measure(struct validate *v, struct base_status *st);
int validate_simulate(struct validate *v, struct base_status *st);

/* compare.c */
void validate_sample_read(const struct validate_case *c, bool real, struct validate_sample *out);
void validate_sample_release(struct validate_sample *s);
double validate_scale(const struct study_subject *s, bool real); /* seconds of a value that was kept */
/* A prediction is worse, or better, if its error has changed by more than this. */
#define VALIDATE_CHANGE 0.001
/* Ascending values: median and interval. */
void validate_sample_of(double *value, uint32_t n, bool real, struct validate_sample *out);
void validate_compare(struct validate *v);
bool validate_within_target(const struct validate *v);
enum { VALIDATE_TARGETS = 4 };
/* What is asked of all errors; `limit` NAN: nothing. */
struct validate_limit {
    const char *name;
    double limit, is;
};
void validate_limits(const struct validate *v, struct validate_limit out[VALIDATE_TARGETS]);

/* table.c, export.c, page.c */
void validate_table(const struct validate *v, FILE *out);
void validate_json(const struct validate *v, FILE *out);
void validate_csv(const struct validate *v, FILE *out);
void validate_page(const struct validate *v, FILE *out);

#endif
