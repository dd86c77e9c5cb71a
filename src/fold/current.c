/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulator's global state, all of it: which rank runs, and what a crash report and a program started
 * without `pgasim run` need to know of the job.
 */
#include "fold/gates.h"
#include "fold/job.h"

FOLD_THREAD struct fold_rank *fold_current;
FOLD_THREAD struct fold_rank *fold_ahead;
bool fold_calls_traced, fold_jobs_on;
void (*fold_stored)(struct fold_rank *r);
struct fold_job *fold_running_job;
