/* SPDX-License-Identifier: BSD-3-Clause */
/* marks: the user's own marks in a trace. */
#include "pgasim.h"

#include "fold/internal.h"

/* Computation so far is charged even without a trace, so that tracing changes no times. */
static void mark(enum trace_type type, const char *text)
{
    struct rank *r = rank_current;
    if (!r)
        return;
    if (r->measured_from >= 0)
        rank_compute_stop(r);
    if (type == TRACE_MARK_BEGIN)
        rank_phase_begin(r, text);
    else if (type == TRACE_MARK_END)
        rank_phase_end(r);
    if (rank_trace(r->job)->on)
        rank_trace_emit(r, &(struct trace_event){.type = type,
                                                 .call = text ? trace_keep(rank_trace(r->job), text) : NULL});
    if (r->measured_from >= 0)
        rank_compute_start(r);
}

BASE_PUBLIC void pgasim_mark(const char *text)
{
    mark(TRACE_MARK, text ? text : "");
}

BASE_PUBLIC void pgasim_mark_begin(const char *text)
{
    mark(TRACE_MARK_BEGIN, text ? text : "");
}

BASE_PUBLIC void pgasim_mark_end(void)
{
    mark(TRACE_MARK_END, NULL);
}
