/* SPDX-License-Identifier: BSD-3-Clause */
/* write: files of traces, compressed by gzip or zstd if their names end in .gz or .zst; and loops in place of lines that
 * repeat. */
#ifndef PGASIM_REPLAY_WRITE_H
#define PGASIM_REPLAY_WRITE_H

#include "base/base.h"

struct replay_output;
/* NULL with st: it cannot be written there. */
struct replay_output *replay_output_open(const char *path, struct base_status *st);
/* Not into a file, but to who takes the bytes; closing it is never an error. */
struct replay_output *replay_output_into(void (*take)(void *ctx, const void *bytes, size_t n), void *ctx);
void replay_output_put(struct replay_output *o, const char *bytes, size_t n);
/* -1 with st: it could not be written whole. */
int replay_output_close(struct replay_output *o, struct base_status *st);

void replay_output_discard(struct replay_output *o); /* nothing is written */

/* The lines of one rank, or of one of its threads, in which those that repeat become loops ("WHO repeat TIMES", lines,
 * "WHO end"); `who`: "RANK" or "RANK.THREAD". `window`: how
 * long an item, a line or loop, is kept to become part of a longer loop. */
typedef void (*replay_fold_put)(void *ctx, const char *text, size_t n);
struct replay_fold;
struct replay_fold *replay_fold_create(const char *who, size_t window, replay_fold_put put, void *ctx);
void replay_fold_line(struct replay_fold *f, const char *text, size_t n); /* with its end */
/* What the rank computes before its next line, or after the last one. It is no line: where lines repeat, computations at the
 * same place of all turns take their mean. */
enum replay_computes { REPLAY_COMPUTES_FLOPS, REPLAY_COMPUTES_SECONDS, REPLAY_COMPUTES };
void replay_fold_compute(struct replay_fold *f, enum replay_computes kind, double amount, uint64_t counted);
void replay_fold_close(struct replay_fold *f);   /* puts out what is left; NULL is allowed */
void replay_fold_discard(struct replay_fold *f); /* NULL is allowed */

struct base_text;
/* With the digits that it takes to read the same number again; with nine digits, so that lines are short. */
void replay_put_amount(struct base_text *to, double value);
double replay_short_amount(double value);

#endif
