/* SPDX-License-Identifier: BSD-3-Clause */
/* convert: a trace is written in another format (convert/). */
#include "replay/convert/convert.h"

#include "replay/trace.h"

static int write_goal(struct replay_trace *t, struct replay_output *to, struct replay_conversion *c,
                      struct base_status *st)
{
    struct replay_goal *made = t->goal ? NULL : replay_convert_graph(t->tape, c, st);
    if (!t->goal && !made)
        return -1;
    replay_convert_goal_text(t->goal ? t->goal : made, to);
    replay_goal_destroy(made);
    return 0;
}

static int write_lines(struct replay_trace *t, struct replay_output *to, struct replay_conversion *c,
                       struct base_status *st)
{
    struct replay_tape *made = t->tape ? NULL : replay_convert_list(t->goal, c);
    int rc = replay_convert_lines(made ? made : t->tape, to, c, st);
    replay_tape_destroy(made);
    return rc;
}

int replay_trace_convert(struct replay_trace *t, const char *path, struct replay_conversion *c,
                         struct base_status *st)
{
    c->n = 0;
    if (c->to == REPLAY_TO_DUMPI)
        return t->tape ? replay_convert_dumpi(t->tape, path, c, st)
                       : base_fail(st, "traces of DUMPI are of calls of MPI, and a schedule has none");
    struct replay_output *to = replay_output_open(path, st);
    if (!to)
        return -1;
    if (c->to == REPLAY_TO_GOAL ? write_goal(t, to, c, st) : write_lines(t, to, c, st)) {
        replay_output_discard(to);
        return -1;
    }
    return replay_output_close(to, st);
}
