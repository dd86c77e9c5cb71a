/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page: a run as one page for a browser, complete in itself. The page is a template (page/, made when pgasim is built)
 * with the data that it shows, as JSON, in its one free place; README.md in page/ says what the data looks like.
 */
#ifndef PGASIM_REPORT_PAGE_H
#define PGASIM_REPORT_PAGE_H

#include "report/report.h"

/* False when pgasim was built without the page (PGASIM_REPORT=OFF). */
bool report_page_available(void);

/* What the facts don't keep: marks, and when gets and atomics took effect. Made before the trace is read; its sink is
 * what report_open wants as `also`. */
struct report_page;
struct report_page_options {
    double from, to; /* seconds; within them the timeline is as exact as can be. to <= from: no such part */
};
struct report_page *report_page_create(const struct report_page_options *options);
void report_page_destroy(struct report_page *p);
struct trace_sink report_page_sink(struct report_page *p);

/* Writes the page of a trace that has been read. Errors are `out`'s own. */
void report_page_write(struct report_page *p, const struct report *r, FILE *out);

#endif
