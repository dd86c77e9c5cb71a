/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibrate: measurements of a real machine, and the constants of a platform that follow from them.
 *
 * Invariants
 *  CA1 A table holds what the files say, in their order; what is computed from it depends on it alone.
 *  CA2 Times of an identified point are finite and not negative.
 */
#ifndef PGASIM_CALIBRATE_H
#define PGASIM_CALIBRATE_H

#include "base/base.h"

/* --- measurements (table/, read/) ------------------------------------------------------------------ */

/* The names in files are those of docs/calibrate.md. OTHER: a measurement of another tool that no fit uses. */
enum calibrate_kind {
    CALIBRATE_CLOCK,
    CALIBRATE_PINGPONG,
    CALIBRATE_CALL,
    CALIBRATE_LATE,
    CALIBRATE_PAIRS,
    CALIBRATE_INCAST,
    CALIBRATE_OUTCAST,
    CALIBRATE_BISECTION,
    CALIBRATE_ONEWAY,
    CALIBRATE_RING,
    CALIBRATE_PUT,
    CALIBRATE_GET,
    CALIBRATE_ATOMIC,
    CALIBRATE_BARRIER,
    CALIBRATE_ALLREDUCE,
    CALIBRATE_REDUCE,
    CALIBRATE_FLOPS,
    CALIBRATE_TRIAD,
    CALIBRATE_COPY,
    CALIBRATE_NOISE,
    CALIBRATE_TEST,  /* SimGrid's: one MPI_Test */
    CALIBRATE_PROBE, /* and one MPI_Iprobe */
    CALIBRATE_OTHER,
    CALIBRATE_KINDS
};
enum calibrate_mode {
    CALIBRATE_PLAIN, /* the kind has no modes */
    CALIBRATE_STANDARD,
    CALIBRATE_SYNCHRONOUS,
    CALIBRATE_SEND,
    CALIBRATE_ISEND,
    CALIBRATE_RECV,
    CALIBRATE_LATENCY,
    CALIBRATE_RATE,
    CALIBRATE_ONE,
    CALIBRATE_ALL,
    CALIBRATE_MODES
};
enum calibrate_where { CALIBRATE_ANYWHERE, CALIBRATE_NETWORK, CALIBRATE_NODE };

/* What disturbed samples of equal work have above the median: quantiles at these parts. */
enum { CALIBRATE_EXCESSES = 9 };
extern const double calibrate_excess_parts[CALIBRATE_EXCESSES];

/* One line of a file: a time, and what took it. Numbers that a file does not have are 0, ranks -1. */
struct calibrate_point {
    enum calibrate_kind kind;
    enum calibrate_mode mode;
    enum calibrate_where where;
    bool identified; /* false: no time passed; there are no times then */
    bool shmem;      /* measured with OpenSHMEM */
    bool across;     /* between two sockets of a node */
    int32_t from, to, rank;
    uint64_t bytes, width;
    double wait, seconds, mean, low, high, least, q10, q90, q99, most; /* seconds */
    double excess, excesses[CALIBRATE_EXCESSES]; /* seconds, of the disturbed samples: mean, quantiles */
    uint32_t samples, repetitions, pass, disturbed;
    double at; /* when it was measured, from the start */
    uint32_t file, line;
};

struct calibrate_rank {
    uint32_t rank, node;
    int32_t socket; /* -1: not known */
    char *host;
    uint32_t file;
};

/* One file that was read. */
struct calibrate_file {
    char *name, *library;  /* library: of the MPI, as it calls itself; NULL: not known */
    const char *format;    /* in words */
    uint32_t ranks, nodes; /* 0: not known */
    double tick;           /* of the clock; 0: not known */
};

struct calibrate_table {
    BASE_ARRAY(struct calibrate_point) point;
    BASE_ARRAY(struct calibrate_rank) rank;
    BASE_ARRAY(struct calibrate_file) file;
};
/* A table that is zeroed is empty. */
void calibrate_table_release(struct calibrate_table *t);

/* Adds what is in a file: lines of runtime/calibrate, or of SimGrid's platform-calibration (CSV), the output of
 * Intel's MPI Benchmarks or of the OSU Micro-Benchmarks; its content tells which. `where` is where the two ranks of
 * files that do not say were. -1 with st, "FILE:LINE: ...": the table is as it was. */
int calibrate_read(struct calibrate_table *t, const char *path, enum calibrate_where where,
                   struct base_status *st);
/* The same from an open stream. */
int calibrate_read_stream(struct calibrate_table *t, FILE *in, const char *name, enum calibrate_where where,
                          struct base_status *st);

/* Names as in files; NULL for CALIBRATE_PLAIN and CALIBRATE_ANYWHERE. */
const char *calibrate_kind_name(enum calibrate_kind kind);
const char *calibrate_mode_name(enum calibrate_mode mode);
const char *calibrate_where_name(enum calibrate_where where);

/* Which points are meant. Zeroed but for the kind: all of that kind. */
struct calibrate_query {
    enum calibrate_kind kind;
    enum calibrate_mode mode;   /* CALIBRATE_PLAIN: any */
    enum calibrate_where where; /* CALIBRATE_ANYWHERE: any */
    uint64_t width;             /* 0: any */
    bool across;                /* only points between two sockets of a node; else none of these */
};
/* The identified points from number *at on that match, one at a time; NULL: no more. *at begins at 0. */
const struct calibrate_point *calibrate_next(const struct calibrate_table *t, const struct calibrate_query *q,
                                             size_t *at);
size_t calibrate_count(const struct calibrate_table *t, const struct calibrate_query *q);

/* --- constants (result.c and what it calls) ----------------------------------------------------------- */

struct calibrate_options {
    uint64_t seed;  /* of the bootstrap */
    uint32_t nodes; /* of the platform; 0: as many as were measured */
    uint32_t cores; /* of a node; 0: as many as ranks were on one */
    double speed;   /* of a core, flop/s; 0: as measured */
    /* What the links between two of the nodes have on paper, seconds and bytes/s; 0: all that was measured is theirs. */
    double route_latency, link_bandwidth;
};
/* Everything that follows from the measurements. The table must live as long. */
struct calibrate_result;
struct calibrate_result *calibrate_fit(const struct calibrate_table *t, const struct calibrate_options *o);
void calibrate_result_destroy(struct calibrate_result *r);
/* A collective of all ranks of a file that was measured. */
struct calibrate_collective {
    enum calibrate_kind kind; /* BARRIER, ALLREDUCE, or OpenSHMEM's REDUCE */
    bool shmem;
    uint32_t file, ranks; /* ranks: 0: not known */
    uint64_t bytes;
    double seconds, low, high; /* low, high: what the points' intervals span */
    size_t points;
    double predicted; /* seconds; 0: not simulated */
};
/* In order of files, kinds and sizes; returns how many. */
size_t calibrate_collectives(const struct calibrate_result *r, const struct calibrate_collective **out);
/* What a simulation on the platform says of number k. */
void calibrate_collective_predict(struct calibrate_result *r, size_t k, double seconds);
double calibrate_collective_error(const struct calibrate_collective *c); /* relative to what was measured */
/* A text for people; everything as JSON; a platform file, as SimGrid reads it, too; a page with charts. Write errors
 * are left in `out` (ferror). */
void calibrate_show(const struct calibrate_result *r, FILE *out);
void calibrate_json(const struct calibrate_result *r, FILE *out);
void calibrate_platform(const struct calibrate_result *r, FILE *out);
void calibrate_page(const struct calibrate_result *r, FILE *out);
/* Settings noise/... that play the noise that was measured, as options of pgasim run; none that is not identified. */
void calibrate_noise(const struct calibrate_result *r, FILE *out);
/* Whether there is enough for a platform: half round trips of a few sizes. -1 with st. */
int calibrate_platform_check(const struct calibrate_result *r, struct base_status *st);

#endif
