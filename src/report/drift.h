/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the ranks of two runs drift apart: their calls side by side (private to report/). */
#ifndef PGASIM_REPORT_DRIFT_H
#define PGASIM_REPORT_DRIFT_H

#include "report/show.h"

/* A call, or what a rank does before it, whose duration differs between the runs. */
struct drift_step {
    uint64_t call;    /* which one of the rank's, from 1; 0: there is none */
    const char *name; /* the call's */
    double begin;     /* in the first run */
    double amount[2]; /* its duration in both */
};
struct drift_rank {
    uint32_t rank;
    uint64_t calls;          /* that are the same in both */
    const char *other[2];    /* the first call that differs; NULL: none, or a run ends there */
    bool parted;             /* there is such a one */
    double moment;           /* in the first run, from which the ranks are more than `limit` apart */
    double apart;            /* how much the second run is later there */
    struct drift_step first; /* the call there; call 0: they never are */
    struct drift_step between, inside; /* the largest difference outside and inside of calls */
};
struct drift {
    double limit;   /* seconds */
    double zero[2]; /* when the first rank's first call was over, from which times are compared */
    struct drift_rank *rank;
    uint32_t ranks; /* 0: the runs cannot be compared; largest differences outside of calls first */
};
/* Reads both traces again. */
void drift_make(struct drift *d, const struct report *a, const struct report *b);
void drift_release(struct drift *d);
/* drift_show.c: at most `top` ranks; 0: all. */
void drift_print(const struct report *a, const struct report *b, FILE *out, size_t top);
void drift_json(const struct report *a, const struct report *b, struct base_json *j, size_t top);

#endif
