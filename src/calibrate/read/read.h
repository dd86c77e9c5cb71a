/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read: files of measurements, line by line. Each format is a table of functions; the file's first lines tell which
 * one is meant.
 *
 * Invariants
 *  CR1 Of a file with a fault nothing stays in the table.
 */
#ifndef PGASIM_CALIBRATE_READ_H
#define PGASIM_CALIBRATE_READ_H

#include "calibrate/calibrate.h"

enum { READ_LINE = 1 << 20 }; /* the longest line, bytes */

/* Samples that a file lists one by one: calibrate_read_samples_end makes a point of each group. */
struct read_sample {
    enum calibrate_kind kind;
    enum calibrate_mode mode;
    uint64_t bytes;
    uint32_t order; /* in the file */
    double seconds;
};

struct read_state {
    struct calibrate_table *table;
    const char *name; /* of the file */
    uint32_t line;    /* the current one */
    uint32_t file;    /* its number in the table */
    enum calibrate_where where;
    struct base_status *st;
    bool head; /* its first line was read (our own files) */
    BASE_ARRAY(struct read_sample) sample;
    struct calibrate_point now; /* what the benchmark that is being read has in common */
    enum { READ_NOTHING, READ_HEAD, READ_ROWS } part;
    int size_column, time_column, columns; /* of its rows; -1: there is none */
    enum { READ_MICROSECONDS, READ_BANDWIDTH } unit;
    double factor;   /* seconds = factor x microseconds, or bytes x factor / bandwidth */
    double previous; /* SimGrid: the send before the receive of a round trip; negative: none */
};

struct read_format {
    const char *words;                             /* "output of IMB" */
    bool (*is)(const char *line);                  /* does this line tell that it is this format? */
    int (*line)(struct read_state *r, char *text); /* without its line end */
    int (*end)(struct read_state *r);
};
extern const struct read_format calibrate_read_lines_format, calibrate_read_imb_format,
    calibrate_read_osu_format, calibrate_read_simgrid_format;

/* -1 with st: "FILE:LINE: what". */
int calibrate_read_fail(struct read_state *r, const char *fmt, ...) BASE_PRINTF(2, 3);
/* A point of this file and line that has its defaults, and times of 0. */
struct calibrate_point calibrate_read_point(const struct read_state *r, enum calibrate_kind kind,
                                            enum calibrate_mode mode);
void calibrate_read_add(struct read_state *r, const struct calibrate_point *p);
/* One point for each kind, mode and size: the median of the samples, its interval, quantiles. */
void calibrate_read_samples_end(struct read_state *r);

/* Cuts a text into words; returns how many there are, at most `most` of them in `word`. */
int calibrate_read_words(char *text, char **word, int most);
/* A finite number from `least` to `most` that is all of the word; -1 with st. */
int calibrate_read_number(struct read_state *r, const char *what, const char *word, double least, double most,
                          double *out);

#endif
