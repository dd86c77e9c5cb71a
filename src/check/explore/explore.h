/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * explore: `pgasim check`. Runs a program in child processes, once with the race detector and then under the
 * adversary with one seed after another; compares how the runs end; says which decisions of the adversary
 * matter; and repeats a run that went wrong. A room of check/ that knows runs by their command lines and by what
 * they leave in files.
 */
#ifndef PGASIM_CHECK_EXPLORE_H
#define PGASIM_CHECK_EXPLORE_H

#include "base/base.h"

/* What is to be run, as words of `pgasim run`. NULL-ended; the texts belong to the caller. */
struct explore_command {
    const char *self; /* the executable of pgasim */
    const char *const *options, *const *program;
};

struct explore_request {
    struct explore_command command;
    const char *const *words; /* of `pgasim check` itself, behind its name; NULL-ended */
    uint64_t first, seeds;    /* the seeds first ... first + seeds - 1 */
    double time, limit; /* seconds of the host: for everything; for each run; 0: no limit, the default */
    uint32_t parallel;  /* processes */
    bool stop;          /* at the first failure */
    bool same_output;   /* another output is a failure, too */
    bool shrink, systematic;
    bool memory;        /* compare memory, too */
    bool verbose;       /* with times of the host */
    const char *name;   /* of the program */
    const char *output; /* the replay file; NULL: NAME.check */
    const char *json;   /* NULL: none */
    const char *sarif;  /* the same */
    const char *pair;   /* prefix of two traces; NULL: none */
};

/* Everything, on the report stream; the race detector's run also on standard output. Returns the exit status:
 * BASE_EXIT_FOUND if there are races or failures. */
int explore_check(const struct explore_request *q);

/* Repeats the run that the file describes; the words of `instead` replace the file's where it has any. The exit
 * status is that of explore_check, BASE_EXIT_INPUT for a file that cannot be read. */
int explore_replay(const char *file, const struct explore_request *instead);

#endif
