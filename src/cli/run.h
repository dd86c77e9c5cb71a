/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run: one `pgasim run` (private to cli/): what was asked for, the parts of the simulator in the order in
 * which they are made, and the figures that are left when it is over.
 */
#ifndef PGASIM_CLI_RUN_H
#define PGASIM_CLI_RUN_H

#include "cli/run_options.h"
#include "coll/coll.h"
#include "fold/fold.h"
#include "rma/rma.h"

/* The figures of a finished run. Those of modules are taken while the job is still there. */
struct run_figures {
    int status;       /* exit status of `pgasim run` */
    bool whole;       /* all ranks came to their ends: none was stopped */
    double simulated; /* seconds */
    double wall, cpu; /* seconds since the command's start */
    uint64_t events, switches, peak_memory;
    struct rma_counts rma;
    struct coll_counts coll;
    struct rank_counts ranks;
    struct fold_counts fold;
    enum fold_privatize way;
};

struct run {
    struct run_options options;
    char *program; /* path of the program's file */
    struct base_settings *settings;
    struct platform *platform;
    uint32_t *rank_host;
    struct engine *engine;
    struct fluid *fluid;
    struct fabric *fabric;
    struct trace trace;
    struct run_traces *traces; /* NULL: none */
    struct rank_job *job;
    double started; /* host seconds, monotonic */
    struct run_figures figures;
};

double run_host_seconds(void);

/* traces.c: the files of --trace. */
struct run_traces;
/* Opens them and attaches their sinks; after the platform and the places of the ranks are known. -1 with st:
 * a path or a filter that is of no use. No effect without --trace. */
int run_traces_open(struct run *r, struct base_status *st);
void run_traces_clock(struct run *r); /* the engine is there */
/* Ends them; -1: one could not be written whole, which has been reported. */
int run_traces_close(struct run *r);
void run_traces_print(const struct run *r); /* names them, and what shows them; after they are closed */
void run_traces_release(struct run *r);

/* summary.c: for people, on the stream of reports. */
void run_summary_print(const struct run *r);
const char *run_privatize_name(enum fold_privatize way);

/* json.c: the same for machines. The file is opened before the run, so that a path that cannot be written is
 * found early; what it held is replaced only when there is something to write. */
struct run_json {
    FILE *out;
};
int run_json_open(struct run_json *j, const char *path, struct base_status *st);
int run_json_write(struct run_json *j, const struct run *r, struct base_status *st); /* and closes */
void run_json_close(struct run_json *j);

/* progress.c: a line on the terminal, once the run has taken two seconds. */
void run_progress_begin(struct run *r);
void run_progress_tick(struct run *r);
void run_progress_end(void);

/* interrupt.c: SIGINT, SIGTERM and SIGHUP end the run in order. */
void run_interrupt_begin(const struct run *r);
void run_interrupt_tick(void);
void run_interrupt_end(void);

#endif
