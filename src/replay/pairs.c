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
    uint64_t sent, received;
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

void replay_pairs_sent(struct replay_pairs *p, uint32_t from, uint32_t to, int32_t tag)
{
    count_of(p, from, to, tag)->sent++;
}

void replay_pairs_received(struct replay_pairs *p, uint32_t from, uint32_t to, int32_t tag)
{
    count_of(p, from, to, tag)->received++;
}

void replay_pairs_close(struct replay_pairs *p, struct replay_facts *out)
{
    struct count **c;
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
