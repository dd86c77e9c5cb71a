/* SPDX-License-Identifier: BSD-3-Clause */
/* launch: what the command line of `pgasim run` asks for (private to cli/). */
#ifndef PGASIM_CLI_RUN_OPTIONS_H
#define PGASIM_CLI_RUN_OPTIONS_H

#include "cli/options/options.h"
#include "fold/fold.h"
#include "trace/trace.h"

extern const struct cli_options run_options_table;

enum { RUN_TRACES = 4 };

/* A part of the command line: ranks that run the same program with the same arguments. */
struct run_part {
    uint64_t ranks;
    const char *hosts, *folder, *path;
    struct {
        const char **at;
        size_t n, cap;
    } exports;      /* "VAR" or "VAR=value", in order */
    char **program; /* its name and arguments, NULL-ended */
};

/* The texts belong to the command line. 0 and NULL where an option was not given. */
struct run_options {
    uint64_t ranks; /* of all parts */
    BASE_ARRAY(struct run_part) parts;
    const char *platform, *hostfile, *json, *sarif, *folder;
    const char *rankfile, *parts_file;
    uint32_t per_host, timeout;
    const char *alone; /* the program's name for itself, as it was started without us */
    bool by_host;
    enum fold_privatize privatize;
    enum rank_compute compute;
    double compute_factor;
    uint64_t stack_size, jobs;
    uint64_t seeds; /* runs, each with another seed; 0: one, with the seed of the settings */
    bool tag_output, quiet, strict, self_profile, core, best_collectives;
    const char *wrapper;             /* a command line to start pgasim with */
    bool gdb, lldb;                  /* the same with these */
    bool nasty;                      /* --check=nasty */
    bool partial;                    /* the program and the number of ranks may be left out */
    double stop_time;                /* simulated seconds; < 0: none */
    bool stop_warning, stop_report;  /* stop in the debugger there */
    BASE_ARRAY(const char *) traces; /* files */
    const char *record;              /* a trace of calls; NULL: none */
    struct trace_filter trace_filter;
    BASE_ARRAY(const char *) sets;         /* "key=value", in order */
    BASE_ARRAY(const char *) suppressions; /* files */
    bool gen_suppressions, verbose;
    BASE_ARRAY(const char *) exports;     /* "VAR" or "VAR=value", in order */
    char **program;                       /* of the first part */
    BASE_ARRAY(const char *) meaningless; /* options that were accepted without effect */
    BASE_ARRAY(char *) words;             /* of a file of parts */
    BASE_ARRAY(char *) joined;            /* values of two words */
    char **args, **file_args;             /* the command line and those words, cut at the ends of parts */
};

/* Fills `o` from args[1...]; release also what a failed read has filled. */
enum cli_read run_options_read(struct run_options *o, int argc, char **args, struct base_status *st);
/* The same by another table, which has these options too, for a struct that begins with `o`. */
enum cli_read run_options_read_by(const struct cli_options *table, struct run_options *o, int argc,
                                  char **args, struct base_status *st);
void run_options_release(struct run_options *o);
void run_part_release(struct run_part *p);
/* The programs and arguments of all parts in one list, with ":" between them; NULL-ended. The caller frees
 * the list. */
char **run_parts_words(const struct run_options *o);
/* All words of the command line behind args[0], in all parts, without the options that are `outer` in the table;
 * NULL-ended. The caller frees the list. */
char **run_parts_inner(const struct cli_options *table, const struct run_options *o, int argc, char **args);
/* launchers.c: options of other launchers; which of them deserve a notice. */
extern const struct cli_options run_launch_table;
void run_launch_note(struct run_options *o, const struct cli_option *opt, const char *word);
/* Applies --set to the settings. */
int run_options_apply_sets(const struct run_options *o, struct base_settings *s, struct base_status *st);
/* Sets the variables of -x. */
void run_options_export(const struct run_options *o);
/* Bytes of a rank's stack: what was asked for, or by the number of ranks. */
size_t run_options_stack_size(const struct run_options *o);

#endif
