/* SPDX-License-Identifier: BSD-3-Clause */
/* job: what the files of fold/ share about a running job (private to fold/). */
#ifndef PGASIM_FOLD_JOB_H
#define PGASIM_FOLD_JOB_H

#include "fold/fold.h"
#include "fold/image.h"

struct fold_job {
    struct fold_config config;
    struct engine *engine;
    struct fabric *fabric;
    struct trace *trace;
    const struct base_settings *settings;
    struct images images;
    struct fold_rank *rank; /* config.ranks of them */
    uint32_t *host_ranks;   /* ranks on each host, ended ones too */
    uint32_t *host_actors;  /* live threads of all ranks there: does each have a core for itself? */
    bool threaded;          /* a thread was made */
    bool lodges;            /* the ranks share a stack */
    uint32_t hosts_used, ended, argc;
    size_t argv_bytes; /* of all arguments' characters */
    void *upper[FOLD_UPPERS];
    double local_speed;              /* flop/s of a core of the machine we run on, for measured computation */
    double measured;                 /* host seconds */
    struct annotated_job *annotated; /* annotated.h */
    struct failures *failures;
    struct fold_jobs *jobs; /* NULL: ranks do not run ahead */
    int exit_code;          /* of the first rank that ended with a status other than 0 */
};

/* The job of this process, for the crash report (current.c). */
extern struct fold_job *fold_running_job;

/* rank.c: the body of a rank's actor. */
void fold_rank_body(void *arg);
/* fronts.c */
void fold_fronts_job_begin(struct fold_job *job);
void fold_fronts_job_end(struct fold_job *job);
void fold_fronts_rank_exit(struct fold_rank *r, int code);
/* crash.c */
void fold_crash_handlers_install(void);
void fold_crash_handlers_remove(void);
/* compute.c */
void traced_begin(struct fold_job *job); /* traced.c */
int fold_compute_begin(struct fold_job *job, struct base_status *st);
double
fold_compute_take(struct fold_rank *r); /* flops measured since the last start, which are the caller's now */
/* annotated.c */
void annotated_begin(struct fold_job *job);
void annotated_end(struct fold_job *job);
void annotated_release(struct fold_rank *r); /* the rank has ended */
double fold_compute_seconds(void);           /* host seconds of this thread */
/* jobs.c */
void fold_jobs_create(struct fold_job *job);
void fold_jobs_begin(struct fold_job *job); /* before the ranks are spawned */
void fold_jobs_assign(struct fold_rank *r); /* r's actor has been spawned */
void fold_jobs_destroy(struct fold_job *job);
void fold_jobs_crashed(void); /* the code that is ahead has, and will use its stack for signals further on */
/* stacks.c */
int fold_stacks_choose(struct fold_job *job, struct base_status *st);
/* report.c */
void fold_report_overflow(const struct fold_rank *r, const char *place);

#endif
