/* SPDX-License-Identifier: BSD-3-Clause */
/* actions: a tape of actions in place of one that has calls of MPI. */
#include "replay/convert/parts.h"

struct copier {
    struct replay_sink sink; /* first */
    struct replay_tape *from, *to;
};

static void put(struct replay_sink *s, uint32_t rank, const struct replay_action *a)
{
    const struct copier *x = (const struct copier *)(const void *)s;
    struct replay_action copy = *a;
    if (replay_kind_is_of_threads(a->kind)) {
        replay_unsay(s->out, replay_kind_name(a->kind), "left out");
        return;
    }
    if (replay_kind_fields(a->kind) & REPLAY_GROUP && a->group) {
        const struct replay_group *g = replay_tape_group_at(x->from, a->group);
        copy.group = replay_tape_group(x->to, g->rank, g->n);
    }
    replay_tape_write(x->to, rank, &copy);
}

static void end(struct replay_sink *s, uint32_t rank)
{
    (void)s, (void)rank;
}

struct replay_tape *replay_convert_actions(struct replay_tape *t, struct replay_conversion *out)
{
    struct copier x = {.sink = {.put = put, .end = end, .out = out}, .from = t, .to = replay_tape_create()};
    replay_tape_ranks_least(x.to, replay_tape_ranks(t));
    replay_feed(t, &x.sink, false);
    replay_tape_seal(x.to);
    replay_tape_set_computes(x.to);
    return x.to;
}
