/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_info: what is in schedules of GOAL, without playing them. */
#include "replay/trace.h"

#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* Messages between two ranks with one tag. */
struct pair {
    uint32_t from, to, tag;
};
struct count {
    struct pair key;
    uint64_t sent, received;
};

struct survey {
    struct replay_facts *facts;
    struct base_table pairs; /* struct pair -> struct count * */
    struct base_pool counts;
    bool *open_minded; /* of each rank: it receives from any rank, or any tag */
};

static struct count *count_of(struct survey *s, const struct pair *key)
{
    bool fresh;
    struct count **found = base_table_find_bytes(&s->pairs, key, sizeof *key);
    if (found)
        return *found;
    struct count *c = base_pool_get(&s->counts);
    *c = (struct count){.key = *key};
    found = base_table_add_bytes(&s->pairs, &c->key, sizeof c->key, &fresh);
    *found = c;
    return c;
}

static void count_operation(struct survey *s, uint32_t rank, const struct replay_goal_op *o)
{
    struct replay_call *call = &s->facts->call[o->kind - REPLAY_GOAL_SEND];
    call->count++;
    if (o->kind == REPLAY_GOAL_CALCULATION) {
        s->facts->seconds += (double)o->size * 1e-9;
    } else if (o->kind == REPLAY_GOAL_SEND) {
        call->bytes += o->size;
        count_of(s, &(struct pair){rank, o->peer, o->tag})->sent++;
    } else if (o->peer == REPLAY_GOAL_ANY || o->tag == REPLAY_GOAL_ANY) {
        s->open_minded[rank] = true;
    } else {
        count_of(s, &(struct pair){o->peer, rank, o->tag})->received++;
    }
}

static void count_rank(struct survey *s, const struct replay_goal *g, uint32_t rank)
{
    uint32_t n;
    const struct replay_goal_op *op = replay_goal_ops(g, rank, &n);
    for (uint32_t k = 0; k < n; k++)
        count_operation(s, rank, &op[k]);
    s->facts->idle += n == 0;
    s->facts->least = n < s->facts->least ? n : s->facts->least;
    s->facts->most = n > s->facts->most ? n : s->facts->most;
}

static void find_unmatched(struct survey *s)
{
    struct replay_facts *f = s->facts;
    struct count **c;
    for (uint32_t at = 0; (c = base_table_next(&s->pairs, &at));) {
        const struct pair *key = &(*c)->key;
        if ((*c)->sent == (*c)->received || ((*c)->sent > (*c)->received && s->open_minded[key->to]))
            continue;
        if (f->unmatched++ < BASE_LENGTH(f->first))
            f->first[f->unmatched - 1] =
                (struct replay_unmatched){key->from, key->to, (int32_t)key->tag, (*c)->sent, (*c)->received};
    }
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
    base_table_init(&s.pairs, BASE_BYTES, sizeof(struct count *), "messages of schedules");
    base_pool_init(&s.counts, sizeof(struct count), "messages of schedules");
    s.open_minded = base_zalloc(out->ranks, "ranks of schedules");
    for (uint32_t rank = 0; rank < out->ranks; rank++)
        count_rank(&s, g, rank);
    find_unmatched(&s);
    close_calls(out);
    free(s.open_minded);
    base_table_release(&s.pairs);
    base_pool_release(&s.counts);
}
