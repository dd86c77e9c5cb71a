/* SPDX-License-Identifier: BSD-3-Clause */
/* stall: a warning of a rank that computes and computes while all others wait (private to fold/). */
#ifndef PGASIM_FOLD_STALL_H
#define PGASIM_FOLD_STALL_H

#include "fold/fold.h"

void stall_begin(struct fold_job *job);
void stall_end(void);

#endif
