/* SPDX-License-Identifier: BSD-3-Clause */
/* convert: a trace is written in another format (convert/). */
#include "replay/convert/convert.h"

#include "replay/about.h"
#include "replay/player.h"

#include <inttypes.h>

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

/* The lines as the recording of a trace without events. */
static int write_recording(struct replay_trace *t, const char *path, struct replay_conversion *c,
                           struct base_status *st)
{
    struct replay_about about;
    struct trace_sink sink;
    replay_about_init(&about, "a trace", replay_trace_ranks(t));
    int rc = trace_pgt_open(&sink, path, &about.about, st);
    if (!rc) {
        struct replay_output *to = replay_output_into(sink.record, sink.ctx);
        rc = write_lines(t, to, c, st);
        replay_output_close(to, st);
        if (sink.close(sink.ctx))
            rc = base_fail(st, "%s: not written whole", path);
    }
    replay_about_release(&about);
    return rc;
}

/* Whether ranks do something that is no call, and takes more than their own time. */
static bool has_actions(struct replay_tape *t)
{
    bool found = !replay_tape_calls(t);
    for (uint32_t rank = 0; !found && rank < replay_tape_ranks(t); rank++) {
        struct replay_cursor c;
        struct replay_action a = {0};
        replay_cursor_begin(t, rank, &c);
        while (!found && replay_cursor_next(t, &c, &a))
            found = a.kind >= REPLAY_INIT && a.kind <= REPLAY_ICOLLECTIVE;
        replay_cursor_end(&c);
    }
    return found;
}

static int write_calls(struct replay_trace *t, const char *path, struct replay_conversion *c,
                       struct base_status *st)
{
    struct replay_tape *list = t->tape ? NULL : replay_convert_list(t->goal, c), *of = list ? list : t->tape;
    struct replay_tape *whole = has_actions(of) ? replay_convert_whole(of, c) : NULL;
    of = whole ? whole : of;
    int rc = c->to == REPLAY_TO_DUMPI ? replay_convert_dumpi(of, path, c, st)
                                      : replay_convert_allprof(of, path, c, st);
    replay_tape_destroy(whole);
    replay_tape_destroy(list);
    return rc;
}

static int write_archive(struct replay_trace *t, const char *path, struct replay_conversion *c,
                         struct base_status *st)
{
    struct replay_tape *list = t->tape ? NULL : replay_convert_list(t->goal, c);
    int rc = replay_convert_otf2(list ? list : t->tape, path, replay_call_name, c, st);
    replay_tape_destroy(list);
    return rc;
}

int replay_trace_convert(struct replay_trace *t, const char *path, struct replay_conversion *c,
                         struct base_status *st)
{
    c->n = 0;
    if (c->to != REPLAY_TO_CALLS && c->to != REPLAY_TO_PGT && replay_trace_started(t))
        return base_fail(st,
                         "ranks from %" PRIu32
                         " on are started by others (MPI_Comm_spawn), which only traces of "
                         "calls say: expected --to calls, or pgt",
                         replay_trace_initial(t));
    if (c->to == REPLAY_TO_DUMPI || c->to == REPLAY_TO_ALLPROF)
        return write_calls(t, path, c, st);
    if (c->to == REPLAY_TO_OTF2)
        return write_archive(t, path, c, st);
    if (c->to == REPLAY_TO_PGT)
        return write_recording(t, path, c, st);
    struct replay_output *to = replay_output_open(path, st);
    if (!to)
        return -1;
    if (c->to == REPLAY_TO_GOAL ? write_goal(t, to, c, st) : write_lines(t, to, c, st)) {
        replay_output_discard(to);
        return -1;
    }
    return replay_output_close(to, st);
}
