/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep: studies of many runs. A file says what varies and what is kept (study/), each point is run as a process of its
 * own, here or by Slurm, its results are a row of a database (store/), and charts of them are a page (plot/).
 *
 * Invariants
 *  SW1  Results do not depend on the order of runs, nor on how many go at a time.
 *  SW2  A point with a row whose key is the point's is not run again, but for failed ones when that is asked for.
 */
#ifndef PGASIM_SWEEP_H
#define PGASIM_SWEEP_H

#include "base/base.h"

struct sweep_request {
    const char *study;    /* its file */
    const char *self;     /* the executable of pgasim */
    const char *library;  /* the file with the simulator's code: results depend on it */
    const char *database; /* NULL: as the study says, or named after it */
    const char *only;     /* a condition; NULL: all points */
    bool retry_failed, quiet;
    uint64_t picture;  /* sweep_page: this chart alone, as SVG; 0: the page */
    uint32_t jobs;     /* runs at a time, at least 1 */
    uint64_t memory;   /* bytes that runs may need together; 0: what is free on this machine */
    const char *share; /* a task of Slurm: the folder of the job array */
};
/* Each returns an exit status; what is wrong has been reported. */
int sweep_run(const struct sweep_request *q);
int sweep_slurm(const struct sweep_request *q);
int sweep_list(const struct sweep_request *q, bool commands,
               FILE *out); /* points, or the commands of those to be run */
enum sweep_form { SWEEP_CSV, SWEEP_JSONL };
int sweep_export(const struct sweep_request *q, enum sweep_form form, FILE *out);
int sweep_page(const struct sweep_request *q, FILE *out);

#endif
