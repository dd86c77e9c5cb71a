/* SPDX-License-Identifier: BSD-3-Clause */
/* larger: a trace becomes one of more ranks: whether its messages still meet, and what was assumed, in words. */
#include "replay/convert/convert.h"
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

/* Calls that no action stands for, and that may be left out. */
static bool is_small(const char *call)
{
    static const char *const small[] = {"MPI_Wtime",       "MPI_Comm_dup", "MPI_Comm_dup_with_info",
                                        "MPI_Cart_create", "MPI_Probe",    "MPI_Mprobe"};
    for (size_t k = 0; k < BASE_LENGTH(small); k++)
        if (!strcmp(call, small[k]))
            return true;
    return false;
}

/* A trace of calls becomes one of actions, or is refused. */
static int leave_calls(struct replay_trace *t, const char *path, struct base_text *out,
                       struct base_status *st)
{
    struct replay_conversion c = {.to = REPLAY_TO_CALLS};
    struct replay_tape *actions = replay_convert_actions(t->tape, &c);
    for (size_t k = 0; k < c.n; k++) {
        const struct replay_unsaid *u = &c.unsaid[k];
        if (is_small(u->what)) {
            base_text_format(out, "%s (%" PRIu64 " times) is left out\n", u->what, u->count);
            continue;
        }
        replay_tape_destroy(actions);
        return base_fail(st,
                         "%s: %.80s (%" PRIu64
                         " times) cannot be extrapolated: expected messages, requests and "
                         "collectives of MPI_COMM_WORLD, its duplicates or a Cartesian grid of all ranks",
                         path, u->what, u->count);
    }
    base_text_add(out, "messages and collectives of MPI are played as actions of the same sizes\n");
    replay_tape_destroy(t->tape);
    t->tape = actions;
    return 0;
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
    if (x->symmetric)
        base_text_add(
            out, "symmetric addresses are the same on all PEs; a wait ends by the k-th operation of the same "
                 "neighbour at this PE, as in the trace\n");
    if (x->uneven)
        base_text_format(
            out,
            "%" PRIu64 " of %" PRIu64
            " waits did not end as those of other PEs at the same boundaries; each ends as that of "
            "the PE whose actions it has\n",
            x->uneven, x->waits);
    base_text_add(
        out,
        x->scaling == REPLAY_STRONG
            ? "strong scaling: computation is shared by more ranks; a message is as large as the face of "
              "a rank's part that it goes through; the number of messages and of steps is that of the "
              "trace; parts of gathers, scatters and all-to-alls shrink, other collectives do not\n"
            : "weak scaling: each rank computes and sends as much as in the trace\n");
}

static int grow(struct replay_trace *t, const char *path, uint32_t sizes, const uint32_t *size,
                struct replay_extrapolation *x, struct base_status *st)
{
    struct replay_tape *larger = replay_extrapolate(t->tape, path, sizes, size, x, st);
    if (!larger || check_messages(larger, path, st)) {
        replay_tape_destroy(larger);
        return -1;
    }
    if (replay_tape_computes(t->tape))
        replay_tape_set_computes(larger);
    replay_tape_destroy(t->tape);
    t->tape = larger;
    return 0;
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
    if (replay_tape_started(t->tape))
        return base_fail(st, "%s: cannot be extrapolated: expected a trace whose ranks start no others",
                         path);
    if (replay_tape_cores(t->tape))
        return base_fail(st, "%s: what RISC-V cores did cannot be extrapolated: it names cores and addresses",
                         path);
    if (replay_tape_threads(t->tape))
        return base_fail(st, "%s: cannot be extrapolated: expected a trace in which each rank has one thread",
                         path);
    if (replay_grid_parse(to, &sizes, size, st))
        return -1;
    base_text_init(&text, "assumptions");
    bool keeps = replay_tape_symmetric(t->tape);
    if ((replay_tape_calls(t->tape) && !keeps && leave_calls(t, path, &text, st)) ||
        grow(t, path, sizes, size, &x, st)) {
        base_text_release(&text);
        return -1;
    }
    describe(&x, &text);
    *assumptions = base_text_take(&text);
    return 0;
}
