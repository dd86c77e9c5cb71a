/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * study: what the files of `pgasim explore` share (private to cli/). deploy/ proposes configurations and
 * keeps results; here they are run, each as a process of its own.
 */
#ifndef PGASIM_CLI_STUDY_H
#define PGASIM_CLI_STUDY_H

#include <sys/types.h>

#include "base/children.h"
#include "cli/launch/launch.h"
#include "deploy/deploy.h"

/* What the command line asks for. The first member is what options of `pgasim run` apply to. */
struct study_request {
    struct run_options run;
    struct deploy_words words;
    BASE_ARRAY(const char *) protocols;
    bool grid;
    uint32_t search; /* configurations; 0: not said */
    uint32_t per_host, jobs;
    uint64_t seed;
    double timeout; /* seconds of this machine, for each run */
    const char *table, *svg, *json, *output;
    bool any;            /* some option was given */
    const char *refused; /* one of `pgasim run` that has no meaning here, */
    const char *why;     /* and why */
};

/* A run under way. */
struct study_run {
    pid_t pid; /* 0: none */
    uint32_t number;
    const struct deploy_config *config;
    double began;
};

struct study {
    const struct study_request *q;
    const char *self;           /* the executable of pgasim */
    const char *const *options; /* of `pgasim run`, NULL-ended */
    struct platform *platform;
    struct deploy_hosts hosts;
    struct deploy_space space;
    struct deploy_table *table;
    /* Configurations of the space whose results are in the table, and their rows. */
    struct deploy_set known;
    BASE_ARRAY(uint32_t) row;
    uint32_t old; /* so many were in the table before */
    /* runs.c */
    char *folder; /* temporary files */
    uint32_t runs;
    struct study_run *run; /* q->jobs of them */
    struct base_signals signals;
    int interrupt; /* the signal that ends us; 0: none */
};

/* --- job.c --- */
/* What the rows of a table depend on besides their configuration: platform, program, options. -1 with st: one
 * of the files cannot be read. */
int study_job(const struct study *x, uint64_t *job, struct base_status *st);

/* --- runs.c: runs in processes of their own --- */
int study_runs_open(struct study *x, struct base_status *st);
/* Ends what is under way, removes all files, and lets a signal that came take effect. */
void study_runs_close(struct study *x);
bool study_run_start(struct study *x, struct study_run *r, const struct deploy_config *c);
/* Whether it has ended; then *out says how. */
bool study_run_ended(struct study *x, struct study_run *r, struct deploy_result *out);

/* --- study.c: grid or search --- */
/* An exit status; unless it is 0, st says why. An interrupt ends it early. */
int study_carry_out(struct study *x, struct base_status *st);
const struct deploy_row *study_row(const struct study *x, uint32_t number); /* of a known one */

/* --- show.c: what came out --- */
/* Prints it, and writes the files that were asked for. -1 with st. */
int study_show(const struct study *x, struct base_status *st);

/* --- front.c --- */
/* The known configurations that did not fail, best time first; the front has one for each of its values. */
struct study_point {
    const struct deploy_config *config;
    const struct deploy_row *row;
    bool front;
    uint32_t same; /* others with the same values as this one of the front */
};
struct study_points {
    struct study_point *at;
    uint32_t n, front, failed;
};
struct study_points study_points_of(const struct study *x);
void study_points_release(struct study_points *p);
/* The files with which each of the front can be run again, in a folder. */
int study_save(const struct study *x, const struct study_points *p, const char *folder,
               struct base_status *st);

#endif
