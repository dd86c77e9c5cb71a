/* SPDX-License-Identifier: BSD-3-Clause */
/* disks: what disks and file systems did in a run, for the summary and --json (private to cli/figures/). */
#ifndef PGASIM_CLI_DISKS_H
#define PGASIM_CLI_DISKS_H

#include "storage/storage.h"

#include <stdio.h>

struct base_json;

struct disks {
    struct storage_disk_totals *disk;     /* those that were used */
    struct storage_volume_totals *volume; /* likewise */
    uint32_t disks, volumes, all;         /* all: disks */
    double simulated;
};

/* After a run of so many simulated seconds; tells the trace. */
struct disks disks_of_job(const struct rank_job *job, double simulated);
void disks_release(struct disks *x);
void disks_print(const struct disks *x, FILE *out);          /* lines, if any was used */
void disks_json(const struct disks *x, struct base_json *j); /* `disks` and `volumes`, likewise */

#endif
