/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run: one `pgasim run` (private to cli/): what was asked for, the parts of the simulator in the order in
 * which they are made, and the figures that are left when it is over.
 */
#ifndef PGASIM_CLI_RUN_H
#define PGASIM_CLI_RUN_H

#include "cli/figures/figures.h"
#include "cli/launch/launch.h"
#include "coll/coll.h"
#include "fold/fold.h"
#include "p2p/p2p.h"
#include "rma/rma.h"

/* Simulated times of all seeds of --seeds, and an interval for a further run. */
struct run_seeds {
    uint64_t n;   /* 0: there is no --seeds, or not all of them ended well */
    double *time; /* by seed, from 1; NAN: not known */
    double median, low, high, probability;
    bool alike;
};

/* The figures of a finished run. Those of modules are taken while the job is still there. */
struct run_figures {
    int status;       /* exit status of `pgasim run` */
    bool whole;       /* all ranks came to their ends: none was stopped */
    bool taken;       /* those of the modules, below */
    double simulated; /* seconds */
    double wall, cpu; /* seconds since the command's start */
    uint64_t events, switches, peak_memory;
    struct rma_counts rma;
    struct coll_counts coll;
    struct p2p_counts p2p;
    struct rank_counts ranks;
    struct cards cards;
    struct busy_links links; /* where there are cards */
    struct joules joules;
    struct disks disks;
    struct library library;
    struct fold_counts fold;
    enum fold_privatize way;
    struct run_seeds seeds;
};

/* A file that is written once, at whatever end the run has: late.c. */
struct run;
struct run_late {
    const char *option;
    int (*write)(struct run *r, const char *path, struct base_status *st);
    struct run *run;
    char *path; /* from any folder; NULL: there is none to be written, or not any more */
};

/* What the ranks are, if not native programs: what is made and shown otherwise. */
struct base_json;
struct run_kind {
    bool recorded;                                       /* what they do may become a trace of calls */
    int (*check)(struct run *r, struct base_status *st); /* -1 with st: options that it has no use for */
    /* Writes options.ranks and rank_host, in place of the options that say where ranks are; NULL: these do. */
    int (*place)(struct run *r, struct base_status *st);
    uint32_t (*later)(const struct run *r);              /* ranks that may be started by others; NULL: none */
    int (*load)(struct run *r, struct base_status *st);  /* supplies the job's ranks */
    int (*after)(struct run *r, struct base_status *st); /* the run, while its trace is open; NULL: nothing */
    void (*figures)(struct run *r, struct rank_job *job);
    void (*summary)(const struct run *r, FILE *out);
    void (*json)(const struct run *r, struct base_json *j);
    void (*release)(struct run *r); /* after the job */
};

struct run {
    struct run_options options;
    const struct run_kind *kind; /* NULL: native programs */
    struct fold_config *start;   /* one for each part of the command line */
    uint32_t *part_ranks;
    struct base_settings *settings;
    struct platform *platform;
    uint32_t *rank_host, *slot_host;
    uint32_t later;          /* processes that may be started while the job runs */
    struct rank_slots slots; /* for these; of slot_host */
    struct engine *engine;
    struct fluid *fluid;
    struct fabric *fabric;
    struct trace trace;
    struct run_traces *traces;        /* NULL: none */
    struct replay_recorder *recorder; /* NULL: none */
    struct run_late json, sarif;
    struct rank_job *job;
    bool over;      /* the job has run: its ranks ended, or were stopped, in order */
    double started; /* host seconds, monotonic */
    uint64_t seed;  /* of --seeds; 0: there is none */
    pid_t crew;     /* what runs the other seeds, for the first one; 0: none */
    int seed_over;  /* where the first says that its run is over, */
    int seed_fd;    /* and where the others tell their times */
    struct run_figures figures;
};

double run_host_seconds(void);
/* The whole command, for command lines by a table; `help` is the table that its help shows. r is zero but for
 * `kind`, and stays until the process ends. */
int run_command(struct run *r, const struct cli_options *table, const struct cli_options *help, int argc,
                char **args);
/* Takes the figures of a run that ends now, wherever it is. */
void run_figures_take(struct run *r);

/* start.c: what the parts of the command line start. `prepare` comes first: it may start the command
 * again. -1 with st: no such program, folder, ... */
int run_starts_prepare(const struct run *r, struct base_status *st);
int run_starts_make(struct run *r, struct base_status *st);
void run_starts_release(struct run *r);

/* place.c */
int run_place(struct run *r, struct base_status *st);
int run_place_by_options(struct run *r, struct base_status *st);
int run_place_slots(struct run *r, struct base_status *st); /* if processes may be started later */

/* seeds.c: --seeds, before anything is made: this process goes on as the run of one of the seeds. The first one waits for the
 * others in `end`, and prints the interval; they tell their times. */
void run_seeds_begin(struct run *r);
void run_seeds_end(struct run *r);
void run_seeds_tell(const struct run *r);
/* interval.c */
void run_seeds_sum_up(struct run_seeds *s); /* of all: finds the interval, and prints it */
void run_seeds_json(const struct run_seeds *s, struct base_json *j);

/* traces.c: the files of --trace. */
struct run_traces;
/* Opens them and attaches their sinks; after the platform and the places of the ranks are known. -1 with st:
 * a path or a filter that is of no use. No effect without --trace. */
int run_traces_open(struct run *r, struct base_status *st);
void run_traces_begin(struct run *r); /* the engine is there, and what may be started later is known */
/* Ends them; -1: one could not be written whole, which has been reported. */
int run_traces_close(struct run *r);
void run_traces_print(const struct run *r); /* names them, and what shows them; after they are closed */
void run_traces_release(struct run *r);

/* summary.c: for people, on the stream of reports. */
void run_better(struct run *r, const struct rank_job *job); /* at the end of the job */
void run_summary_print(const struct run *r);
const char *run_privatize_name(enum fold_privatize way);

/* json.c: the same for machines; sarif.c: what checks have found. */
int run_json_write(struct run *r, const char *path, struct base_status *st);
int run_sarif_write(struct run *r, const char *path, struct base_status *st);

/* late.c. `path` NULL: none is wanted. -1 with st: it cannot be written. */
int run_late_begin(struct run_late *l, const char *path, struct base_status *st);
int run_late_write(struct run_late *l,
                   struct base_status *st); /* nothing without one, or for the second time */
void run_late_release(struct run_late *l);

/* How the run ended, in a word; by figures.status. */
const char *run_end_name(const struct run *r);

/* progress.c: a line on the terminal, once the run has taken two seconds. */
void run_progress_begin(struct run *r);
void run_progress_tick(struct run *r);
void run_progress_end(void);

/* wrapped.c: for --gdb, --lldb and --wrapper; returns only if that command cannot be started: -1 with st. */
int run_wrapped(const struct run_options *o, int argc, char **args, struct base_status *st);

/* preload.c: starts the same command again if the program needs the run time of a sanitizer, which is not
 * there; call before anything is made. `folder`: where the command was started, -1: here. -1 with st: it
 * cannot be had. */
int run_preload(const char *program, int folder, struct base_status *st);

/* stop.c: --stop-at; before the job runs. -1 with st: the environment names no time. */
int run_stop_begin(const struct run *r, struct base_status *st);
void run_stop_end(void);

/* interrupt.c: SIGINT, SIGTERM and SIGHUP end the run in order. */
void run_interrupt_begin(const struct run *r);
void run_interrupt_tick(void);
void run_interrupt_end(void);
bool run_interrupted(void);

#endif
