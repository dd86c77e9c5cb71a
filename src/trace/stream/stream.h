/* SPDX-License-Identifier: BSD-3-Clause */
/* stream: what names stand for (calls.c), and the file that a trace goes to, whatever its form (private to
 * trace/). */
#ifndef PGASIM_TRACE_STREAM_H
#define PGASIM_TRACE_STREAM_H

#include "base/base.h"

/* A descriptor to write to; what the file holds stays. -1 with errno. `created`: there was none. */
int trace_output_open(const char *path, bool *created);
/* The path from the root, for the current folder may be another later; to be freed. */
char *trace_output_path(const char *path);
/* All of it, at the byte `at`, or with at < 0 behind what was written last. -1 with errno. */
int trace_output_write(int fd, const void *bytes, size_t n, int64_t at);

#endif
