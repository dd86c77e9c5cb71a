/* SPDX-License-Identifier: BSD-3-Clause */
/* stream: what names stand for (calls.c), and the file that a trace goes to, whatever its form (private to
 * trace/). */
#ifndef PGASIM_TRACE_STREAM_H
#define PGASIM_TRACE_STREAM_H

#include "base/base.h"

/* Returns a descriptor to write to, without truncating the file; -1 with st. `created`: the file is new. It
 * is locked: another run that opens it is refused until trace_output_close. */
int trace_output_open(const char *path, bool *created, struct base_status *st);
int trace_output_close(int fd); /* -1 with errno */
/* The same for a trace of several files: returns a descriptor that holds the lock until it is closed; -1 with
 * st: another run writes that trace. `place` is its absolute name. */
int trace_output_claim(const char *place, const char *path, struct base_status *st);
/* Returns the absolute path, since the current folder may change later. The caller frees it. */
char *trace_output_path(const char *path);
/* Writes all bytes at offset `at`, or after the last write if at < 0. -1 with errno. */
int trace_output_write(int fd, const void *bytes, size_t n, int64_t at);

#endif
