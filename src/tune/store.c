/* SPDX-License-Identifier: BSD-3-Clause */
/* store: the results of trials by what was tried. Files are left to journal.c. */
#include "tune/store.h"

#include <stdlib.h>
#include <string.h>

struct tune_store *tune_store_create(const struct tune_space *s)
{
    struct tune_store *x = base_zalloc(sizeof *x, "results of trials");
    x->space = s;
    base_index_init(&x->index, "results of trials");
    return x;
}

void tune_store_destroy(struct tune_store *x)
{
    base_index_release(&x->index);
    free(x->at.at);
    free(x);
}

struct tune_key tune_store_key(const struct tune_store *x, const struct tune_ask *a)
{
    const struct tune_place *p = &x->space->place.at[a->place];
    uint64_t graph = p->graph ? tune_graph_fingerprint(p->graph) : BASE_FNV;
    if (p->first)
        graph = base_fnv(graph, &p->first, sizeof p->first);
    return (struct tune_key){.hosts = base_fnv(graph, p->host, a->ranks * sizeof *p->host),
                             .bytes = a->bytes,
                             .segment = a->choice.segment,
                             .op = a->op,
                             .ranks = a->ranks,
                             .algorithm = a->choice.algorithm,
                             .radix = a->choice.radix,
                             .window = a->choice.window};
}

struct tune_time *tune_store_entry(struct tune_store *x, const struct tune_key *key, bool add)
{
    uint32_t hash = base_hash_bytes(key, sizeof *key);
    for (uint32_t at = hash, k; (k = base_index_next(&x->index, hash, &at)) != BASE_NONE;)
        if (!memcmp(&x->at.at[k].key, key, sizeof *key))
            return &x->at.at[k].time;
    if (!add)
        return NULL;
    struct tune_result r = {.key = *key};
    base_index_add(&x->index, hash, (uint32_t)x->at.n);
    BASE_ARRAY_PUSH(&x->at, r);
    return &x->at.at[x->at.n - 1].time;
}

const struct tune_time *tune_store_find(struct tune_store *x, const struct tune_ask *a)
{
    struct tune_key key = tune_store_key(x, a);
    const struct tune_time *t = tune_store_entry(x, &key, false);
    return t && (t->end != TUNE_OVER_BOUND || t->last >= a->bound) ? t : NULL;
}

void tune_store_add(struct tune_store *x, const struct tune_ask *a, const struct tune_time *t)
{
    struct tune_key key = tune_store_key(x, a);
    struct tune_time *kept = tune_store_entry(x, &key, true);
    *kept = *t;
    x->events += t->events;
    if (t->end == TUNE_OVER_BOUND) /* what is known is that it takes longer than this */
        kept->last = kept->mean = a->bound;
}
