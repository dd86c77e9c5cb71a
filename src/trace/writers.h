/* SPDX-License-Identifier: BSD-3-Clause */
/* writers: the sinks between the event stream and a file format (private to trace/). */
#ifndef PGASIM_TRACE_WRITERS_H
#define PGASIM_TRACE_WRITERS_H

#include "trace/trace.h"

/* filter.c: a parsed filter. */
struct trace_chosen;
int trace_chosen_create(struct trace_chosen **out, const struct trace_filter *filter, uint32_t ranks,
                        struct base_status *st);
void trace_chosen_destroy(struct trace_chosen *c); /* NULL: nothing to do */
/* A sink that passes on the chosen events. It owns `to` and `c`. */
struct trace_sink trace_filtered(const struct trace_sink *to, struct trace_chosen *c);

/* order.c: a sink that passes events on in order of time; events of equal time keep their order. It owns
 * `to`. */
struct trace_sink trace_ordered(const struct trace_sink *to, const struct trace_about *about);

#endif
