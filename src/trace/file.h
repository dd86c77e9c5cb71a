/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file: traces as files. Writers are sinks; the compact format (.pgt) can be read again (docs/trace-format.md).
 *
 * A file is a head (what the run was), blocks of events compressed by zstd, each readable by itself, and an index.
 * A file without its end, of a run that was killed, is read up to its last whole block.
 */
#ifndef PGASIM_TRACE_FILE_H
#define PGASIM_TRACE_FILE_H

#include "trace/trace.h"

/* Which events reach a sink. */
struct trace_filter {
    double from, to;   /* simulated seconds, [from, to); INFINITY: to the end */
    const char *ranks; /* "0-3,17"; NULL: all */
    uint32_t kinds;    /* bits of enum trace_kind; 0: all */
    uint64_t *passed;  /* counts them; may be NULL */
};
bool trace_filter_is_open(const struct trace_filter *f); /* lets everything pass, and counts nothing */
enum trace_kind { /* groups of event types, as --trace-kinds names them */
                  TRACE_KIND_CALLS = 1,
                  TRACE_KIND_OPERATIONS = 2,
                  TRACE_KIND_WAITS = 4,
                  TRACE_KIND_COLLECTIVES = 8,
                  TRACE_KIND_COMPUTE = 16,
                  TRACE_KIND_MARKS = 32,
};

/* The kinds that "calls,operations" names; -1 with st for another word. */
int trace_kinds_parse(const char *text, uint32_t *kinds, struct base_status *st);

/* --- writing ------------------------------------------------------------------------------------- */

/* A sink that writes the file in the form that its extension says (writers.c has the table), with the events that the
 * filter (NULL: none) lets pass. -1 with st: an extension that nobody knows, a path that cannot be written, a filter
 * that names no ranks. What the file held is replaced when the first event comes. `about` is good until the sink is closed. */
int trace_writer_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                      const struct trace_filter *filter, struct base_status *st);
/* "pgt, paje, ...". */
const char *trace_writer_extensions(void);
/* The same without a filter, a form each. Those but pgt are given events in order of time. */
int trace_pgt_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                   struct base_status *st);
int trace_paje_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                    struct base_status *st);
int trace_otf2_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                    struct base_status *st);
int trace_chrome_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                      struct base_status *st);

/* --- reading ------------------------------------------------------------------------------------- */

struct trace_file;
/* 0, or -1 with st: no such file, not a trace, another version, damaged head. */
int trace_file_open(struct trace_file **out, const char *path, struct base_status *st);
void trace_file_close(struct trace_file *f);
const struct trace_about *
trace_file_about(const struct trace_file *f); /* `route` works for pairs that the trace met */
/* The next event in order of time; false at the end, or at what can't be read (trace_file_damage says what). Texts are
 * good until the file is closed. */
bool trace_file_next(struct trace_file *f, struct trace_event *ev);
void trace_file_seek(struct trace_file *f, double time);   /* to the first event at or after `time` */
const char *trace_file_damage(const struct trace_file *f); /* NULL: none met so far */

/* Totals of the whole file. `known` is false when the end is missing: then they are of what has been read. */
struct trace_totals {
    bool known;
    uint64_t events, of_type[TRACE_TYPES];
    double end; /* simulated seconds of the run */
};
struct trace_totals trace_file_totals(const struct trace_file *f);

#endif
