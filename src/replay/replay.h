/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay: ranks that play a trace instead of running a program. A trace is read once onto a tape (tape/), from which
 * each rank's player takes its actions, or, if it is made of graphs of operations, into these (goal/). Messages and
 * collectives are those of p2p/ and coll/, so a trace takes the time that its program would, but nobody's bytes are
 * moved.
 *
 * A player is a loop on the rank's actor, whose stack is shared with others' where there are many ranks; beyond its
 * frames it is a cursor and the list of its open requests.
 */
#ifndef PGASIM_REPLAY_H
#define PGASIM_REPLAY_H

#include "rank/rank.h"

extern const struct base_setting replay_settings[];
extern const size_t replay_settings_count;

/* At start-up. */
void replay_register(void);

struct replay_trace;
/* A trace, whose format is found by its content. `ranks`: how many there are to be; 0: as many as it has. NULL with st:
 * it cannot be read, or a line is wrong, or it has more ranks. */
struct replay_trace *replay_trace_read(const char *path, uint32_t ranks, struct base_status *st);
/* The same with the times of the recorded run, if it has some, which an archive of OTF2 can say. */
struct replay_trace *replay_trace_read_timed(const char *path, uint32_t ranks, struct base_status *st);
void replay_trace_release(struct replay_trace *t);
uint32_t replay_trace_ranks(const struct replay_trace *t);
uint32_t replay_trace_initial(const struct replay_trace *t); /* that begin with it, */
uint32_t replay_trace_started(const struct replay_trace *t); /* and that these start */

/* Makes a regular trace of actions one of more ranks, `to` of them ("64", or a grid, "8x8"), by weak or strong scaling.
 * *assumptions: lines for people, which the caller frees. -1 with st: it is not regular, and why. */
int replay_trace_extrapolate(struct replay_trace *t, const char *path, const char *to, bool strong,
                             char **assumptions, struct base_status *st);

/* Computations become what is typical at their place: where the four calls before and the one behind are the same, with the
 * same counts and types. The median is that of all ranks and times; the mean is that of each rank, and those that are far
 * from its median, by more than half of it and a 10 000th of all that the rank computes, stay. *assumptions: as above. -1
 * with st. */
enum replay_typical { REPLAY_MEDIAN, REPLAY_MEAN };
int replay_trace_typical(struct replay_trace *t, const char *path, enum replay_typical how,
                         char **assumptions, struct base_status *st);
/* Writes what a trace says of when calls and computations were in the recorded run as a trace of events, whose format is
 * found by its extension (trace_writer_open). Time begins when the first rank's first call was over; what was before is
 * at 0. *calls (NULL: nobody asks): how many they were. -1 with st: it cannot be read or written, or has no times. */
int replay_measured_write(const char *path, uint32_t ranks, const char *to, uint64_t *calls,
                          struct base_status *st);

/* Supplies all of the job's ranks with players of the trace, with which as many begin, stays the caller's, and is played only
 * once. `path` is for reports. -1 with st: a setting is not usable. */
int replay_attach(struct rank_job *job, struct replay_trace *t, const char *path, struct base_status *st);

/* Several jobs at once, each a world of its own (docs/replay.md): read from a list, placed, then attached in place of a
 * trace. `traces`: of a workload in SWF, "[NUMBER=]PATH". NULL with st: the list or one of its traces is wrong. */
struct replay_jobs;
struct platform;
struct replay_jobs *replay_jobs_read(const char *path, const char *const *traces, size_t n,
                                     struct base_status *st);
void replay_jobs_release(struct replay_jobs *jobs);
/* `hostfile`: the cores of a workload in SWF; NULL: all. */
int replay_jobs_place(struct replay_jobs *jobs, const struct platform *p, const char *hostfile,
                      struct base_status *st);
const uint32_t *replay_jobs_hosts(const struct replay_jobs *jobs, uint32_t *ranks); /* of all ranks */
int replay_jobs_check(const struct rank_job *job,
                      struct base_status *st); /* -1 with st: a setting is not usable */
void replay_attach_jobs(struct rank_job *job, struct replay_jobs *jobs);
/* The k-th one alone, from 0 s on, and when it came to its end. */
void replay_attach_job(struct rank_job *job, struct replay_jobs *jobs, size_t k);
double replay_alone_end(const struct rank_job *job);
uint32_t replay_jobs_ranks(const struct replay_jobs *jobs); /* of all jobs; 0: as many as there are cores */
/* Ranks that the traces of all jobs start, and that of the k-th one. */
uint32_t replay_jobs_later(const struct replay_jobs *jobs);
uint32_t replay_jobs_later_of(const struct replay_jobs *jobs, size_t k);
size_t replay_jobs_count(const struct replay_jobs *jobs);
struct replay_outcome {
    const char *name;
    uint32_t ranks;
    bool traffic;                 /* in the background: it ends with the others */
    double submitted, begin, end; /* seconds; begin, end < 0: it has not */
    double seconds;               /* without a trace: how long it takes, in any company */
    double alone;                 /* its duration without the others; 0: not known */
};
const struct replay_outcome *replay_jobs_outcome(const struct replay_jobs *jobs, size_t k);
/* The hosts of a job's ranks; NULL: it has not begun. */
const uint32_t *replay_jobs_hosts_of(struct replay_jobs *jobs, size_t k);
bool replay_jobs_alike(struct replay_jobs *jobs, size_t a, size_t b); /* the same on the same hosts */
void replay_jobs_set_alone(struct replay_jobs *jobs, size_t k, double seconds);

struct replay_counts {
    uint64_t actions, all;                               /* played, and in the trace */
    uint64_t messages, collectives, computations, calls; /* of the actions played */
    uint64_t events; /* in the LogGP model: actions, and arrivals of messages */
    uint64_t caused; /* waits that end by what ended them in the recorded run */
    uint64_t woken;  /* waits for threads, files and memory that end by who ended them in the recorded run */
    uint64_t
        sourced; /* calls that take any source or tag, and get whose message they got in the recorded run */
    uint64_t assumed; /* tests repeated, and requests waited for, to complete what the recorded run did */
    uint64_t passed;  /* waits and tests that found no request, as a test before had completed it */
};
struct replay_counts replay_counts(const struct rank_job *job);

/* Recording: from now on, what MPI's and OpenSHMEM's calls and computations of the ranks are goes to a trace of calls, as a
 * file of its own (NULL: none) and in the run's traces (NULL: not there). `starts`: the ranks may start others. */
#define REPLAY_CALLS_HEAD   "# pgasim trace of calls 1, ranks:"
#define REPLAY_CALLS_OTHERS "and those that they start" /* behind the number: there may be others */
struct replay_recorder;
struct replay_recorder *replay_recorder_open(const char *path, struct trace *trace, uint32_t ranks,
                                             bool starts, struct base_status *st);
int replay_recorder_close(struct replay_recorder *x, struct base_status *st); /* NULL is allowed */
void replay_recorder_discard(struct replay_recorder *x); /* the ranks never ran; NULL is allowed */

/* Writing a trace in another format: as lines that SMPI's replayer takes, as lines of our own, also as the recording in a .pgt, as
 * a schedule in GOAL, as files of DUMPI, of which the path is that of the text, as files of liballprof, of which it is
 * that of rank 0's, or as an archive of OTF2, of which it is that of the anchor.
 * What the format cannot say is counted. */
enum replay_format {
    REPLAY_TO_TI,
    REPLAY_TO_CALLS,
    REPLAY_TO_GOAL,
    REPLAY_TO_DUMPI,
    REPLAY_TO_ALLPROF,
    REPLAY_TO_PGT,
    REPLAY_TO_OTF2
};
struct replay_unsaid {
    const char *what, *became; /* "Ssend", "in standard mode"; they live as long as the trace */
    uint64_t count;
};
struct replay_conversion {
    enum replay_format to; /* given */
    const struct base_settings
        *settings; /* given: coll/..., which choose algorithms for GOAL; NULL: their defaults */
    double speed;  /* given: flop/s where flops become seconds, or the other way round; 0: not known */
    /* Given, for calls and recordings: computations at the same place of all turns of a loop take their mean. */
    bool blocks;
    struct replay_unsaid unsaid[96];
    size_t n;
};
/* The file is compressed if its name ends so. -1 with st: it cannot be written, or computation has no speed. */
int replay_trace_convert(struct replay_trace *t, const char *path, struct replay_conversion *c,
                         struct base_status *st);
/* As a list of files, in which ranks that do the same share one: computations at the same place become the mean of their
 * rank's, lines that repeat loops. *assumptions: a line for people, which the caller frees. -1 with st. */
int replay_trace_share(struct replay_trace *t, const char *in, const char *path, struct replay_conversion *c,
                       char **assumptions, struct base_status *st);

/* What is in a trace: calls in the order in which they are first met, rank by rank; and messages that name both
 * ends but not the same number of times. */
struct replay_call {
    const char *name;      /* the trace's */
    bool played;           /* else it takes no time, although it did in the program */
    uint64_t count, bytes; /* bytes: of messages sent; of a collective, of each member's part */
};
struct replay_unmatched {
    uint32_t from, to;
    int32_t tag;
    uint64_t sent, received;
};
struct replay_communicators {
    const char *maker; /* "MPI_Comm_split" */
    uint32_t ranks;    /* of each; 0: not known */
    uint64_t count;
};
struct replay_pair {
    uint32_t from, to;
    uint64_t messages, bytes;
};
struct replay_facts {
    uint32_t ranks, idle; /* idle: without actions */
    uint32_t started;     /* of the ranks: by others */
    uint32_t threads;     /* besides the ranks' first ones; their actions are in `actions`, in no rank's */
    uint64_t actions, least, most; /* of all ranks, of one rank */
    double flops, seconds, slept;  /* of computations, as flops or as times; of sleeps */
    double counted;        /* instructions, or what else the recorder's counter was of, in those seconds */
    uint64_t dependencies; /* between the operations of schedules */
    uint32_t cpus, nics;   /* of schedules: of a rank, at most; else 0 */
    struct replay_call call[512];
    size_t n;
    struct replay_communicators comm[64]; /* made by calls, by maker and size */
    size_t comms;
    /* Calls that name what was not made before: how many; the first one. Such a trace cannot be played. */
    uint64_t missing;
    const char *missing_call;
    uint32_t missing_rank, missing_line;
    uint64_t pairs; /* of sender and receiver, whose messages the trace shows; those with most bytes */
    struct replay_pair largest[10];
    uint64_t unmatched;
    struct replay_unmatched first[10];
};
void replay_trace_facts(struct replay_trace *t, struct replay_facts *out);

#endif
