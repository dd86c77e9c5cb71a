/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_text: a schedule as text in GOAL: the operations of a rank, then what they wait for. */
#include "base/text.h"
#include "replay/convert/convert.h"

#include <inttypes.h>

static void put_operation(struct base_text *t, uint32_t label, const struct replay_goal_op *o)
{
    base_text_format(t, "l%" PRIu32 ": %s %" PRIu64, label, replay_goal_kind_name(o->kind), o->size);
    if (o->kind != REPLAY_GOAL_CALCULATION) {
        bool sends = o->kind == REPLAY_GOAL_SEND;
        if (!sends && o->peer == REPLAY_GOAL_ANY)
            base_text_add(t, "b from -1");
        else
            base_text_format(t, "b %s %" PRIu32, sends ? "to" : "from", o->peer);
        if (o->tag == REPLAY_GOAL_ANY)
            base_text_add(t, " tag -1");
        else if (o->tag)
            base_text_format(t, " tag %" PRIu32, o->tag);
    }
    if (o->cpu)
        base_text_format(t, " cpu %u", o->cpu);
    if (o->nic)
        base_text_format(t, " nic %u", o->nic);
    base_text_char(t, '\n');
}

static void flush(struct base_text *t, struct replay_output *to)
{
    replay_output_put(to, t->at, t->n);
    t->n = 0;
}

/* `after`: distances. */
static void put_edges(struct base_text *t, uint32_t before, const uint32_t *after, uint32_t n,
                      const char *how)
{
    for (uint32_t k = 0; k < n; k++)
        base_text_format(t, "l%" PRIu32 " %s l%" PRIu32 "\n", before + after[k] + 1, how, before + 1);
}

static void put_rank(const struct replay_goal *g, uint32_t rank, struct base_text *t,
                     struct replay_output *to)
{
    uint32_t n;
    replay_goal_records(g, rank, &n);
    base_text_format(t, "\nrank %" PRIu32 " {\n", rank);
    for (uint32_t k = 0; k < n; k++) {
        const struct replay_goal_op op = replay_goal_op(g, rank, k);
        put_operation(t, k + 1, &op);
        flush(t, to);
    }
    for (uint32_t k = 0; k < n; k++) {
        const struct replay_goal_waiting w = replay_goal_waiting(g, rank, k);
        put_edges(t, k, w.end, w.ends, "requires");
        put_edges(t, k, w.start, w.starts, "irequires");
        if (t->n)
            flush(t, to);
    }
    base_text_add(t, "}\n");
    flush(t, to);
}

void replay_convert_goal_text(const struct replay_goal *g, struct replay_output *to)
{
    struct base_text t;
    base_text_init(&t, "a schedule");
    base_text_format(&t, "num_ranks %" PRIu32 "\n", replay_goal_ranks(g));
    for (uint32_t rank = 0; rank < replay_goal_ranks(g); rank++)
        put_rank(g, rank, &t, to);
    base_text_release(&t);
}
