/* SPDX-License-Identifier: BSD-3-Clause */
/* tune: what the files of `pgasim tune` share (private to cli/). tune/ searches and writes. */
#ifndef PGASIM_CLI_TUNE_H
#define PGASIM_CLI_TUNE_H

#include "cli/launch/launch.h"
#include "tune/tune.h"

/* What the command line asks for. The first member is what options of `pgasim run` apply to. */
struct tune_request {
    struct run_options run;
    BASE_ARRAY(uint32_t) ranks;
    enum tune_form form; /* of `output` */
    const char *output, *ops, *sizes, *shapes, *csv, *page, *journal;
    double budget, skew;
    uint64_t events, seed;
    uint32_t workers, times;
    bool one_sided, whole;
    bool any; /* some option was given */
};

/* program.c: what a program calls. */
struct tune_use {
    enum coll_op op;
    bool one_sided;
    uint32_t ranks;
    uint64_t bytes, calls;
    uint32_t *host;           /* of each rank of the first such group */
    struct tune_graph *graph; /* of operations on neighbours; else NULL */
    uint32_t first;           /* of operations between two groups: ranks of the first one; else 0 */
};
struct tune_uses {
    struct tune_use *at;
    size_t n;
    int status; /* of the run */
};
/* Runs the program in a process of its own, by the words of `pgasim run`, and collects what it calls. -1 with
 * st: nothing could be collected. */
int tune_program(int argc, char **args, struct tune_uses *out, struct base_status *st);
void tune_uses_release(struct tune_uses *u);
void tune_use_release(struct tune_use *u);

/* space.c. `u`: what a program calls; NULL: the options say what is tuned. -1 with st. */
int tune_make_space(struct tune_space *s, const struct tune_request *q, struct tune_uses *u,
                    struct base_status *st);
int tune_write_files(const struct tune_space *s, const struct tune_table *t, const struct tune_request *q,
                     struct base_status *st);

/* show.c: what was found, for people. Of a program, with its calls. */
void tune_show(const struct tune_space *s, const struct tune_table *t, FILE *out);
void tune_show_program(const struct tune_space *s, const struct tune_table *t, const struct tune_uses *u,
                       FILE *out);

#endif
