/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validation: programs that are run really and simulated, on platforms, as their file says it (YAML). A program's
 * parameters are those of a study; the first one is `platform`, and one is `ranks`.
 */
#ifndef PGASIM_SWEEP_STUDY_VALIDATION_H
#define PGASIM_SWEEP_STUDY_VALIDATION_H

#include "sweep/study/study.h"

enum { STUDY_REPETITIONS = 1000, STUDY_SEEDS = 1000 };

/* Where programs run. */
struct study_platform {
    char *name;
    uint32_t line;
    struct study_text file;    /* the simulated one */
    struct study_text real;    /* what the real run is told; not said: `file` */
    struct study_texts run;    /* the words of a real run */
    struct study_text useless; /* a regular expression: runs that say this are void */
    struct study_text version; /* a command that says which MPI it is */
    struct study_texts options, inputs;
    struct study_pairs settings;
};

/* Where a time in seconds comes from. */
struct study_seconds {
    bool said, whole; /* whole: the time of the whole run */
    struct study_keep keep;
};

/* A program that is run. `study` holds its points, arguments (words), options, settings, inputs, and timeout. */
struct study_subject {
    char *name;
    uint32_t line;
    struct study *study;
    struct study_text source;                 /* built by both wrappers, or */
    struct study_text real, simulated, trace; /* what is run; a trace is played instead of a program */
    struct study_texts flags;
    struct study_pairs environment;
    struct study_seconds measured, predicted;
    double unit; /* seconds of what the program prints */
};

/* How far off predictions may be; NAN: any distance. */
struct study_target {
    double median, p95, worst, bias;
};

struct study_validation {
    char *path, *folder, *title, *database; /* database NULL: not said */
    struct study_target target;
    uint32_t least, most, tries; /* real runs of a case; how often a void one is tried */
    double interval;             /* of the median, to each side as a part of it: narrow enough */
    uint32_t seeds;              /* of the noise; 0: none */
    double timeout;
    struct study_text real_cc, version;
    struct study_texts flags, options;
    struct study_pairs settings, environment;
    struct study_seconds seconds;
    struct study_platform *platform;
    size_t platforms, platforms_cap;
    struct study_subject *subject;
    size_t subjects, subjects_cap;
};

/* The validation in a file, or in a text as from a file of this name. -1 with st: "file:line: ...". */
int study_validation_read(struct study_validation **out, const char *path, struct base_status *st);
int study_validation_read_text(struct study_validation **out, const char *text, size_t size, const char *path,
                               struct base_status *st);
void study_validation_destroy(struct study_validation *v);

#endif
