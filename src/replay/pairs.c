/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs: messages of a trace by sender, receiver and tag. */
#include "replay/pairs.h"

#include <stdlib.h>

struct pair {
    uint32_t from, to;
    int32_t tag;
};
struct count {
    struct pair key;
    uint64_t sent, received, bytes;
};

void replay_pairs_init(struct replay_pairs *p, uint32_t ranks)
{
    base_table_init(&p->pairs, BASE_BYTES, sizeof(struct count *), "messages of a trace");
    base_pool_init(&p->counts, sizeof(struct count), "messages of a trace");
    p->open_minded = base_zalloc(ranks, "ranks of a trace");
}

static struct count *count_of(struct replay_pairs *p, uint32_t from, uint32_t to, int32_t tag)
{
    bool fresh;
    const struct pair key = {from, to, tag};
    struct count **found = base_table_find_bytes(&p->pairs, &key, sizeof key);
    if (found)
        return *found;
    struct count *c = base_pool_get(&p->counts);
    *c = (struct count){.key = key};
    found = base_table_add_bytes(&p->pairs, &c->key, sizeof c->key, &fresh);
    *found = c;
    return c;
}

void replay_pairs_sent(struct replay_pairs *p, uint32_t from, uint32_t to, int32_t tag, uint64_t bytes)
{
    struct count *c = count_of(p, from, to, tag);
    c->sent++;
    c->bytes += bytes;
}

void replay_pairs_received(struct replay_pairs *p, uint32_t from, uint32_t to, int32_t tag)
{
    count_of(p, from, to, tag)->received++;
}

static void keep_if_most(struct replay_facts *out, const struct replay_pair *pair)
{
    size_t k = BASE_LENGTH(out->largest);
    for (; k > 0 && out->largest[k - 1].bytes < pair->bytes; k--)
        if (k < BASE_LENGTH(out->largest))
            out->largest[k] = out->largest[k - 1];
    if (k < BASE_LENGTH(out->largest))
        out->largest[k] = *pair;
}

/* All tags together. */
static void sum_up(const struct replay_pairs *p, struct replay_facts *out)
{
    struct base_table pairs;
    struct count **c;
    struct replay_pair *pair;
    base_table_init(&pairs, BASE_NUMBERS, sizeof *pair, "messages of a trace");
    for (uint32_t at = 0; (c = base_table_next(&p->pairs, &at));) {
        const struct pair *key = &(*c)->key;
        if (!(*c)->sent)
            continue;
        pair = base_table_add(&pairs, (uint64_t)key->from << 32 | key->to, NULL);
        pair->from = key->from;
        pair->to = key->to;
        pair->messages += (*c)->sent;
        pair->bytes += (*c)->bytes;
    }
    for (uint32_t at = 0; (pair = base_table_next(&pairs, &at)); out->pairs++)
        keep_if_most(out, pair);
    base_table_release(&pairs);
}

void replay_pairs_close(struct replay_pairs *p, struct replay_facts *out)
{
    struct count **c;
    sum_up(p, out);
    for (uint32_t at = 0; (c = base_table_next(&p->pairs, &at));) {
        const struct pair *key = &(*c)->key;
        if ((*c)->sent == (*c)->received || ((*c)->sent > (*c)->received && p->open_minded[key->to]))
            continue;
        if (out->unmatched++ < BASE_LENGTH(out->first))
            out->first[out->unmatched - 1] =
                (struct replay_unmatched){key->from, key->to, key->tag, (*c)->sent, (*c)->received};
    }
    free(p->open_minded);
    base_table_release(&p->pairs);
    base_pool_release(&p->counts);
}

void replay_facts_rank(struct replay_facts *f, uint64_t actions)
{
    f->idle += actions == 0;
    f->least = actions < f->least ? actions : f->least;
    f->most = actions > f->most ? actions : f->most;
}
