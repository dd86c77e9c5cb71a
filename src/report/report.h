/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: what happened in a run, from its trace alone: facts (facts.h), and the ways to show them.
 */
#ifndef PGASIM_REPORT_H
#define PGASIM_REPORT_H

#include "report/facts.h"

/* --- reading ----------------------------------------------------------------------------------------- */

/* A trace that has been read. Texts of `facts` are good until it is closed. */
struct report {
    struct trace_file *file;
    struct report_facts *facts;
    const char *path;   /* as given */
    const char *damage; /* what could not be read, or NULL */
};
/* Reads the whole trace once; `also` (may be NULL) gets every event, too, right after the facts got it: what is to be
 * drawn is gathered in the same pass. 0, or -1 with st (no such file, not a trace). Damage behind the head is no
 * failure: `damage` says what, and the facts are those of what could be read. */
int report_open(struct report *r, const char *path, const struct trace_sink *also, struct base_status *st);
void report_close(struct report *r);

/* --- text and JSON ----------------------------------------------------------------------------------- */

/* The facts as tables for people, each with at most `top` lines (0: all). */
void report_profile_print(const struct report *r, FILE *out, size_t top);
/* One JSON object, with at most `top` items a list (0: all); keys and units are those of pgasim-profile(1). */
void report_profile_json(const struct report *r, FILE *out, size_t top);

/* What got slower from `a` to `b`: on the critical path, whose differences add up to that of the runs, and over all
 * ranks; each list by the size of the difference, with at most `top` items (0: all). */
void report_diff_print(const struct report *a, const struct report *b, FILE *out, size_t top);
void report_diff_json(const struct report *a, const struct report *b, FILE *out, size_t top);

#endif
