/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: how busy the machine's CPUs are, all in all and because of the switch. */
#ifndef CLUSTER_USAGE_H
#define CLUSTER_USAGE_H

#include "base/base.h"

struct usage_point {
    double seconds;     /* of the clock */
    double busy, total; /* of all CPUs, in ticks */
    double own;         /* seconds of CPU of the calling process */
};
struct usage {
    double seconds;
    double busy;  /* share of all CPUs that was not idle, 0 to 1 */
    double own;   /* share of one CPU that the switch used */
    bool is_void; /* more than half busy: the figures of the run are the machine's, not the network's */
};

int usage_read(struct usage_point *p, struct base_status *st);
struct usage usage_between(const struct usage_point *a, const struct usage_point *b);
/* The first line of /proc/stat. */
bool usage_parse(const char *line, double *busy, double *total);

#endif
