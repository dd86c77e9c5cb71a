/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * survey: what can be said of a program before it runs, from its files alone: whether it can be loaded, which of the
 * functions that it refers to are supported, which do something else in a rank, which are not modelled. fold's
 * second face, for `pgasim info PROGRAM`; nothing of the program is executed.
 */
#ifndef PGASIM_FOLD_SURVEY_H
#define PGASIM_FOLD_SURVEY_H

#include "base/base.h"

/* A function that the program, or a library of its own, refers to and does not define. Names and notes live as
 * long as the survey. */
struct fold_survey_item {
    const char *name;
    const char *object; /* path of the first that refers to it */
    const char *note;   /* NULL in lists that need none */
};

struct fold_survey_object {
    const char *path;
    uint64_t globals, thread_local_bytes; /* of one rank */
    bool static_tls;                      /* initial-exec */
};

struct fold_survey_items {
    struct fold_survey_item *at;
    size_t n, cap;
};

struct fold_survey {
    bool built_for_us; /* linked by `pgasim cc` */
    struct objects *files;
    BASE_ARRAY(struct fold_survey_object) objects; /* the program first */
    BASE_ARRAY(const char *) system;               /* other libraries, as they are named */
    BASE_ARRAY(char *) obstacles;                  /* why it cannot be run as it is; sentences */
    struct fold_survey_items supported;            /* the API that libpgasim exports */
    struct fold_survey_items replaced;             /* libc functions that each rank has for itself */
    struct fold_survey_items differs;              /* work, but not as in a process of its own */
    struct fold_survey_items missing;              /* API functions that are not here or not modelled */
    struct fold_survey_items threads;              /* `name`: the runtime */
};

/* -1 with st: no such file, not a dynamically linked program for this machine, damaged. */
int fold_survey_read(struct fold_survey *s, const char *program, const char *library_path,
                     struct base_status *st);
void fold_survey_release(struct fold_survey *s);
static inline bool fold_survey_runs(const struct fold_survey *s)
{
    return s->obstacles.n == 0 && s->missing.n == 0;
}

#endif
