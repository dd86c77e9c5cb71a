/* SPDX-License-Identifier: BSD-3-Clause */
/* failure: ranks and failing hosts and links (private to fold/). */
#ifndef PGASIM_FOLD_FAILURE_H
#define PGASIM_FOLD_FAILURE_H

#include "fold/job.h"

int fold_failures_create(struct fold_job *job, struct base_status *st); /* reads on-failure */
void fold_failures_destroy(struct fold_job *job);
void fold_failures_begin(struct fold_job *job);        /* its ranks are there, and have not run */
void fold_failures_report(const struct fold_job *job); /* below a deadlock's: who is dead */

#endif
