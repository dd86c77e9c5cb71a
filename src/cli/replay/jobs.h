/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs: what `pgasim replay --jobs` does around the run itself (private to cli/replay/). */
#ifndef PGASIM_CLI_REPLAY_JOBS_H
#define PGASIM_CLI_REPLAY_JOBS_H

#include "cli/run/run.h"
#include "replay/replay.h"

/* Plays each job that has ended again, on its hosts, without the others; after the run. -1 with st. */
int cli_jobs_alone(const struct run *r, struct replay_jobs *jobs, struct base_status *st);
/* Tells the trace of each job that has ended: an event "job NAME" of the user's kind. */
void cli_jobs_tell(struct run *r, const struct replay_jobs *jobs);
void cli_jobs_show(const struct replay_jobs *jobs, FILE *out);
void cli_jobs_json(const struct replay_jobs *jobs, struct base_json *j);

#endif
