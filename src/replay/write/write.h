/* SPDX-License-Identifier: BSD-3-Clause */
/* write: files of traces, compressed by gzip or zstd if their names end in .gz or .zst. */
#ifndef PGASIM_REPLAY_WRITE_H
#define PGASIM_REPLAY_WRITE_H

#include "base/base.h"

struct replay_output;
/* NULL with st: it cannot be written there. */
struct replay_output *replay_output_open(const char *path, struct base_status *st);
void replay_output_put(struct replay_output *o, const char *bytes, size_t n);
/* -1 with st: it could not be written whole. */
int replay_output_close(struct replay_output *o, struct base_status *st);

void replay_output_discard(struct replay_output *o); /* nothing is written */

#endif
