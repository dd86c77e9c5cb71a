/* SPDX-License-Identifier: BSD-3-Clause */
/* larger: a trace becomes one of more ranks: whether its messages still meet, and what was assumed, in words. */
#include "replay/extrapolate/extrapolate.h"
#include "replay/trace.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

/* Ranks of different classes must agree on how many messages they exchange. */
static int check_messages(struct replay_tape *t, const char *path, struct base_status *st)
{
    struct replay_facts facts;
    replay_tape_facts(t, &facts);
    if (!facts.unmatched)
        return 0;
    const struct replay_unmatched *u = &facts.first[0];
    return base_fail(st,
                     "%s: not regular: of the larger grid's ranks, %" PRIu32 " would send %" PRIu64
                     " messages with tag %" PRId32 " to %" PRIu32 ", which would receive %" PRIu64,
                     path, u->from, u->sent, u->tag, u->to, u->received);
}

static void describe(const struct replay_extrapolation *x, struct base_text *out)
{
    char from[64], to[64];
    replay_grid_text(&x->from, from, sizeof from);
    replay_grid_text(&x->to, to, sizeof to);
    base_text_format(out, "%" PRIu32 " ranks, a grid of %s, are played as %" PRIu32 ", a grid of %s\n",
                     replay_grid_ranks(&x->from), from, replay_grid_ranks(&x->to), to);
    if (!x->from.known)
        base_text_add(
            out, "the trace has no messages between two ranks, which would show how they are arranged\n");
    for (int d = 0; d < REPLAY_DIMENSIONS; d++)
        if (x->from.periodic[d])
            base_text_format(out, "dimension %d is a ring: its last rank is a neighbour of its first\n",
                             d + 1);
    base_text_format(out,
                     "each rank does what a rank at the same boundaries does in the trace (%" PRIu32
                     " kinds of ranks), with its own neighbours; collectives are of all\n",
                     x->classes);
    base_text_add(
        out,
        x->scaling == REPLAY_STRONG
            ? "strong scaling: computation is shared by more ranks; a message is as large as the face of "
              "a rank's part that it goes through; the number of messages and of steps is that of the "
              "trace; parts of gathers, scatters and all-to-alls shrink, other collectives do not\n"
            : "weak scaling: each rank computes and sends as much as in the trace\n");
}

int replay_trace_extrapolate(struct replay_trace *t, const char *path, const char *to, bool strong,
                             char **assumptions, struct base_status *st)
{
    struct replay_extrapolation x = {.scaling = strong ? REPLAY_STRONG : REPLAY_WEAK};
    uint32_t sizes, size[REPLAY_DIMENSIONS];
    struct base_text text;
    if (!t->tape)
        return base_fail(st, "%s: schedules in GOAL cannot be extrapolated: expected a trace of actions",
                         path);
    if (replay_grid_parse(to, &sizes, size, st))
        return -1;
    struct replay_tape *larger = replay_extrapolate(t->tape, path, sizes, size, &x, st);
    if (!larger || check_messages(larger, path, st)) {
        replay_tape_destroy(larger);
        return -1;
    }
    replay_tape_destroy(t->tape);
    t->tape = larger;
    base_text_init(&text, "assumptions");
    describe(&x, &text);
    *assumptions = base_text_take(&text);
    return 0;
}
