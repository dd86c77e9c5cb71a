/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_info: what is in schedules of GOAL, without playing them. */
#include "replay/pairs.h"
#include "replay/trace.h"

struct survey {
    struct replay_facts *facts;
    struct replay_pairs pairs;
};

static void count_operation(struct survey *s, uint32_t rank, const struct replay_goal_op *o)
{
    struct replay_call *call = &s->facts->call[o->kind - REPLAY_GOAL_SEND];
    call->count++;
    if (o->kind == REPLAY_GOAL_CALCULATION) {
        s->facts->seconds += (double)o->size * 1e-9;
    } else if (o->kind == REPLAY_GOAL_SEND) {
        call->bytes += o->size;
        replay_pairs_sent(&s->pairs, rank, o->peer, (int32_t)o->tag, o->size);
    } else if (o->peer == REPLAY_GOAL_ANY || o->tag == REPLAY_GOAL_ANY) {
        s->pairs.open_minded[rank] = true;
    } else {
        replay_pairs_received(&s->pairs, o->peer, rank, (int32_t)o->tag);
    }
}

static void count_rank(struct survey *s, const struct replay_goal *g, uint32_t rank)
{
    uint32_t n;
    replay_goal_records(g, rank, &n);
    for (uint32_t k = 0; k < n; k++) {
        const struct replay_goal_op op = replay_goal_op(g, rank, k);
        count_operation(s, rank, &op);
    }
    replay_facts_rank(s->facts, n);
}

/* Kinds that do not occur are left out. */
static void close_calls(struct replay_facts *f)
{
    for (size_t k = 0; k < 3; k++)
        if (f->call[k].count)
            f->call[f->n++] = f->call[k];
}

void replay_goal_facts(const struct replay_goal *g, struct replay_facts *out)
{
    struct survey s = {.facts = out};
    *out = (struct replay_facts){.ranks = replay_goal_ranks(g),
                                 .actions = replay_goal_operations(g),
                                 .least = UINT64_MAX,
                                 .dependencies = replay_goal_dependencies(g),
                                 .cpus = replay_goal_cpus(g),
                                 .nics = replay_goal_nics(g)};
    for (unsigned kind = REPLAY_GOAL_SEND; kind <= REPLAY_GOAL_CALCULATION; kind++)
        out->call[kind - REPLAY_GOAL_SEND] =
            (struct replay_call){.name = replay_goal_kind_name(kind), .played = true};
    replay_pairs_init(&s.pairs, out->ranks);
    for (uint32_t rank = 0; rank < out->ranks; rank++)
        count_rank(&s, g, rank);
    replay_pairs_close(&s.pairs, out);
    close_calls(out);
}
