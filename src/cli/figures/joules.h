/* SPDX-License-Identifier: BSD-3-Clause */
/* joules: what a run took, by host, link, rank and phase, for the summary and --json (private to cli/figures/). */
#ifndef PGASIM_CLI_JOULES_H
#define PGASIM_CLI_JOULES_H

#include "rank/rank.h"

#include <stdio.h>

struct base_json;

/* A host, link or phase; names of hosts and links are the platform's. */
struct joules_of {
    const char *name;
    double joules;
    double more; /* hosts: above Idle; phases: seconds of all ranks */
};
struct joules {
    bool on;
    struct energy_totals all;
    double ranks_total;
    double *rank;
    struct joules_of *host, *link, *phase;
    uint32_t ranks, hosts, links, phases;
};

/* What was taken until now; tells the trace. */
struct joules joules_of_job(struct rank_job *job);
void joules_release(struct joules *x);
void joules_print(const struct joules *x, FILE *out);          /* lines, if joules are counted */
void joules_json(const struct joules *x, struct base_json *j); /* the object `energy`, likewise */

#endif
