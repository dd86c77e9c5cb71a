/* SPDX-License-Identifier: BSD-3-Clause */
/* Two runs side by side, as lists of named amounts (private to report/). */
#ifndef PGASIM_REPORT_DIFF_H
#define PGASIM_REPORT_DIFF_H

#include "report/show.h"

/* Seconds (or joules) of one thing in both runs; 0 where it does not occur. */
struct diff_item {
    char *name;
    double amount[2];
};
enum diff_list_of {
    /* The critical path's pieces. Each list but the last adds up to the path's difference. */
    DIFF_PATH_PARTS, /* by what they were */
    DIFF_PATH_CALLS, /* by call, computation, what a wait by time was for */
    DIFF_PATH_RANKS, /* own time of each rank on it; flights count for their destination */
    DIFF_PATH_LINKS, /* the bandwidth and contention part of flights alone */
    /* The whole runs. */
    DIFF_CALLS, /* all ranks' time in calls */
    DIFF_WAITS, /* all ranks' waits by what for */
    DIFF_LATE,  /* ... and what they were at messages and collectives */
    DIFF_RANKS, /* each rank's time that is not waiting */
    DIFF_COLLECTIVES,
    DIFF_LINKS,  /* how long operations were delayed at each link */
    DIFF_ENERGY, /* joules of hosts, links and phases */
    DIFF_LISTS
};
struct diff_list {
    const char *key, *title; /* for JSON, for people */
    bool joules;             /* not seconds */
    BASE_ARRAY(struct diff_item) item;
};
struct diff {
    const struct report *run[2];
    /* If false, ranks are not compared, and totals over all ranks are of different numbers of ranks. */
    bool same_ranks;
    struct diff_list list[DIFF_LISTS];
};
void diff_make(struct diff *d, const struct report *a, const struct report *b);
void diff_release(struct diff *d);

#endif
