/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * validate: programs that are run really and simulated, and how far predictions are from measurements. The runs and
 * their rows are those of a study: each repetition of a real run and each seed of a simulated one is a point.
 *
 * Invariants
 *  VA1  A measurement depends on nothing of pgasim: a changed simulator measures nothing again.
 *  VA2  Void and failed runs count in no median.
 */
#ifndef PGASIM_SWEEP_VALIDATE_H
#define PGASIM_SWEEP_VALIDATE_H

#include "base/base.h"

enum { VALIDATE_FAR = 1 }; /* the exit status if predictions are farther off than the target */

struct validate_request {
    const char *file;
    const char *self, *library; /* pgasim, and the file with the simulator's code */
    const char *version;        /* of pgasim */
    const char *database;       /* NULL: as the file says, or named after it */
    const char *only;           /* a condition; NULL: all cases */
    const char *against;        /* an earlier database; NULL: none */
    bool simulate_only;         /* with the measurements that there are */
    bool retry_failed, dry_run, quiet;
    uint32_t jobs;                   /* simulated runs at a time, at least 1 */
    FILE *table, *json, *csv, *page; /* NULL: not wanted */
};
/* Returns an exit status; what is wrong has been reported. */
int validate_run(const struct validate_request *q);

#endif
